//! Durable writes that flushed nothing.

use etalon_model::{Severity, SyncMode};

use crate::check::{Check, Facts, Looks, Outcome};

pub(crate) const CHECK: Check = Check {
    code: "no-flush",
    about: "Writes were made durable, yet no device with a volatile cache saw a flush: a power cut would lose them.",
    advice: "Mount with barriers (without nobarrier or barrier=0), and see whether a layer is set to ignore flushes.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let m = &run.measurement;
    let asked = m.fsyncs > 0
        || run
            .workload
            .io()
            .is_some_and(|io| io.sync != SyncMode::None);
    let expected = &run.circumstances.beneath.as_ref()?.flush_expected;
    if !asked || m.writes.operations == 0 || expected.is_empty() {
        return None;
    }
    let layers = &run.circumstances.counters.as_ref()?.layers;
    let mut flushes = 0;
    for name in expected {
        let layer = layers.iter().find(|layer| layer.name == *name)?;
        let delta = layer.delta.as_ref()?;
        if delta.write_ios > 0 {
            flushes += delta.flush_ios?;
        }
    }
    (flushes == 0).then(|| {
        let message = format!(
            "{} has a volatile write cache and saw no flush in a run with {} calls of fsync.",
            expected.join(", "),
            m.fsyncs
        );
        let evidence = [("fsyncs", m.fsyncs as f64), ("flushes", 0.0)];
        Outcome::new(Severity::Invalid, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, layer, with_layers, write_run};
    use etalon_model::BeneathFacts;

    #[test]
    fn an_fsync_without_flush_is_caught_where_one_is_due() {
        let mut run = write_run();
        run.measurement.fsyncs = 1;
        let mut sda = layer("sda", 0, 256);
        with_layers(&mut run, vec![sda.clone()]);
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(BeneathFacts {
            flush_expected: vec!["sda".to_owned()],
            ..BeneathFacts::default()
        });
        assert!(super::run(&facts(&run)).is_some());
        sda.delta.as_mut().unwrap().flush_ios = Some(1);
        with_layers(&mut run, vec![sda]);
        assert_eq!(super::run(&facts(&run)), None);
    }
}
