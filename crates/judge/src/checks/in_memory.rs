//! Memory that goes by the name of a disk.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "in-memory",
    about: "This is memory, not a disk.",
    advice: "Read the figure as that of memory; measure a directory on a disk for the disk's.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let places = &facts.run.circumstances.beneath.as_ref()?.in_memory;
    (!places.is_empty()).then(|| {
        let message = said!("{places}.", places = places.join(", "));
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
        for places in [
            vec!["tmpfs at /dev/shm"],
            vec!["loop0 (file /dev/shm/disk) on tmpfs at /dev/shm"],
            vec!["ram0 (RAM disk)", "ram1 (RAM disk)"],
        ] {
            run.circumstances.beneath.as_mut().unwrap().in_memory =
                places.iter().map(|place| (*place).to_owned()).collect();
            let message = super::run(&facts(&run)).unwrap().message;
            assert_eq!(message.text, format!("{}.", places.join(", ")));
        }
    }
}
