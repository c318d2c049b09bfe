//! How long the runs of the next block are, so that every row has its interval when the time is over.
//!
//! After each block the rows' real costs are known, with all that happens outside of the clock. The
//! time that is left is divided among the blocks that are still wanted: rows that cost more than their
//! share are made shorter first, down to what is worth measuring. Where even that does not let every
//! row have the runs of an interval, rows are dropped, the least important first.

use etalon_stats::{MAX_RUNS, MIN_RUNS_LAB};
use etalon_units::Nanos;

/// No run grows beyond this many times its planned length.
pub(crate) const LONGEST_SCALE: f64 = 1.25;
/// Blocks whose costs count for the next one.
const RECENT: usize = 3;
/// Smallest runs that are set aside for each row that lacks runs where others do not: what disturbed it may disturb it
/// again.
const MORE_RUNS: f64 = 3.0;
/// Halvings of the search for a row's share: the shares are then exact to a millionth.
const STEPS: usize = 40;
/// A row that is expected to cost more than this many fair shares waits for the second block, when what
/// the more important ones cost is known.
const LATE: f64 = 3.0;
/// What lies between the runs of a session that is to have time for all of them, and is in no row's cost.
const SPARE: f64 = 1.2;

/// The pace of one session.
#[derive(Debug, Clone)]
pub(crate) struct Pace {
    rows: Vec<PaceRow>,
    /// Runs that each row is to have, at least those of an interval.
    least: usize,
    /// Blocks that are planned for, more than an interval needs, so that a few may be disturbed.
    wanted: usize,
    blocks: usize,
}

/// One row of the session: what stands together in its order.
#[derive(Debug, Clone)]
struct PaceRow {
    /// The importance; 0 is the most important.
    rank: usize,
    /// The smallest length, in units of the planned one, that is worth measuring.
    floor: f64,
    /// The length of its next run, in units of the planned one.
    scale: f64,
    /// What its last blocks cost.
    costs: Vec<Cost>,
    /// What it is expected to cost, before its first run.
    guess: Option<Cost>,
    /// Of the block under way.
    pending: Option<Cost>,
    /// What it had beside its one run so far is doubted, and a second one is to show it.
    doubted: Option<f64>,
    dropped: bool,
}

/// What a row costs in a block, in seconds.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    fixed: f64,
    /// What a run of the planned length adds.
    per_scale: f64,
}

impl Cost {
    fn at(self, scale: f64) -> f64 {
        self.fixed + self.per_scale * scale
    }
}

/// A row that wants more runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    /// Which row.
    pub(crate) row: usize,
    /// Runs that count for its interval.
    pub(crate) usable: usize,
}

impl Pace {
    /// For rows of these ranks and smallest lengths, with so many blocks planned for.
    pub(crate) fn new(rows: impl IntoIterator<Item = (usize, f64)>, wanted: usize) -> Pace {
        let row = |(rank, floor): (usize, f64)| PaceRow {
            rank,
            floor: floor.min(1.0),
            scale: 1.0,
            costs: Vec::new(),
            guess: None,
            pending: None,
            doubted: None,
            dropped: false,
        };
        Pace {
            rows: rows.into_iter().map(row).collect(),
            least: MIN_RUNS_LAB,
            wanted: wanted.clamp(MIN_RUNS_LAB, MAX_RUNS),
            blocks: 0,
        }
    }

    /// The same, where each row is to have so many runs.
    pub(crate) fn with_least(self, least: usize) -> Pace {
        Pace {
            least: self.least.max(least),
            wanted: self.wanted.max(least),
            ..self
        }
    }

    /// A pass of the row is expected to take `elapsed` in all, of which `shrinks` gets shorter with it.
    pub(crate) fn guess(&mut self, row: usize, elapsed: Nanos, shrinks: Nanos) {
        if let Some(row) = self.rows.get_mut(row) {
            row.guess = Some(Cost {
                fixed: elapsed.saturating_sub(shrinks).as_secs_f64(),
                per_scale: shrinks.min(elapsed).as_secs_f64(),
            });
        }
    }

    /// The length of the row's next run, in units of the planned one.
    pub(crate) fn scale(&self, row: usize) -> f64 {
        self.rows.get(row).map_or(1.0, |row| row.scale)
    }

    /// Whether the row was given up, so that the others have enough runs.
    pub(crate) fn is_dropped(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(|row| row.dropped)
    }

    /// What the smallest of the runs that each is to have would cost of these rows, as far as that is known.
    pub(crate) fn interval_of(&self, rows: &[usize]) -> Nanos {
        Nanos::from_secs_f64(self.least_of(rows) * self.least as f64)
    }

    /// The time in which every row would have its runs.
    pub(crate) fn interval_of_all(&self) -> Nanos {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        Nanos::from_secs_f64(self.interval_of(&all).as_secs_f64() * SPARE)
    }

    /// A pass of the row took `elapsed` in all, of which `shrinks` gets shorter with the run.
    pub(crate) fn passed(&mut self, row: usize, elapsed: Nanos, shrinks: Nanos) {
        let Some(row) = self.rows.get_mut(row) else {
            return;
        };
        let shrinks = shrinks.min(elapsed).as_secs_f64();
        let pending = row.pending.get_or_insert_default();
        pending.fixed += elapsed.as_secs_f64() - shrinks;
        pending.per_scale += shrinks / row.scale;
    }

    /// The rows of the next block, with `left` to go; none where no row fits any more. The block before
    /// took `took` in all.
    pub(crate) fn next_block(&mut self, open: &[Open], took: Nanos, left: Nanos) -> Vec<usize> {
        self.close_block(took);
        let left = left.as_secs_f64();
        if self.blocks == 0 {
            self.blocks = 1;
            return self.first_block(open, left);
        }
        self.drop_what_does_not_fit(open, left);
        if self.doubt_one(open, left) {
            self.drop_what_does_not_fit(open, left);
        }
        let all: Vec<Open> = open
            .iter()
            .copied()
            .filter(|open| !self.is_dropped(open.row))
            .collect();
        self.blocks += 1;
        self.chosen(&all, left)
    }

    /// All rows but those that would take the time of more important ones.
    fn first_block(&self, open: &[Open], left: f64) -> Vec<usize> {
        let share = left / (self.wanted * self.rows.len()).max(1) as f64;
        let is_late = |row: &PaceRow| row.guess.is_some_and(|guess| guess.at(1.0) > LATE * share);
        let rows: Vec<usize> = open.iter().map(|open| open.row).collect();
        let early = rows.iter().copied();
        let early: Vec<usize> = early.filter(|&row| !is_late(&self.rows[row])).collect();
        if early.is_empty() { rows } else { early }
    }

    /// All open rows where a block of them fits, else those that lack runs, the most important first.
    fn chosen(&mut self, open: &[Open], left: f64) -> Vec<usize> {
        let rows: Vec<usize> = open.iter().map(|open| open.row).collect();
        let lacking: usize = open
            .iter()
            .map(|open| self.lacking(open))
            .max()
            .unwrap_or(0);
        let for_all = left - self.set_aside(open);
        if !rows.is_empty() && self.least_of(&rows) * lacking.max(1) as f64 <= for_all {
            self.share(&rows, for_all, lacking);
            return rows;
        }
        let mut lack: Vec<Open> = open
            .iter()
            .copied()
            .filter(|open| self.lacking(open) > 0)
            .collect();
        lack.sort_by_key(|open| self.rows[open.row].rank);
        let mut chosen = Vec::new();
        let mut spent = 0.0;
        for open in lack {
            let cost = self.least_of(&[open.row]) * self.lacking(&open) as f64;
            if spent + cost <= left {
                spent += cost;
                chosen.push(open.row);
            }
        }
        for &row in &chosen {
            self.rows[row].scale = self.rows[row].floor;
        }
        chosen
    }

    /// The seconds that blocks of all rows leave to those that lack more runs than others do.
    fn set_aside(&self, open: &[Open]) -> f64 {
        let fewest = open
            .iter()
            .map(|open| self.lacking(open))
            .min()
            .unwrap_or(0);
        let behind = open.iter().filter(|open| self.lacking(open) > fewest);
        let behind: Vec<usize> = behind.map(|open| open.row).collect();
        self.least_of(&behind) * MORE_RUNS
    }

    /// Adds the costs of the block that has ended, with what lay between its passes.
    fn close_block(&mut self, took: Nanos) {
        let pending = self.rows.iter().filter_map(|row| {
            let cost = row.pending?;
            Some(cost.at(row.scale))
        });
        let (count, sum) = pending.fold((0, 0.0), |(n, sum), cost| (n + 1, sum + cost));
        let between = (took.as_secs_f64() - sum).max(0.0) / f64::from(count.max(1));
        for row in &mut self.rows {
            if let Some(mut cost) = row.pending.take() {
                row.doubted = None;
                cost.fixed += between;
                row.costs.push(cost);
            }
        }
    }

    /// Keeps, from the most important on, what can still have the runs of an interval. What a dear block
    /// had put off comes back where the others left the time.
    fn drop_what_does_not_fit(&mut self, open: &[Open], left: f64) {
        let mut by_rank = open.to_vec();
        by_rank.sort_by_key(|open| self.rows[open.row].rank);
        let mut spent = 0.0;
        for open in by_rank {
            let cost = self.least_of(&[open.row]) * self.lacking(&open) as f64;
            self.rows[open.row].dropped = spent + cost > left;
            if spent + cost <= left {
                spent += cost;
            }
        }
    }

    /// What a row had beside its only run may be what others had left behind. The most important one that is
    /// dropped for it is tried again as if it had no more than others have, where there is time for a second run
    /// as dear and for all that the others lack.
    fn doubt_one(&mut self, open: &[Open], left: f64) -> bool {
        let kept = open.iter().filter(|open| !self.is_dropped(open.row));
        let needed: f64 = kept
            .map(|open| self.least_of(&[open.row]) * self.lacking(open) as f64)
            .sum();
        let usual = self.usual_fixed();
        let may_have = |row: &PaceRow| match row.costs[..] {
            [only] => only.fixed > usual && needed + only.at(row.floor) <= left,
            _ => false,
        };
        let dropped = open.iter().filter(|open| self.is_dropped(open.row));
        let tried = dropped
            .filter(|open| may_have(&self.rows[open.row]))
            .min_by_key(|open| self.rows[open.row].rank);
        if let Some(open) = tried {
            self.rows[open.row].doubted = Some(usual);
        }
        tried.is_some()
    }

    /// What the middle one of the rows has beside its runs.
    fn usual_fixed(&self) -> f64 {
        let rows = self.rows.iter().filter(|row| !row.costs.is_empty());
        middle(rows.map(|row| row.cost().fixed).collect())
    }

    /// Divides `left` among the blocks that are wanted, but at least among `fewest`.
    fn share(&mut self, rows: &[usize], left: f64, fewest: usize) {
        let as_before: f64 = rows.iter().map(|&row| self.rows[row].now()).sum();
        let least = self.least_of(rows);
        let planned = (self.wanted + 1).saturating_sub(self.blocks);
        // More blocks of the same length rather than longer runs.
        let possible = (left / as_before.max(1e-9)) as usize;
        let most = (left / least.max(1e-9)) as usize;
        let blocks = planned.max(possible).min(most).max(fewest).max(1);
        let share = self.share_of(rows, left / blocks as f64);
        for &row in rows {
            self.rows[row].scale = self.rows[row].scale_for(share);
        }
    }

    /// What each row may cost at most so that all of them together cost `block`.
    fn share_of(&self, rows: &[usize], block: f64) -> f64 {
        let rows = rows.iter().map(|&row| &self.rows[row]);
        let rows: Vec<(&PaceRow, Cost)> = rows.map(|row| (row, row.cost())).collect();
        let total = |share: f64| -> f64 {
            let cost = |&(row, cost): &(&PaceRow, Cost)| cost.at(row.scale_at(cost, share));
            rows.iter().map(cost).sum()
        };
        let (mut low, mut high) = (0.0, block);
        for _ in 0..STEPS {
            let middle = (low + high) / 2.0;
            match total(middle) > block {
                true => high = middle,
                false => low = middle,
            }
        }
        low
    }

    /// Runs that the row has less than it is to have.
    fn lacking(&self, open: &Open) -> usize {
        self.least.saturating_sub(open.usable)
    }

    fn least_of(&self, rows: &[usize]) -> f64 {
        let least = |&row: &usize| self.rows[row].cost().at(self.rows[row].floor);
        rows.iter().map(least).sum()
    }
}

impl PaceRow {
    /// The middle one of its last blocks, so that what one of them met says nothing of the others; what was expected
    /// where there is none.
    fn cost(&self) -> Cost {
        if self.costs.is_empty() {
            return self.guess.unwrap_or_default();
        }
        let recent = &self.costs[self.costs.len().saturating_sub(RECENT)..];
        let of = |part: fn(&Cost) -> f64| middle(recent.iter().map(part).collect());
        let fixed = of(|cost| cost.fixed);
        Cost {
            fixed: self.doubted.map_or(fixed, |usual| usual.min(fixed)),
            per_scale: of(|cost| cost.per_scale),
        }
    }

    fn now(&self) -> f64 {
        self.cost().at(self.scale)
    }

    /// The length at which it costs no more than `share`, within its limits.
    fn scale_for(&self, share: f64) -> f64 {
        self.scale_at(self.cost(), share)
    }

    /// The same where its cost is known.
    fn scale_at(&self, cost: Cost, share: f64) -> f64 {
        let scale = (share - cost.fixed) / cost.per_scale.max(1e-9);
        scale.clamp(self.floor, LONGEST_SCALE)
    }
}

/// The middle one, the lower of two; zero of none.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = values.len().saturating_sub(1) / 2;
    values.get(at).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests;
