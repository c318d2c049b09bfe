//! What a check looks at, and the words for its absence.

use etalon_model::Run;
use etalon_model::stack::LayerKind;

use crate::checks::page_cache::asked::asked;
use crate::resolution::PROCESSOR_TIME;
use crate::series::windows;

/// One thing that a check cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// The traffic of the devices beneath the target, or of the disks.
    Traffic,
    /// The same, or what this process had storage read.
    ReadTraffic,
    /// The counters of every layer.
    Counters,
    /// The same of discards, which the kernel counts since 4.18.
    Discards,
    /// The storage stack as it was at the run.
    Stack,
    /// The disks at its bottom.
    Disks,
    /// What the disks say of their health.
    Health,
    /// The machine's meters.
    Machine,
    /// Events of heat, or the processors' clocks.
    Heat,
    /// What the page cache held before the run.
    CacheBefore,
    /// What it held after it.
    CacheAfter,
    /// How much of that was changed and not yet on the device.
    Dirty,
    /// How much the page cache may take.
    CacheLimit,
    /// Extents and holes of the files.
    Files,
    /// The environment, and that of the first run.
    Environment,
    /// How etalon was started.
    Process,
    /// The jobs' processor time, over a span that it can tell.
    ProcessorTime,
    /// The time that the jobs waited for a processor.
    RunDelay,
    /// The comparison of what was read.
    Verify,
    /// Windows of 100 ms, enough of them for the course of a run.
    Windows,
    /// As many runs.
    Runs(usize),
}

impl Need {
    /// Why it is not there, in a run that is one of so many of its cell; `None` where it is.
    pub(crate) fn missing(self, run: &Run, runs: usize) -> Option<&'static str> {
        (!self.is_met(run, runs)).then(|| self.absence())
    }

    fn is_met(self, run: &Run, runs: usize) -> bool {
        let (m, seen) = (&run.measurement, &run.circumstances);
        match self {
            Need::Traffic => has_traffic(run),
            Need::ReadTraffic => has_traffic(run) || asked(run).is_some(),
            Need::Counters => seen.counters.as_ref().is_some_and(|c| !c.layers.is_empty()),
            Need::Discards => counts_discards(run),
            Need::Stack => seen.beneath.is_some(),
            Need::Disks => seen.beneath.as_ref().is_some_and(|b| b.disks.is_some()),
            Need::Health => tells_health(run),
            Need::Machine => seen.machine.is_some(),
            Need::Heat => seen
                .machine
                .as_ref()
                .is_some_and(|machine| machine.throttled.is_some() || machine.cpu_mhz.is_some()),
            Need::CacheBefore => seen.cache_before.is_some(),
            Need::CacheAfter => seen.cache_after.is_some(),
            Need::Dirty => seen
                .cache_after
                .is_some_and(|held| held.dirty.is_some() && held.writeback.is_some()),
            Need::CacheLimit => seen.cache_limit.is_some(),
            Need::Files => seen.files.is_some(),
            Need::Environment => seen.environment.is_some(),
            Need::Process => seen.process.is_some(),
            Need::ProcessorTime => m.cpu().is_some() && is_told(run),
            Need::RunDelay => m.cpu_waited.is_some(),
            Need::Verify => m.verify.is_some(),
            Need::Windows => windows(run).is_some(),
            Need::Runs(fewest) => runs >= fewest,
        }
    }

    fn absence(self) -> &'static str {
        match self {
            Need::Traffic => "no block device was counted beneath the target",
            Need::ReadTraffic => {
                "no block device was counted beneath the target, nor what this process asked storage for"
            }
            Need::Counters => "the counters of the storage stack were not read",
            Need::Discards => "the kernel does not count discards (before 4.18)",
            Need::Stack => "the storage stack was not looked at",
            Need::Disks => "no disk is known at the bottom of the storage stack",
            Need::Health => "no disk told its health (SMART): that takes root, and a real disk",
            Need::Machine => "the machine was not watched during the run",
            Need::Heat => "the machine shows neither throttling nor the processors' clocks",
            Need::CacheBefore | Need::CacheAfter => "the page cache of the files was not looked at",
            Need::Dirty => "the kernel does not tell what is dirty in memory (before 6.5)",
            Need::CacheLimit => "it is not known how much memory the page cache may take",
            Need::Files => "the extents of the files were not looked at",
            Need::Environment => "the environment was not looked at",
            Need::Process => "it was not looked at how etalon was started",
            Need::ProcessorTime => {
                "processor time was not counted, or the run was too short for it"
            }
            Need::RunDelay => "the kernel did not tell how long the jobs waited for a processor",
            Need::Verify => "no data was compared",
            Need::Windows => "the run was too short: under 4 s of whole windows of 100 ms",
            Need::Runs(_) => "there were too few runs",
        }
    }
}

fn has_traffic(run: &Run) -> bool {
    run.device.is_some() || run.leaves.is_some()
}

/// Of a task the processor time has the resolution of the scheduler's tick.
fn is_told(run: &Run) -> bool {
    let span = run.measurement.duration.as_secs_f64();
    run.workload.task().is_none() || PROCESSOR_TIME.resolves(span)
}

fn counts_discards(run: &Run) -> bool {
    let counters = run.circumstances.counters.as_ref();
    let mut layers = counters.into_iter().flat_map(|c| &c.layers);
    layers.any(|layer| {
        layer
            .delta
            .as_ref()
            .is_some_and(|d| d.discard_bytes.is_some())
    })
}

fn tells_health(run: &Run) -> bool {
    let stack = run.environment().map(|now| &now.stack);
    stack.is_some_and(|tree| {
        let mut kinds = tree.layers().into_iter().map(|layer| &layer.kind);
        kinds.any(|kind| matches!(kind, LayerKind::Disk(disk) if disk.smart.is_some()))
    })
}
