//! A run whose rate drifted from its beginning to its end.

use etalon_model::Severity;
use etalon_stats::{Sample, Steadiness, SteadyState};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;
use crate::series::{Stretch, scatter, windows};

pub(crate) const CHECK: Check = Check {
    code: "unsteady",
    about: "The run's rate drifted or swung beyond the SNIA rule (range 20 %, rise 10 %), or by more than 5 % for certain.",
    advice: "Leave the beginning out with --warm-up, measure longer, or precondition the device first.",
    short_about: Some("The rate moved during each run."),
    short_advice: Some("Measure longer, so that the storage settles."),
    ..Check::of_run(run)
};

/// Of five means that scatter by chance the range is below 5.5 of their standard deviations in 999 of 1000 runs (the
/// studentized range), and the rise of a line through them below 4.2; halves lie nearer together than 3.3 standard errors.
/// A cell has many runs, and the line's own test is one of one run at 5 %. Each is a fifth more here, by which the scatter
/// of forty slices may be missed.
const RANGE_BY_CHANCE: f64 = 6.6;
const RISE_BY_CHANCE: f64 = 5.0;
const HALVES_BY_CHANCE: f64 = 4.0;
/// The parts of the SNIA rule.
const FIFTHS: f64 = 5.0;

fn run(facts: &Facts) -> Option<Outcome> {
    let windows = windows(facts.run)?;
    let steady = windows.steady_state()?;
    let drifts = steady.drift.is_drifting() && halves_differ(&windows);
    let is_told = drifts || is_beyond_chance(&windows, &steady);
    (steady.verdict() == Steadiness::NotSteady && is_told).then(|| {
        let message = said!(
            "over the run the rate moved by {drift} ± {reach}; its fifths span {range} of their mean and rise by {rise}.",
            drift = Percent::from_fraction(steady.drift.drift),
            reach = Percent::from_fraction(steady.drift.half_width),
            range = Percent::from_fraction(steady.snia.range),
            rise = Percent::from_fraction(steady.snia.rise),
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

/// Few operations in each fifth let the fifths scatter, and the rule of SNIA knows nothing of chance.
fn is_beyond_chance(windows: &Sample, steady: &SteadyState) -> bool {
    let all = Stretch::of(windows.values());
    let of_fifth = scatter(windows) / (all.slices / FIFTHS).sqrt() / all.mean;
    steady.snia.range > RANGE_BY_CHANCE * of_fifth || steady.snia.rise > RISE_BY_CHANCE * of_fifth
}

fn halves_differ(windows: &Sample) -> bool {
    let values = windows.values();
    let (first, second) = values.split_at(values.len() / 2);
    Stretch::of(first).apart(Stretch::of(second), scatter(windows)) > HALVES_BY_CHANCE
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, found_by_chance, read_run, series_of};

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

    #[test]
    fn fifths_of_few_operations_that_scatter_are_not_told() {
        let found = found_by_chance(super::run);
        assert!(found <= 1, "{found} of 200 runs");
    }
}
