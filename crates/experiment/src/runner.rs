//! One run: counters before, the work, counters after, the checks.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use etalon_engine::{Control, EngineError, Plan, PlanError, Prepared, TargetPlace, prepare, run};
use etalon_judge::{Facts, check_run};
use etalon_model::{Backend, End, Run, Workload};
use etalon_stack::{Roots, snapshot};
use etalon_units::{Bytes, Nanos};
use rustix::fs::Advice;

use crate::Site;
use crate::traffic::traffic;

/// Makes runs on one site.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    pub(crate) site: &'a Site,
    pub(crate) control: &'a Control,
    roots: Roots,
    null_ns_per_operation: Option<f64>,
}

/// Where a run stands in its experiment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot<'a> {
    pub(crate) cell: &'a str,
    pub(crate) block: u32,
    pub(crate) position: u32,
}

/// Time spent on finding the tool's own cost.
const CALIBRATION: Nanos = Nanos::millis(30);

impl<'a> Runner<'a> {
    pub(crate) fn new(site: &'a Site, control: &'a Control) -> Runner<'a> {
        Runner {
            site,
            control,
            roots: Roots::default(),
            null_ns_per_operation: own_cost(control),
        }
    }

    /// Checks the workload against its place and lays out its files; outside any clock.
    pub(crate) fn ready(
        &self,
        workload: &Workload,
        place: &TargetPlace,
    ) -> Result<Prepared, ReadyError> {
        let plan = Plan::resolve(workload, place)?;
        Ok(prepare(&plan, self.control)?)
    }

    /// Makes and checks one run of what is ready.
    pub(crate) fn run(&self, slot: Slot<'_>, prepared: &Prepared) -> Result<Run, EngineError> {
        let started = SystemTime::now();
        let clock = Instant::now();
        let before = snapshot(&self.site.tree, &self.roots);
        let measurement = run(prepared, self.control)?;
        let delta = snapshot(&self.site.tree, &self.roots).since(&before);
        let (device, leaves) = traffic(&self.site.tree, &delta);
        let mut made = Run {
            cell: slot.cell.to_owned(),
            block: slot.block,
            position: slot.position,
            started_unix_ns: unix_ns(started),
            elapsed: clock.elapsed().into(),
            workload: prepared.plan().workload().clone(),
            measurement,
            device,
            leaves,
            findings: Vec::new(),
        };
        made.findings = check_run(&Facts {
            run: &made,
            null_ns_per_operation: self.null_ns_per_operation,
        });
        Ok(made)
    }
}

/// Why a workload could not be made ready.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadyError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl From<ReadyError> for crate::ExperimentError {
    fn from(error: ReadyError) -> Self {
        match error {
            ReadyError::Plan(error) => error.into(),
            ReadyError::Engine(error) => error.into(),
        }
    }
}

/// Nanoseconds that the tool needs for one operation that does nothing; `None` when even that
/// cannot be run.
fn own_cost(control: &Control) -> Option<f64> {
    let workload = Workload {
        backend: Backend::Null,
        file_size: Bytes::gib(1),
        end: End::Time(CALIBRATION),
        ..Workload::default()
    };
    // The place is not touched by this backend.
    let place = TargetPlace::Directory(PathBuf::from("/"));
    let plan = Plan::resolve(&workload, &place).ok()?;
    let prepared = prepare(&plan, control).ok()?;
    let m = run(&prepared, control).ok()?;
    (m.operations() > 0).then(|| m.duration.get() as f64 / m.operations() as f64)
}

/// Nanoseconds since 1970-01-01 UTC; a clock before that counts as zero.
pub(crate) fn unix_ns(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|span| i64::try_from(span.as_nanos()).ok())
        .unwrap_or_default()
}

/// Takes clean pages of the files out of the page cache (posix_fadvise(2), `POSIX_FADV_DONTNEED`).
/// A file that cannot be opened is left as it is: the device's share will tell.
pub(crate) fn drop_cache(files: &[PathBuf]) {
    for path in files {
        if let Ok(file) = File::open(path) {
            let _ = rustix::fs::fdatasync(&file);
            let _ = rustix::fs::fadvise(&file, 0, None, Advice::DontNeed);
        }
    }
}
