//! The noise passport of a target as a table.

use std::fmt;

use comfy_table::{CellAlignment, ContentArrangement, Table};
use etalon_model::{Passport, PassportChange, TargetRecord};
use etalon_units::{Percent, visible};

use crate::figures::{ABSENT, interval_of, quantity};
use crate::table::STYLE;
use crate::wrap::Wrap;

/// Below this a difference from the last passport is more than chance, over all the workloads of
/// one passport.
const SIGNIFICANCE: f64 = 0.01;

/// The passports of one target; `Display` gives the page.
#[derive(Debug, Clone, Copy)]
pub struct PassportPage<'a> {
    /// What was measured.
    pub target: &'a TargetRecord,
    /// One passport a workload.
    pub passports: &'a [Passport],
    /// Columns of the terminal; `None` where there is no terminal.
    pub width: Option<usize>,
}

impl fmt::Display for PassportPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrap = Wrap(self.width);
        wrap.paragraph(f, &format!("{}: {}", self.target.path, self.target.beneath))?;
        writeln!(f, "\n{}\n", table(self.passports))?;
        let explanation = "CV is the variation from run to run when nothing is changed; visible is the smallest difference between two \
             arms that as many blocks show with a power of 80 %.";
        wrap.paragraph(f, explanation)?;
        for passport in self.passports {
            if let Some(change) = &passport.since_last {
                wrap.paragraph(f, &changed(&passport.name, change))?;
            }
        }
        Ok(())
    }
}

fn table(passports: &[Passport]) -> String {
    let mut table = Table::new();
    let header = [
        "workload",
        "median",
        "95 % interval",
        "runs",
        "CV",
        "range",
        "drift per hour",
        "modes",
        "visible",
    ];
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    for passport in passports {
        table.add_row(row(passport));
    }
    for index in 1..header.len() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

fn row(passport: &Passport) -> [String; 9] {
    let percent = |share: f64| Percent::from_fraction(share).to_string();
    let drift = if passport.drift_p < SIGNIFICANCE {
        percent(passport.drift_per_hour)
    } else {
        format!("none shown (p {:.2})", passport.drift_p)
    };
    [
        visible(&passport.name).into_owned(),
        quantity(passport.median.value, passport.unit),
        interval_of(&passport.median, passport.unit),
        passport.median.runs.to_string(),
        percent(passport.cv),
        percent(passport.range),
        drift,
        if passport.two_modes { "two" } else { "one" }.to_owned(),
        passport.visible.map_or_else(|| ABSENT.to_owned(), percent),
    ]
}

/// Whether level and spread are what they were.
fn changed(name: &str, change: &PassportChange) -> String {
    let level = match change.level.interval {
        Some(interval) => format!(
            "{:.1} % ({:.1} … {:.1}) of it",
            change.level.value * 100.0,
            interval.low * 100.0,
            interval.high * 100.0
        ),
        None => "not comparable".to_owned(),
    };
    let said = |p: f64| {
        if p < SIGNIFICANCE {
            "has changed"
        } else {
            "shows no change"
        }
    };
    format!(
        "{name}: since experiment {} the level {} ({level}), and the spread {} ({:.2} times).",
        change.experiment,
        said(change.level_p),
        said(change.spread_p),
        change.spread
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn a_change_since_the_last_passport_is_told() {
        let passports = [samples::passport()];
        let target = samples::target();
        let text = PassportPage {
            target: &target,
            passports: &passports,
            width: None,
        }
        .to_string();
        assert!(
            text.contains("2.0 %") && text.contains("none shown (p 0.40)"),
            "{text}"
        );
        assert!(
            text.contains("since experiment 4 the level has changed (90.0 %"),
            "{text}"
        );
    }
}
