//! A server across a network whose link was the limit.

use etalon_model::{Measurement, NetworkFacts, Severity};
use etalon_units::{Bytes, Nanos, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::NETWORK_BYTES;
use crate::sentence::said;

/// Of what the link can carry: above it the storage behind the server decides nothing. A link that is full shows 98 %
/// with frames of 1500 bytes, for the kernel counts 14 of the 38 bytes that Ethernet adds to each
/// (IEEE 802.3, section 3.1.1 and 4.4.2: preamble, header, check sequence, gap).
const FULL: f64 = 0.9;
/// Beyond what a link can carry by more than a counter that is read late explains: its speed is not the one that the
/// kernel tells, as of many virtual machines.
const MOST: f64 = 1.05;

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
    if !NETWORK_BYTES.resolves(network.received_bytes.as_f64()) {
        return None;
    }
    let share = counted(network).max(asked_for(network, m)) / speed.as_f64();
    (FULL..=MOST).contains(&share).then(|| {
        let message = said!(
            "{interface} carried {share} of the {speed} a second that it can.",
            interface = &network.interface,
            share = Percent::from_fraction(share),
            speed = speed,
        );
        let evidence = [
            ("link_share", share),
            ("received_bytes", network.received_bytes.as_f64()),
        ];
        Outcome::new(Severity::Invalid, message, &evidence)
    })
}

/// Bytes that came in per second, for whomever, pauses between pages and all.
fn counted(network: &NetworkFacts) -> f64 {
    per_second(network.received_bytes, network.span.unwrap_or_default())
}

/// Bytes of the pages per second of the time that they took, in which the link may be full although it rests in between.
/// What did not come over this interface is none of its bytes.
fn asked_for(network: &NetworkFacts, m: &Measurement) -> f64 {
    per_second(m.metadata.bytes.min(network.received_bytes), m.duration)
}

fn per_second(bytes: Bytes, span: Nanos) -> f64 {
    match span {
        Nanos::ZERO => 0.0,
        span => bytes.as_f64() / span.as_secs_f64(),
    }
}

#[cfg(test)]
mod tests {
    use etalon_model::{NetworkFacts, ServiceFacts, Severity, TaskFigure};
    use etalon_units::{Bytes, Nanos};

    use crate::check::Outcome;
    use crate::samples::{facts, task_run};

    const GIGABIT: Option<Bytes> = Some(Bytes(125_000_000));

    /// A second over a link of 1 Gbit/s that counted so many bytes.
    fn found(speed: Option<Bytes>, received: u64) -> Option<Outcome> {
        paced(speed, (received, Nanos::secs(1)), (0, Nanos::secs(1)))
    }

    /// So many bytes that came in over a link in some time, of which pages took so many and so much.
    fn paced(
        speed: Option<Bytes>,
        (received, span): (u64, Nanos),
        (own, duration): (u64, Nanos),
    ) -> Option<Outcome> {
        let mut run = task_run(TaskFigure::Rate);
        run.measurement.metadata.bytes = Bytes(own);
        run.measurement.duration = duration;
        run.measurement.service = Some(ServiceFacts {
            network: Some(NetworkFacts {
                interface: "eth0".to_owned(),
                speed,
                received_bytes: Bytes(received),
                span: Some(span),
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
    fn what_others_received_in_the_pauses_fills_no_link() {
        let second = Nanos::secs(1);
        let (busy, own) = (Nanos::millis(100), 2_000_000);
        assert_eq!(paced(GIGABIT, (20_000_000, second), (own, busy)), None);
        // Pages that fill it whenever one is under way.
        let own = 11_700_000;
        let outcome = paced(GIGABIT, (12_000_000, second), (own, busy)).unwrap();
        assert!(
            outcome.message.contains("carried 94 %"),
            "{}",
            outcome.message
        );
        // Pages of another server, over another way.
        assert_eq!(paced(GIGABIT, (5_000_000, second), (own, busy)), None);
    }

    #[test]
    fn a_link_that_carries_more_than_it_can_has_another_speed() {
        assert!(found(GIGABIT, 126_000_000).is_some());
        assert_eq!(found(GIGABIT, 250_000_000), None);
    }

    #[test]
    fn a_server_of_this_machine_has_no_link() {
        let mut run = task_run(TaskFigure::Rate);
        run.measurement.service = Some(ServiceFacts::default());
        assert_eq!(super::run(&facts(&run)), None);
    }
}
