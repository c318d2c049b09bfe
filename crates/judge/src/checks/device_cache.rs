//! A working set that the disk's own memory could hold.

use etalon_model::Severity;
use etalon_units::Bytes;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

/// The largest buffer of disks on sale (hard disks of 20 TB and more: 512 MiB by their data sheets), for
/// those that do not tell theirs.
const LARGEST: Bytes = Bytes::mib(512);

pub(crate) const CHECK: Check = Check {
    code: "device-cache",
    about: "The working set is smaller than the memory of the disk, which may have answered instead of its media.",
    advice: "Use a file of several times the disk's cache (--file-size).",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let disks = run.circumstances.beneath.as_ref()?.disks?;
    let set = run.working_set()?;
    let cache = disks.cache.unwrap_or(LARGEST);
    if set > cache || run.measurement.bytes_with_warm_up == Bytes::ZERO {
        return None;
    }
    // Where neither its cache nor what it is made of is known, it may have none.
    let is_known = disks.cache.is_some() || disks.rotational == Some(true);
    let severity = match is_known {
        true => Severity::Warn,
        false => Severity::Info,
    };
    let message = match disks.cache {
        Some(_) => said!(
            "a working set of {set} fits a disk's cache of {cache}, as it says itself.",
            set = set,
            cache = cache,
        ),
        None => said!(
            "a working set of {set} fits a disk's cache of {cache}, which is the largest that disks have, as it tells nothing of its own.",
            set = set,
            cache = cache,
        ),
    };
    let evidence = [
        ("working_set_bytes", set.as_f64()),
        ("cache_bytes", cache.as_f64()),
    ];
    Some(Outcome::new(severity, message, &evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::{BeneathFacts, DiskFacts, FileFacts};

    fn judged(set: Bytes, cache: Option<Bytes>, rotational: Option<bool>) -> Option<Severity> {
        let mut run = read_run();
        run.circumstances.files = Some(FileFacts {
            size: set,
            ..FileFacts::default()
        });
        run.circumstances.beneath = Some(BeneathFacts {
            disks: Some(DiskFacts {
                size: Bytes::gib(100),
                rotational,
                cache,
            }),
            ..BeneathFacts::default()
        });
        super::run(&facts(&run)).map(|outcome| outcome.severity)
    }

    #[test]
    fn what_fits_the_disks_cache_is_told() {
        let (small, cache) = (Bytes::mib(64), Some(Bytes::mib(256)));
        assert_eq!(judged(small, cache, Some(true)), Some(Severity::Warn));
        assert_eq!(judged(small, None, Some(true)), Some(Severity::Warn));
        assert_eq!(judged(small, None, None), Some(Severity::Info));
        assert_eq!(judged(Bytes::mib(300), cache, Some(true)), None);
        assert_eq!(judged(Bytes::gib(1), None, None), None);
    }
}
