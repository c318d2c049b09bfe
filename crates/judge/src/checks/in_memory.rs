//! Memory that goes by the name of a disk.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};

pub(crate) const CHECK: Check = Check {
    code: "in-memory",
    about: "This is memory, not a disk.",
    advice: "Read the figure as that of memory; measure a directory on a disk for the disk's.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let places = &facts.run.circumstances.beneath.as_ref()?.in_memory;
    (!places.is_empty()).then(|| {
        let message = format!("{}.", places.join(", "));
        Outcome::new(Severity::Warn, message, &[])
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::BeneathFacts;

    #[test]
    fn what_lies_in_memory_is_named() {
        let mut run = read_run();
        run.circumstances.beneath = Some(BeneathFacts::default());
        assert_eq!(super::run(&facts(&run)), None);
        let places = vec!["tmpfs at /dev/shm".to_owned()];
        run.circumstances.beneath.as_mut().unwrap().in_memory = places;
        let message = super::run(&facts(&run)).unwrap().message;
        assert_eq!(message, "tmpfs at /dev/shm.");
    }
}
