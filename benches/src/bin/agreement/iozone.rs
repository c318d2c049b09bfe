//! iozone's operations, each with a figure of its own in the table's row.

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use etalon_benches::{Agreement, Figures, LoopFilesystem, Pair};

use crate::{Options, text};

/// The columns of the row that `-E` adds to, in iozone's order.
const OPERATIONS: [&str; 17] = [
    "write",
    "rewrite",
    "read",
    "reread",
    "random read",
    "random write",
    "backward read",
    "record rewrite",
    "strided read",
    "fwrite",
    "frewrite",
    "fread",
    "freread",
    "pwrite",
    "repwrite",
    "pread",
    "repread",
];

/// What is measured: a title, and options besides size and file.
const KINDS: [(&str, &[&str]); 4] = [
    ("records of 64 KiB", &["-r", "64k"]),
    ("records of 4 KiB", &["-r", "4k"]),
    ("records of 64 KiB, O_DIRECT", &["-r", "64k", "-I"]),
    ("records of 4 KiB, O_DIRECT", &["-r", "4k", "-I"]),
];

pub(crate) fn compare(options: &Options) -> anyhow::Result<()> {
    let place = LoopFilesystem::new(options.device_bytes())?;
    let file = place.path().join("file");
    for (title, words) in KINDS {
        let run = |mut command: Command| {
            let size = format!("{}m", options.file_mib);
            command.args(words).args(["-E", "-s", &size]);
            figures(&mut command, &file)
        };
        let pair = Pair {
            title: format!("iozone, {title}"),
            judge: Agreement::judge,
            unit: "MB/s",
            ours: Box::new(|| {
                let mut command = options.etalon("iozone")?;
                command.args(["--runs", "1"]);
                run(command)
            }),
            theirs: Box::new(|| run(options.command(&options.iozone))),
            prepare: Box::new(|| place.forget()),
        };
        pair.compare(options.blocks)?;
    }
    Ok(())
}

/// One run on a file that is not there yet; the figures of its row.
fn figures(command: &mut Command, file: &Path) -> anyhow::Result<Figures> {
    // A single run of etalon has no spread, and so no valid verdict: code 3.
    let text = text(command.arg("-f").arg(file), &[0, 3])?;
    row(&text).with_context(|| format!("no row of {} figures in:\n{text}", OPERATIONS.len()))
}

/// The line of numbers alone: file size and record size in kB, then kB per second.
fn row(text: &str) -> Option<Figures> {
    let numbers = text.lines().find_map(|line| {
        let words = line.split_whitespace().map(str::parse);
        let numbers: Vec<f64> = words.collect::<Result<_, _>>().ok()?;
        (numbers.len() == OPERATIONS.len() + 2).then_some(numbers)
    })?;
    let figures = OPERATIONS.iter().zip(&numbers[2..]);
    Some(
        figures
            .map(|(name, kilobytes)| ((*name).to_owned(), kilobytes * 1024.0 / 1e6))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_among_other_lines() {
        let line: Vec<String> = (1..=19).map(|n| (n * 1_000_000).to_string()).collect();
        let text = format!(
            "  kB  reclen  write\n {}\n\niozone test complete.",
            line.join("  ")
        );
        let figures = row(&text).unwrap();
        assert_eq!(figures.len(), 17);
        assert_eq!(figures[0], ("write".to_owned(), 3072.0));
        assert_eq!(row("1 2 3"), None);
    }
}
