//! One pass: looked around before it, its parts between counters, looked around after it, judged.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use etalon_engine::{Control, Plan, Prepared, TargetPlace, prepare, run};
use etalon_factor::CacheLimit;
use etalon_judge::{Facts, check_run};
use etalon_model::stack::StackTree;
use etalon_model::{
    Aftermath, Backend, CacheMode, Circumstances, End, EnvironmentRecord, IoWorkload, LevelRecord,
    Order, Run,
};
use etalon_units::{Bytes, Nanos};
use etalon_workload::Measurable;
use etalon_workload::measurable::{EndedPart, PartReport, Pass};

use super::around::{Before, SeenAtEnd, TargetObserver, Used, reread};
use super::brackets::{Bracket, Brackets};
use super::build::{SeenPart, build};
use super::repeat::BegunPass;
use super::traffic::apportion;
use crate::{ExperimentError, Site};

/// Looks at what surrounds the passes of one experiment.
#[derive(Debug)]
pub struct Observer<'a> {
    targets: Vec<TargetObserver<'a>>,
    null_ns_per_operation: Option<f64>,
}

/// What one pass gave.
#[derive(Debug, Default)]
pub struct Observed {
    /// A judged run of each part that has a figure.
    pub runs: Vec<Run>,
    /// What was worked on, and which parts have no figure, a sentence each.
    pub notes: Vec<String>,
    /// What ended the pass before its end, in a sentence.
    pub failure: Option<String>,
}

/// What was seen before passes.
#[derive(Debug)]
pub(super) struct Watch {
    begun: SystemTime,
    before: Vec<Before>,
    files: Vec<Vec<PathBuf>>,
}

/// What was seen at the end of passes, before anything else was looked at.
pub(super) struct Watched {
    begun: SystemTime,
    over: Vec<SeenAtEnd>,
    files: Vec<Vec<PathBuf>>,
    levels: Vec<LevelRecord>,
}

/// What was seen around passes.
struct PassCircumstances {
    /// The files of each target; none where no storage had a part in it.
    files: Option<Vec<Vec<PathBuf>>>,
    /// The rest, of each target.
    around: Vec<Circumstances>,
}

/// When a pass was carried out, and what it took with getting ready and looking around.
#[derive(Clone, Copy)]
struct PassTime {
    begun: SystemTime,
    elapsed: Nanos,
}

/// Time spent on finding the tool's own cost.
const CALIBRATION: Nanos = Nanos::millis(30);

impl<'a> Observer<'a> {
    /// For work on these targets, at least one. With `watch` the machine is watched as well as the
    /// counters, which costs next to nothing.
    pub fn new(targets: impl IntoIterator<Item = &'a Site>, watch: bool) -> Observer<'a> {
        Observer::by(targets, |site| TargetObserver::new(site, watch))
    }

    /// For runs of the modelled device: neither disks nor processors have a part in its figures, so that nobody waits for
    /// a look at them.
    pub(crate) fn of_model(targets: impl IntoIterator<Item = &'a Site>) -> Observer<'a> {
        Observer::by(targets, TargetObserver::of_model)
    }

    fn by(
        targets: impl IntoIterator<Item = &'a Site>,
        observer: impl Fn(&'a Site) -> TargetObserver<'a>,
    ) -> Observer<'a> {
        Observer {
            targets: targets.into_iter().map(observer).collect(),
            null_ns_per_operation: None,
        }
    }

    /// Finds out what the engine itself needs for an operation, for the runs that it makes.
    pub(crate) fn calibrated(self, control: &Control) -> Observer<'a> {
        Observer {
            null_ns_per_operation: own_cost(control),
            ..self
        }
    }

    /// Reads some blocks of what is ready twice, for random direct reads, to find a cache below the
    /// devices of a target; the outcome stands in every run from now on.
    pub(crate) fn probe_below(
        &self,
        target: usize,
        prepared: &Prepared,
        time: Duration,
        control: &Control,
    ) {
        let workload = prepared.plan().workload();
        let around = &self.targets[target];
        let is_meant = workload.operation.order() == Order::Random
            && workload.operation.reads()
            && workload.direct
            && around.site().has_devices();
        let Some(file) = prepared.plan().files().first().filter(|_| is_meant) else {
            return;
        };
        around.keep_reread(reread(file, time, workload.seed, control));
    }

    /// Keeps what earlier runs of the session left to be written, which stands in the next run of each target.
    pub(crate) fn keep_aftermath(&self, aftermath: Option<Aftermath>) {
        for target in &self.targets {
            target.keep_aftermath(aftermath);
        }
    }

    /// Holds the machine against that of the first run of the cell, which was made before.
    pub(crate) fn hold_against(&self, earlier: Option<&Arc<EnvironmentRecord>>) {
        for target in &self.targets {
            target.hold_against(earlier.cloned());
        }
    }

    /// Carries out one pass of `work`, which is ready, and judges its runs. A
    /// `limit` of the page cache holds for the work alone.
    ///
    /// # Errors
    /// That of the work.
    pub fn observe<W: Measurable>(
        &self,
        work: &mut W,
        begun: BegunPass,
        limit: Option<&CacheLimit>,
    ) -> Result<Observed, ExperimentError>
    where
        ExperimentError: From<W::Error>,
    {
        self.observe_under(work, begun, limit, &Vec::new)
    }

    /// The same under levels of a plan, which are asked for the moment that the work has ended.
    ///
    /// # Errors
    /// That of the work.
    pub(crate) fn observe_under<W: Measurable>(
        &self,
        work: &mut W,
        begun: BegunPass,
        limit: Option<&CacheLimit>,
        levels: &dyn Fn() -> Vec<LevelRecord>,
    ) -> Result<Observed, ExperimentError>
    where
        ExperimentError: From<W::Error>,
    {
        // The limit is the run's own, and none of the machine's.
        self.targets
            .iter()
            .for_each(TargetObserver::keep_environment);
        // Other limits, and what came of them, are those of the group in which the work is done.
        let inside = limit.map(CacheLimit::inside).transpose()?;
        let watch = self.watch(work);
        let done = self.carry_out(work);
        let over = self.end(watch);
        drop(inside);
        let over = Watched {
            levels: levels(),
            ..over
        };
        Ok(self.judged(work, over, done?, begun))
    }

    /// Looks before passes of `work`.
    pub(super) fn watch<W: Measurable>(&self, work: &W) -> Watch {
        let files = (0..self.targets.len()).map(|target| work.files(target));
        let files: Vec<Vec<PathBuf>> = files.collect();
        let begun = SystemTime::now();
        let targets = self.targets.iter().zip(&files);
        let before = targets
            .map(|(around, files)| around.before(files))
            .collect();
        Watch {
            begun,
            before,
            files,
        }
    }

    /// Carries out one pass and reads the counters around each of its parts.
    pub(super) fn carry_out<W: Measurable>(&self, work: &mut W) -> Result<Vec<Bracket>, W::Error> {
        let parts = work.parts();
        let target_of = |part: &str| {
            let known = parts.iter().find(|(name, _)| name == part);
            known.map_or(0, |(_, target)| *target)
        };
        let trees: Vec<&StackTree> = self.targets.iter().map(|t| &t.site().tree).collect();
        let tree_of = |part: &str| trees[target_of(part)];
        let brackets = Brackets::new(&tree_of);
        work.carry_out(&brackets)?;
        Ok(brackets.into_closed())
    }

    /// Looks at what counts on, the moment that the passes are over.
    pub(super) fn end(&self, watch: Watch) -> Watched {
        let Watch {
            begun,
            before,
            files,
        } = watch;
        let targets = self.targets.iter().zip(&files).zip(before);
        let over = targets.map(|((around, files), before)| around.end(before, files));
        Watched {
            begun,
            over: over.collect(),
            files,
            levels: Vec::new(),
        }
    }

    /// What the passes that are over gave.
    pub(super) fn judged<W: Measurable>(
        &self,
        work: &mut W,
        watched: Watched,
        closed: Vec<Bracket>,
        pass: BegunPass,
    ) -> Observed {
        let Watched {
            begun,
            over,
            files,
            levels,
        } = watched;
        let ended: Vec<EndedPart> = closed.iter().map(|bracket| bracket.part.clone()).collect();
        let report = work.report(&ended);
        let first = report.parts.first();
        let has_storage = first.is_none_or(|part| !part.measurement.is_without_storage());
        let targets = self.targets.iter().zip(over);
        let seen = targets.map(|(around, over)| Circumstances {
            levels: levels.clone(),
            ..around.after(over, has_storage)
        });
        let seen = PassCircumstances {
            files: has_storage.then_some(files),
            around: seen.collect(),
        };
        let span = PassTime {
            begun,
            elapsed: pass.since.elapsed().into(),
        };
        Observed {
            runs: self.runs(report.parts, (&closed, seen), pass.pass, span),
            notes: report.notes,
            failure: report.failure,
        }
    }

    /// A run of each part, judged. A part of which its witness was not told has no counters of its own.
    fn runs(
        &self,
        parts: Vec<PartReport>,
        (closed, mut seen): (&[Bracket], PassCircumstances),
        pass: Pass,
        span: PassTime,
    ) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut in_use = BTreeMap::new();
        for report in parts {
            let bracket = closed.iter().find(|b| b.part.part == report.part);
            let target = report.target;
            let mut circumstances = seen.around[target].clone();
            if let Some(files) = &seen.files {
                // Each part is judged by what it worked on, and by nothing else that lies there.
                let used = Used::by(&report.workload);
                let look = || self.targets[target].in_use(&files[target], used);
                let found = in_use.entry((target, used)).or_insert_with(look);
                (circumstances.files, circumstances.content) = *found;
            }
            // The limit held for the work alone, and was gone when the machine was looked at.
            if let Some(CacheMode::Limited(limit)) = report.workload.cache() {
                let around = circumstances.cache_limit;
                circumstances.cache_limit = Some(around.map_or(limit, |all| all.min(limit)));
            }
            let part = SeenPart {
                report,
                bracket,
                site: self.targets[target].site(),
                circumstances,
                begun: span.begun,
                elapsed: span.elapsed,
            };
            // The series of the pass stand in its first run.
            seen.around[target].recording = None;
            let position = pass.position + u32::try_from(runs.len()).unwrap_or(u32::MAX);
            runs.push(build(part, Pass { position, ..pass }));
        }
        // What devices moved while several parts were at work belongs to all of them.
        if runs
            .iter()
            .any(|run| run.circumstances.concurrent.is_some())
        {
            apportion(&mut runs);
        }
        for run in &mut runs {
            run.findings = self.findings(run);
        }
        runs
    }

    fn findings(&self, run: &Run) -> Vec<etalon_model::Finding> {
        let is_of_engine = run.workload.task().is_none();
        check_run(&Facts {
            run,
            null_ns_per_operation: self.null_ns_per_operation.filter(|_| is_of_engine),
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_engine::TargetPlace;
    use etalon_model::{Operation, Severity};
    use etalon_testbed::{in_memory, root_for};
    use etalon_workload::PlainIo;
    use etalon_workload::together::{ConcurrentIo, Ready};
    use rand::{Rng as _, SeedableRng as _};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use crate::run::quiet::overlay_over_ext4;

    const PART: u64 = 1 << 20;

    /// Whether each of two readers at these parts of a file, at once, is told that its data is no data.
    fn are_told(file: &Path, parts: [u64; 2]) -> [bool; 2] {
        let control = Control::default();
        let site = Site::look(file).unwrap();
        let place = || TargetPlace::File {
            path: file.to_owned(),
            writable: false,
        };
        let ready = |part: u64| {
            let workload = IoWorkload {
                operation: Operation::Read,
                block_size: Bytes::kib(64).into(),
                offset: Bytes(part * PART),
                range: Bytes(PART),
                end: End::Pass,
                ..IoWorkload::default()
            };
            let mut work = PlainIo::new("", workload, place(), &control);
            work.get_ready(Pass::default()).unwrap();
            let ready = Ready::Io(Box::new(work.into_prepared().unwrap()));
            (format!("part {part}"), ready)
        };
        let stop = Arc::new(AtomicBool::new(false));
        let mut work = ConcurrentIo::new(Vec::from(parts.map(ready)), &stop);
        let observer = Observer::new([&site, &site], true);
        let begun = BegunPass::now(Pass::default());
        let runs = observer.observe(&mut work, begun, None).unwrap().runs;
        let told = |run: &Run| {
            let mut all = run.findings.iter();
            all.any(|f| {
                f.severity == Severity::Invalid && f.code == "easy-data" || f.code == "holes"
            })
        };
        [told(&runs[0]), told(&runs[1])]
    }

    #[test]
    fn a_cache_below_an_overlay_is_looked_for_as_one_below_its_disk() {
        if !root_for("a_cache_below_an_overlay_is_looked_for_as_one_below_its_disk") {
            return;
        }
        let merged = overlay_over_ext4();
        let control = Control::default();
        let site = Site::look(merged.path()).unwrap();
        let workload = IoWorkload {
            operation: Operation::RandRead,
            file_size: Bytes::mib(2),
            direct: true,
            ..IoWorkload::default()
        };
        let place = TargetPlace::Directory(merged.path().to_owned());
        let mut work = PlainIo::new("", workload, place, &control);
        work.get_ready(Pass::default()).unwrap();
        let observer = Observer::new([&site], true);
        let prepared = work.prepared().unwrap();
        observer.probe_below(0, prepared, Duration::from_secs(2), &control);
        let begun = BegunPass::now(Pass::default());
        let runs = observer.observe(&mut work, begun, None).unwrap().runs;
        assert!(runs[0].circumstances.reread.is_some());
    }

    #[test]
    fn each_of_several_readers_is_judged_by_its_own_part_of_a_file() {
        let directory = in_memory();
        let file = directory.path().join("file");
        let mut noise = vec![0; 3 * PART as usize];
        Xoshiro256PlusPlus::seed_from_u64(5).fill_bytes(&mut noise);
        // The part in the middle was never written.
        noise[PART as usize..2 * PART as usize].fill(0);
        std::fs::write(&file, noise).unwrap();
        assert_eq!(are_told(&file, [0, 2]), [false, false]);
        assert_eq!(are_told(&file, [0, 1]), [false, true]);
    }
}
