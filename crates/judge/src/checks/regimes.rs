//! A run that went at two speeds.

use etalon_model::Severity;
use etalon_stats::Level;

use crate::check::{Check, Facts, Looks, Outcome};
use crate::series::windows;

pub(crate) const CHECK: Check = Check {
    code: "regimes",
    about: "The run went at different speeds for long stretches, so that one mean describes none of them.",
    advice: "Look for a cache that filled up, a throttle or another user, and measure each stretch alone.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let windows = windows(facts.run)?;
    let regimes = windows.regimes(Level::REPORTED)?;
    (!regimes.may_be_averaged()).then(|| {
        let message = format!("operations per 100 ms fall into {regimes} of the run.");
        let evidence = [
            ("regimes", regimes.regimes.len() as f64),
            ("switches", regimes.switches.len() as f64),
        ];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run, series_of};

    #[test]
    fn a_cache_that_fills_up_shows_as_two_regimes() {
        let mut run = read_run();
        let noise = |i: usize| ((i * 7919) % 31) as f64;
        run.measurement.series = series_of((0..400).map(|i| 412.0 + noise(i)));
        assert_eq!(super::run(&facts(&run)), None);
        let level = |i: usize| if i < 244 { 412.0 } else { 268.0 };
        run.measurement.series = series_of((0..400).map(|i| level(i) + noise(i)));
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("2 regimes"), "{}", outcome.message);
        assert!(outcome.message.contains("61 %"), "{}", outcome.message);
    }
}
