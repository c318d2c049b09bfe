//! A server across a network whose link was the limit.

use etalon_model::Severity;
use etalon_units::{Bytes, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::NETWORK_BYTES;
use crate::sentence::said;

/// Of what the link can carry: above it the storage behind the server decides nothing. A link that is full shows 98 %
/// with frames of 1500 bytes, for the kernel counts 14 of the 38 bytes that Ethernet adds to each
/// (IEEE 802.3, section 3.1.1 and 4.4.2: preamble, header, check sequence, gap).
const FULL: f64 = 0.9;

pub(crate) const CHECK: Check = Check {
    code: "network-bound",
    about: "The network to the server was the limit: the figure is that of the link.",
    advice: "Measure on the machine of the server, or over a faster link.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let network = m.service.as_ref()?.network.as_ref()?;
    let speed = network.speed.filter(|speed| *speed > Bytes::ZERO)?;
    // What came in between the looks around the part is in the counter too.
    if !NETWORK_BYTES.resolves(network.received_bytes.as_f64()) || m.duration.get() == 0 {
        return None;
    }
    let rate = network.received_bytes.as_f64() / m.duration.as_secs_f64();
    let share = rate / speed.as_f64();
    (share >= FULL).then(|| {
        let message = said!(
            "{interface} carried {share} of the {speed} a second that it can.",
            interface = &network.interface,
            share = Percent::from_fraction(share.min(1.0)),
            speed = speed,
        );
        let evidence = [
            ("link_share", share),
            ("received_bytes", network.received_bytes.as_f64()),
        ];
        Outcome::new(Severity::Invalid, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use etalon_model::{NetworkFacts, ServiceFacts, Severity, TaskFigure};
    use etalon_units::Bytes;

    use crate::check::Outcome;
    use crate::samples::{facts, task_run};

    /// A second over a link of 1 Gbit/s that counted so many bytes.
    fn found(speed: Option<Bytes>, received: u64) -> Option<Outcome> {
        let mut run = task_run(TaskFigure::Rate);
        run.measurement.service = Some(ServiceFacts {
            network: Some(NetworkFacts {
                interface: "eth0".to_owned(),
                speed,
                received_bytes: Bytes(received),
            }),
            ..ServiceFacts::default()
        });
        super::run(&facts(&run))
    }

    #[test]
    fn a_full_link_is_found_and_one_with_room_is_not() {
        let gigabit = Some(Bytes(125_000_000));
        let outcome = found(gigabit, 119_000_000).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
        assert!(
            outcome.message.starts_with("eth0 carried 95"),
            "{}",
            outcome.message
        );
        assert_eq!(found(gigabit, 100_000_000), None);
        assert_eq!(found(None, 119_000_000), None);
        assert_eq!(found(Some(Bytes(0)), 119_000_000), None);
    }

    #[test]
    fn a_few_packets_in_a_moment_fill_no_link() {
        assert_eq!(found(Some(Bytes(1000)), 60_000), None);
    }

    #[test]
    fn a_server_of_this_machine_has_no_link() {
        let mut run = task_run(TaskFigure::Rate);
        run.measurement.service = Some(ServiceFacts::default());
        assert_eq!(super::run(&facts(&run)), None);
    }
}
