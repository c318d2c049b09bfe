//! What the page says of figures that have no interval, or a wider one than was asked for.

use etalon_language::{figure as local, say};
use etalon_model::{Cell, Choice, ExperimentKind, LONGEST_PROPOSED, Precision, Run, TargetRecord};
use etalon_units::{Nanos, Percent, shell_word};

use super::remarks::Remark;
use crate::digest::PageDigest;
use crate::figures::runs_needed;
use crate::role::label;

const MINUTE: u64 = 60;

/// What was measured, and how long that took.
pub(crate) struct PrecisionFacts<'a> {
    pub(crate) kind: ExperimentKind,
    pub(crate) target: &'a TargetRecord,
    /// All runs, also those that are left out of the figures; may be empty.
    pub(crate) runs: &'a [Run],
    /// What was gathered of them where they were not read.
    pub(crate) digest: Option<&'a PageDigest>,
    pub(crate) elapsed: Nanos,
    /// The option of the store for what is typed next.
    pub(crate) store: &'a str,
    /// Among them, which rows lack runs for want of time and what budget would do.
    pub(crate) choices: &'a [Choice],
}

impl PrecisionFacts<'_> {
    /// Why figures have no interval or a wider one than was asked for, and what would help.
    pub(crate) fn remarks(&self, cells: &[Cell]) -> Vec<Remark> {
        let judged = || cells.iter().filter(|c| !c.verdict.is_invalid());
        let has_interval = |cell: &&Cell| cell.estimate().interval.is_some();
        let is_few = |cell: &&Cell| !has_interval(cell) && runs_needed(cell.estimate()).is_some();
        let told = self.choices.iter().flat_map(Choice::rows_without_interval);
        let rows: Vec<&String> = told.collect();
        let is_told = |cell: &&Cell| rows.contains(&&cell.name);
        let few: Vec<&Cell> = judged().filter(is_few).filter(|c| !is_told(c)).collect();
        let misses = |cell: &&Cell| cell.misses_precision();
        let wide: Vec<&Cell> = judged().filter(has_interval).filter(misses).collect();
        [self.too_few(&few), self.too_wide(&wide)]
            .into_iter()
            .flatten()
            .collect()
    }

    fn too_few(&self, cells: &[&Cell]) -> Option<Remark> {
        let needed = cells
            .iter()
            .filter_map(|c| runs_needed(c.estimate()))
            .max()?;
        let fewest = cells.iter().min_by_key(|cell| cell.estimate().runs)?;
        let kept = fewest.estimate().runs.max(1);
        let made = self.made(fewest).max(kept);
        // Of as many runs as before, as many will be left out.
        let runs = needed.saturating_mul(made).div_ceil(kept);
        let time = Nanos(self.elapsed.get() / u64::from(kept) * u64::from(needed + 1));
        let to_do = self.longer(time, runs, None);
        let text = match made - fewest.estimate().runs.min(made) {
            0 => say!("page-too-few", needed = needed, to_do = to_do),
            left_out => say!(
                "page-too-few-left-out",
                needed = needed,
                left_out = left_out,
                made = made,
                to_do = to_do,
            ),
        };
        Some(Remark {
            mark: "?",
            cells: Vec::new(),
            lesser: Vec::new(),
            text,
        })
    }

    fn made(&self, cell: &Cell) -> u32 {
        if let Some(digest) = self.digest {
            return digest.made(&cell.name);
        }
        let own = self.runs.iter().filter(|run| run.cell == cell.name);
        u32::try_from(own.count()).unwrap_or(u32::MAX)
    }

    fn too_wide(&self, cells: &[&Cell]) -> Option<Remark> {
        let reach = |cell: &Cell| cell.estimate().relative_half_width().unwrap_or_default();
        let widest = cells
            .iter()
            .max_by(|a, b| reach(a).total_cmp(&reach(b)))
            .copied()?;
        let asked = Percent::from_fraction(widest.precision?.asked);
        let needed: Option<Vec<u64>> = cells.iter().map(|cell| needed(cell)).collect();
        let more = needed.map(|all| Nanos(all.into_iter().fold(0, u64::saturating_add)));
        let time = more.map(|more| Nanos(self.elapsed.get().saturating_add(more.get())));
        let text = match (time, more) {
            (Some(time), Some(more)) if time <= LONGEST_PROPOSED => {
                let to_do = self.longer(time, runs_for(widest), Some(asked));
                say!(
                    "page-too-wide-more",
                    asked = asked,
                    more = more,
                    to_do = to_do
                )
            }
            _ => say!("page-too-wide", asked = asked, to_do = too_variable(widest)),
        };
        Some(Remark {
            mark: "~",
            cells: Vec::new(),
            lesser: Vec::new(),
            text,
        })
    }

    /// The command that takes so long, or makes so many runs.
    fn longer(&self, time: Nanos, runs: u32, precision: Option<Percent>) -> String {
        // As it is typed.
        let percent = |asked: Percent| (asked.fraction() * 1e4).round() / 1e2;
        let asked = precision.map(|asked| format!(" --precision {}%", percent(asked)));
        let asked = asked.unwrap_or_default();
        match self.kind {
            ExperimentKind::Quick => {
                let minutes = (time.as_secs_f64() / MINUTE as f64).ceil() as u64;
                let (path, store) = (shell_word(&self.target.path), self.store);
                let command = format!("etalon {path} --budget {minutes}m{asked}{store}");
                say!("page-finer", command = command)
            }
            ExperimentKind::Imported => say!("page-more-of-program"),
            ExperimentKind::Dd | ExperimentKind::Hdparm | ExperimentKind::Fdtree => {
                say!("page-repeat-times", runs = runs)
            }
            kind => {
                let count = match kind {
                    ExperimentKind::Plan => "--blocks",
                    _ => "--runs",
                };
                let options = format!("{count} {runs}{asked}");
                say!("page-repeat-options", options = options)
            }
        }
    }
}

fn needed(cell: &Cell) -> Option<u64> {
    cell.precision?.needed_ns.map(|needed| needed.get())
}

/// The half width falls with the root of the number of runs.
fn runs_for(cell: &Cell) -> u32 {
    let Some(Precision { asked, .. }) = cell.precision else {
        return cell.estimate().runs;
    };
    let narrower = cell.estimate().relative_half_width().unwrap_or(1.0) / asked;
    let runs = f64::from(cell.estimate().runs) * narrower * narrower;
    // A cast of what is too large saturates.
    runs.ceil() as u32
}

/// Why no time would do: how far the single runs lie apart.
fn too_variable(cell: &Cell) -> String {
    let low = cell.values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = cell.values.iter().copied().fold(0.0, f64::max);
    match low > 0.0 {
        true => {
            let ratio = local(format!("{:.1}", high / low));
            say!("page-too-variable-apart", row = label(cell), ratio = ratio)
        }
        false => say!("page-too-variable"),
    }
}
