//! hdparm's timings of the device.

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use etalon_benches::{Agreement, Figures, LoopDisk, Pair};

use crate::{Options, text};

/// Its timings: what the table calls them, and the options.
const TIMINGS: [(&str, &[&str]); 3] = [
    ("-t", &["-t"]),
    ("-t --direct", &["-t", "--direct"]),
    ("-T", &["-T"]),
];

pub(crate) fn compare(options: &Options) -> anyhow::Result<()> {
    let disk = LoopDisk::new(options.device_bytes())?;
    for (name, words) in TIMINGS {
        let run = |mut command: Command| {
            let text = text(command.args(words).arg(disk.path()), &[0, 3])?;
            let rate = rate(&text).with_context(|| format!("no rate in: {text}"))?;
            Ok::<Figures, anyhow::Error>(vec![(name.to_owned(), rate)])
        };
        let pair = Pair {
            title: format!("hdparm {name}"),
            judge: Agreement::judge,
            unit: "MB/sec as hdparm counts",
            ours: Box::new(|| {
                let mut command = options.etalon("hdparm")?;
                command.args(["--runs", "1"]);
                run(command)
            }),
            theirs: Box::new(|| run(options.command(Path::new("hdparm")))),
            // hdparm drops the cache when it ends and not when it begins.
            prepare: Box::new(|| disk.forget()),
        };
        pair.compare(options.blocks)?;
    }
    Ok(())
}

/// The rate of `… 1024 MB in  0.67 seconds = 1533.79 MB/sec`.
fn rate(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains(" MB/sec"))?;
    let (_, rate) = line.rsplit_once(" = ")?;
    rate.trim().strip_suffix(" MB/sec")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_of_hdparm_s_line() {
        let text =
            "\n/dev/sda:\n Timing buffered disk reads: 1024 MB in  0.67 seconds = 1533.79 MB/sec\n";
        assert_eq!(rate(text), Some(1533.79));
        assert_eq!(rate("nothing"), None);
    }
}
