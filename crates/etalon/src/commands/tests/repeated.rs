//! The command that a report prints for repeating an experiment is one that etalon takes, of every kind.

use std::path::Path;
use std::process::Command;

use etalon_model::{ExperimentKind, NewExperiment, TargetRecord};
use etalon_report::repeat_line;

use super::examples::fault;
use crate::typed;

/// A command line that makes an experiment of this kind, with words that a shell would change.
fn typed_for(kind: ExperimentKind) -> &'static [&'static str] {
    match kind {
        ExperimentKind::Quick => &["/srv/a b", "--budget", "20s"],
        ExperimentKind::Measure => &["measure", "/srv/it's", "--op", "read,write", "-b", "4k"],
        ExperimentKind::Passport => &["passport", "/srv/$(x)", "--budget", "2m"],
        ExperimentKind::Plan => &["run", "/srv/*.toml", "/mnt/~", "--blocks", "3"],
        ExperimentKind::Together => &[
            "together",
            "--runs",
            "3",
            "--",
            "/srv/a b",
            "--op",
            "read",
            "--",
            "/srv",
            "--op",
            "write",
            "--name",
            "the\nsecond",
        ],
        ExperimentKind::Metadata => &["metadata", "/srv/a;b", "--depth", "1"],
        ExperimentKind::Work => &["work", "copy-tree", "/srv/a\\b", "--set", "files=mail"],
        ExperimentKind::Dd => &["dd", "if=/dev/zero", "of=/srv/a&b", "bs=4k", "count=2"],
        ExperimentKind::Hdparm => &["hdparm", "-t", "--direct", "/dev/disk/by-id/a|b"],
        ExperimentKind::Iozone => &["iozone", "-i", "0", "-s", "4m", "-f", "/srv/\u{1b}[2J"],
        ExperimentKind::Fdtree => &["fdtree", "-d", "2", "-o", "/srv/\u{202e}x"],
        ExperimentKind::Imported => &["import", "/srv/a text of fio.txt"],
    }
}

fn begun(kind: ExperimentKind, words: &[&str]) -> NewExperiment {
    let words: Vec<_> = ["etalon"].iter().chain(words).map(Into::into).collect();
    NewExperiment {
        kind,
        started_unix_ns: 0,
        target: TargetRecord::default(),
        settings: serde_json::json!({ "command": typed::record(&words, Path::new("/")) }),
        seed: 42,
        tool_version: String::new(),
        owner: None,
    }
}

/// The words that bash makes of a line.
fn split(line: &str) -> Vec<String> {
    let script = format!("etalon() {{ printf '%s\\0' etalon \"$@\"; }}\n{line}");
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn the_command_that_a_report_prints_is_the_one_that_was_run() {
    for kind in ExperimentKind::ALL {
        let typed = typed_for(kind);
        let line = repeat_line(7, &begun(kind, typed)).unwrap();
        let printed = split(&line);
        assert_eq!(fault(&printed), None, "{line}");
        let own = |word: &&str| !["etalon", "--seed", "42"].contains(word);
        let printed: Vec<&str> = printed.iter().map(String::as_str).filter(own).collect();
        assert_eq!(printed, typed, "{line}");
    }
}
