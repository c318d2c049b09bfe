//! No command is advised what it does not have.

use super::*;
use crate::CHECKS;
use etalon_model::{TaskFigure, TaskWorkload};

/// A command's name, and its options and operands that advice may name.
const COMMANDS: [(&str, &[&str]); 6] = [
    (
        "dd",
        &["--runs", "bs=", "conv=", "oflag=", "iflag=", "count="],
    ),
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
fn pages_that_failed_send_to_the_server_and_not_to_a_disk() {
    let advice = fitting_advice("run-failed", &task("web")).unwrap();
    assert!(
        advice.contains("server") && !advice.contains("dmesg"),
        "{advice}"
    );
    assert!(
        fitting_advice("unsteady", &task("web"))
            .unwrap()
            .contains("--set")
    );
}

#[test]
fn every_sentence_is_of_a_check_and_ends() {
    for sentences in [DD, HDPARM, IOZONE, FDTREE, METADATA, WEB, WORK] {
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
