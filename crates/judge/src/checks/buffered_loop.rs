//! A page cache between a loop device and its disk.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "buffered-loop",
    about: "A loop device goes through the page cache of the filesystem below it.",
    advice: "Attach it with losetup --direct-io=on.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let beneath = facts.run.circumstances.beneath.as_ref()?;
    // Of a file in memory there is nothing else to say.
    let told = beneath.buffered_loops.is_empty() || !beneath.in_memory.is_empty();
    (!told).then(|| {
        let names = beneath.buffered_loops.join(", ");
        let message = said!(
            "{names} goes through the page cache below it.",
            names = names
        );
        let evidence = [("devices", beneath.buffered_loops.len() as f64)];
        let each = beneath.buffered_loops.iter();
        let commands: Vec<String> = each
            .map(|name| format!("losetup --direct-io=on /dev/{name}"))
            .collect();
        Outcome::new(Severity::Warn, message, &evidence).advising(commands.join("; "))
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::BeneathFacts;

    #[test]
    fn a_buffered_loop_device_is_named() {
        let mut run = read_run();
        run.circumstances.beneath = Some(BeneathFacts::default());
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(BeneathFacts {
            buffered_loops: vec!["loop3".to_owned()],
            ..BeneathFacts::default()
        });
        assert!(
            super::run(&facts(&run))
                .unwrap()
                .message
                .starts_with("loop3")
        );
    }
}
