//! `wrong-unit`

use etalon_language::say;

use crate::{Fault, FaultCheck, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "wrong-unit",
    about: "Record sizes that a program counts in KiB are called bytes.",
    advice: "Write KiB: iozone's -r and its columns count 1024 bytes.",
    find,
};

/// Words for a record.
const RECORDS: [&str; 4] = ["enregistrement", "record", "reclen", "block size"];

/// A line that gives small powers of two as records in bytes, in a page on iozone.
fn find(material: &Material<'_>) -> Vec<Fault> {
    if !material.page.says(&["iozone"]) {
        return Vec::new();
    }
    let lines = material.page.lines.iter();
    let wrong = lines.filter(|line| line.says(&RECORDS)).filter(|line| {
        let bytes = line.says(&["octets", " bytes", "caracteres", "characters"]);
        let numbers = material.page.numbers(line);
        let small = numbers.iter().filter(|n| {
            n.decimals == 0 && [16.0, 32.0, 64.0, 128.0, 256.0, 512.0].contains(&n.value)
        });
        bytes
            && small.count() >= 1
            && !line.says(&["kilo", "kio", "kib", "512 bytes", "512 octets logical"])
    });
    wrong
        .take(2)
        .map(|line| {
            CHECK.at(
                line.number,
                say!("fault-wrong-unit", text = brief(&line.text)),
            )
        })
        .collect()
}

fn brief(text: &str) -> String {
    let text = text.trim().trim_start_matches(['•', '-', '*']).trim();
    let cut: String = text.chars().take(70).collect();
    if cut.len() < text.len() {
        format!("{cut}...")
    } else {
        cut
    }
}
