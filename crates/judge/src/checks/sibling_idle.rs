//! One half of a mirror or one member of a stripe without work.

use etalon_model::{Run, Severity, Siblings};
use etalon_units::Bytes;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

/// A member with less than this share of the mean is idle.
const IDLE: f64 = 0.10;
/// Less than this in all says nothing about who worked.
const ENOUGH: Bytes = Bytes::mib(1);

pub(crate) const CHECK: Check = Check {
    code: "sibling-idle",
    about: "Devices that should share the work did not: one of them was next to idle.",
    advice: "Use more streams or jobs; a single stream reads one half of most mirrors, and that is what was measured.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let groups = &facts.run.circumstances.beneath.as_ref()?.siblings;
    groups.iter().find_map(|group| of_group(facts.run, group))
}

fn of_group(run: &Run, group: &Siblings) -> Option<Outcome> {
    let counters = run.circumstances.counters.as_ref()?;
    let reads = run.measurement.reads.bytes > Bytes::ZERO;
    let mut moved = Vec::new();
    for name in &group.members {
        let delta = counters.layer(name)?;
        moved.push(
            if reads {
                delta.read_bytes
            } else {
                delta.write_bytes
            }
            .get(),
        );
    }
    let (least, total) = (*moved.iter().min()?, moved.iter().sum::<u64>());
    let mean = total as f64 / moved.len() as f64;
    let idle = group
        .members
        .iter()
        .zip(&moved)
        .find(|(_, bytes)| **bytes == least)?;
    (total > ENOUGH.get() && (least as f64) < mean * IDLE).then(|| {
        let message = match group.mirror {
            true => said!(
                "{device} was next to idle, a half of the mirror {mirror}: it moved {moved} of {all}.",
                device = idle.0,
                mirror = &group.of,
                moved = Bytes(least),
                all = Bytes(total),
            ),
            false => said!(
                "{device} was next to idle, a member of the stripe {stripe}: it moved {moved} of {all}.",
                device = idle.0,
                stripe = &group.of,
                moved = Bytes(least),
                all = Bytes(total),
            ),
        };
        let evidence = [("idle_bytes", least as f64), ("all_bytes", total as f64)];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, layer, read_run, with_layers};
    use etalon_model::BeneathFacts;

    #[test]
    fn a_mirror_read_from_one_half_is_told() {
        let mut run = read_run();
        run.circumstances.beneath = Some(BeneathFacts {
            siblings: vec![Siblings {
                of: "btrfs raid1".to_owned(),
                mirror: true,
                members: vec!["sda".to_owned(), "sdb".to_owned()],
            }],
            ..BeneathFacts::default()
        });
        with_layers(&mut run, vec![layer("sda", 130, 0), layer("sdb", 126, 0)]);
        assert_eq!(super::run(&facts(&run)), None);
        with_layers(&mut run, vec![layer("sda", 256, 0), layer("sdb", 0, 0)]);
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.starts_with("sdb was next to idle"));
    }
}
