//! Options that what else was asked for leaves without an effect.

use anyhow::bail;
use etalon_model::{Backend, CacheMode, Operation};

use crate::cli::GivenWork;
use crate::exit::BadUsage;

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

/// Refuses an option that was typed and that another one leaves without an effect.
///
/// # Errors
/// [`BadUsage`] with the option and the reason.
pub(super) fn refuse(
    work: &GivenWork,
    operations: &[Operation],
    rises: bool,
) -> anyhow::Result<()> {
    let asked = AskedWork {
        work,
        operations,
        rises,
    };
    for (option, is_idle, why) in RULES {
        if work.has(option) && is_idle(&asked) {
            bail!(BadUsage(sentence(option, why)));
        }
    }
    if work.cache == Some(CacheMode::Warm) && !asked.reads() {
        let why =
            "it fills the page cache for reads, and nothing is read; --buffered writes through it";
        bail!(BadUsage(sentence("cache warm", why)));
    }
    Ok(())
}

fn sentence(option: &str, why: &str) -> String {
    format!("--{option} has no effect here: {why}; leave it out")
}

impl AskedWork<'_> {
    fn reads(&self) -> bool {
        self.operations.iter().any(|operation| operation.reads())
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
