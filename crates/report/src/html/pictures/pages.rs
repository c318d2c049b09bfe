//! Every page of a site before and after: its response time under two conditions.

use etalon_language::{figure, say};
use etalon_picture::{Annotations, Axis, Dot, Scale, Series, XyChart};
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::Nanos;

use super::super::measure::tick_time;
use super::super::{HtmlReport, Subject};
use super::Picture;
use crate::comparison::ComparedRow;
use crate::median;
use crate::role::label;

/// What a page took, over all runs.
#[derive(Clone, Copy)]
struct PageTimes {
    least: Nanos,
    median: Nanos,
    most: Nanos,
}

/// A page under both conditions.
#[derive(Clone, Copy)]
struct Pair {
    before: PageTimes,
    after: PageTimes,
}

impl Pair {
    fn is_faster(&self) -> bool {
        self.after.most < self.before.least
    }

    fn is_slower(&self) -> bool {
        self.after.least > self.before.most
    }
}

/// How often all runs of one side come before all of the other by chance alone: 2 of so many orders (Wilcoxon, "Individual
/// comparisons by ranking methods", 1945). None where there are fewer runs than an interval takes.
fn chance(before: usize, after: usize) -> Option<f64> {
    let orders = (1..=before).map(|n| (after + n) as f64 / n as f64);
    (before.min(after) >= MIN_RUNS_LAB).then(|| 2.0 / orders.product::<f64>())
}

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let [before, after] = report.subjects else {
        return Vec::new();
    };
    let one = |(place, runs): (&usize, &Vec<Vec<Nanos>>)| {
        let name = &before.cells[*place].name;
        report.rows.iter().find(|row| is_of(row, name))?;
        let others = after.pages.get(&place_of(after, name)?)?;
        let pairs = pairs(runs, others)?;
        let chance = chance(runs.len(), others.len());
        Some(picture(report, *place, &pairs, chance))
    };
    before.pages.iter().filter_map(one).collect()
}

/// Whether the row compares the cells of this name with each other. What was refused has no row: sites of the same number of
/// pages need not be the same, and invalid times tell nothing.
fn is_of(row: &ComparedRow<'_>, name: &str) -> bool {
    let arms = &row.comparison.arms;
    row.cell.name == name && arms.len() == 2 && arms.iter().all(|arm| arm.left_out.is_none())
}

fn place_of(subject: &Subject, name: &str) -> Option<usize> {
    subject.cells.iter().position(|cell| cell.name == name)
}

/// The pages of the same site, one by one; `None` where they are of different ones.
fn pairs(before: &[Vec<Nanos>], after: &[Vec<Nanos>]) -> Option<Vec<Pair>> {
    let count = before.first()?.len();
    let all = before.iter().chain(after);
    let is_same = all.map(Vec::len).all(|own| own == count);
    let pair = |page: usize| {
        let (before, after) = (span(before, page)?, span(after, page)?);
        Some(Pair { before, after })
    };
    (0..count)
        .map(pair)
        .collect::<Option<_>>()
        .filter(|_| is_same)
}

fn span(runs: &[Vec<Nanos>], page: usize) -> Option<PageTimes> {
    let times = runs.iter().map(|run| run.get(page).copied());
    let mut times = times.collect::<Option<Vec<Nanos>>>()?;
    times.sort_unstable();
    Some(PageTimes {
        least: *times.first()?,
        median: median(&times)?,
        most: *times.last()?,
    })
}

/// The middle time, or the mean of the middle two.
fn median(times: &[Nanos]) -> Option<Nanos> {
    let middle = median::median(times.iter().map(|time| time.get() as f64))?;
    Some(Nanos(middle.round() as u64))
}

fn picture(report: &HtmlReport<'_>, place: usize, pairs: &[Pair], chance: Option<f64>) -> Picture {
    let times = pairs
        .iter()
        .flat_map(|pair| [pair.before.median, pair.after.median]);
    let scale = Scale::log(times.map(|time| time.get() as f64));
    let (before, after) = (report.name(0), report.name(1));
    let chart = XyChart {
        x: Axis {
            scale,
            title: &say!("axis-log", what = before),
            format: tick_time,
        },
        y: Axis {
            scale,
            title: &say!("axis-log", what = after),
            format: tick_time,
        },
        series: series(scale, pairs, chance.is_some()),
        annotations: Annotations::default(),
    };
    let row = label(&report.subjects[0].cells[place]);
    let count = |is: fn(&Pair) -> bool| pairs.iter().filter(|pair| is(pair)).count();
    let (faster, slower) = (count(Pair::is_faster), count(Pair::is_slower));
    let all = pairs.len();
    let (claim, note) = match chance {
        None => (
            say!("picture-pages-few", row = row, all = all),
            say!("picture-pages-few-note", after = after),
        ),
        Some(chance) => (
            say!(
                "picture-pages",
                row = row,
                before = before,
                after = after,
                faster = faster,
                slower = slower,
                all = all,
            ),
            say!(
                "picture-pages-note",
                after = after,
                chance = figure(format!("{:.1}", chance * all as f64)),
            ),
        ),
    };
    Picture::of_xy("pages", claim, note, &chart, true)
}

/// Where a page takes as long as before, and the pages.
fn series(scale: Scale, pairs: &[Pair], can_be_told: bool) -> Vec<Series> {
    let same = Series {
        line: vec![(scale.low, scale.low), (scale.high, scale.high)],
        thin: true,
        colour: Some(4),
        ..Series::default()
    };
    let dots = pairs.iter().enumerate().map(|(n, pair)| Dot {
        x: pair.before.median.get() as f64,
        y: pair.after.median.get() as f64,
        tip: say!(
            "picture-pages-tip",
            number = n + 1,
            before = pair.before.median,
            after = pair.after.median,
        ),
        doubtful: !can_be_told || !(pair.is_faster() || pair.is_slower()),
    });
    let pages = Series {
        dots: dots.collect(),
        ..Series::default()
    };
    vec![pages, same]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_runs_against_six_stand_apart_by_chance_in_two_of_924_orders() {
        assert!((chance(6, 6).unwrap() - 2.0 / 924.0).abs() < 1e-12);
        assert_eq!(chance(5, 6), None);
    }

    #[test]
    fn a_median_lies_between_the_middle_two_of_an_even_count() {
        let of = |times: &[u64]| median(&times.iter().map(|ns| Nanos(*ns)).collect::<Vec<_>>());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[7]), Some(Nanos(7)));
        assert_eq!(of(&[1, 5, 9]), Some(Nanos(5)));
        assert_eq!(of(&[1, 5, 9, 90]), Some(Nanos(7)));
    }
}
