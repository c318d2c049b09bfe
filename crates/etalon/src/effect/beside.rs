//! Options that what else was asked for leaves without an effect.

use etalon_model::{Backend, CacheMode, Operation};
use etalon_units::Bytes;

use super::IdleOption;
use crate::cli::GivenWork;

/// What was asked for.
struct AskedWork<'a> {
    work: &'a GivenWork,
    operations: &'a [Operation],
    /// Whether the depth is raised until a latency is met.
    rises: bool,
}

/// An option, where it has no effect, and why.
type Rule = (&'static str, fn(&AskedWork<'_>) -> bool, &'static str);

const NO_FILE: &str = "--backend null and fake touch no file";
const NO_DEVICE: &str = "--backend null writes nothing";
const NO_PAGES: &str = "it fills the page cache, and nothing is read; of writes only those of a part of a page need what it \
                        held, as with --block-size 512, and --op write makes its file anew";

const RULES: [Rule; 9] = [
    (
        "direct",
        is_cached,
        "--backend mmap and stdio go through the page cache",
    ),
    ("direct", is_without_file, NO_FILE),
    ("buffered", is_without_file, NO_FILE),
    ("cache", is_without_file, NO_FILE),
    ("sync", is_null, NO_DEVICE),
    ("fsync", is_null, NO_DEVICE),
    ("fdatasync", is_null, NO_DEVICE),
    (
        "batch",
        |asked| !asked.rises && asked.work.queue_depth.iter().all(|depth| *depth == 1),
        "one operation at a time is under way; --queue-depth keeps more",
    ),
    (
        "shared",
        |asked| asked.work.jobs.iter().all(|jobs| *jobs == 1),
        "one job has its file for itself; --jobs makes more",
    ),
];

/// An option that was typed and that another one leaves without an effect.
pub(super) fn idle(work: &GivenWork, operations: &[Operation], rises: bool) -> Option<IdleOption> {
    let asked = AskedWork {
        work,
        operations,
        rises,
    };
    let mut rules = RULES.iter();
    let found = rules.find(|(option, is_idle, _)| work.has(option) && is_idle(&asked));
    if let Some((option, _, why)) = found {
        return Some(idle_beside(option, "", why));
    }
    let is_warm = work.cache == Some(CacheMode::Warm);
    (is_warm && !asked.needs_pages()).then(|| idle_beside("cache", "warm ", NO_PAGES))
}

fn idle_beside(option: &str, value: &str, why: &str) -> IdleOption {
    IdleOption {
        option: option.to_owned(),
        why: format!("{value}has no effect here: {why}; leave it out"),
    }
}

impl AskedWork<'_> {
    /// Whether anything is done that is faster where the page cache holds the file: reads, writes of a part of a page, whose
    /// rest is read first, and writes through a mapping, which read every page.
    fn needs_pages(&self) -> bool {
        let mut operations = self.operations.iter();
        operations.any(|operation| {
            let keeps_file = *operation != Operation::Write && operation.writes();
            operation.reads() || keeps_file && (self.is_mapped() || self.cuts_pages())
        })
    }

    fn is_mapped(&self) -> bool {
        self.work.backend == Some(Backend::Mmap)
    }

    fn cuts_pages(&self) -> bool {
        let page = rustix::param::page_size() as u64;
        let cuts = |size: &Bytes| !size.get().is_multiple_of(page);
        let sizes = self.work.block_size.0.iter();
        let mut sizes = sizes.flat_map(|sizes| sizes.weights().unwrap_or_default());
        cuts(&self.work.offset) || sizes.any(|(size, _)| cuts(&size))
    }
}

fn is_cached(asked: &AskedWork<'_>) -> bool {
    matches!(asked.work.backend, Some(Backend::Mmap | Backend::Stdio))
}

fn is_without_file(asked: &AskedWork<'_>) -> bool {
    matches!(asked.work.backend, Some(Backend::Null | Backend::Fake))
}

fn is_null(asked: &AskedWork<'_>) -> bool {
    asked.work.backend == Some(Backend::Null)
}
