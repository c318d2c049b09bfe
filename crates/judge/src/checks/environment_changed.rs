//! An environment that changed between the runs.

use etalon_model::Severity;

use crate::check::{Check, Facts, Looks, Outcome};

/// Changes told in full.
const TOLD: usize = 3;

pub(crate) const CHECK: Check = Check {
    code: "environment-changed",
    about: "The machine was not the same as at the first run: a setting, a device or a limit changed.",
    advice: "Put it back and measure again; to compare two settings, measure each in a command of its own.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let changes = &facts.run.circumstances.environment.as_ref()?.changes;
    (!changes.is_empty()).then(|| {
        let told: Vec<String> = changes.iter().take(TOLD).map(ToString::to_string).collect();
        let more = match changes.len().saturating_sub(TOLD) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!("since the first run changed {}{more}.", told.join("; "));
        Outcome::new(
            Severity::Invalid,
            message,
            &[("changes", changes.len() as f64)],
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::EnvironmentMark;
    use etalon_model::stack::ManifestChange;

    #[test]
    fn a_changed_scheduler_is_named() {
        let mut run = read_run();
        run.circumstances.environment = Some(EnvironmentMark::default());
        assert_eq!(super::run(&facts(&run)), None);
        let change = ManifestChange {
            key: "layer.sda.queue.scheduler".to_owned(),
            before: Some("none".to_owned()),
            after: Some("bfq".to_owned()),
        };
        run.circumstances.environment = Some(EnvironmentMark {
            changes: vec![change; 5],
            ..EnvironmentMark::default()
        });
        let message = super::run(&facts(&run)).unwrap().message;
        assert!(message.contains("'none' -> 'bfq'") && message.ends_with("and 2 more."));
    }
}
