//! Commits that a power cut could take back.

use etalon_model::{Run, ServiceFacts, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

/// So many commits cannot all have gone without a flush by chance.
const ENOUGH: u64 = 50;

/// A server may make the commits of all its clients durable together, and one of an earlier step may
/// still be flushed: half of what must have been is no error of counting.
const LEAST_SHARE: f64 = 0.5;

pub(crate) const CHECK: Check = Check {
    code: "commits-not-durable",
    about: "A power cut would take back committed transactions.",
    advice: "Make the database wait at each commit, or compare only alike.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let service = facts.run.measurement.service.as_ref()?;
    if service.commits == 0 {
        return None;
    }
    by_settings(service).or_else(|| by_flushes(facts.run, service))
}

fn by_settings(service: &ServiceFacts) -> Option<Outcome> {
    (!service.volatile.is_empty()).then(|| {
        let message = said!(
            "{server} acknowledges commits before they are durable ({settings}).",
            server = &service.engine,
            settings = service.volatile.join(", "),
        );
        let evidence = [("commits", service.commits as f64)];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

/// Whatever the settings say: a device with a volatile cache must have been flushed for each commit
/// of a single client.
fn by_flushes(run: &Run, service: &ServiceFacts) -> Option<Outcome> {
    // Its storage need not be what lies beneath the target.
    if service.stands {
        return None;
    }
    let expected = &run.circumstances.beneath.as_ref()?.flush_expected;
    if expected.is_empty() || service.commits < ENOUGH || service.clients != 1 {
        return None;
    }
    let layers = &run.circumstances.counters.as_ref()?.layers;
    let mut flushes = 0;
    for layer in layers.iter().filter(|layer| expected.contains(&layer.name)) {
        flushes += layer.delta.as_ref()?.flush_ios?;
    }
    ((flushes as f64) < service.commits as f64 * LEAST_SHARE).then(|| {
        let message = said!(
            "{devices} saw {flushes} flushes for {commits} commits, one after another: a layer ignores them.",
            devices = expected.join(", "),
            flushes = flushes,
            commits = service.commits,
        );
        let evidence = [
            ("commits", service.commits as f64),
            ("flushes", flushes as f64),
        ];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use etalon_model::{BeneathFacts, Run, ServiceFacts, TaskFigure};

    use crate::samples::{facts, layer, task_run, with_layers};

    fn committed(commits: u64) -> Run {
        let mut run = task_run(TaskFigure::Time);
        run.measurement.service = Some(ServiceFacts {
            engine: "SQLite".to_owned(),
            commits,
            clients: 1,
            ..ServiceFacts::default()
        });
        run
    }

    #[test]
    fn a_setting_that_does_not_wait_is_named_where_something_was_committed() {
        let mut run = committed(200);
        assert_eq!(super::run(&facts(&run)), None);
        let service = run.measurement.service.as_mut().unwrap();
        service.volatile.push("synchronous=off".to_owned());
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(
            outcome.message.contains("synchronous=off"),
            "{}",
            outcome.message
        );
        run.measurement.service.as_mut().unwrap().commits = 0;
        assert_eq!(super::run(&facts(&run)), None);
    }

    #[test]
    fn commits_without_flushes_are_found_where_flushes_are_due() {
        let mut run = committed(200);
        let mut sda = layer("sda", 0, 1);
        sda.delta.as_mut().unwrap().flush_ios = Some(3);
        with_layers(&mut run, vec![sda.clone()]);
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(BeneathFacts {
            flush_expected: vec!["sda".to_owned()],
            ..BeneathFacts::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(
            outcome.message.contains("3 flushes for 200 commits"),
            "{}",
            outcome.message
        );
        let mut elsewhere = run.clone();
        elsewhere.measurement.service.as_mut().unwrap().stands = true;
        assert_eq!(super::run(&facts(&elsewhere)), None);
        sda.delta.as_mut().unwrap().flush_ios = Some(210);
        with_layers(&mut run, vec![sda]);
        assert_eq!(super::run(&facts(&run)), None);
    }
}
