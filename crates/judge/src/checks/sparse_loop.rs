//! Loop devices over files that were not written in full: with holes, or with blocks that were only reserved.

use etalon_model::{Run, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;
use crate::value::DEVICE_SHARE;

pub(crate) const CHECK: Check = Check {
    code: "sparse-loop",
    about: "A loop device stands on a file that was not written in full: reading the rest touches no disk, and writing there allocates or converts.",
    advice: "Write the file in full before attaching it.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let sparse = &facts.run.circumstances.beneath.as_ref()?.sparse;
    if sparse.is_empty() {
        return None;
    }
    let names = sparse.join(", ");
    let missed = share_of_holes(facts.run).filter(|share| *share < DEVICE_SHARE);
    let (severity, message) = match missed {
        Some(share) => (
            Severity::Invalid,
            said!(
                "{devices} stands on a file that was not written in full: the disk delivered {share} of the bytes, as reading the rest touches none.",
                devices = names,
                share = Percent::from_fraction(share),
            ),
        ),
        None => (
            if is_raw(facts.run) {
                Severity::Warn
            } else {
                Severity::Info
            },
            said!(
                "{devices} stands on a file that was not written in full.",
                devices = names
            ),
        ),
    };
    let evidence = [("devices", sparse.len() as f64)];
    Some(Outcome::new(severity, message, &evidence))
}

/// Data laid out in a filesystem above has its blocks; a raw read meets the holes.
fn is_raw(run: &Run) -> bool {
    run.circumstances.content.is_some() && run.circumstances.files.is_none()
}

/// Of a raw read of a device on a file that was not written in full, the share of the bytes that the disk delivered: what
/// is missing was never written, and is in no cache. `None` for all else.
pub(crate) fn share_of_holes(run: &Run) -> Option<f64> {
    let beneath = run.circumstances.beneath.as_ref()?;
    let meets_holes = is_raw(run) && !beneath.sparse.is_empty();
    run.device_read_share().filter(|_| meets_holes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::BeneathFacts;
    use etalon_units::Bytes;

    #[test]
    fn holes_that_a_raw_read_met_are_told_as_holes_and_as_no_cache() {
        let mut run = read_run();
        run.circumstances.beneath = Some(BeneathFacts {
            sparse: vec!["loop0 (/srv/disk.img)".to_owned()],
            ..BeneathFacts::default()
        });
        run.circumstances.content = Some(Default::default());
        run.circumstances.files = None;
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        run.device.as_mut().unwrap().read_bytes = Bytes::mib(15);
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
        assert!(outcome.message.contains("5.9 %"), "{}", outcome.message);
        let codes = crate::check_run(&facts(&run))
            .into_iter()
            .map(|found| found.code);
        let codes: Vec<String> = codes.collect();
        assert!(!codes.iter().any(|code| code == "page-cache"), "{codes:?}");
    }

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
