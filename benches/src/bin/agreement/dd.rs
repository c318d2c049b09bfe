//! dd's rate: a file read to `/dev/null` and written from `/dev/zero`, buffered and direct.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use etalon_benches::{Agreement, Figures, LoopFilesystem, Pair};

use crate::{Options, text};

const BLOCKS: [&str; 3] = ["4k", "64k", "1M"];

/// What is copied: a title, the file's side, and the operands besides block size and amount.
const KINDS: [(&str, &str, &[&str]); 4] = [
    ("buffered read", "if=", &["of=/dev/null"]),
    ("direct read", "if=", &["of=/dev/null", "iflag=direct"]),
    ("buffered write", "of=", &["if=/dev/zero", "conv=fdatasync"]),
    (
        "direct write",
        "of=",
        &["if=/dev/zero", "conv=fdatasync", "oflag=direct"],
    ),
];

pub(crate) fn compare(options: &Options) -> anyhow::Result<()> {
    let place = LoopFilesystem::new(options.device_bytes())?;
    let file = place.path().join("file");
    for (title, side, operands) in KINDS {
        for block in BLOCKS {
            let run = |mut command: Command| {
                command.args(operands).arg(format!("bs={block}"));
                command.arg(format!("count={}B", options.file_mib << 20));
                figures(command.arg(format!("{side}{}", file.display())))
            };
            let prepare = || {
                match side {
                    "if=" => filled(&file, options.file_mib)?,
                    // Each writes a new file.
                    _ => absent(&file)?,
                }
                place.forget()
            };
            let pair = Pair {
                title: format!("dd, {title}, bs={block}"),
                judge: Agreement::judge,
                unit: "MB/s",
                ours: Box::new(|| run(options.etalon("dd")?)),
                theirs: Box::new(|| run(options.command(Path::new("dd")))),
                prepare: Box::new(prepare),
            };
            pair.compare(options.blocks)?;
        }
    }
    Ok(())
}

/// Writes the file that is read, once.
pub(crate) fn filled(file: &Path, mib: u64) -> anyhow::Result<()> {
    if file.exists() {
        return Ok(());
    }
    let mut file = fs::File::create(file)?;
    let part = vec![0x5a; 1 << 20];
    for _ in 0..mib {
        file.write_all(&part)?;
    }
    Ok(file.sync_all()?)
}

pub(crate) fn absent(file: &Path) -> anyhow::Result<()> {
    if file.exists() {
        fs::remove_file(file)?;
    }
    Ok(())
}

fn figures(command: &mut Command) -> anyhow::Result<Figures> {
    let text = text(command, &[0])?;
    let rate = rate(&text).with_context(|| format!("no rate in: {text}"))?;
    Ok(vec![("rate".to_owned(), rate)])
}

/// Bytes per microsecond by dd's own third line: `12288 bytes (12 kB, 12 KiB) copied, 4.7e-06 s, …`.
pub(crate) fn rate(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains(" copied, "))?;
    let (amount, time) = line.split_once(" copied, ")?;
    let bytes: f64 = amount.split(' ').next()?.parse().ok()?;
    let seconds: f64 = time.split(' ').next()?.parse().ok()?;
    Some(bytes / seconds / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_of_dd_s_third_line() {
        let text = "2+0 records in\n2+0 records out\n\
                    2000000 bytes (2.0 MB, 1.9 MiB) copied, 0.5 s, 4.0 MB/s\n";
        assert_eq!(rate(text), Some(4.0));
        assert_eq!(rate("3+0 records in"), None);
    }
}
