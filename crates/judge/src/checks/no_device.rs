//! Nothing beneath the target that counts bytes.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "no-device",
    about: "No block device is known in the storage stack, so nothing proves where the bytes came from.",
    advice: "Read the figure as that of this filesystem, memory and network included.",
    short_about: Some("No disk is seen below: memory, the network, or what a container hides."),
    short_advice: Some("Read it as the speed of the filesystem alone."),
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let is_asked = run.measurement.bytes().get() > 0 || run.workload.task().is_some();
    // A part that is too short to be counted by itself has devices all the same.
    let known = run.environment();
    let is_there =
        run.device.is_some() || known.is_some_and(|now| !now.stack.top_devices().is_empty());
    (!is_there && is_asked).then(|| {
        let message = said!("the storage stack has no block device that is known.");
        Outcome::new(Severity::Info, message, &[])
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run, task_run};
    use etalon_model::TaskFigure;

    #[test]
    fn what_a_container_hides_is_not_called_memory_or_a_network() {
        let short = super::CHECK.short_about.unwrap();
        assert!(
            short.contains("is seen") && short.contains("a container"),
            "{short}"
        );
        assert!(
            super::CHECK.about.contains("is known"),
            "{}",
            super::CHECK.about
        );
    }

    #[test]
    fn said_where_no_device_is_known() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.device = None;
        assert!(super::run(&facts(&run)).is_some());
        let mut task = task_run(TaskFigure::Rate);
        assert_eq!(super::run(&facts(&task)), None);
        task.device = None;
        assert!(super::run(&facts(&task)).is_some());
    }
}
