//! A declared state of the page cache that was not there.

use etalon_model::stack::FsDetail;
use etalon_model::{CacheHeld, CacheMode, Run, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Looks, Outcome};

/// A warm file is resident to at least this share; the rest is reclaimed now and then.
const WARM: f64 = 0.99;

pub(crate) const CHECK: Check = Check {
    code: "cache-state",
    about: "The page cache was not in the state that the workload declares.",
    advice: "Run as root so that the cache can be emptied, give the warm file enough memory, or declare another state (--cache).",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let declared = run.workload.cache()?;
    if matches!(declared, CacheMode::AsFound | CacheMode::Direct) {
        return None;
    }
    let Some(held) = run.circumstances.cache_before else {
        return Some(unknown(run, declared));
    };
    let as_declared = match declared {
        CacheMode::Warm => held.share() >= WARM,
        _ => held.cached.get() == 0,
    };
    (!as_declared).then(|| broken(declared, &held))
}

/// What a process holds behind a filesystem of its own was not emptied, as far as anybody knows.
fn unknown(run: &Run, declared: CacheMode) -> Outcome {
    let filesystem = run.environment().and_then(|e| e.stack.filesystem.as_ref());
    let is_fuse = filesystem.is_some_and(|fs| matches!(fs.detail, FsDetail::Fuse { .. }));
    let (severity, why) = match is_fuse && declared != CacheMode::Warm {
        true => (
            Severity::Invalid,
            "what the process behind this filesystem holds in memory cannot be known",
        ),
        false => (Severity::Warn, "nothing tells whether it was"),
    };
    let message = format!("the cache was declared {declared}, and {why}.");
    Outcome::new(severity, message, &[])
}

fn broken(declared: CacheMode, held: &CacheHeld) -> Outcome {
    let message = format!(
        "the cache was declared {declared}, but held {} of the files' {} ({}) when the run began.",
        held.cached,
        held.size,
        Percent::from_fraction(held.share())
    );
    let evidence = [
        ("cached_bytes", held.cached.as_f64()),
        ("size_bytes", held.size.as_f64()),
    ];
    Outcome::new(Severity::Invalid, message, &evidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_units::Bytes;

    #[test]
    fn a_cold_run_with_a_page_in_memory_and_a_warm_one_without_are_caught() {
        let mut run = read_run();
        let held = |cached| {
            Some(CacheHeld {
                size: Bytes::mib(256),
                cached: Bytes(cached),
                ..CacheHeld::default()
            })
        };
        run.circumstances.cache_before = held(4096);
        assert_eq!(super::run(&facts(&run)), None);
        for (mode, good, bad) in [
            (CacheMode::Cold, 0, 4096),
            (CacheMode::Limited(Bytes::mib(8)), 0, 4096),
            (CacheMode::Warm, 256 << 20, 250 << 20),
        ] {
            run.workload.io_mut().unwrap().cache = mode;
            run.circumstances.cache_before = held(good);
            assert_eq!(super::run(&facts(&run)), None, "{mode}");
            run.circumstances.cache_before = held(bad);
            let outcome = super::run(&facts(&run)).unwrap();
            assert_eq!(outcome.severity, Severity::Invalid, "{mode}");
        }
        run.circumstances.cache_before = None;
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
    }
}
