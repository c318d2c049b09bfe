//! `wrong-mean`, of a mean that is told in words under the figures of a program.

use etalon_language::say;

use super::{CHECK, TOLERANCE, hundredths};
use crate::quantity::{mean, rate_unit};
use crate::{Fault, Figure, Line, Material, Number};

/// Words for an arithmetic mean, and for what is none.
const MEAN: [&str; 5] = ["average", "mean", "moyenne", "avg", "gemiddelde"];
const OTHER: [&str; 5] = ["median", "mediane", "geomet", "harmon", "load average"];
/// A mean of these figures is no further from the right one than this share.
const NEAR: f64 = 0.1;

/// Means that match none of the figures since the last mean.
pub(super) fn find(material: &Material<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    // They stand in the order of the page.
    let mut left = &material.figures[..];
    let lines = material.page.lines.iter();
    let is_told = |line: &&Line| is_short(line) && line.says(&MEAN) && !line.says(&OTHER);
    for line in lines.filter(is_told) {
        let (before, rest) = left.split_at(left.partition_point(|f| f.line < line.number));
        if rest.first().is_none_or(|figure| figure.line > line.number) {
            faults.extend(wrong(material, line, before));
            left = rest;
        }
    }
    faults
}

/// Whether it is a line of one run or of a sentence: a document of many jobs is none.
fn is_short(line: &Line) -> bool {
    line.text.len() <= 400
}

fn wrong(material: &Material<'_>, line: &Line, figures: &[Figure]) -> Option<Fault> {
    let newest = figures.last()?;
    let own = figures
        .iter()
        .filter(|figure| figure.kind() == newest.kind());
    let runs: Vec<Number> = own.filter_map(|figure| printed(material, figure)).collect();
    let unit = rate_unit(&unit_of(&runs)?);
    let said = |n: &Number| n.unit.is_empty() || rate_unit(&n.unit) == unit;
    let numbers: Vec<Number> = material
        .page
        .numbers(line)
        .into_iter()
        .filter(said)
        .collect();
    let values: Vec<f64> = runs.iter().map(|n| n.value).collect();
    if values.len() < 3 || numbers.iter().any(|n| is_a_mean(n, &runs, &values)) {
        return None;
    }
    let right = mean(&values);
    let wrong = numbers
        .iter()
        .find(|n| (n.value / right - 1.0).abs() < NEAR)?;
    Some(CHECK.at(
        line.number,
        say!(
            "fault-wrong-mean-said",
            said = wrong.text,
            count = values.len(),
            line = figures.iter().find(|f| f.kind() == newest.kind())?.line.to_string(),
            right = hundredths(right),
        ),
    ))
}

/// The number that a figure is printed as.
fn printed(material: &Material<'_>, figure: &Figure) -> Option<Number> {
    let line = material.page.lines.get(figure.line.checked_sub(1)?)?;
    if !is_short(line) {
        return None;
    }
    let text = figure.quoted.split_whitespace().next()?;
    let numbers = material.page.numbers(line);
    let is_same = |n: &Number| n.text == text && rate_unit(&n.unit).is_some();
    numbers.into_iter().rev().find(is_same)
}

/// The unit of all of them; none where they differ.
fn unit_of(runs: &[Number]) -> Option<String> {
    let unit = &runs.last()?.unit;
    runs.iter().all(|n| n.unit == *unit).then(|| unit.clone())
}

/// Whether a number is the mean of all figures, or of those without the first; of five or more, without an end or both.
fn is_a_mean(number: &Number, runs: &[Number], values: &[f64]) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let decimals = runs.iter().chain([number]).map(|n| n.decimals).min();
    let digit = 0.1_f64.powi(i32::try_from(decimals.unwrap_or(0)).unwrap_or(0));
    let is = |of: &[f64]| {
        let right = mean(of);
        (number.value - right).abs() <= (right * TOLERANCE).max(digit)
    };
    let most = values.len() - 1;
    let trimmed = || is(&sorted[1..most]) || is(&sorted[1..]) || is(&sorted[..most]);
    is(values) || is(&values[1..]) || values.len() >= 5 && trimmed()
}
