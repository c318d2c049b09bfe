//! Cells of I/O that are run in blocks.

use std::path::Path;
use std::time::Duration;

use etalon_engine::TargetPlace;
use etalon_factor::CacheLimit;
use etalon_model::{Backend, CacheMode, Fallback, FileLayout, IoWorkload, Operation, Run};
use etalon_units::{Bytes, Nanos};
use etalon_workload::{Measurable as _, PlainIo};

use crate::run::quiet::Rest;
use crate::run::{Runner, Session, Step, Until, cache};
use crate::witness::tell;
use crate::work_place::{WorkPlace, writes};
use crate::{Event, ExperimentError, Witness};

/// Longest time spent on reading the same blocks twice, before the first run.
pub(crate) const PROBE: Duration = Duration::from_secs(2);

/// Smaller files are laid out within seconds, on an SD card too.
const TOLD_FROM: Bytes = Bytes::mib(16);

/// The cells, with all that their runs need.
pub(crate) struct Grid<'a> {
    pub(crate) cells: Vec<(String, IoWorkload)>,
    /// Those of them that a block holds.
    pub(crate) rows: Vec<usize>,
    pub(crate) runner: Runner<'a>,
    pub(crate) work_place: WorkPlace,
    pub(crate) direct_or_nothing: bool,
    pub(crate) limit: Option<CacheLimit>,
    pub(crate) until: Until<'a>,
    /// Whether the same blocks were read twice to find caches below the devices.
    pub(crate) probed: bool,
    /// Lets the devices come to rest behind runs that write.
    pub(crate) rest: Rest,
}

impl Session for Grid<'_> {
    fn open(
        &mut self,
        block: u32,
        runs: &[Run],
        witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        if !self.until.goes_on(block as usize, runs) {
            return Ok(Vec::new());
        }
        self.until.tell_block(block, self.rows.len(), witness)?;
        Ok(self.rows.clone())
    }

    fn pass(&mut self, step: Step, witness: &mut dyn Witness) -> Result<Vec<Run>, ExperimentError> {
        let (name, workload) = &self.cells[step.group];
        self.work_place.check()?;
        tell(witness, Event::Running { cell: name })?;
        let pass = step.begun.pass;
        let mut workload = workload.clone();
        workload.seed = pass.seed(workload.seed);
        let before = Rest::unwritten();
        self.runner.keep_aftermath(self.rest.left());
        if let Some(size) = laid_out(&workload, &self.work_place.place) {
            tell(witness, Event::LayingOut { size })?;
        }
        let mut work = self.runner.ready(name, &workload, &self.work_place.place)?;
        if self.direct_or_nothing {
            insist_on_direct(&self.runner.site.path, &work)?;
        }
        if !self.probed {
            self.probed = true;
            self.runner.probe_below(&work, PROBE);
        }
        tell(witness, Event::Running { cell: name })?;
        cache::set(workload.cache, &work.files(0))?;
        if pass.position > 0 {
            // The memory of earlier runs stays charged to their group, until nothing is left of a small
            // one and the kernel ends the process.
            self.limit = None;
            self.limit = cache::limit(workload.cache)?;
        }
        let limit = self.limit.as_ref();
        let run = self.runner.run(&mut work, step.begun, limit)?;
        if writes(&workload) {
            let place = (self.runner.site, &self.work_place);
            let control = self.runner.control;
            self.rest.behind(place, control, before, Nanos::ZERO);
        }
        Ok(vec![run])
    }
}

/// How much the first run of all has to lay out, where that is worth a word.
fn laid_out(workload: &IoWorkload, place: &TargetPlace) -> Option<Bytes> {
    let is_absent = matches!(place, TargetPlace::Directory(dir) if !dir.join("f0").exists());
    let is_without = matches!(workload.backend, Backend::Null | Backend::Fake);
    // A sequential write needs no data beforehand.
    let is_made = is_absent && !is_without && workload.operation != Operation::Write;
    let files = match workload.layout {
        FileLayout::Shared => 1,
        FileLayout::PerJob => u64::from(workload.jobs),
    };
    let size = Bytes(workload.file_size.get().saturating_mul(files));
    (is_made && size >= TOLD_FROM).then_some(size)
}

pub(crate) fn insist_on_direct(target: &Path, work: &PlainIo<'_>) -> Result<(), ExperimentError> {
    let refused = |fallback: &Fallback| matches!(fallback, Fallback::DirectRefused { .. });
    let fallbacks = work.prepared().map(|ready| ready.plan().fallbacks());
    match fallbacks.is_some_and(|all| all.iter().any(refused)) {
        true => Err(ExperimentError::DirectRefused {
            target: target.to_owned(),
        }),
        false => Ok(()),
    }
}

/// What a cell of this workload is called.
pub fn workload_name(workload: &IoWorkload) -> String {
    let mut name = format!("{} {}", workload.operation, workload.block_size);
    if workload.queue_depth > 1 {
        name.push_str(&format!(", depth {}", workload.queue_depth));
    }
    if !matches!(workload.cache, CacheMode::AsFound | CacheMode::Direct) {
        name.push_str(&format!(", {} cache", workload.cache));
    }
    if workload.jobs > 1 {
        name.push_str(&format!(", {} jobs", workload.jobs));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_take_their_time_are_told_until_they_are_there() {
        let dir = tempfile::tempdir().unwrap();
        let place = TargetPlace::Directory(dir.path().to_owned());
        let of = |operation, size, place: &TargetPlace| {
            let workload = IoWorkload {
                operation,
                file_size: size,
                jobs: 2,
                ..IoWorkload::default()
            };
            laid_out(&workload, place)
        };
        let (read, large) = (Operation::RandRead, Bytes::gib(1));
        assert_eq!(of(read, large, &place), Some(Bytes::gib(2)));
        assert_eq!(of(read, Bytes::mib(1), &place), None);
        assert_eq!(of(Operation::Write, large, &place), None);
        std::fs::write(dir.path().join("f0"), "").unwrap();
        assert_eq!(of(read, large, &place), None);
    }
}
