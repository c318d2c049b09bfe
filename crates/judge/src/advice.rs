//! What to do about a finding, in the words of the command that ran.
//!
//! The advice of a [`Check`](crate::Check) names options of `etalon measure`. The other commands have
//! options of their own, and each gets its own sentence where such an option is meant.

use etalon_model::{Finding, Workload};

/// Sentences for the findings of one command: a code and what to do.
type Sentences = &'static [(&'static str, &'static str)];

const DD: Sentences = &[
    ("not-durable", DURABLE_COPY),
    ("dirty-left", DURABLE_COPY),
    (
        "page-cache",
        "Read with iflag=direct, drop the cache before, or copy a file of at least 20 times the memory.",
    ),
    (
        "working-set",
        "Read with iflag=direct, or copy a larger file.",
    ),
    ("device-cache", LARGER_COPY),
    ("short-stroked", LARGER_COPY),
    ("few-operations", LARGER_COPY),
    ("unsteady", LARGER_COPY),
    ("warm-up", LARGER_COPY),
    ("cpu-bound", SPEED_OF_MACHINE),
    ("depth-one", ONE_AT_A_TIME),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const DURABLE_COPY: &str =
    "Put what makes it durable inside the clock: conv=fsync, oflag=dsync or oflag=direct.";
const LARGER_COPY: &str = "Copy more: a larger count=, or a larger file.";

const HDPARM: Sentences = &[
    (
        "page-cache",
        "Read with --direct, or leave -T out, which reads memory on purpose.",
    ),
    ("working-set", "Read with --direct."),
    ("device-cache", ELSEWHERE),
    ("short-stroked", ELSEWHERE),
    ("few-operations", MORE_RUNS),
    ("unsteady", MORE_RUNS),
    ("warm-up", MORE_RUNS),
    ("cpu-bound", SPEED_OF_MACHINE),
    ("depth-one", ONE_AT_A_TIME),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const ELSEWHERE: &str =
    "Read other places of the device (--offset), or all of it with `etalon quick DEVICE`.";

const IOZONE: Sentences = &[
    (
        "not-durable",
        "Add -e (fsync inside the clock), -o (O_SYNC) or -I (O_DIRECT).",
    ),
    (
        "dirty-left",
        "Add -e (fsync inside the clock), -o (O_SYNC) or -I (O_DIRECT).",
    ),
    (
        "page-cache",
        "Read with -I (O_DIRECT), remount with -U, or use a file of at least 20 times the memory.",
    ),
    (
        "working-set",
        "Read with -I (O_DIRECT), or use a larger file (-s).",
    ),
    ("device-cache", LARGER_FILE),
    ("short-stroked", LARGER_FILE),
    (
        "few-operations",
        "Use a larger file (-s) or smaller records (-r).",
    ),
    ("unsteady", LARGER_FILE),
    ("warm-up", LARGER_FILE),
    (
        "cpu-bound",
        "Use more processes (-t), or read it as the speed of this machine.",
    ),
    (
        "depth-one",
        "Use more processes (-t) or POSIX async I/O (-k).",
    ),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const LARGER_FILE: &str = "Use a larger file (-s).";

const FDTREE: Sentences = &[
    (
        "not-durable",
        "Add --sync, which ends each phase with syncfs inside its clock.",
    ),
    (
        "dirty-left",
        "Add --sync, which ends each phase with syncfs inside its clock.",
    ),
    ("device-cache", LARGER_TREE),
    ("short-stroked", LARGER_TREE),
    ("few-operations", LARGER_TREE),
    ("unsteady", LARGER_TREE),
    ("warm-up", LARGER_TREE),
    ("working-set", LARGER_TREE),
    ("cpu-bound", SPEED_OF_MACHINE),
    ("depth-one", ONE_AT_A_TIME),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const LARGER_TREE: &str = "Make a larger tree: more files (-f), directories (-d) or levels (-l).";

const METADATA: Sentences = &[
    (
        "not-durable",
        "Put what makes it durable inside the clock: `etalon metadata --durability phase`.",
    ),
    (
        "dirty-left",
        "Put what makes it durable inside the clock: `etalon metadata --durability phase`.",
    ),
    ("device-cache", MORE_FILES),
    ("short-stroked", MORE_FILES),
    ("few-operations", MORE_FILES),
    ("unsteady", MORE_FILES),
    ("warm-up", MORE_FILES),
    ("working-set", MORE_FILES),
    ("depth-one", "Use more jobs (`etalon metadata --jobs`)."),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const MORE_FILES: &str = "Work on more files (`etalon metadata --files`).";

/// Real work, databases and web pages, whose parameters are set by `--set`.
const WORK: Sentences = &[
    (
        "not-durable",
        "Report it with the result: this work asks for no more.",
    ),
    (
        "dirty-left",
        "Report it with the result: this work asks for no more.",
    ),
    ("device-cache", MORE_WORK),
    ("short-stroked", MORE_WORK),
    ("few-operations", MORE_WORK),
    ("unsteady", MORE_WORK),
    ("warm-up", MORE_WORK),
    ("working-set", MORE_WORK),
    (
        "cpu-bound",
        "Read it as the speed of this machine with such work.",
    ),
    (
        "depth-one",
        "Report it with the result: this work does one thing at a time.",
    ),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const MORE_WORK: &str = "Give it more to do (--set; `etalon work list` shows the parameters), or repeat it more often (--runs).";

const MORE_RUNS: &str = "Repeat it more often (--runs).";
const SPEED_OF_MACHINE: &str = "Read it as the speed of this machine.";
const ONE_AT_A_TIME: &str =
    "This command does one thing at a time; `etalon measure --queue-depth` keeps more in flight.";
const STATE_OF_CACHE: &str = "Run as root, so that the cache can be emptied.";
const PAUSE: &str = "Wait a minute, and repeat it.";

/// What to do about a finding of this `code`, in the words of the command that did the work; `None` where
/// the finding's own advice fits.
fn fitting_advice(code: &str, workload: &Workload) -> Option<&'static str> {
    let sentences = match workload.task()?.work.as_str() {
        "dd" => DD,
        "hdparm" => HDPARM,
        "iozone" => IOZONE,
        "fdtree" => FDTREE,
        "metadata" => METADATA,
        _ => WORK,
    };
    let found = sentences.iter().find(|(known, _)| *known == code);
    found.map(|(_, sentence)| *sentence)
}

/// Gives findings the advice that fits what ran; a check that had a cause of its own in mind has said so
/// and keeps its words.
pub(crate) fn fit(finding: &mut Finding, own: &str, workload: &Workload) {
    if finding.advice == own
        && let Some(advice) = fitting_advice(&finding.code, workload)
    {
        advice.clone_into(&mut finding.advice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CHECKS;
    use etalon_model::{TaskFigure, TaskWorkload};

    /// A command's name, and its options and operands that advice may name.
    const COMMANDS: [(&str, &[&str]); 6] = [
        ("dd", &["--runs", "conv=", "oflag=", "iflag=", "count="]),
        ("hdparm", &["--runs", "--direct", "--offset", "-T"]),
        (
            "iozone",
            &["--runs", "-e", "-o", "-I", "-U", "-s", "-r", "-t", "-k"],
        ),
        ("fdtree", &["--runs", "--sync", "-f", "-d", "-l"]),
        ("metadata", &["--runs", "--durability", "--files", "--jobs"]),
        ("copy-tree", &["--runs", "--set"]),
    ];
    /// Words of other programs, and whole commands of etalon, which advice may name to everybody.
    const OF_OTHERS: [&str; 11] = [
        "mdadm --wait",
        "mkfs.ext4 -E lazy_itable_init=0",
        "losetup --direct-io=on",
        "ulimit -l",
        "pidstat -d",
        "(-l)",
        "dd without conv=sparse",
        "QEMU: cache=none",
        "barrier=0",
        "kernel.io_uring_disabled=0",
        "`etalon measure --queue-depth`",
    ];

    fn task(work: &str) -> Workload {
        let parameters = std::collections::BTreeMap::new();
        TaskWorkload::of_texts(work, "step", TaskFigure::Rate, parameters).into()
    }

    /// What of a sentence looks like an option or an operand.
    fn options(advice: &str) -> Vec<String> {
        let rest = OF_OTHERS
            .iter()
            .fold(advice.to_owned(), |rest, theirs| rest.replace(theirs, ""));
        let words = rest.split(|c: char| c.is_whitespace() || "(),;:`".contains(c));
        let is_option = |word: &&str| {
            let word = word.trim_end_matches('.');
            let begins = word.starts_with('-') && word.len() > 1;
            begins || word.contains('=') && !word.starts_with('=')
        };
        words
            .filter(is_option)
            .map(|word| word.trim_end_matches('.').to_owned())
            .collect()
    }

    /// Checks of what no such command does, and of what hdparm does not, which only reads.
    const OF_SERVICES: [&str; 2] = ["cached-in-server", "not-together"];
    const OF_WRITES: [&str; 2] = ["not-durable", "dirty-left"];

    #[test]
    fn no_command_is_advised_an_option_that_it_does_not_have() {
        for (work, own) in COMMANDS {
            let is_met = |code| match work {
                "hdparm" => !OF_SERVICES.contains(&code) && !OF_WRITES.contains(&code),
                _ => !OF_SERVICES.contains(&code),
            };
            for check in CHECKS.iter().filter(|check| is_met(check.code)) {
                let advice = fitting_advice(check.code, &task(work)).unwrap_or(check.advice);
                for option in options(advice) {
                    let has = own.iter().any(|own| option.starts_with(own));
                    assert!(has, "{work} has no {option}: {}: {advice}", check.code);
                }
            }
        }
    }

    #[test]
    fn every_sentence_is_of_a_check_and_ends() {
        for sentences in [DD, HDPARM, IOZONE, FDTREE, METADATA, WORK] {
            for (code, sentence) in sentences {
                assert!(CHECKS.iter().any(|check| check.code == *code), "{code}");
                assert!(sentence.ends_with('.'), "{sentence}");
            }
        }
    }

    #[test]
    fn the_engine_s_own_runs_keep_the_check_s_words() {
        let io = etalon_model::IoWorkload::default().into();
        assert_eq!(fitting_advice("not-durable", &io), None);
    }
}
