//! How the tool itself was started.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};

pub(crate) const CHECK: Check = Check {
    code: "process-settings",
    about: "etalon was started with settings that can change a figure.",
    advice: "Start it without ionice and LD_PRELOAD, unless they are what is measured.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let settings = facts.run.circumstances.process.as_ref()?;
    let class = settings.io_class.as_ref();
    let class = class.map(|class| of_class(class, settings.class_is_heeded));
    let message = match (class, settings.preloaded.as_slice()) {
        (None, []) => return None,
        (Some(class), []) => class,
        (class, preloaded) => with(class, preloaded),
    };
    let is_heeded = settings.io_class.is_some() && settings.class_is_heeded;
    let severity = match is_heeded {
        true => Severity::Warn,
        false => Severity::Info,
    };
    Some(Outcome::new(severity, message, &[]))
}

fn of_class(class: &str, is_heeded: bool) -> Sentence {
    match is_heeded {
        true => said!(
            "etalon ran with the I/O class '{class}', which a scheduler here heeds.",
            class = class,
        ),
        false => said!(
            "etalon ran with the I/O class '{class}', which no scheduler here heeds.",
            class = class,
        ),
    }
}

/// The same with the libraries that were loaded before all others.
fn with(class: Option<Sentence>, preloaded: &[String]) -> Sentence {
    let libraries = preloaded.join(", ");
    match class {
        Some(class) => class.then(said!(
            ", and with preloaded libraries ({libraries}).",
            libraries = libraries,
        )),
        None => said!(
            "etalon ran with preloaded libraries ({libraries}).",
            libraries = libraries,
        ),
    }
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
        let mut both = idle(true);
        assert_eq!(found(both.clone()).unwrap().0, Severity::Warn);
        both.preloaded.push("/lib/x.so".to_owned());
        let (_, message) = found(both).unwrap();
        assert!(message.ends_with("heeds, and with preloaded libraries (/lib/x.so)."));
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
