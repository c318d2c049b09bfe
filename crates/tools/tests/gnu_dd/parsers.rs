//! Programs that read dd's lines: what they look for, over ours. What etalon adds must not look like
//! a second answer.

use std::path::Path;

use regex::Regex;

use super::side_by_side::{Input, run, scene, tool};

/// Everything on standard error: of GNU dd, or of etalon with one more option.
fn said(program: &Path, first: &[&str], operands: &str) -> String {
    let scene = scene();
    let operands: Vec<String> = operands.split(' ').map(str::to_owned).collect();
    let output = run(program, first, &operands, scene.path(), Input::None);
    String::from_utf8(output.stderr).unwrap()
}

/// The lines that `awk '/copied/ {print $10, $11}'` answers to, in scripts beyond number.
fn by_awk(text: &str) -> Vec<(String, String)> {
    let of_interest = text.lines().filter(|line| line.contains("copied"));
    let fields = |line: &str| {
        let mut words = line.split_whitespace().skip(9).map(str::to_owned);
        (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        )
    };
    of_interest.map(fields).collect()
}

/// tp-libvirt's test of random number generators.
const LIBVIRT: &str = r"(?m)(\d+) bytes.*copied, (\d+.\d+) s";

/// A migration toolkit's progress of raw device mappings.
const MIGRATION: &str = r"(\d+) bytes.*copied, ([\d.]+) s, ([\d.]+) ([KkMGT]?B)/s";

#[test]
fn one_line_answers_to_what_scripts_look_for() {
    let line = "if=/dev/zero of=new bs=64k count=40 conv=fsync";
    for (program, first) in [
        (Path::new("dd"), &[][..]),
        (tool(), &["dd"]),
        (tool(), &["dd", "--runs", "1"]),
    ] {
        let text = said(program, first, line);
        let answers = by_awk(&text);
        assert_eq!(answers.len(), 1, "{text}");
        let (rate, unit) = &answers[0];
        assert!(rate.parse::<f64>().unwrap() > 0.0, "{text}");
        assert!(["kB/s", "MB/s", "GB/s"].contains(&unit.as_str()), "{text}");
        for expression in [LIBVIRT, MIGRATION] {
            let found: Vec<_> = Regex::new(expression)
                .unwrap()
                .captures_iter(&text)
                .collect();
            assert_eq!(found.len(), 1, "{expression}: {text}");
            assert_eq!(&found[0][1], "2621440", "{expression}: {text}");
            assert!(found[0][2].parse::<f64>().unwrap() > 0.0, "{text}");
        }
    }
}
