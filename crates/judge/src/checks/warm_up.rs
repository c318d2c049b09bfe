//! A run that was still warming up when it was measured.

use etalon_model::Severity;
use etalon_stats::{Level, Sample, WarmUp};
use etalon_units::{Nanos, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;
use crate::series::{SLICE, Stretch, scatter, windows};

pub(crate) const CHECK: Check = Check {
    code: "warm-up",
    about: "The beginning of the run differs from the rest (MSER-5), so that it belongs to neither.",
    advice: "Leave it out with --warm-up, or measure longer.",
    short_about: Some("The beginning of each run was different from the rest."),
    short_advice: Some("Measure longer."),
    ..Check::of_run(run)
};

/// A beginning that lies nearer to the rest than this many standard errors does so by chance: the cut is the best of
/// many, and a cell has many runs.
const BY_CHANCE: f64 = 5.0;

fn run(facts: &Facts) -> Option<Outcome> {
    let windows = windows(facts.run)?;
    match windows.warm_up() {
        WarmUp::NotSettled if !differs(&windows, windows.n() / 2) => None,
        WarmUp::Cut(cut) if cut > 0 && !differs(&windows, cut) => None,
        WarmUp::NotSettled => {
            let message = said!("the rate had not settled by the middle of the run.");
            Some(Outcome::new(Severity::Warn, message, &[]))
        }
        WarmUp::Cut(cut) if cut > 0 => {
            let settled = windows.warmed_up()?.mean_interval(Level::REPORTED).value;
            let all = windows.mean_interval(Level::REPORTED).value;
            let bias = all / settled - 1.0;
            let span = Nanos(SLICE.get().saturating_mul(cut as u64));
            // Less than a percent of the figure is not worth a sentence.
            (bias.abs() > 0.01).then(|| {
                let message = said!(
                    "the first {span} moved the run's mean by {share}.",
                    span = span,
                    share = Percent::from_fraction(bias.abs()),
                );
                let evidence = [("warm_up_s", span.as_secs_f64()), ("bias_share", bias)];
                Outcome::new(Severity::Warn, message, &evidence)
            })
        }
        WarmUp::Cut(_) | WarmUp::TooShort => None,
    }
}

/// Whether what comes before a cut differs from the rest by more than chance.
fn differs(windows: &Sample, cut: usize) -> bool {
    let (before, rest) = windows.values().split_at(cut);
    Stretch::of(before).apart(Stretch::of(rest), scatter(windows)) > BY_CHANCE
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, found_by_chance, read_run, series_of};

    #[test]
    fn a_slow_start_is_told_and_an_even_run_is_not() {
        let mut run = read_run();
        let noise = |i: usize| ((i * 7919) % 13) as f64;
        run.measurement.series = series_of((0..600).map(|i| 1000.0 + noise(i)));
        assert_eq!(super::run(&facts(&run)), None);
        let slow = |i: usize| if i < 150 { 500.0 } else { 1000.0 };
        run.measurement.series = series_of((0..600).map(|i| slow(i) + noise(i)));
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("15.0 s"), "{}", outcome.message);
    }

    #[test]
    fn a_beginning_that_chance_makes_is_not_told() {
        let found = found_by_chance(super::run);
        assert!(found <= 1, "{found} of 200 runs");
    }
}
