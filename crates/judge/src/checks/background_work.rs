//! Work that the system does on the same storage by itself.

use etalon_model::{BackgroundWork, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said, word};

/// md's word for it (the kernel's Documentation/admin-guide/md.rst, `sync_action`).
const REBUILD: &str = "recover";

/// The kernel's thread that zeroes inode tables of ext4 is at work where that is all.
const LAZY: &str = "lazy initialisation";
/// What to do about it.
const LAZY_ADVICE: &str = "Wait until it has ended, minutes after the first mount, or format with mkfs.ext4 -E lazy_itable_init=0; then measure again.";

pub(crate) const CHECK: Check = Check {
    code: "background-work",
    about: "The system was busy with the storage on its own: a resync, check or reshape of an array, a btrfs balance or lazy initialisation.",
    advice: "Wait until it has ended (mdadm --wait, btrfs balance status, mkfs.ext4 -E lazy_itable_init=0) and measure again.",
    ..Check::of_run(run)
};

/// The work as the catalogues have it; md and btrfs have words of their own.
fn in_words(what: &str) -> &str {
    const TABLES: &str = word!("lazy initialisation of inode tables");
    if what == TABLES { TABLES } else { what }
}

fn run(facts: &Facts) -> Option<Outcome> {
    let seen = &facts.run.circumstances;
    let intended = |work: &&BackgroundWork| {
        let mut rebuilds = seen
            .levels
            .iter()
            .filter_map(|level| level.rebuild.as_ref());
        work.what == REBUILD && rebuilds.any(|rebuild| rebuild.device == work.device)
    };
    let work = seen.background.iter().filter(|work| !intended(work));
    let work: Vec<&BackgroundWork> = work.collect();
    (!work.is_empty()).then(|| {
        let message = work
            .iter()
            .map(|work| {
                said!(
                    "{work} on {device} went on during the run.",
                    work = in_words(&work.what),
                    device = &work.device,
                )
            })
            .reduce(Sentence::then)
            .unwrap_or_default();
        let found = Outcome::new(Severity::Invalid, message, &[("works", work.len() as f64)]);
        match work.iter().all(|work| work.what.starts_with(LAZY)) {
            true => found.advising(LAZY_ADVICE),
            false => found,
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::{BackgroundWork, LevelRecord, RebuildRecord};

    #[test]
    fn a_resync_is_named() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.background = vec![BackgroundWork {
            device: "md0".to_owned(),
            what: "resync".to_owned(),
        }];
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.starts_with("resync on md0"));
        assert_eq!(outcome.advice, None);
    }

    #[test]
    fn inode_tables_are_waited_for_by_no_command_of_arrays() {
        let mut run = read_run();
        run.circumstances.background = vec![BackgroundWork {
            device: "/srv".to_owned(),
            what: "lazy initialisation of inode tables".to_owned(),
        }];
        let advice = super::run(&facts(&run)).unwrap().advice.unwrap();
        assert!(advice.contains("mkfs.ext4") && !advice.contains("mdadm"));
    }

    #[test]
    fn a_rebuild_that_the_plan_asks_for_is_no_stranger() {
        let mut run = read_run();
        let work = |device: &str, what: &str| BackgroundWork {
            device: device.to_owned(),
            what: what.to_owned(),
        };
        run.circumstances.levels = vec![LevelRecord {
            rebuild: Some(RebuildRecord {
                device: "md0".to_owned(),
                ..RebuildRecord::default()
            }),
            ..LevelRecord::default()
        }];
        run.circumstances.background = vec![work("md0", "recover")];
        assert_eq!(super::run(&facts(&run)), None);
        for (device, what) in [("md1", "recover"), ("md0", "check")] {
            run.circumstances.background = vec![work(device, what)];
            assert!(super::run(&facts(&run)).is_some(), "{device} {what}");
        }
    }
}
