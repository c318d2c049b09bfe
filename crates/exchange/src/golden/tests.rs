//! Every table and export against a text that is kept: what programs and people read does not change unseen.
//!
//! `ETALON_BLESS=1` writes the kept texts anew; what changed in them is read before it is kept.

use std::fmt::Write as _;
use std::io::Cursor;
use std::path::Path;

use calamine::{Reader as _, Xlsx};
use etalon_model::{Experiment, Verdict};

use crate::samples::{experiment, sample_words};
use crate::{to_csv, to_fio_json, to_json, to_markdown, to_metrics, to_workbook};

/// The sample, and beside it a cell that is valid and one that nothing is known of.
fn sample() -> Experiment {
    let mut experiment = experiment();
    let mut valid = experiment.cells[0].clone();
    valid.name = "=1+1 | écriture".to_owned();
    valid.verdict = Verdict::Valid;
    (valid.findings, valid.precision) = (Vec::new(), None);
    let mut empty = valid.clone();
    empty.name = "nothing".to_owned();
    (empty.median.interval, empty.mean.interval) = (None, None);
    (empty.device_share, empty.latency) = (None, Default::default());
    experiment.cells.extend([valid, empty]);
    experiment
}

fn matches(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/golden")
        .join(name);
    if std::env::var_os("ETALON_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    for (n, (now, kept)) in text.lines().zip(kept.lines()).enumerate() {
        assert_eq!(now, kept, "{name}, line {}", n + 1);
    }
    assert_eq!(text, kept, "{name}");
}

#[test]
fn the_json_document_is_the_kept_one() {
    let mut text = Vec::new();
    to_json(&sample(), &mut text).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let text = serde_json::to_string_pretty(&document).unwrap();
    matches("experiment.json", &(text + "\n"));
}

#[test]
fn the_table_of_runs_is_the_kept_one() {
    let mut text = Vec::new();
    to_csv(&sample(), &mut text).unwrap();
    matches("runs.csv", &String::from_utf8(text).unwrap());
}

#[test]
fn the_table_for_a_forum_is_the_kept_one() {
    matches("table.md", &to_markdown(&sample(), &sample_words()));
}

#[test]
fn the_metrics_are_the_kept_ones() {
    matches("metrics.txt", &to_metrics(&sample()));
}

#[test]
fn the_document_of_fio_is_the_kept_one() {
    matches("fio.json", &to_fio_json(&sample()).unwrap());
}

#[test]
fn the_cells_of_the_workbook_are_the_kept_ones() {
    let mut book = Xlsx::new(Cursor::new(to_workbook(&sample()).unwrap())).unwrap();
    let mut text = String::new();
    for name in book.sheet_names() {
        let _ = writeln!(text, "[{name}]");
        let sheet = book.worksheet_range(&name).unwrap();
        for (row, column, value) in sheet.used_cells() {
            let _ = writeln!(text, "{row} {column} {value}");
        }
    }
    matches("workbook.txt", &text);
}
