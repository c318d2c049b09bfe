//! The same workloads under other conditions.

use std::fmt::Write as _;

use etalon_model::{ComparisonArm, Standing, Unit};

use super::HtmlReport;
use super::tag::{note, section as wrapped, text};
use crate::comparison::{self, ComparedRow};
use crate::role::{figure, label};

/// What is faster, in sentences.
pub(super) fn answer(report: &HtmlReport<'_>) -> Vec<String> {
    comparison::answer_of(report.rows, report.names)
}

pub(super) fn section(report: &HtmlReport<'_>) -> String {
    if report.names.len() < 2 {
        return String::new();
    }
    let heads = report
        .names
        .iter()
        .map(|name| format!("<th scope=\"col\" class=\"r\">{}</th>", text(name)));
    let rows: String = report.rows.iter().map(row).collect();
    let base = &report.names[0];
    if report.rows.is_empty() {
        let notes: String = report.notes.iter().map(|said| note(said)).collect();
        return wrapped("compare", "Comparison", &notes);
    }
    let mut body = note(&format!(
        "{base} is 1.00. A ratio above 1 is faster than {base}, with its 95 % interval."
    ));
    let _ = writeln!(
        body,
        "<div class=\"tab\"><table class=\"res cmp\"><thead><tr><th scope=\"col\">workload</th>{}<th scope=\"col\" class=\"r\">ratio, {} = 1</th><th scope=\"col\" class=\"ver\">verdict</th></tr></thead><tbody>{rows}</tbody></table></div>",
        heads.collect::<String>(),
        text(base),
    );
    body.extend(report.notes.iter().map(|said| note(said)));
    wrapped("compare", "Comparison", &body)
}

fn row(row: &ComparedRow<'_>) -> String {
    let arms = &row.comparison.arms;
    let values: String = arms
        .iter()
        .map(|arm| {
            let said = figure(row.cell, arm.estimate().value);
            format!("<td class=\"val r\">{}</td>", text(&said))
        })
        .collect();
    let others = arms.iter().filter(|arm| arm.of_baseline.is_some());
    let ratios: Vec<String> = others
        .clone()
        .map(|arm| ratio(arm, row.comparison.unit))
        .collect();
    let standings: Vec<String> = others.map(standing).collect();
    format!(
        "<tr><th scope=\"row\" class=\"nm\">{}</th>{values}<td class=\"pm r\">{}</td><td class=\"ver\">{}</td></tr>\n",
        text(&label(row.cell)),
        ratios.join("<br>"),
        standings.join("<br>"),
    )
}

/// How many times as fast, with both ends.
pub(super) fn speed(arm: &ComparisonArm, unit: Unit) -> Option<(f64, Option<(f64, f64)>)> {
    let ratio = arm.of_baseline?;
    let interval = ratio.interval.map(|i| (i.low, i.high));
    Some(match unit.less_is_better() {
        true => (
            1.0 / ratio.value,
            interval.map(|(low, high)| (1.0 / high, 1.0 / low)),
        ),
        false => (ratio.value, interval),
    })
}

fn ratio(arm: &ComparisonArm, unit: Unit) -> String {
    match speed(arm, unit) {
        Some((value, Some((low, high)))) => {
            format!("<b>{value:.2}</b><small>{low:.2} – {high:.2}</small>")
        }
        Some((value, None)) => format!("{value:.2}<small>no interval</small>"),
        None => String::new(),
    }
}

fn standing(arm: &ComparisonArm) -> String {
    let (class, word) = match arm.standing {
        Some(Standing::Faster) => ("valid", "faster"),
        Some(Standing::Slower) => ("invalid", "slower"),
        Some(Standing::Equal) => ("eq", "equivalent"),
        _ => ("undecided", "no difference shown"),
    };
    format!("<span class=\"v v-{class}\">{word}</span>")
}
