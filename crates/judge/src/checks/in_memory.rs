//! Memory that goes by the name of a disk.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};

pub(crate) const CHECK: Check = Check {
    code: "in-memory",
    about: "This is memory, not a disk.",
    advice: "Read the figure as that of memory; measure a directory on a disk for the disk's.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let places = &facts.run.circumstances.beneath.as_ref()?.in_memory;
    (!places.is_empty()).then(|| Outcome::new(Severity::Warn, words(places), &[]))
}

fn words(places: &[String]) -> Sentence {
    let one = match places {
        [one] => filesystem(one),
        _ => None,
    };
    one.unwrap_or_else(|| said!("{places}.", places = places.join(", ")))
}

/// What is told of a filesystem, by itself or beneath the file of a device; `None` of a device, which has a name alone.
fn filesystem(told: &str) -> Option<Sentence> {
    let (what, place) = told.rsplit_once(" at ")?;
    let Some((loops, filesystem)) = what.rsplit_once(") on ") else {
        return Some(said!(
            "{filesystem} at {place}.",
            filesystem = what,
            place = place
        ));
    };
    let (device, file) = loops.split_once(" (file ")?;
    Some(said!(
        "{device} (file {file}) on {filesystem} at {place}.",
        device = device,
        file = file,
        filesystem = filesystem,
        place = place,
    ))
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
