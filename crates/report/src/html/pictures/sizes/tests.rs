//! Figures over two sizes are drawn as they were measured.

use etalon_model::{Cell, Experiment, IoWorkload, Operation, Unit};
use etalon_picture::Shape;
use etalon_units::Bytes;

use super::super::Picture;
use crate::html::tests::{drawn, experiment};

/// Reads at two file sizes and two record sizes with these figures in MiB/s.
fn reads(figures: [f64; 4]) -> Experiment {
    let mut experiment = experiment();
    let first = experiment.cells[0].clone();
    let places = [(64, 4), (64, 16), (256, 4), (256, 16)];
    let cell = |((file, record), figure): ((u64, u64), f64)| {
        let io = IoWorkload {
            operation: Operation::RandRead,
            file_size: Bytes::mib(file),
            block_size: Bytes::kib(record).into(),
            ..IoWorkload::default()
        };
        let mut cell = Cell {
            name: format!("randread {record} KiB of {file} MiB"),
            workload: io.into(),
            unit: Unit::BytesPerSecond,
            ..first.clone()
        };
        cell.mean.value = figure * 1_048_576.0;
        cell.mean.interval = None;
        cell.median = cell.mean;
        cell
    };
    experiment.cells = places.into_iter().zip(figures).map(cell).collect();
    experiment.runs.clear();
    experiment
}

/// What is written in a picture.
fn words(picture: &Picture) -> Vec<&str> {
    let marks = picture.wide.marks.iter();
    let words = marks.filter_map(|mark| match &mark.shape {
        Shape::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}

#[test]
fn no_figure_of_a_map_is_rounded_to_nothing() {
    let [heat] = &drawn(&reads([0.41, 1.56, 0.0041, 87.9]), "heat")[..] else {
        panic!()
    };
    let words = words(heat);
    for figure in ["0.41", "1.56", "0.0041", "87.9"] {
        assert!(words.contains(&figure), "{figure}: {words:?}");
    }
}

#[test]
fn the_upright_axis_of_a_surface_has_its_figures() {
    let [surface] = &drawn(&reads([0.9, 0.41, 0.6, 1.0]), "surface")[..] else {
        panic!()
    };
    let words = words(surface);
    for figure in ["0.25", "0.5", "0.75", "1"] {
        assert!(words.contains(&figure), "{figure}: {words:?}");
    }
    let scene = surface.scene.as_ref().unwrap();
    assert!(scene.contains("[0.25,\"0.25\"]"), "{scene}");
}
