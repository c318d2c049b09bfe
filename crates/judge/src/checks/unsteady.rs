//! A run whose rate drifted from its beginning to its end.

use etalon_model::Severity;
use etalon_stats::Steadiness;
use etalon_units::Percent;

use crate::check::{Check, Facts, Looks, Outcome};
use crate::series::windows;

pub(crate) const CHECK: Check = Check {
    code: "unsteady",
    about: "The run's rate drifted or swung beyond the SNIA rule (range 20 %, rise 10 %), or by more than 5 % for certain.",
    advice: "Leave the beginning out with --warm-up, measure longer, or precondition the device first.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let steady = windows(facts.run)?.steady_state()?;
    (steady.verdict() == Steadiness::NotSteady).then(|| {
        let message = format!(
            "over the run the rate moved by {} ± {}; its fifths span {} of their mean and rise by {}.",
            Percent::from_fraction(steady.drift.drift),
            Percent::from_fraction(steady.drift.half_width),
            Percent::from_fraction(steady.snia.range),
            Percent::from_fraction(steady.snia.rise),
        );
        let evidence = [
            ("drift_share", steady.drift.drift),
            ("drift_half_width_share", steady.drift.half_width),
            ("range_share", steady.snia.range),
            ("rise_share", steady.snia.rise),
        ];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run, series_of};

    #[test]
    fn a_fall_of_a_quarter_is_told_and_noise_is_not() {
        let mut run = read_run();
        let noise = |i: usize| ((i * 7919) % 31) as f64;
        run.measurement.series = series_of((0..400).map(|i| 1000.0 + noise(i)));
        assert_eq!(super::run(&facts(&run)), None);
        let falling = |i: usize| 1000.0 - 250.0 * i as f64 / 400.0;
        run.measurement.series = series_of((0..400).map(|i| falling(i) + noise(i)));
        let outcome = super::run(&facts(&run)).unwrap();
        // 250 of a mean of 890, from the middle of the first twentieth to that of the last.
        assert!(
            outcome.message.contains("moved by -27 %"),
            "{}",
            outcome.message
        );
    }
}
