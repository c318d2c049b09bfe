//! The spread between labels beside that of runs, for a person.

use etalon_language::{figure, localized, say};
use etalon_model::{Estimate, LabelSpread, SpreadComponents};
use etalon_units::{Percent, visible};

use crate::figures::{ABSENT, ends};
use crate::grid::{Grid, Side};
use crate::role::{display_name, figure_of};
use crate::wrap::{page_width, paragraph};

/// What each workload's labels have in common: the answer, then a line for each label.
pub fn label_spread_page(rows: &[LabelSpread], width: Option<usize>) -> String {
    let mut text = String::new();
    for row in rows {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&paragraph(&answer(row), width));
        if !row.left_out.is_empty() {
            let labels = visible(&row.left_out.join(", ")).into_owned();
            text.push_str(&paragraph(&say!("labels-left-out", labels = labels), width));
        }
        text.push_str(&table(row, width));
    }
    text
}

fn answer(row: &LabelSpread) -> String {
    let name = display_name(&visible(&row.name));
    let Some(found) = &row.components else {
        let reason = row.reason.as_deref().unwrap_or(ABSENT);
        return say!("labels-unknown", row = name, reason = &*visible(reason));
    };
    let icc = figure(Percent::from_fraction(found.icc.value));
    say!(
        "labels-spread",
        row = name,
        count = row.labels.len(),
        between = share(&found.between, found),
        within = share(&found.within, found),
        share = icc + &of_icc(&found.icc),
    )
}

/// A standard deviation as a share of the mean of all labels, with its interval.
fn share(sd: &Estimate, found: &SpreadComponents) -> String {
    let percent = |value: f64| localized(Percent::from_fraction(value / found.mean.abs()).figure());
    let interval = sd.interval.map(|interval| ends(&interval, percent));
    let interval = interval.map_or_else(String::new, |ends| format!(" ({ends})"));
    format!("{}{interval}", percent(sd.value))
}

fn of_icc(icc: &Estimate) -> String {
    let percent = |value: f64| localized(Percent::from_fraction(value).figure());
    let interval = icc.interval.map(|interval| ends(&interval, percent));
    interval.map_or_else(String::new, |ends| format!(" ({ends})"))
}

fn table(row: &LabelSpread, width: Option<usize>) -> String {
    let heading = vec![
        String::new(),
        say!("column-mean"),
        "95 %".to_owned(),
        "SD".to_owned(),
        say!("column-runs"),
    ];
    let mut lines = vec![heading];
    let name = display_name(&row.name);
    for label in &row.labels {
        let show = |value| figure_of(&name, value, row.unit);
        let interval = label.mean.interval.map(|interval| ends(&interval, show));
        let sd = label.sd.filter(|_| label.mean.value != 0.0);
        let sd = sd.map(|sd| figure(Percent::from_fraction(sd / label.mean.value.abs())));
        lines.push(vec![
            visible(&label.label).into_owned(),
            show(label.mean.value).to_string(),
            interval.unwrap_or_else(|| ABSENT.to_owned()),
            sd.unwrap_or_else(|| ABSENT.to_owned()),
            label.mean.runs.to_string(),
        ]);
    }
    use Side::{Left, Right};
    let sides = vec![Left, Right, Right, Right, Right];
    let grid = Grid { sides, lines };
    match grid.width() <= page_width(width) {
        true => grid.text(),
        // The figure and its spread stay.
        false => grid.only(&[0, 1, 3, 4]).fitted(page_width(width)).text(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::{Interval, LabelFigure, Unit};

    fn estimate(value: f64, runs: u32) -> Estimate {
        Estimate {
            value,
            interval: Some(Interval {
                low: value / 2.0,
                high: value * 2.0,
                level: 0.95,
            }),
            runs,
        }
    }

    #[test]
    fn the_answer_has_both_spreads_and_a_line_for_each_label() {
        let label = |label: &str, value| LabelFigure {
            label: label.to_owned(),
            experiments: 1,
            mean: estimate(value, 6),
            sd: Some(value / 50.0),
        };
        let mut row = LabelSpread {
            name: "random read 4 KiB, depth 1".to_owned(),
            unit: Unit::OperationsPerSecond,
            labels: vec![label("north", 1000.0), label("sou\u{1b}th", 1200.0)],
            left_out: Vec::new(),
            components: Some(SpreadComponents {
                mean: 1100.0,
                between: estimate(110.0, 2),
                within: estimate(22.0, 12),
                icc: estimate(0.48, 2),
            }),
            reason: None,
        };
        let page = label_spread_page(std::slice::from_ref(&row), Some(80));
        for part in [
            "differ by 10 % (5",
            "by 2.0 % (1.0",
            "48 % (24",
            "1000 IOPS",
            "north",
            "sou\\x1bth",
        ] {
            assert!(page.replace("\n  ", " ").contains(part), "{part}: {page}");
        }
        assert!(
            page.lines().all(|line| line.chars().count() <= 80),
            "{page}"
        );
        let french = || label_spread_page(std::slice::from_ref(&row), Some(80));
        let page = etalon_language::Language::French.speak(french);
        for part in ["moyenne", "passages", "2,0 % (1,0"] {
            assert!(page.replace("\n  ", " ").contains(part), "{part}: {page}");
        }
        row.components = None;
        row.reason = Some("nobody knows".to_owned());
        assert!(label_spread_page(&[row], Some(80)).contains("not known: nobody knows"));
    }
}
