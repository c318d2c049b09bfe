//! Random operands on random inputs, with GNU dd as the oracle.
use std::fs;
use std::path::Path;

use super::side_by_side::{Input, gnu_dd_is_here, noise, outcome, run, tool};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestRunner};

/// One operand that may be absent.
fn optional(name: &'static str, values: &'static [&'static str]) -> BoxedStrategy<Vec<String>> {
    prop_oneof![
        Just(Vec::new()),
        select(values).prop_map(move |value| vec![format!("{name}={value}")]),
    ]
    .boxed()
}

/// Symbols of `conv=` and of the flags, some or none.
fn symbols(name: &'static str, all: &'static [&'static str]) -> BoxedStrategy<Vec<String>> {
    subsequence(all, 0..=all.len())
        .prop_map(move |some| match some.is_empty() {
            true => Vec::new(),
            false => vec![format!("{name}={}", some.join(","))],
        })
        .boxed()
}

/// Character sets, lines and records, mostly with a length.
fn text() -> BoxedStrategy<Vec<String>> {
    let conv = optional(
        "conv",
        &["ascii", "ebcdic", "ibm", "block", "unblock", "ascii,block"],
    );
    let length = optional("cbs", &["1", "2", "7", "13", "80", "700"]);
    (conv, length)
        .prop_map(|(conv, length)| [conv, length].concat())
        .boxed()
}

const SIZES: &[&str] = &[
    "1", "3", "7", "64", "511", "512", "700", "1k", "4096", "5000", "10k",
];
const PLACES: &[&str] = &["0", "1", "2", "5", "1B", "700B", "3000B", "2x3", "1kB"];

fn operands() -> impl Strategy<Value = Vec<String>> {
    let parts = vec![
        optional("bs", SIZES),
        optional("ibs", SIZES),
        optional("obs", SIZES),
        optional("count", PLACES),
        optional("skip", PLACES),
        optional("seek", PLACES),
        symbols(
            "conv",
            &["notrunc", "sparse", "sync", "noerror", "swab", "ucase"],
        ),
        text(),
        symbols("iflag", &["fullblock", "count_bytes", "skip_bytes"]),
        symbols("oflag", &["seek_bytes", "append"]),
        optional("status", &["none", "noxfer"]),
    ];
    (parts, any::<u64>()).prop_map(|(parts, order)| {
        let mut operands = parts.concat();
        // The order of operands means nothing to dd.
        let turn = usize::try_from(order % 16).unwrap() % operands.len().max(1);
        operands.rotate_left(turn);
        operands.extend(["if=input".to_owned(), "of=output".to_owned()]);
        operands
    })
}

fn scene(input: usize, output: Option<usize>) -> tempfile::TempDir {
    let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    let dir = dir.unwrap();
    // Here and there a line and a run of spaces, in ASCII and in EBCDIC.
    let text = noise(input).into_iter().map(|byte| match byte % 16 {
        7 => b'\n',
        8..12 => b' ',
        12 => 0x40,
        _ => byte,
    });
    let text: Vec<u8> = text.collect();
    fs::write(dir.path().join("input"), text).unwrap();
    if let Some(length) = output {
        fs::write(dir.path().join("output"), vec![b'x'; length]).unwrap();
    }
    dir
}

#[test]
fn any_operands_end_as_with_gnu_dd() {
    if !gnu_dd_is_here() {
        return;
    }
    let usual = Config::default();
    let config = Config {
        cases: usual.cases * 3 / 5,
        failure_persistence: None,
        ..usual
    };
    let cases = (
        operands(),
        0usize..20_000,
        proptest::option::of(0usize..20_000),
    );
    let checked = TestRunner::new(config).run(&cases, |(operands, input, output)| {
        let (theirs, ours) = (scene(input, output), scene(input, output));
        let gnu = run(Path::new("dd"), &[], &operands, theirs.path(), Input::None);
        let own = run(tool(), &["dd"], &operands, ours.path(), Input::None);
        let (gnu, own) = (outcome(gnu, theirs.path()), outcome(own, ours.path()));
        prop_assert_eq!(gnu, own, "dd {}", operands.join(" "));
        Ok(())
    });
    checked.unwrap();
}
