//! One run: counters before, the work, counters after, the checks.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use etalon_engine::{Control, EngineError, Plan, PlanError, Prepared, TargetPlace, prepare, run};
use etalon_judge::{Facts, check_run};
use etalon_model::{Backend, End, IoWorkload, Measurement, Order, Run};
use etalon_units::{Bytes, Nanos};

use crate::Site;
use crate::around::{Around, Before, Over, reread};
use crate::traffic::traffic;

/// Makes runs on one site.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    pub(crate) site: &'a Site,
    pub(crate) control: &'a Control,
    pub(crate) around: Around<'a>,
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
    pub(crate) fn new(site: &'a Site, control: &'a Control, watch: bool) -> Runner<'a> {
        Runner {
            site,
            control,
            around: Around::new(site, watch),
            null_ns_per_operation: own_cost(control),
        }
    }

    /// Checks the workload against its place and lays out its files; outside any clock.
    pub(crate) fn ready(
        &self,
        workload: &IoWorkload,
        place: &TargetPlace,
    ) -> Result<Prepared, ReadyError> {
        let plan = Plan::resolve(workload, place)?;
        Ok(prepare(&plan, self.control)?)
    }

    /// Reads some blocks of what is ready twice, for random direct reads, to find a cache below the
    /// devices; the outcome stands in every run from now on.
    pub(crate) fn probe_below(&self, prepared: &Prepared, time: Duration) {
        let workload = prepared.plan().workload();
        let is_meant = workload.operation.order() == Some(Order::Random)
            && workload.operation.reads()
            && workload.direct
            && !self.site.tree.devices.is_empty();
        let Some(file) = prepared.plan().files().first().filter(|_| is_meant) else {
            return;
        };
        let probe = reread(file, time, workload.seed, self.control);
        self.around.keep_reread(probe);
    }

    /// Makes and checks one run of what is ready.
    pub(crate) fn run(&self, slot: Slot<'_>, prepared: &Prepared) -> Result<Run, EngineError> {
        let begun = self.begin(prepared);
        let measurement = run(prepared, self.control)?;
        let over = self.end(begun, prepared);
        let mut made = self.record(slot, prepared, over, measurement);
        self.judge(&mut made);
        Ok(made)
    }

    /// Looks around before the work, which the caller does.
    pub(crate) fn begin(&self, prepared: &Prepared) -> Begun {
        Begun {
            started: SystemTime::now(),
            clock: Instant::now(),
            before: self.around.before(prepared.plan().files()),
        }
    }

    /// Looks at the counters after it; of several runs at once all of them first.
    pub(crate) fn end(&self, begun: Begun, prepared: &Prepared) -> Ended {
        Ended {
            over: self.around.end(begun.before, prepared.plan().files()),
            elapsed: begun.clock.elapsed().into(),
            started: begun.started,
        }
    }

    /// Looks around once more, which may read from the target; the run is not judged yet.
    pub(crate) fn record(
        &self,
        slot: Slot<'_>,
        prepared: &Prepared,
        ended: Ended,
        measurement: Measurement,
    ) -> Run {
        let files = prepared.plan().files();
        let circumstances = self.around.after(ended.over, files, measurement.backend);
        let delta = circumstances.counters.as_ref();
        let (device, leaves) = delta.map_or((None, None), |d| traffic(&self.site.tree, d));
        Run {
            cell: slot.cell.to_owned(),
            block: slot.block,
            position: slot.position,
            started_unix_ns: unix_ns(ended.started),
            elapsed: ended.elapsed,
            workload: prepared.plan().workload().clone().into(),
            measurement,
            device,
            leaves,
            circumstances,
            findings: Vec::new(),
        }
    }

    /// Adds what the checks find.
    pub(crate) fn judge(&self, run: &mut Run) {
        run.findings = check_run(&Facts {
            run,
            null_ns_per_operation: self.null_ns_per_operation,
        });
    }
}

/// A run that has begun.
pub(crate) struct Begun {
    started: SystemTime,
    clock: Instant,
    before: Before,
}

/// A run that is over.
pub(crate) struct Ended {
    over: Over,
    elapsed: Nanos,
    started: SystemTime,
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
    let workload = IoWorkload {
        backend: Backend::Null,
        file_size: Bytes::gib(1),
        end: End::Time(CALIBRATION),
        ..IoWorkload::default()
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

/// Takes the pages of the files out of the page cache.
/// A file that cannot be opened is left as it is: the device's share will tell.
pub(crate) fn drop_cache(files: &[PathBuf]) {
    for path in files {
        if let Ok(file) = File::open(path) {
            let _ = etalon_host::cache::drop_file(&file);
        }
    }
}
