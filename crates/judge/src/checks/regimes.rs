//! A run that went at two speeds.

use etalon_model::Severity;
use etalon_stats::{Level, Regime, Regimes, Sample};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, figure, said};
use crate::series::{Stretch, scatter, windows};

pub(crate) const CHECK: Check = Check {
    code: "regimes",
    about: "The run went at different speeds for long stretches, so that one mean describes none of them.",
    advice: "Look for a cache that filled up, a throttle or another user, and measure each stretch alone.",
    short_about: Some("The rate jumped between levels within a run."),
    short_advice: Some("Measure longer; a cache that fills up or a throttle does this."),
    ..Check::of_run(run)
};

/// Regimes that lie nearer together than this many standard errors are the best cuts of chance: they are looked for at
/// every place, and a cell has many runs.
const BY_CHANCE: f64 = 6.0;

fn run(facts: &Facts) -> Option<Outcome> {
    let windows = windows(facts.run)?;
    let regimes = windows.regimes(Level::REPORTED)?;
    let is_told = !regimes.may_be_averaged() && differ(&windows, &regimes);
    is_told.then(|| {
        let evidence = [
            ("regimes", regimes.regimes.len() as f64),
            ("switches", regimes.switches.len() as f64),
        ];
        Outcome::new(Severity::Warn, words(&regimes.regimes), &evidence)
    })
}

fn words(regimes: &[Regime]) -> Sentence {
    let begun = said!(
        "operations per 100 ms fall into {count} regimes.",
        count = regimes.len(),
    );
    let told = regimes.iter().enumerate();
    told.fold(begun, |said, (at, regime)| {
        let level = figure(format!("{:.0}", regime.level.value));
        let share = figure(format!("{:.0} %", regime.share * 100.0));
        said.then(match at {
            0 => said!(": {level} for {share}.", level = level, share = share),
            at if at + 1 < regimes.len() => {
                said!(", {level} for {share}.", level = level, share = share)
            }
            _ => said!(
                ", {level} for {share} of the run.",
                level = level,
                share = share
            ),
        })
    })
}

/// Whether any two of them lie further apart than chance has it.
fn differ(windows: &Sample, regimes: &Regimes) -> bool {
    let scatter = scatter(windows);
    let of = |regime: &Regime| Stretch {
        mean: regime.level.value,
        slices: regime.level.n as f64,
    };
    let all: Vec<Stretch> = regimes.regimes.iter().map(of).collect();
    let apart = |a: &Stretch| all.iter().any(|b| a.apart(*b, scatter) > BY_CHANCE);
    all.iter().any(apart)
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, found_by_chance, read_run, series_of};

    #[test]
    fn a_cache_that_fills_up_shows_as_two_regimes() {
        let mut run = read_run();
        let noise = |i: usize| ((i * 7919) % 31) as f64;
        run.measurement.series = series_of((0..400).map(|i| 412.0 + noise(i)));
        assert_eq!(super::run(&facts(&run)), None);
        let level = |i: usize| if i < 244 { 412.0 } else { 268.0 };
        run.measurement.series = series_of((0..400).map(|i| level(i) + noise(i)));
        let outcome = super::run(&facts(&run)).unwrap();
        let message = outcome.message.text;
        assert!(message.starts_with("operations per 100 ms fall into 2 regimes: 4"));
        assert!(message.ends_with(" for 39 % of the run."), "{message}");
        assert!(message.contains(" for 61 %, 2"), "{message}");
    }

    #[test]
    fn cuts_of_chance_are_not_told() {
        let found = found_by_chance(super::run);
        assert!(found <= 1, "{found} of 200 runs");
    }
}
