//! The noise passport of a target: how much its figures vary, in words and as a table.

use std::fmt;

use etalon_language::{figure as local, say};
use etalon_model::{Cell, EnvironmentDifference, Passport, PassportChange, TargetRecord};
use etalon_units::{Percent, visible};

use crate::comparison::named_facts;
use crate::figures::{ABSENT, ends};
use crate::grid::{Grid, Side};
use crate::page::USUAL_WIDTH;
use crate::role::{display_name, figure_in, is_metadata};
use crate::storage::storage;
use crate::wrap::{READABLE_WIDTH, Wrap};

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
    /// The cells that they are of.
    pub cells: &'a [Cell],
    /// The passport before.
    pub last: LastPassport<'a>,
    /// Columns of the terminal; `None` where there is no terminal.
    pub width: Option<usize>,
}

/// What a passport is held against.
#[derive(Debug, Clone, Copy, Default)]
pub struct LastPassport<'a> {
    /// In what machine and storage stack differ from what they were at the last passport of the same target.
    pub differences: &'a [EnvironmentDifference],
    /// The last passport of the same path, where that was of something else.
    pub of_another: Option<i64>,
}

impl LastPassport<'_> {
    /// What may have changed the level, and why there is nothing to hold it against.
    fn sentences(&self, passports: &[Passport]) -> Vec<String> {
        let mut said = Vec::new();
        let since = passports.iter().find_map(|one| one.since_last);
        if let (Some(since), false) = (since, self.differences.is_empty()) {
            let facts = named_facts(self.differences).join(", ");
            let id = since.experiment.to_string();
            said.push(say!("passport-not-as-then", experiment = id, facts = facts));
        }
        if let Some(id) = self.of_another {
            said.push(say!("passport-of-another", experiment = id.to_string()));
        }
        said
    }
}

impl fmt::Display for PassportPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width.unwrap_or(USUAL_WIDTH);
        let wrap = Wrap(Some(width.min(READABLE_WIDTH)));
        let storage = storage(self.target);
        wrap.paragraph(f, &format!("{}: {storage}", self.target.path))?;
        writeln!(f)?;
        let since_last = self.last.sentences(self.passports);
        for sentence in answer(self.passports).into_iter().chain(since_last) {
            wrap.paragraph(f, &sentence)?;
        }
        if self.passports.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n{}", self.table(width))?;
        wrap.paragraph(f, LEGEND)
    }
}

impl PassportPage<'_> {
    /// As many columns as the width has room for.
    fn table(&self, width: usize) -> String {
        let heading = [
            "",
            "median",
            "95 % interval",
            "runs",
            "CV",
            "range",
            "drift",
            "modes",
            "visible",
        ];
        let mut lines = vec![heading.map(str::to_owned).to_vec()];
        let is_io = |one: &Passport| {
            let mut cells = self.cells.iter();
            !cells.any(|cell| cell.name == one.name && is_metadata(cell))
        };
        lines.extend(self.passports.iter().map(|one| row(one, is_io(one))));
        let mut sides = vec![Side::Right; heading.len()];
        sides[0] = Side::Left;
        let whole = Grid { sides, lines };
        let grids = EXTENTS.map(|columns| whole.only(columns));
        let fitting = grids.iter().find(|grid| grid.width() <= width);
        let least = &grids[EXTENTS.len() - 1];
        fitting.unwrap_or(least).fitted(width).text()
    }
}

const LEGEND: &str = "CV: variation from run to run when nothing is changed. drift: steady change from the first run to \
     the last. visible: the smallest difference between two groups that as many blocks show with a power of 80 %.";

/// How much the figures vary, which differences can be seen, and what is not as it should be.
fn answer(passports: &[Passport]) -> Vec<String> {
    let mut said = vec![spread(passports)];
    said.extend(smallest(passports));
    for passport in passports {
        let name = display_name(&passport.name);
        said.extend(drift(&name, passport));
        if passport.two_modes {
            said.push(format!("The runs of {name} fall into two groups."));
        }
        said.extend(passport.since_last.iter().map(|c| changed(&name, c)));
    }
    said
}

/// What was seen over the time in which there were runs: nothing is known of the hour that it would take.
fn drift(name: &str, passport: &Passport) -> Option<String> {
    let share = local(Percent::from_fraction(passport.drift.abs()));
    let time = local(passport.drift_over);
    let is_shown = passport.drift_p < SIGNIFICANCE;
    is_shown.then(|| match passport.drift < 0.0 {
        true => say!("passport-falls", row = name, share = share, time = time),
        false => say!("passport-rises", row = name, share = share, time = time),
    })
}

/// `From run to run the figures vary by 1.2 % (sequential read) to 9 % (create files).`
fn spread(passports: &[Passport]) -> String {
    let by_cv = |a: &&Passport, b: &&Passport| a.cv.total_cmp(&b.cv);
    let (low, high) = (
        passports.iter().min_by(by_cv),
        passports.iter().max_by(by_cv),
    );
    let (Some(low), Some(high)) = (low, high) else {
        return "No workload has enough valid runs for a passport.".to_owned();
    };
    let told = |one: &Passport| {
        let name = display_name(&one.name);
        format!("{} ({name})", Percent::from_fraction(one.cv))
    };
    match passports.len() {
        1 => format!("From run to run the figure varies by {}.", told(low)),
        _ => format!(
            "From run to run the figures vary by {} to {}.",
            told(low),
            told(high)
        ),
    }
}

fn smallest(passports: &[Passport]) -> Option<String> {
    let visible: Option<Vec<f64>> = passports.iter().map(|one| one.visible).collect();
    let visible = visible.filter(|all| !all.is_empty())?;
    let percent = |share: f64| Percent::from_fraction(share);
    let low = percent(visible.iter().copied().fold(f64::INFINITY, f64::min));
    let high = percent(visible.iter().copied().fold(0.0, f64::max));
    Some(match visible.len() {
        1 => format!("A comparison of as many blocks shows differences from {low} on."),
        _ => format!("A comparison of as many blocks shows differences from {low} to {high} on."),
    })
}

/// Which columns stand, from the widest table on.
const EXTENTS: [&[usize]; 5] = [
    &[0, 1, 2, 3, 4, 5, 6, 7, 8],
    &[0, 1, 3, 4, 5, 6, 7, 8],
    &[0, 1, 3, 4, 8, 6],
    &[0, 1, 3, 4, 8],
    &[0, 1, 4, 8],
];

fn row(passport: &Passport, is_io: bool) -> Vec<String> {
    let percent = |share: f64| Percent::from_fraction(share).to_string();
    let figure = |value: f64| figure_in(value, passport.unit, is_io);
    let interval = passport.median.interval.as_ref();
    let drift = match passport.drift_p < SIGNIFICANCE {
        true => percent(passport.drift),
        false => "none shown".to_owned(),
    };
    vec![
        visible(&display_name(&passport.name)).into_owned(),
        figure(passport.median.value).to_string(),
        interval.map_or_else(|| ABSENT.to_owned(), |interval| ends(interval, figure)),
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
    use etalon_model::{TaskFigure, TaskWorkload};

    #[test]
    fn a_change_since_the_last_passport_is_told() {
        let passports = [samples::passport()];
        let target = samples::target();
        let text = PassportPage {
            target: &target,
            passports: &passports,
            cells: &[],
            last: LastPassport::default(),
            width: None,
        }
        .to_string();
        assert!(
            text.contains("2.0 %") && text.contains("none shown"),
            "{text}"
        );
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            joined.contains("since experiment 4 the level has changed (90.0 %"),
            "{text}"
        );
    }

    #[test]
    fn a_drift_is_told_over_the_time_in_which_it_was_seen() {
        let drifting = |drift| Passport {
            drift,
            drift_p: 0.001,
            ..samples::passport()
        };
        let said = |drift| super::drift("random read", &drifting(drift)).unwrap();
        let falls = "random read falls by 3.0 % from its first run to its last, which began 4 min 12 s later.";
        assert_eq!(said(-0.03), falls);
        assert!(said(0.03).starts_with("random read rises by 3.0 % from"));
        assert_eq!(super::drift("random read", &samples::passport()), None);
    }

    #[test]
    fn what_is_not_as_it_was_is_named_and_another_disk_is_held_against_nothing() {
        let mut passports = [samples::passport()];
        let kernel = EnvironmentDifference {
            key: "kernel.release".to_owned(),
            values: ["6.1", "6.8"].map(|value| Some(value.to_owned())).to_vec(),
        };
        let differences = [kernel];
        let last = LastPassport {
            differences: &differences,
            of_another: None,
        };
        let said = last.sentences(&passports);
        assert_eq!(
            said,
            ["Not as it was at experiment 4: kernel.release (6.1, 6.8)."]
        );
        passports[0].since_last = None;
        assert_eq!(last.sentences(&passports), [""; 0]);
        let other = LastPassport {
            of_another: Some(3),
            ..LastPassport::default()
        };
        let target = samples::target();
        let page = PassportPage {
            target: &target,
            passports: &passports,
            cells: &[],
            last: other,
            width: None,
        };
        let text = page.to_string();
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            joined.contains("Experiment 3, the last passport of this path, was of another disk"),
            "{text}"
        );
    }

    #[test]
    fn accesses_are_iops_and_metadata_operations_are_not() {
        let mut cells = [samples::cells().remove(0), samples::step().0];
        let create = TaskWorkload::of_texts("metadata", "create", TaskFigure::Rate, [].into());
        (cells[1].name, cells[1].workload) = ("create files".to_owned(), create.into());
        let passports = cells.each_ref().map(|cell| Passport {
            name: cell.name.clone(),
            ..samples::passport()
        });
        let page = PassportPage {
            target: &samples::target(),
            passports: &passports,
            cells: &cells,
            last: LastPassport::default(),
            width: None,
        };
        let text = page.to_string();
        let row = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap();
        let read = row("random read 4 KiB QD1 ");
        assert!(read.contains(" IOPS "), "{text}");
        let created = row("create files ");
        assert!(
            !created.contains("IOPS") && created.contains("/s "),
            "{text}"
        );
    }

    #[test]
    fn without_a_passport_there_is_no_table_of_nothing() {
        let target = samples::target();
        let page = PassportPage {
            target: &target,
            passports: &[],
            cells: &[],
            last: LastPassport::default(),
            width: None,
        };
        let text = page.to_string();
        assert!(text.contains("No workload has enough valid runs"), "{text}");
        assert!(!text.contains("median"), "{text}");
    }

    #[test]
    fn the_answer_stands_before_a_table_that_fits_the_width() {
        let mut slow = samples::passport();
        slow.name = "randwrite 4 KiB, depth 32".to_owned();
        slow.cv = 0.31;
        slow.visible = Some(0.4);
        let passports = [samples::passport(), slow];
        let target = samples::target();
        for width in [60, 80, 140] {
            let page = PassportPage {
                target: &target,
                passports: &passports,
                cells: &[],
                last: LastPassport::default(),
                width: Some(width),
            };
            let text = page.to_string();
            let wide = text.lines().find(|line| line.chars().count() > width);
            assert_eq!(wide, None, "{text}");
            let answer = text.find("From run to run").unwrap();
            assert!(answer < text.find("median").unwrap(), "{text}");
            assert!(text.contains("random write 4 KiB QD32"), "{text}");
            assert_eq!(text.contains("95 % interval"), width == 140, "{text}");
        }
    }
}
