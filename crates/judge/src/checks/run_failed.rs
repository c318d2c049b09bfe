//! A run that did not come to its end.

use etalon_model::{Ended, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said, word};

pub(crate) const CHECK: Check = Check {
    code: "run-failed",
    about: "The run ended early: an operation failed, the disk was full, or the load outgrew the target.",
    advice: "See the kernel's log (dmesg) for a failing device, free some space, or lower the rate.",
    ..Check::of_run(run)
};

/// `EFBIG` (errno(3)): the limit of `setrlimit(2)` on the size of files.
const TOO_LARGE: i32 = 27;
const LIMIT: &str =
    "Raise the limit on the size of files (ulimit -f shows it), or use a smaller one.";

fn run(facts: &Facts) -> Option<Outcome> {
    let ended = &facts.run.measurement.ended;
    let outcome = Outcome::new(Severity::Invalid, sentence(ended)?, &[]);
    Some(match ended {
        Ended::Failed {
            errno: TOO_LARGE, ..
        } => outcome.advising(LIMIT),
        _ => outcome,
    })
}

/// What went wrong; `None` where nothing did, or the user stopped it.
pub(crate) fn sentence(ended: &Ended) -> Option<Sentence> {
    Some(match ended {
        Ended::Complete | Ended::Interrupted => return None,
        Ended::DiskFull => said!("the filesystem was full before the run ended."),
        Ended::Broken { message } => format!("{message}.").into(),
        Ended::Overload => said!(
            "more than a minute's worth of arrivals was waiting: the target cannot keep up with the rate."
        ),
        Ended::Failed {
            operation,
            offset,
            errno,
        } => failed(operation, *offset, *errno),
    })
}

fn failed(operation: &str, offset: u64, errno: i32) -> Sentence {
    let error = std::io::Error::from_raw_os_error(errno).to_string();
    // It is about the whole file.
    if operation.starts_with("fsync") {
        return said!(
            "{operation} failed: {error}.",
            operation = operation,
            error = error,
        );
    }
    said!(
        "{operation} at byte {offset} failed: {error}.",
        operation = word_of(operation),
        offset = offset,
        error = error,
    )
}

/// The operation as the catalogues have it.
fn word_of(operation: &str) -> &str {
    match operation {
        "read" => word!("read"),
        "write" => word!("write"),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};

    #[test]
    fn an_io_error_is_named_and_an_ordinary_end_is_not() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.ended = Ended::Failed {
            operation: "read".to_owned(),
            offset: 8192,
            errno: 5,
        };
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
        assert!(
            outcome
                .message
                .contains("read at byte 8192 failed: Input/output error")
        );
    }

    #[test]
    fn an_fsync_has_no_place_in_the_file() {
        let ended = Ended::Failed {
            operation: "fsync of '/x'".to_owned(),
            offset: 0,
            errno: 5,
        };
        let words = sentence(&ended).unwrap();
        assert!(words.starts_with("fsync of '/x' failed: Input"), "{words}");
    }

    #[test]
    fn a_broken_task_is_told_in_its_own_words() {
        let ended = Ended::Broken {
            message: "cannot write 'x'".to_owned(),
        };
        assert_eq!(sentence(&ended).unwrap(), "cannot write 'x'.");
    }
}
