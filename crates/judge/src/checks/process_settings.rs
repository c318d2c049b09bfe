//! How the tool itself was started.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};

pub(crate) const CHECK: Check = Check {
    code: "process-settings",
    about: "etalon was started with settings that can change a figure.",
    advice: "Start it without ionice and LD_PRELOAD, unless they are what is measured.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let settings = facts.run.circumstances.process.as_ref()?;
    let mut told = Vec::new();
    let mut severity = Severity::Info;
    if let Some(class) = &settings.io_class {
        let heeded = if settings.class_is_heeded {
            severity = Severity::Warn;
            "which a scheduler here heeds"
        } else {
            "which no scheduler here heeds"
        };
        told.push(format!("the I/O class '{class}', {heeded}"));
    }
    if !settings.preloaded.is_empty() {
        let names = settings.preloaded.join(", ");
        told.push(format!("preloaded libraries ({names})"));
    }
    (!told.is_empty()).then(|| {
        let message = format!("etalon ran with {}.", told.join(" and with "));
        Outcome::new(severity, message, &[])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::ProcessSettings;

    fn found(settings: ProcessSettings) -> Option<(Severity, String)> {
        let mut run = read_run();
        run.circumstances.process = Some(settings);
        super::run(&facts(&run)).map(|outcome| (outcome.severity, outcome.message.to_string()))
    }

    #[test]
    fn the_idle_class_warns_where_a_scheduler_heeds_it() {
        assert_eq!(found(ProcessSettings::default()), None);
        let idle = |class_is_heeded| ProcessSettings {
            io_class: Some("idle".to_owned()),
            class_is_heeded,
            preloaded: Vec::new(),
        };
        let (severity, message) = found(idle(false)).unwrap();
        assert_eq!(severity, Severity::Info);
        assert!(message.contains("no scheduler here heeds"), "{message}");
        assert_eq!(found(idle(true)).unwrap().0, Severity::Warn);
    }

    #[test]
    fn preloaded_libraries_are_named() {
        let (severity, message) = found(ProcessSettings {
            preloaded: vec!["/lib/libeatmydata.so".to_owned()],
            ..ProcessSettings::default()
        })
        .unwrap();
        assert_eq!(severity, Severity::Info);
        assert_eq!(
            message,
            "etalon ran with preloaded libraries (/lib/libeatmydata.so)."
        );
    }
}
