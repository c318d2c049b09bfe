//! What the figures say, in words: large files, small accesses, how sure, what stands out.

use etalon_language::{figure as local, say};

use etalon_model::{Arrival, Cell, Estimate, ExperimentKind, IoWorkload, Unit};
use etalon_units::Percent;

use super::by_role::{ByRole, is_told};
use super::wide::{WIDE, is_wide};
use crate::check_words;
use crate::figures::invalid_word;
use crate::role::{Role, figure, figure_apart, is_metadata, label, waits_for_each_write};

/// Below this ratio nothing is said to be faster.
const STANDS_OUT: f64 = 1.5;
/// No figure is said to be better than this, as nothing that is timed on a machine is.
const FINEST: f64 = 0.001;

/// The answer, one idea a sentence; empty where the cells support none.
pub(crate) fn answer(kind: ExperimentKind, cells: &[Cell]) -> Vec<String> {
    let mut told: Vec<&Cell> = cells.iter().filter(|cell| is_told(cell)).collect();
    // Memory takes names at its own speed, which is no answer where a disk was asked for.
    if kind == ExperimentKind::Quick && told.iter().all(|cell| is_metadata(cell)) {
        told.clear();
    }
    let roles = ByRole::of(kind, cells);
    let mut sentences = vec![large(&roles), small(&roles)];
    if cells.len() == 1 {
        sentences = vec![single(&told)];
    } else if sentences.iter().all(Option::is_none) {
        sentences = vec![range(kind, &told)];
    }
    sentences.insert(0, spoiled(cells));
    sentences.insert(0, memory(cells));
    // How sure others were on their machine is not known, and this one says nothing of it.
    let is_own = kind != ExperimentKind::Imported;
    sentences.extend([sure(&told, &roles).filter(|_| is_own), contrast(&roles)]);
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
pub(crate) fn memory(cells: &[Cell]) -> Option<String> {
    let mut findings = cells.iter().flat_map(|cell| &cell.findings);
    let found = findings.find(|finding| finding.code == "in-memory")?;
    let found = check_words::found(found).unwrap_or_else(|| found.message.clone());
    Some(say!("page-memory", found = found))
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
    let shown = |reads| {
        let cell = roles.get(Role::Large { reads })?;
        Some(durable(Some(cell), headline_value(cell)))
    };
    match (shown(true), shown(false)) {
        (Some(read), Some(written)) => {
            Some(say!("page-large-both", read = read, written = written))
        }
        (Some(read), None) => Some(say!("page-large-read", read = read)),
        (None, Some(written)) => Some(say!("page-large-written", written = written)),
        (None, None) => None,
    }
}

/// `Small accesses: 18.3 k reads and 18.9 k writes a second one at a time; 83 k reads ... 32 at a time.`
fn small(roles: &ByRole<'_>) -> Option<String> {
    let parts = roles.depths_named().into_iter();
    let parts = parts.map(|depth| small_at(roles, depth));
    let parts = parts.reduce(|first, next| say!("page-small-and", first = first, next = next));
    parts.map(|parts| say!("page-small", parts = parts))
}

/// `18.3 k reads and 18.9 k writes a second one at a time`
fn small_at(roles: &ByRole<'_>, depth: u32) -> String {
    let cell = |reads| roles.get(Role::Small { reads, depth });
    let shown = |reads| cell(reads).map(without_iops);
    let figures = (shown(true), shown(false), depth > 1);
    let said = small_figures(figures, depth);
    durable(cell(false), said)
}

/// What reads and writes reach at a depth that is deep or not.
fn small_figures(figures: (Option<String>, Option<String>, bool), depth: u32) -> String {
    // As it is typed.
    let depth = depth.to_string();
    match figures {
        (Some(reads), Some(writes), false) => {
            say!("page-small-both", reads = reads, writes = writes)
        }
        (Some(reads), None, false) => say!("page-small-reads", reads = reads),
        (None, writes, false) => say!("page-small-writes", writes = writes.unwrap_or_default()),
        (Some(reads), Some(writes), true) => {
            say!(
                "page-small-both-deep",
                reads = reads,
                writes = writes,
                depth = depth
            )
        }
        (Some(reads), None, true) => say!("page-small-reads-deep", reads = reads, depth = depth),
        (None, writes, true) => say!(
            "page-small-writes-deep",
            writes = writes.unwrap_or_default(),
            depth = depth,
        ),
    }
}

/// With the word that the cell waits for each of its writes to be durable, where it does: that is another figure than what the
/// storage takes of others, and than reads beside it.
fn durable(cell: Option<&Cell>, said: String) -> String {
    match cell.is_some_and(waits_for_each_write) {
        true => say!("page-each-durable", said = said),
        false => said,
    }
}

/// One workload alone: its figure, and the latencies where there are any.
fn single(cells: &[&Cell]) -> Option<String> {
    let [cell] = cells else { return None };
    let (row, shown) = (label(cell), headline_value(cell));
    let latency = |q: f64| cell.latency.tail_quantile(q);
    Some(match (latency(0.5), latency(0.99)) {
        (Some(half), Some(most)) => {
            say!(
                "page-single-latencies",
                row = row,
                figure = shown,
                half = half,
                most = most
            )
        }
        _ => say!("page-single", row = row, figure = shown),
    })
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
        return Some(say!("page-all-steps", figure = figure(first, sum)));
    }
    let by_value = |a: &&&Cell, b: &&&Cell| a.estimate().value.total_cmp(&b.estimate().value);
    let (low, high) = (
        cells.iter().min_by(by_value)?,
        cells.iter().max_by(by_value)?,
    );
    Some(say!(
        "page-range",
        low = headline_value(low),
        low_row = label(low),
        high = headline_value(high),
        high_row = label(high),
    ))
}

/// How sure the figures are that the answer names, and which of them are not.
fn sure(cells: &[&Cell], roles: &ByRole<'_>) -> Option<String> {
    let named: Vec<&Cell> = cells
        .iter()
        .copied()
        .filter(|cell| roles.has(cell))
        .collect();
    let named = if named.is_empty() {
        cells.to_vec()
    } else {
        named
    };
    if !named.is_empty() && named.iter().all(|cell| is_rate_set(cell)) {
        return Some(say!("page-rate-set"));
    }
    let named: Vec<&Cell> = named.into_iter().filter(|c| !is_rate_set(c)).collect();
    let (known, few): (Vec<&Cell>, Vec<&Cell>) =
        named.iter().partition(|cell| reach(cell).is_some());
    let (wide, good): (Vec<&Cell>, Vec<&Cell>) = known.iter().partition(|cell| is_wide(cell));
    let worst = good.iter().filter_map(|cell| reach(cell)).reduce(f64::max);
    let Some(worst) = worst else {
        return not_sure(&wide, &few);
    };
    let reach = Percent::from_fraction(worst.max(FINEST));
    Some(match (named_of(&wide), named_of(&few)) {
        (None, None) => say!("page-within", reach = reach),
        (Some(wide), None) => say!("page-within-but-wide", reach = reach, wide = wide),
        (None, Some(few)) => say!("page-within-but-few", reach = reach, few = few),
        (Some(wide), Some(few)) => {
            say!(
                "page-within-but-both",
                reach = reach,
                wide = wide,
                few = few
            )
        }
    })
}

/// Whether the rate was set beforehand: then it says nothing of the storage that it was kept.
fn is_rate_set(cell: &Cell) -> bool {
    let arrival = cell.workload.io().map(|io| io.arrival);
    arrival.is_some_and(|arrival| arrival != Arrival::Closed)
}

/// To within what the figure is good.
fn reach(cell: &Cell) -> Option<f64> {
    cell.estimate().relative_reach()
}

/// Where no figure is sure to within half its value.
fn not_sure(wide: &[&Cell], few: &[&Cell]) -> Option<String> {
    match (wide, few) {
        ([], []) => None,
        ([], _) => Some(say!("page-not-sure-few")),
        _ => Some(say!(
            "page-not-sure-wide",
            reach = Percent::from_fraction(WIDE)
        )),
    }
}

/// So many figures are named in a sentence.
const NAMED: usize = 8;

/// The rows by name, of many the first; nothing of none.
fn named_of(cells: &[&Cell]) -> Option<String> {
    let names: Vec<String> = cells.iter().take(NAMED).map(|cell| label(cell)).collect();
    let is_ambiguous = names.iter().any(|name| name.contains(','));
    let named = names.join(if is_ambiguous { "; " } else { ", " });
    match cells.len() - names.len() {
        _ if names.is_empty() => None,
        0 => Some(named),
        more => Some(say!("page-names-and-more", names = named, more = more)),
    }
}

/// Where reading and writing differ beyond doubt, the largest such difference.
fn contrast(roles: &ByRole<'_>) -> Option<String> {
    let small = roles.depths().into_iter().map(|depth| {
        let of = |reads| roles.get(Role::Small { reads, depth });
        (of(true), of(false), Some(depth))
    });
    let of = |reads| roles.get(Role::Large { reads });
    let all = small.chain([(of(true), of(false), None)]);
    let differences = all.filter_map(|(read, write, depth)| {
        let (read, write) = (read?, write?);
        if !differ_in_operation_alone(read, write) {
            return None;
        }
        let (is_read, ratio) = beyond_doubt(read.estimate(), write.estimate())?;
        Some((ratio, faster(is_read, ratio, depth)))
    });
    let largest = differences.max_by(|a, b| a.0.total_cmp(&b.0));
    largest.map(|(_, sentence)| sentence)
}

/// Whether it is the storage that makes reads and writes differ, of a pair whose blocks are alike: no rate was set, as much
/// is in flight, and no write waits until it is durable, as no read does.
fn differ_in_operation_alone(read: &Cell, write: &Cell) -> bool {
    let (Some(reads), Some(writes)) = (read.workload.io(), write.workload.io()) else {
        return false;
    };
    let terms = |io: &IoWorkload| (io.queue_depth, io.jobs, io.distribution, io.think);
    let is_own_pace = !is_rate_set(read) && !is_rate_set(write);
    is_own_pace && !waits_for_each_write(write) && terms(reads) == terms(writes)
}

/// Reads or writes are so many times as fast, with large files or with small accesses at a depth.
fn faster(is_read: bool, ratio: f64, depth: Option<u32>) -> String {
    let ratio = local(format!("{ratio:.1}"));
    let deep = depth
        .filter(|depth| *depth > 1)
        .map(|depth| depth.to_string());
    match (is_read, depth.is_some(), deep) {
        (true, false, _) => say!("page-reads-faster-large", ratio = ratio),
        (false, false, _) => say!("page-writes-faster-large", ratio = ratio),
        (true, true, None) => say!("page-reads-faster-small", ratio = ratio),
        (false, true, None) => say!("page-writes-faster-small", ratio = ratio),
        (true, true, Some(deep)) => say!("page-reads-faster-deep", ratio = ratio, depth = deep),
        (false, true, Some(deep)) => say!("page-writes-faster-deep", ratio = ratio, depth = deep),
    }
}

/// Whether reads are the faster, and how many times as fast.
fn beyond_doubt(read: &Estimate, write: &Estimate) -> Option<(bool, f64)> {
    let (reads, writes) = (read.interval?, write.interval?);
    let (is_read, ratio) = if reads.low > writes.high {
        (true, read.value / write.value)
    } else if writes.low > reads.high {
        (false, write.value / read.value)
    } else {
        return None;
    };
    (ratio.is_finite() && ratio >= STANDS_OUT).then_some((is_read, ratio))
}

/// How many rows measured the wrong thing.
fn spoiled(cells: &[Cell]) -> Option<String> {
    let count = cells
        .iter()
        .filter(|cell| cell.verdict.is_invalid())
        .count();
    let invalid = invalid_word(count);
    match (count, cells.len()) {
        (0, _) => None,
        (_, 1) => Some(say!("page-figure-invalid", invalid = invalid)),
        (1, all) => Some(say!("page-one-invalid", all = all, invalid = invalid)),
        (some, all) => Some(say!(
            "page-some-invalid",
            count = some,
            all = all,
            invalid = invalid
        )),
    }
}
