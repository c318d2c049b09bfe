//! Loop devices over files with holes.

use etalon_model::Severity;

use crate::check::{Check, Facts, Looks, Outcome};

pub(crate) const CHECK: Check = Check {
    code: "sparse-loop",
    about: "A loop device stands on a file with holes: reading what was never written touches no disk, and writing allocates.",
    advice: "Write the file in full before attaching it.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let circumstances = &facts.run.circumstances;
    let sparse = &circumstances.beneath.as_ref()?.sparse;
    // Data laid out in a filesystem above has its blocks; a raw read meets the holes.
    let raw = circumstances.content.is_some() && circumstances.files.is_none();
    let severity = if raw { Severity::Warn } else { Severity::Info };
    (!sparse.is_empty()).then(|| {
        let message = format!("{} stands on a file with holes.", sparse.join(", "));
        Outcome::new(severity, message, &[("devices", sparse.len() as f64)])
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::BeneathFacts;

    #[test]
    fn a_sparse_file_is_named() {
        let mut run = read_run();
        run.circumstances.beneath = Some(BeneathFacts::default());
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(BeneathFacts {
            sparse: vec!["loop0 (/srv/disk.img)".to_owned()],
            ..BeneathFacts::default()
        });
        assert!(
            super::run(&facts(&run))
                .unwrap()
                .message
                .contains("/srv/disk.img")
        );
    }
}
