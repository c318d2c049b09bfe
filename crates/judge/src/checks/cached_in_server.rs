//! Reads that a server's own cache or the page cache served.

use etalon_model::{ServiceFacts, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};

/// Fewer pages say nothing.
const ENOUGH: u64 = 1000;
/// Above this share of its pages the disk decides nothing.
const SERVED: f64 = 0.99;

/// For what was emptied and was not empty: more rows or pages would not help.
const NOT_COLD: &str = "Name a directory on a disk: a filesystem in memory keeps everything, as does a file that another program holds.";

/// For what nobody can look at.
const NOT_TOLD: &str =
    "Name a directory on a filesystem whose cache can be looked at: not on ZFS or FUSE.";

pub(crate) const CHECK: Check = Check {
    code: "cached-in-server",
    about: "A cache of the server or of the kernel served the data: the disk was not measured.",
    advice: "Take more rows than its cache holds, or empty the caches before: --set scale=2x-memory, --set cache=cold, where the work has them.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let service = facts.run.measurement.service.as_ref()?;
    not_cold(service).or_else(|| served(facts, service))
}

/// What was to be cold and could not be emptied is no figure of a cold start.
fn not_cold(service: &ServiceFacts) -> Option<Outcome> {
    if !service.cold {
        return None;
    }
    let Some(kept) = service.kept_in_memory else {
        return Some(unknown(service));
    };
    // The kernel reads the first page of a file that is opened.
    let few = kept.get() <= 64 << 10;
    (!few).then(|| {
        let message = said!(
            "the caches were to be empty, and the page cache kept {kept} of {server}'s files.",
            kept = kept,
            server = &service.engine,
        );
        let evidence = [("kept_bytes", kept.as_f64())];
        Outcome::new(Severity::Invalid, message, &evidence).advising(NOT_COLD)
    })
}

/// Nobody could look, as behind a filesystem that a process serves.
fn unknown(service: &ServiceFacts) -> Outcome {
    let message = said!(
        "the caches were to be empty, and nothing tells how much of {server}'s files stayed in memory.",
        server = &service.engine,
    );
    Outcome::new(Severity::Warn, message, &[]).advising(NOT_TOLD)
}

fn served(facts: &Facts, service: &ServiceFacts) -> Option<Outcome> {
    let asked = service.cache_hits + service.cache_misses;
    let share = service.hit_share()?;
    if asked < ENOUGH || share < SERVED || service.commits > 0 {
        return None;
    }
    // Whoever asks again says so.
    let declared = facts.run.cell.contains("warm");
    let severity = if declared {
        Severity::Info
    } else {
        Severity::Warn
    };
    let message = said!(
        "the cache of {server} served {share} of {asked} pages.",
        server = &service.engine,
        share = Percent::from_fraction(share),
        asked = asked,
    );
    let message = match fitting(service) {
        Some(fits) => message.then(fits),
        None => message,
    };
    Some(Outcome::new(severity, message, &[("hit_share", share)]))
}

/// Data that its own cache can hold whole.
fn fitting(service: &ServiceFacts) -> Option<Sentence> {
    let (data, cache) = (service.data?, service.own_cache?);
    (data <= cache).then(|| {
        said!(
            "; its {data} of data fit its own cache of {cache}.",
            data = data,
            cache = cache,
        )
    })
}

#[cfg(test)]
mod tests {
    use etalon_model::{Run, ServiceFacts, Severity, TaskFigure};
    use etalon_units::Bytes;

    use crate::samples::{facts, task_run};

    fn asked(hits: u64, misses: u64) -> Run {
        let mut run = task_run(TaskFigure::Time);
        run.measurement.service = Some(ServiceFacts {
            cache_hits: hits,
            cache_misses: misses,
            ..ServiceFacts::default()
        });
        run
    }

    #[test]
    fn what_a_cache_served_is_found_and_declared_warmth_is_a_note() {
        let mut run = asked(9999, 1);
        let severity = |run: &Run| super::run(&facts(run)).map(|outcome| outcome.severity);
        assert_eq!(severity(&run), Some(Severity::Warn));
        run.cell = "count warm".to_owned();
        assert_eq!(severity(&run), Some(Severity::Info));
        assert_eq!(severity(&asked(5000, 5000)), None);
        assert_eq!(severity(&asked(100, 0)), None);
        assert_eq!(severity(&asked(0, 0)), None);
        let service = run.measurement.service.as_mut().unwrap();
        (service.data, service.own_cache) = (Some(Bytes::mib(24)), Some(Bytes::mib(128)));
        let told = super::run(&facts(&run)).unwrap().message.to_string();
        assert!(
            told.ends_with("; its 24 MiB of data fit its own cache of 128 MiB."),
            "{told}"
        );
    }

    #[test]
    fn a_cold_start_with_its_files_in_memory_is_none() {
        let mut run = asked(0, 5000);
        let service = run.measurement.service.as_mut().unwrap();
        (service.cold, service.kept_in_memory) = (true, Some(Bytes::kib(16)));
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.service.as_mut().unwrap().kept_in_memory = Some(Bytes::mib(3));
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
        assert!(outcome.message.contains("3 MiB"), "{}", outcome.message);
        // Rows are no matter of web pages.
        assert!(!outcome.advice.unwrap().contains("rows"));
    }

    #[test]
    fn where_nobody_can_look_a_cold_start_is_in_doubt() {
        let mut run = asked(0, 5000);
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.service.as_mut().unwrap().cold = true;
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        assert!(
            outcome.message.contains("nothing tells"),
            "{}",
            outcome.message
        );
    }
}
