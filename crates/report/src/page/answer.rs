//! What the figures say, in words: large files, small accesses, how sure, what stands out.

use std::collections::BTreeMap;

use etalon_model::{Arrival, Cell, Estimate, ExperimentKind, Unit};
use etalon_units::Percent;

use super::wide::{WIDE, is_wide};
use crate::role::{Role, figure, figure_apart, is_metadata, label, role};

/// Below this ratio nothing is said to be faster.
const STANDS_OUT: f64 = 1.5;
/// No figure is said to be better than this, as nothing that is timed on a machine is.
const FINEST: f64 = 0.001;

/// The answer, one idea a sentence; empty where the cells support none.
pub(crate) fn answer(kind: ExperimentKind, cells: &[Cell]) -> Vec<String> {
    let told: Vec<&Cell> = cells.iter().filter(|cell| is_told(cell)).collect();
    let roles = ByRole::of(&told);
    let mut sentences = vec![large(&roles), small(&roles)];
    if cells.len() == 1 {
        sentences = vec![single(&told)];
    } else if sentences.iter().all(Option::is_none) {
        sentences = vec![range(kind, &told)];
    }
    sentences.insert(0, spoiled(cells));
    sentences.insert(0, memory(cells));
    sentences.extend([sure(&told), contrast(&roles)]);
    sentences.into_iter().flatten().collect()
}

/// The figures that the answer names, as it writes them.
pub(crate) fn main_figures(cells: &[Cell]) -> Vec<String> {
    let told = cells.iter().filter(|cell| is_told(cell));
    let mut figures: Vec<String> = told.map(without_iops).collect();
    figures.sort();
    figures.dedup();
    figures
}

/// `This is memory, not a disk: tmpfs at /dev/shm.`
fn memory(cells: &[Cell]) -> Option<String> {
    let mut findings = cells.iter().flat_map(|cell| &cell.findings);
    let found = findings.find(|finding| finding.code == "in-memory")?;
    Some(format!("This is memory, not a disk: {}", found.message))
}

fn is_told(cell: &Cell) -> bool {
    cell.estimate().runs > 0 && !cell.verdict.is_invalid()
}

/// The first cell of each role.
struct ByRole<'a>(BTreeMap<Role, &'a Cell>);

impl<'a> ByRole<'a> {
    fn of(cells: &[&'a Cell]) -> ByRole<'a> {
        // Of several the last stays, which is the first of them from behind.
        ByRole(cells.iter().rev().map(|cell| (role(cell), *cell)).collect())
    }

    fn get(&self, wanted: Role) -> Option<&'a Cell> {
        self.0.get(&wanted).copied()
    }

    /// The queue depths of the small accesses, the lowest first.
    fn depths(&self) -> Vec<u32> {
        let depth = |role: &Role| match role {
            Role::Small { depth, .. } => Some(*depth),
            _ => None,
        };
        let mut depths: Vec<u32> = self.0.keys().filter_map(depth).collect();
        depths.sort_unstable();
        depths.dedup();
        depths
    }
}

fn headline_value(cell: &Cell) -> String {
    figure(cell, cell.estimate().value)
}

/// The same, but for the unit that a sentence writes out.
fn without_iops(cell: &Cell) -> String {
    let figure = figure_apart(cell, cell.estimate().value);
    match figure.unit {
        "IOPS" => figure.scaled(),
        _ => figure.to_string(),
    }
}

/// `Large files: read at 1086 MiB/s, written at 1793 MiB/s.`
fn large(roles: &ByRole<'_>) -> Option<String> {
    let part = |reads, verb| {
        roles
            .get(Role::Large { reads })
            .map(|cell| format!("{verb} at {}", headline_value(cell)))
    };
    let parts: Vec<String> = [part(true, "read"), part(false, "written")]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| format!("Large files: {}.", parts.join(", ")))
}

/// `Small accesses: 18.3 k reads and 18.9 k writes a second one at a time; 83 k reads ... 32 at a time.`
fn small(roles: &ByRole<'_>) -> Option<String> {
    let parts: Vec<String> = roles
        .depths()
        .into_iter()
        .map(|depth| format!("{} a second {}", both(roles, depth), at(depth)))
        .collect();
    (!parts.is_empty()).then(|| format!("Small accesses: {}.", parts.join("; ")))
}

fn at(depth: u32) -> String {
    match depth {
        0 | 1 => "one at a time".to_owned(),
        _ => format!("at queue depth {depth}"),
    }
}

fn both(roles: &ByRole<'_>, depth: u32) -> String {
    let part = |reads, noun| {
        let cell = roles.get(Role::Small { reads, depth })?;
        Some(format!("{} {noun}", without_iops(cell)))
    };
    let parts = [part(true, "reads"), part(false, "writes")];
    parts
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" and ")
}

/// One workload alone: its figure, and the latencies where there are any.
fn single(cells: &[&Cell]) -> Option<String> {
    let [cell] = cells else { return None };
    let latency = |q: f64| cell.latency.tail_quantile(q).map(|l| l.to_string());
    let latencies = match (latency(0.5), latency(0.99)) {
        (Some(half), Some(most)) => {
            format!("; half of the operations took up to {half}, 99 % up to {most}")
        }
        _ => String::new(),
    };
    Some(format!(
        "{}: {}{latencies}.",
        label(cell),
        headline_value(cell)
    ))
}

/// From the slowest to the quickest of what is counted in the same unit, or the sum of steps.
fn range(kind: ExperimentKind, cells: &[&Cell]) -> Option<String> {
    let first = cells.first()?;
    let comparable = cells
        .iter()
        .all(|c| c.unit == first.unit && is_metadata(c) == is_metadata(first));
    if cells.len() < 2 || !comparable || kind == ExperimentKind::Together {
        return None;
    }
    if first.unit == Unit::Seconds {
        let sum = cells.iter().map(|cell| cell.estimate().value).sum();
        return Some(format!("All steps together: {}.", figure(first, sum)));
    }
    let by_value = |a: &&&Cell, b: &&&Cell| a.estimate().value.total_cmp(&b.estimate().value);
    let (low, high) = (
        cells.iter().min_by(by_value)?,
        cells.iter().max_by(by_value)?,
    );
    Some(format!(
        "From {} ({}) to {} ({}).",
        headline_value(low),
        label(low),
        headline_value(high),
        label(high)
    ))
}

/// How sure the figures are that the answer names, and which of them are not.
fn sure(cells: &[&Cell]) -> Option<String> {
    let named: Vec<&Cell> = cells
        .iter()
        .copied()
        .filter(|c| role(c) != Role::Other)
        .collect();
    let named = if named.is_empty() {
        cells.to_vec()
    } else {
        named
    };
    if !named.is_empty() && named.iter().all(|cell| is_rate_set(cell)) {
        return Some("The rate was set: read what the storage does from the latencies.".to_owned());
    }
    let named: Vec<&Cell> = named.into_iter().filter(|c| !is_rate_set(c)).collect();
    let (known, few): (Vec<&Cell>, Vec<&Cell>) =
        named.iter().partition(|cell| reach(cell).is_some());
    let (wide, good): (Vec<&Cell>, Vec<&Cell>) = known.iter().partition(|cell| is_wide(cell));
    let but = [
        but(&wide, "which varies by more"),
        but(&few, "of which there are too few runs"),
    ];
    let but: Vec<String> = but.into_iter().flatten().collect();
    let worst = good.iter().filter_map(|cell| reach(cell)).reduce(f64::max);
    match (worst, but.as_slice()) {
        (Some(worst), []) => Some(format!("{} on this machine today.", within(worst))),
        (Some(worst), but) => Some(format!(
            "{} on this machine today, but for {}.",
            within(worst),
            but.join(", and for ")
        )),
        (None, []) => None,
        (None, _) if wide.is_empty() => Some("How sure: not known, too few runs.".to_owned()),
        (None, _) => Some(format!(
            "How sure: to no better than {} on this machine today.",
            Percent::from_fraction(WIDE)
        )),
    }
}

/// Whether the rate was set beforehand: then it says nothing of the storage that it was kept.
fn is_rate_set(cell: &Cell) -> bool {
    let arrival = cell.workload.io().map(|io| io.arrival);
    arrival.is_some_and(|arrival| arrival != Arrival::Closed)
}

fn reach(cell: &Cell) -> Option<f64> {
    cell.estimate().relative_half_width()
}

fn within(reach: f64) -> String {
    let shown = reach.max(FINEST);
    format!("Good to within {}", Percent::from_fraction(shown))
}

/// So many figures are named in a sentence.
const NAMED: usize = 8;

/// `sequential write, which varies by more`.
fn but(cells: &[&Cell], why: &str) -> Option<String> {
    let names: Vec<String> = cells.iter().take(NAMED).map(|cell| label(cell)).collect();
    let more = match cells.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!names.is_empty()).then(|| format!("{}{more}, {why}", names.join(", ")))
}

/// Where reading and writing differ beyond doubt, the largest such difference.
fn contrast(roles: &ByRole<'_>) -> Option<String> {
    let large = (
        roles.get(Role::Large { reads: true }),
        roles.get(Role::Large { reads: false }),
        "large files".to_owned(),
    );
    let small = roles.depths().into_iter().map(|depth| {
        let of = |reads| roles.get(Role::Small { reads, depth });
        (of(true), of(false), format!("small accesses {}", at(depth)))
    });
    let differences = small.chain([large]).filter_map(|(read, write, where_)| {
        let (faster, ratio) = beyond_doubt(read?.estimate(), write?.estimate())?;
        Some((
            ratio,
            format!("{faster} {ratio:.1} times as fast with {where_}."),
        ))
    });
    let largest = differences.max_by(|a, b| a.0.total_cmp(&b.0));
    largest.map(|(_, sentence)| sentence)
}

fn beyond_doubt(read: &Estimate, write: &Estimate) -> Option<(&'static str, f64)> {
    let (reads, writes) = (read.interval?, write.interval?);
    let (faster, ratio) = if reads.low > writes.high {
        ("Reads are", read.value / write.value)
    } else if writes.low > reads.high {
        ("Writes are", write.value / read.value)
    } else {
        return None;
    };
    (ratio.is_finite() && ratio >= STANDS_OUT).then_some((faster, ratio))
}

/// How many rows measured the wrong thing.
fn spoiled(cells: &[Cell]) -> Option<String> {
    let count = cells
        .iter()
        .filter(|cell| cell.verdict.is_invalid())
        .count();
    match (count, cells.len()) {
        (0, _) => None,
        (_, 1) => Some("The figure is INVALID.".to_owned()),
        (1, all) => Some(format!("1 of {all} figures is INVALID.")),
        (some, all) => Some(format!("{some} of {all} figures are INVALID.")),
    }
}
