//! What the page says of figures whose interval is wide or missing.

use etalon_model::{Cell, ExperimentKind, TargetRecord, Verdict};
use etalon_units::Nanos;

use super::remarks::Remark;
use crate::figures::runs_needed;

/// A longer session than this is not proposed: the storage varies too much.
const LONGEST: Nanos = Nanos::secs(3600);

const MINUTE: u64 = 60;

/// What was measured, and how long that took.
pub(crate) struct Session<'a> {
    pub(crate) kind: ExperimentKind,
    pub(crate) target: &'a TargetRecord,
    pub(crate) elapsed: Nanos,
}

impl Session<'_> {
    /// Why figures have no interval or a wide one, and what would give them one.
    pub(crate) fn remarks(&self, cells: &[Cell]) -> Vec<Remark> {
        let judged = || cells.iter().filter(|c| !is_invalid(c));
        let has_interval = |cell: &&Cell| cell.estimate().interval.is_some();
        let is_few = |cell: &&Cell| !has_interval(cell) && runs_needed(cell.estimate()).is_some();
        let few = judged().filter(is_few);
        let undecided = |cell: &&Cell| matches!(cell.verdict, Verdict::Undecided { .. });
        let wide = judged().filter(has_interval).filter(undecided);
        [
            self.too_few(few.collect()),
            self.too_wide(&wide.collect::<Vec<_>>()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn too_few(&self, cells: Vec<&Cell>) -> Option<Remark> {
        let needed = cells
            .iter()
            .filter_map(|c| runs_needed(c.estimate()))
            .max()?;
        let fewest = cells.iter().map(|c| c.estimate().runs).min()?.max(1);
        let time = Nanos(self.elapsed.get() / u64::from(fewest) * u64::from(needed + 1));
        Some(Remark {
            mark: "?",
            cells: Vec::new(),
            text: format!(
                "no ±: an interval takes {needed} runs. {}",
                self.longer(time, needed)
            ),
        })
    }

    fn too_wide(&self, cells: &[&Cell]) -> Option<Remark> {
        let needed: Vec<Nanos> = cells.iter().filter_map(|cell| needed(cell)).collect();
        let more = needed
            .iter()
            .fold(0u64, |sum, n| sum.saturating_add(n.get()));
        let time = Nanos(self.elapsed.get().saturating_add(more));
        let what = match cells {
            [] => return None,
            _ => "± wider than was asked for.",
        };
        let to_do = match time <= LONGEST && !needed.is_empty() {
            true => {
                let runs = cells.iter().map(|cell| cell.estimate().runs).max()?;
                self.longer(time, runs.saturating_mul(2))
            }
            false => "This storage varies too much to be measured more precisely.".to_owned(),
        };
        Some(Remark {
            mark: "~",
            cells: Vec::new(),
            text: format!("{what} {to_do}"),
        })
    }

    /// The command that takes so long, or makes so many runs.
    fn longer(&self, time: Nanos, runs: u32) -> String {
        match self.kind {
            ExperimentKind::Quick => {
                let minutes = (time.as_secs_f64() / MINUTE as f64).ceil() as u64;
                format!("Finer: etalon {} --budget {minutes}m", self.target.path)
            }
            ExperimentKind::Dd | ExperimentKind::Hdparm | ExperimentKind::Fdtree => {
                format!("Repeat it {runs} times.")
            }
            _ => format!("Repeat it: --runs {runs}"),
        }
    }
}

fn is_invalid(cell: &Cell) -> bool {
    matches!(cell.verdict, Verdict::Invalid { .. })
}

fn needed(cell: &Cell) -> Option<Nanos> {
    match cell.verdict {
        Verdict::Undecided { needed } => needed,
        _ => None,
    }
}
