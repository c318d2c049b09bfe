//! mdtest with one job: rates of the operations on names.

use anyhow::Context;
use etalon_benches::{Figures, LoopFilesystem, Pair, Ratio};
use serde_json::Value;

use crate::{Options, text};

/// etalon's operation and the words with which mdtest begins the line of it.
const PAIRS: [(&str, &str); 6] = [
    ("mkdir", "Directory creation"),
    ("rmdir", "Directory removal"),
    ("create", "File creation"),
    ("stat", "File stat"),
    ("open", "File read"),
    ("unlink", "File removal"),
];

/// The shapes of both programs, mdtest's options first: directories alone, then files alone. In one
/// call mdtest would make its files in the directory that its directories have already grown, and
/// etalon in a new one; and without -C and -r it would give the directories other names before it
/// removes them, and find these where they were put last.
const SHAPES: [(&[&str], &[&str]); 2] = [
    (
        &["-D", "-C", "-r"],
        &[
            "--operations",
            "mkdir,rmdir",
            "--depth",
            "1",
            "--files",
            "0",
            "--breadth",
        ],
    ),
    (
        &["-F"],
        &[
            "--operations",
            "create,stat,open,unlink",
            "--depth",
            "0",
            "--files",
        ],
    ),
];

pub(crate) fn compare(options: &Options) -> anyhow::Result<()> {
    let place = LoopFilesystem::new(options.device_bytes())?;
    let names = options.names.to_string();
    let pair = Pair {
        title: format!("metadata beside mdtest, {names} directories, then {names} files"),
        unit: "per second",
        judge: |ratio| match ratio {
            Ratio { low: 1.0.., .. } => "faster",
            Ratio { high: 1.0.., .. } => "as fast, as far as the interval tells",
            Ratio { .. } => "slower",
        },
        ours: Box::new(|| {
            let runs = SHAPES.map(|(_, words)| {
                let mut command = options.etalon("metadata")?;
                command.arg(place.path()).args(words).arg(&names);
                command.args(["--runs", "1", "--json"]);
                // A single run has no interval, and so no valid verdict: code 3.
                printed(&text(&mut command, &[0, 3])?)
            });
            named(
                &runs
                    .into_iter()
                    .collect::<anyhow::Result<Vec<_>>>()?
                    .concat(),
            )
        }),
        theirs: Box::new(|| {
            let runs = SHAPES.map(|(which, _)| {
                let mut command = options.command(&options.mdtest);
                command
                    .args(["-n", &names, "-i", "1"])
                    .args(which)
                    .arg("-d");
                command.arg(place.path().join("mdtest"));
                command.env("OMPI_ALLOW_RUN_AS_ROOT", "1");
                command.env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
                Ok::<_, anyhow::Error>(means(&text(&mut command, &[0])?))
            });
            named(
                &runs
                    .into_iter()
                    .collect::<anyhow::Result<Vec<_>>>()?
                    .concat(),
            )
        }),
        prepare: Box::new(|| place.forget()),
    };
    pair.compare(options.blocks)
}

/// A rate, by the name of etalon's operation.
type Rate = (&'static str, f64);

/// The rates in the order of [`PAIRS`].
fn named(rates: &[Rate]) -> anyhow::Result<Figures> {
    let figures = PAIRS.iter().map(|(name, _)| {
        let found = rates.iter().find(|(other, _)| other == name);
        let (_, rate) = found.with_context(|| format!("no rate of {name} in {rates:?}"))?;
        Ok(((*name).to_owned(), *rate))
    });
    figures.collect()
}

/// The cells of the document that etalon printed before its progress lines.
fn printed(text: &str) -> anyhow::Result<Vec<Rate>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let document = values.next().context("nothing was printed")??;
    let cells = document["cells"].as_array().context("no cells")?;
    let rate = |name: &'static str| {
        let cell = cells.iter().find(|cell| cell["name"] == name)?;
        Some((name, cell["median"].as_f64()?))
    };
    Ok(PAIRS.iter().filter_map(|(name, _)| rate(name)).collect())
}

/// The means in mdtest's table: name, maximum, minimum, mean, standard deviation.
fn means(text: &str) -> Vec<Rate> {
    let rate = |(name, words): &(&'static str, &str)| {
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with(words))?;
        Some((*name, line.split_whitespace().nth(4)?.parse().ok()?))
    };
    PAIRS.iter().filter_map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_means_of_mdtest_s_table() {
        let text = "   Operation     Max   Min   Mean   Std Dev\n\
                    \x20  Directory creation   300.5  100.5  200.5  1.0\n\
                    \x20  File stat            3.0    1.0    2.0    0.0\n";
        assert_eq!(means(text), [("mkdir", 200.5), ("stat", 2.0)]);
        assert!(named(&means(text)).is_err(), "four are missing");
    }

    #[test]
    fn the_cells_of_etalon_s_document() {
        let text = r#"{"cells": [{"name": "unlink", "median": 7.0}]}
                      measuring here"#;
        assert_eq!(printed(text).unwrap(), [("unlink", 7.0)]);
        assert!(printed("").is_err());
    }
}
