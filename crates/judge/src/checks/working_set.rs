//! A working set that the cache could hold.

use etalon_model::{CacheMode, Distribution, Order, Run, Severity};
use etalon_units::Bytes;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{figure, said};

/// At a working set of 20 times the cache, hits speed uniform random reads up by 5 % (hit ratio of
/// LRU under independent references, C/W, with hits a hundred times as fast).
const ENOUGH: f64 = 20.0;
/// At twice the cache they double the speed.
const HOPELESS: f64 = 2.0;

pub(crate) const CHECK: Check = Check {
    code: "working-set",
    about: "Random reads through the page cache over a working set of less than 20 times the cache: part of them are hits.",
    advice: "Use a larger file, read with O_DIRECT, or limit the cache (--cache limited:SIZE with a file 20 times that).",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let cache = run.circumstances.cache_limit?;
    let set = run.circumstances.files?.size;
    if !hits_are_possible(run, set) {
        return None;
    }
    let factor = set.as_f64() / cache.as_f64().max(1.0);
    let severity = match factor {
        f if f < HOPELESS => Severity::Invalid,
        f if f < ENOUGH => Severity::Warn,
        _ => return None,
    };
    let message = said!(
        "random reads over {set} with {cache} of memory for the page cache, {factor} times it.",
        set = set,
        cache = cache,
        factor = figure(format!("{factor:.2}")),
    );
    let evidence = [
        ("working_set_bytes", set.as_f64()),
        ("cache_bytes", cache.as_f64()),
    ];
    Some(Outcome::new(severity, message, &evidence))
}

/// Whether blocks come again through a cache that is not declared warm.
fn hits_are_possible(run: &Run, set: Bytes) -> bool {
    let m = &run.measurement;
    let Some(w) = run.workload.io() else {
        return false;
    };
    let random = w.operation.order() == Order::Random && m.reads.bytes > Bytes::ZERO;
    let emptied = matches!(w.cache, CacheMode::Cold | CacheMode::Limited(_));
    let comes_again =
        w.distribution != Distribution::Permutation || m.bytes_with_warm_up > set || !emptied;
    random && comes_again && !m.is_direct() && w.cache != CacheMode::Warm
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::FileFacts;

    fn over(gib: u64) -> Run {
        let mut run = read_run();
        run.measurement.direct = Some(false);
        run.circumstances.cache_limit = Some(Bytes::gib(1));
        run.circumstances.files = Some(FileFacts {
            size: Bytes::gib(gib),
            ..FileFacts::default()
        });
        run
    }

    #[test]
    fn the_factor_decides() {
        for (gib, severity) in [
            (1, Some(Severity::Invalid)),
            (4, Some(Severity::Warn)),
            (20, None),
        ] {
            assert_eq!(super::run(&facts(&over(gib))).map(|o| o.severity), severity);
        }
    }

    #[test]
    fn direct_warm_and_first_touch_reads_are_not_meant() {
        let mut run = over(1);
        run.workload.io_mut().unwrap().cache = CacheMode::Cold;
        assert_eq!(super::run(&facts(&run)), None);
        run.workload.io_mut().unwrap().cache = CacheMode::Warm;
        assert_eq!(super::run(&facts(&run)), None);
        let mut run = over(1);
        run.measurement.direct = Some(true);
        assert_eq!(super::run(&facts(&run)), None);
    }
}
