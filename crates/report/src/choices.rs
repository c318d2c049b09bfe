//! What was chosen for the user, in sentences.

use etalon_language::say;
use etalon_model::{CacheTreatment, Choice, SizeLimit};
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::{Bytes, Nanos};

use crate::role::display_name;

/// The sentence, or the two, that tell of a choice.
///
/// ```
/// use etalon_model::Choice;
/// use etalon_report::choice_in_words;
///
/// let choice = Choice::Continued { runs: 6 };
/// assert_eq!(choice_in_words(&choice), "Continued: 6 runs stood already, and count.");
/// ```
pub fn choice_in_words(choice: &Choice) -> String {
    match choice {
        Choice::FileSize {
            size_bytes,
            usable_bytes,
        } => say!("page-file-size", size = size_bytes, usable = usable_bytes),
        Choice::WorkingSet {
            size_bytes,
            limit: SizeLimit::WholeDevice,
            cache,
        } => format!(
            "{} {}",
            say!("page-whole-device", size = size_bytes),
            treatment(cache)
        ),
        Choice::WorkingSet {
            size_bytes,
            limit,
            cache,
        } => format!("{} {}", working_set(*size_bytes, *limit), treatment(cache)),
        Choice::RunLength { run_ns } => say!("page-run-length", time = run_ns),
        Choice::Dropped {
            rows,
            least_runs,
            needed_ns,
            budget_ns,
        } if *least_runs as usize > MIN_RUNS_LAB => say!(
            "page-dropped-asked",
            rows = names(rows),
            runs = least_runs,
            needed = needed_ns,
            budget = typed(*budget_ns),
        ),
        Choice::Dropped {
            rows,
            least_runs,
            needed_ns,
            budget_ns,
        } => say!(
            "page-dropped",
            rows = names(rows),
            runs = least_runs,
            needed = needed_ns,
            budget = typed(*budget_ns),
        ),
        Choice::LeftOut { rows, enough_runs } => {
            say!("page-left-out", rows = names(rows), runs = enough_runs,)
        }
        Choice::Continued { runs } => say!("page-continued", runs = runs),
        Choice::Note { text } => text.clone(),
        Choice::Of { workload, what } => say!(
            "page-choice-of",
            workload = workload,
            choice = choice_in_words(what),
        ),
    }
}

fn names(rows: &[String]) -> String {
    let names: Vec<String> = rows.iter().map(|row| display_name(row)).collect();
    names.join(", ")
}

/// As it is typed.
pub(crate) fn typed(time: Nanos) -> String {
    match time.as_secs_f64().ceil() as u64 {
        seconds if seconds < 60 || !seconds.is_multiple_of(60) && seconds < 120 => {
            format!("{seconds}s")
        }
        seconds => format!("{}m", seconds.div_ceil(60)),
    }
}

/// How large the files are, and why.
fn working_set(size: Bytes, limit: SizeLimit) -> String {
    match limit {
        SizeLimit::WholeDevice => say!("page-working-set-device", size = size),
        SizeLimit::Space => say!("page-working-set-space", size = size),
        SizeLimit::Time => say!("page-working-set-time", size = size),
        SizeLimit::Memory => say!("page-working-set-memory", size = size),
        SizeLimit::Length => say!("page-working-set-length", size = size),
        SizeLimit::Least => say!("page-working-set-least", size = size),
        SizeLimit::AskedFor => say!("page-working-set-asked", size = size),
        SizeLimit::Earlier => say!("page-working-set-earlier", size = size),
        SizeLimit::EarlierDoesNotFit => say!("page-working-set-unfit", size = size),
    }
}

fn treatment(cache: &CacheTreatment) -> String {
    match cache {
        CacheTreatment::Memory => {
            say!("page-choice-memory")
        }
        CacheTreatment::Direct => say!("page-choice-direct"),
        CacheTreatment::Dropped {
            wanted_bytes,
            memory_bytes,
        } => say!(
            "page-choice-dropped",
            wanted = wanted_bytes,
            memory = memory_bytes
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_set_says_why_it_is_no_larger_and_what_becomes_of_the_cache() {
        let of = |limit, cache| {
            choice_in_words(&Choice::WorkingSet {
                size_bytes: Bytes::mib(64),
                limit,
                cache,
            })
        };
        let dropped = CacheTreatment::Dropped {
            wanted_bytes: Bytes::gib(320),
            memory_bytes: Bytes::gib(16),
        };
        assert_eq!(
            of(SizeLimit::Space, dropped),
            "Working set: one file of 64 MiB to read and one to write, a third of the usable space. There is no O_DIRECT here: the cache is dropped before each read, because 320 GiB would be needed to outgrow 16 GiB of memory."
        );
        assert_eq!(
            of(SizeLimit::WholeDevice, CacheTreatment::Direct),
            "Working set: all 64 MiB of the device, which is only read. O_DIRECT goes past the page cache of the target."
        );
    }

    #[test]
    fn rows_without_an_interval_are_named_as_in_the_table_with_the_budget_that_would_do() {
        let choice = Choice::Dropped {
            rows: vec!["streaming read".to_owned(), "create files".to_owned()],
            least_runs: 6,
            needed_ns: Nanos::secs(90),
            budget_ns: Nanos::secs(180),
        };
        let said = choice_in_words(&choice);
        assert_eq!(
            said,
            "Too few runs for a ±: sequential read, create files. 6 runs of each take about 1 min 30 s: --budget 3m would do."
        );
        let asked = Choice::Dropped {
            rows: vec!["streaming read".to_owned()],
            least_runs: 12,
            needed_ns: Nanos::secs(90),
            budget_ns: Nanos::secs(180),
        };
        assert_eq!(
            choice_in_words(&asked),
            "Fewer runs than asked for: sequential read. 12 runs of each take about 1 min 30 s: --budget 3m would do."
        );
        let left_out = Choice::LeftOut {
            rows: vec!["randread 4 KiB, depth 1".to_owned()],
            enough_runs: 8,
        };
        assert_eq!(
            choice_in_words(&left_out),
            "Too few runs for a ±, since some were left out, see the findings: random read 4 KiB QD1. --max-runs 8 would do."
        );
        let times = [30, 60, 90, 121, 180].map(|seconds| typed(Nanos::secs(seconds)));
        assert_eq!(times, ["30s", "1m", "90s", "3m", "3m"]);
        let of = Choice::Of {
            workload: "1".to_owned(),
            what: Box::new(choice),
        };
        assert_eq!(choice_in_words(&of), format!("1: {said}"));
    }
}
