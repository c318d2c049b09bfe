//! Discards during a run.

use etalon_model::Severity;
use etalon_units::{Bytes, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{DISCARDED, Levels};
use crate::sentence::said;

/// Share of the run's own bytes beyond which discards are worth telling.
const WORTH_TELLING: Levels<'_> = &[(0.01, Severity::Warn)];

pub(crate) const CHECK: Check = Check {
    code: "discards",
    about: "The devices carried out discards during the run, which some of them do slowly.",
    advice: "Mount without discard and use fstrim between measurements, or stop a running fstrim.",
    short_about: Some("The filesystem discarded blocks meanwhile."),
    short_advice: Some("Mount without discard and use fstrim between measurements."),
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    // Those that the run makes itself are what is measured.
    if !run.measurement.trims.is_none() {
        return None;
    }
    let own = run.measurement.bytes_with_warm_up;
    let layers = &run.circumstances.counters.as_ref()?.layers;
    let of = layers.iter().filter_map(|layer| layer.delta?.discard_bytes);
    let discarded = of.max()?;
    let whole = own.as_f64().max(1.0);
    let share = discarded.as_f64() / whole;
    let found = DISCARDED.grade(discarded.as_f64(), whole, WORTH_TELLING)?;
    (own > Bytes::ZERO).then(|| {
        let message = said!(
            "{discarded} were discarded during the run, {share} of what it moved.",
            discarded = discarded,
            share = Percent::from_fraction(share),
        );
        Outcome::new(
            found.severity,
            found.say(message),
            &[("discarded_bytes", discarded.as_f64())],
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, layer, read_run, with_layers};

    #[test]
    fn discards_of_the_order_of_the_run_are_told() {
        let mut run = read_run();
        let mut sda = layer("sda", 256, 0);
        sda.delta.as_mut().unwrap().discard_bytes = Some(Bytes::kib(64));
        with_layers(&mut run, vec![sda.clone()]);
        assert_eq!(super::run(&facts(&run)), None);
        sda.delta.as_mut().unwrap().discard_bytes = Some(Bytes::gib(1));
        with_layers(&mut run, vec![sda]);
        let severity = |run: &_| super::run(&facts(run)).unwrap().severity;
        assert_eq!(severity(&run), Severity::Warn);
        let mut own = run.clone();
        own.measurement.trims.operations = 1;
        assert_eq!(super::run(&facts(&own)), None);
        run.measurement.bytes_with_warm_up = Bytes::mib(1);
        let layers = &mut run.circumstances.counters.as_mut().unwrap().layers;
        layers[0].delta.as_mut().unwrap().discard_bytes = Some(Bytes::kib(64));
        assert_eq!(severity(&run), Severity::Info);
    }
}
