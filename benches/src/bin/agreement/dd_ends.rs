//! Where dd's clock stops: onto new files and onto files that are cut first, by dd itself and by a shell that gives it as
//! standard output, with and without `conv=fsync`, on ext4, xfs and btrfs. Ext4 and xfs write in close(2) what replaces a
//! file that was cut, and dd counts that.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use etalon_benches::{Agreement, Figures, LoopFilesystem, Pair};

use crate::dd::{absent, filled, rate};
use crate::{Options, text};

/// What the two programs are asked for beside the copy, and what etalon's figure is.
struct Case {
    title: &'static str,
    ours: &'static [&'static str],
    theirs: &'static [&'static str],
    /// Whether a shell opens the file and gives it as standard output.
    redirected: bool,
    figure: fn(&str, u64) -> Option<f64>,
}

const CASES: [Case; 4] = [
    Case {
        title: "",
        ours: &[],
        theirs: &[],
        redirected: false,
        figure: |text, _| rate(text),
    },
    Case {
        title: " as standard output",
        ours: &[],
        theirs: &[],
        redirected: true,
        figure: |text, _| rate(text),
    },
    Case {
        title: ", conv=fsync",
        ours: &["conv=fsync"],
        theirs: &["conv=fsync"],
        redirected: false,
        figure: |text, _| rate(text),
    },
    Case {
        title: ", etalon's \"durable\" beside conv=fsync",
        ours: &["--json"],
        theirs: &["conv=fsync"],
        redirected: false,
        figure: until_durable,
    },
];

pub(crate) fn compare(options: &Options) -> anyhow::Result<()> {
    for kind in ["ext4", "xfs", "btrfs"] {
        let place = LoopFilesystem::of(kind, options.device_bytes())?;
        let file = place.path().join("file");
        for exists in [false, true] {
            for case in &CASES {
                pair(options, (kind, exists), case, (&place, &file)).compare(options.blocks)?;
            }
        }
        fs::remove_file(&file)?;
    }
    Ok(())
}

fn pair<'a>(
    options: &'a Options,
    (kind, exists): (&str, bool),
    case: &'a Case,
    (place, file): (&'a LoopFilesystem, &'a PathBuf),
) -> Pair<'a> {
    let run = move |program: &Path, first: &[&str], words: &[&str]| {
        let mut command = if case.redirected {
            // The shell gives way to the program, so that nobody else holds the file open.
            let mut shell = options.command(Path::new("sh"));
            shell.args(["-c", r#"file=$1; shift; exec "$@" >"$file""#, "sh"]);
            shell.arg(file).arg(program);
            shell
        } else {
            options.command(program)
        };
        command.args(first).args(words);
        command.args(["if=/dev/zero", "bs=1M"]);
        command.arg(format!("count={}", options.file_mib));
        if !case.redirected {
            command.arg(format!("of={}", file.display()));
        }
        text(&mut command, &[0])
    };
    let figures = |text: &str, figure: Option<f64>| -> anyhow::Result<Figures> {
        let figure = figure.with_context(|| format!("no figure in: {text}"))?;
        Ok(vec![("rate".to_owned(), figure)])
    };
    let bytes = options.file_mib << 20;
    let which = if exists { "an existing" } else { "a new" };
    Pair {
        title: format!("{kind}, onto {which} file{}", case.title),
        judge: Agreement::judge,
        unit: "MB/s",
        ours: Box::new(move || {
            let text = run(&options.etalon_program()?, &["dd"], case.ours)?;
            figures(&text, (case.figure)(&text, bytes))
        }),
        theirs: Box::new(move || {
            let text = run(Path::new("dd"), &[], case.theirs)?;
            figures(&text, rate(&text))
        }),
        prepare: Box::new(move || {
            absent(file)?;
            if exists {
                filled(file, options.file_mib)?;
            }
            place.forget()
        }),
    }
}

/// Bytes per microsecond over the copy and what fsync took after it.
fn until_durable(text: &str, bytes: u64) -> Option<f64> {
    let start = text.find('{')?;
    let mut documents = serde_json::Deserializer::from_str(&text[start..]).into_iter();
    let document: serde_json::Value = documents.next()?.ok()?;
    let run = &document["tool"][0][0];
    let copy = run["elapsed_ns"].as_u64()?;
    let after = run["observed"]["fsync_after_ns"].as_u64()?;
    Some(bytes as f64 * 1e3 / (copy + after) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_until_durable_is_both_spans() {
        let text = r#"etalon: x
{"tool": [[{"elapsed_ns": 1500, "observed": {"fsync_after_ns": 500}}]]}
etalon: y"#;
        assert_eq!(until_durable(text, 4), Some(2.0));
        assert_eq!(until_durable("3+0 records in", 4), None);
    }
}
