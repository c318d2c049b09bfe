//! What pictures leave out, cut off or mix, a test for each.

use etalon_model::{ExperimentKind, Interval};
use etalon_picture::{Class, Shape};

use super::super::tests::{across, drawn, experiment};

#[test]
fn the_results_reach_to_the_ends_of_their_intervals() {
    let mut experiment = experiment();
    experiment.cells.truncate(1);
    let value = experiment.cells[0].estimate().value;
    experiment.cells[0].mean.interval = Some(Interval {
        low: value / 2.0,
        high: value * 3.0,
        level: 0.95,
    });
    let [picture] = &drawn(&experiment, "results")[..] else {
        panic!()
    };
    let axis = across(picture, Class::Axis)[0];
    let band = across(picture, Class::SeriesBand(2))[0];
    assert!(band.1 <= axis.1 && band.1 > band.0, "{band:?} {axis:?}");
}

#[test]
fn what_a_steady_state_may_swing_is_drawn_whole() {
    let mut experiment = experiment();
    experiment.header.begun.kind = ExperimentKind::Measure;
    experiment.cells.truncate(1);
    let [picture] = &drawn(&experiment, "steady-state")[..] else {
        panic!()
    };
    let top = |class| {
        let marks = picture.wide.marks.iter();
        let marks = marks.filter(move |mark| mark.class == class);
        let tops = marks.filter_map(|mark| match &mark.shape {
            Shape::Rect { at, .. } => Some(at.y),
            Shape::Path { points, .. } => Some(points.first()?.y),
            _ => None,
        });
        tops.fold(f64::INFINITY, f64::min)
    };
    let (band, highest) = (top(Class::Band), top(Class::Grid));
    assert!(band >= highest, "{band} {highest}");
}
