//! What surrounds a run: looked at before it, watched during it, looked at again after it.
//!
//! All looking is done outside the clock of the run, but for the monitor, which looks ten times a
//! second and costs less than half a percent (`watching` of `benches/` measures it).

mod beneath;
mod caches;
mod content;
mod copies;
mod encoding;
mod files;
mod machine;
mod meters;
mod reread;
mod served;
mod siblings;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use etalon_model::stack::{CounterDelta, CounterSnapshot, Recording, StackTree};
use etalon_model::{
    Aftermath, BackgroundWork, CacheHeld, Circumstances, ContentSample, EnvironmentRecord,
    FileFacts, IdleTraffic, Limits, MachineActivity, MachineMeters, RereadProbe,
};
use etalon_stack::{
    LimitCounts, Monitor, MonitorOptions, Roots, limit_counts, own_oom_kills, snapshot,
};
use etalon_units::{Bytes, Nanos};

use crate::environment::Environments;
use crate::{Site, SiteKind, started};
use machine::Clocks;

pub use beneath::{background_work, facts as beneath_facts};
pub(crate) use content::Used;
pub(crate) use files::read_through;
pub(crate) use reread::reread;

/// How long the disks are watched before the first run.
const IDLE: Duration = Duration::from_millis(100);

/// What is remembered from run to run of one session.
#[derive(Debug)]
pub(crate) struct TargetObserver<'a> {
    site: &'a Site,
    roots: Roots,
    watch: bool,
    counts_limits: bool,
    idle: Option<IdleTraffic>,
    idle_meters: Option<MachineMeters>,
    environments: Environments,
    content: RefCell<BTreeMap<(PathBuf, Used), Option<ContentSample>>>,
    reread: RefCell<Option<RereadProbe>>,
    aftermath: Cell<Option<Aftermath>>,
}

/// Where what was used has blocks, and what a sample of it looks like.
pub(crate) type InUse = (Option<FileFacts>, Option<ContentSample>);

/// What was seen before a run, to be held against what is seen after it.
#[derive(Debug)]
pub(crate) struct Before {
    counters: CounterSnapshot,
    cache: Option<CacheHeld>,
    clocks: Clocks,
    monitor: Option<Monitor>,
    limits: Option<LimitCounts>,
    oom_kills: Option<u64>,
    background: Vec<BackgroundWork>,
}

/// What was seen at the end of a run, before anything else was looked at.
pub(crate) struct SeenAtEnd {
    counters: CounterDelta,
    recording: Option<Recording>,
    clocks: (Clocks, Clocks),
    cache: (Option<CacheHeld>, Option<CacheHeld>),
    limits: Option<Limits>,
    /// Those after it, and those before it.
    oom_kills: Option<(u64, u64)>,
    background: Vec<BackgroundWork>,
}

impl<'a> TargetObserver<'a> {
    pub(crate) fn new(site: &'a Site, watch: bool) -> TargetObserver<'a> {
        let roots = Roots::default();
        let (idle, idle_meters) = match watch {
            true => idle(&site.tree, &roots),
            false => (None, None),
        };
        TargetObserver {
            site,
            roots,
            watch,
            counts_limits: watch,
            idle,
            idle_meters,
            environments: Environments::default(),
            content: RefCell::new(BTreeMap::new()),
            reread: RefCell::new(None),
            aftermath: Cell::new(None),
        }
    }

    /// For runs of the modelled device, on which of all that surrounds them the limits of this process alone can tell.
    pub(crate) fn of_model(site: &'a Site) -> TargetObserver<'a> {
        TargetObserver {
            counts_limits: true,
            ..TargetObserver::new(site, false)
        }
    }

    /// The target.
    pub(crate) fn site(&self) -> &'a Site {
        self.site
    }

    /// Keeps the outcome of reading the same blocks twice, for every run from now on.
    pub(crate) fn keep_reread(&self, probe: Option<RereadProbe>) {
        *self.reread.borrow_mut() = probe;
    }

    /// Keeps what earlier runs left behind, for the next run alone.
    pub(crate) fn keep_aftermath(&self, aftermath: Option<Aftermath>) {
        self.aftermath.set(aftermath);
    }

    /// Holds the machine against that of the first run of the cell, which was made before.
    pub(crate) fn hold_against(&self, earlier: Option<Arc<EnvironmentRecord>>) {
        self.environments.hold_against(earlier);
    }

    /// Keeps what the machine was before the first run.
    pub(crate) fn keep_environment(&self) {
        if self.watch {
            self.environments.begin(&self.site.tree, &self.roots);
        }
    }

    /// Looks before a run on `files`.
    pub(crate) fn before(&self, files: &[PathBuf]) -> Before {
        self.keep_environment();
        let options = MonitorOptions::default();
        let monitor = self
            .watch
            .then(|| Monitor::start(&self.site.tree, &self.roots, options).ok());
        Before {
            cache: files::held(files),
            clocks: Clocks::now(),
            monitor: monitor.flatten(),
            limits: self.counts_limits.then(|| limit_counts(&self.roots)),
            oom_kills: self.oom_kills(),
            background: match self.watch {
                true => beneath::lazy_initialisation(&self.site.tree, &self.roots),
                false => Vec::new(),
            },
            counters: snapshot(&self.site.tree, &self.roots),
        }
    }

    /// Looks at what counts on, the moment that the run is over; reads nothing from the target.
    pub(crate) fn end(&self, before: Before, files: &[PathBuf]) -> SeenAtEnd {
        SeenAtEnd {
            counters: snapshot(&self.site.tree, &self.roots).since(&before.counters),
            recording: before.monitor.map(Monitor::stop),
            clocks: (before.clocks, Clocks::now()),
            cache: (before.cache, files::held(files)),
            background: before.background,
            limits: before
                .limits
                .map(|before| limit_counts(&self.roots).since(&before)),
            oom_kills: self.oom_kills().zip(before.oom_kills),
        }
    }

    fn oom_kills(&self) -> Option<u64> {
        self.watch.then(|| own_oom_kills(&self.roots)).flatten()
    }

    /// Looks at the rest, when no other run is under way.
    pub(crate) fn after(&self, over: SeenAtEnd, has_storage: bool) -> Circumstances {
        let mut seen = Circumstances {
            counters: Some(over.counters),
            aftermath: self.aftermath.take(),
            limits: over.limits.filter(|limits| *limits != Limits::default()),
            ..Circumstances::default()
        };
        if !self.watch || !has_storage {
            return seen;
        }
        let (began, ended) = &over.clocks;
        seen.machine = over.recording.as_ref().map(|recording| MachineActivity {
            own_oom_kills: over.oom_kills.map(|(now, then)| now.saturating_sub(then)),
            ..machine::activity(recording, began, ended)
        });
        seen.recording = over.recording;
        seen.idle = self.idle;
        seen.idle_meters = self.idle_meters.clone();
        (seen.cache_before, seen.cache_after) = over.cache;
        seen.reread = *self.reread.borrow();
        // The tree is read anew: a scheduler changed meanwhile stands in no older one.
        if let Ok(tree) = self.site.tree_now() {
            let mark = self.environments.mark(&tree, &self.roots);
            let record = mark.record.as_ref();
            seen.cache_limit = record.and_then(|now| files::cache_limit(&now.manifest));
            seen.environment = Some(mark);
            seen.process = Some(started::settings(&tree));
            seen.background = beneath::background(&tree, &self.roots);
            // What ended during the run was part of it.
            for work in over.background {
                if !seen.background.contains(&work) {
                    seen.background.push(work);
                }
            }
            seen.beneath = Some(beneath::facts(&tree));
        }
        seen
    }

    /// What is known of the part that was used of a run's `files`, or of the device.
    pub(crate) fn in_use(&self, files: &[PathBuf], used: Used) -> InUse {
        if !self.watch {
            return (None, None);
        }
        let is_device = self.site.kind == SiteKind::BlockDevice;
        let is_directory = self.site.kind == SiteKind::Directory;
        let facts = match is_device {
            true => None,
            false => files::facts(files, used),
        };
        let content = match is_directory {
            true => None,
            false => self.content_of(&self.site.path, used),
        };
        (facts, content)
    }

    fn content_of(&self, path: &Path, used: Used) -> Option<ContentSample> {
        let mut known = self.content.borrow_mut();
        *known
            .entry((path.to_owned(), used))
            .or_insert_with(|| content::sample(path, used).ok())
    }
}

/// What disks and machine do while this tool does nothing.
fn idle(tree: &StackTree, roots: &Roots) -> (Option<IdleTraffic>, Option<MachineMeters>) {
    let monitor = Monitor::start(tree, roots, MonitorOptions::default());
    let before = snapshot(tree, roots);
    sleep(IDLE);
    let traffic = traffic_since(&before, tree, roots);
    let meters = monitor.map(|monitor| meters::over(&monitor.stop().samples));
    (traffic, meters.ok())
}

/// What the machine did by the samples of a monitor, with a clock that went as it should.
pub fn machine_activity(recording: &Recording) -> MachineActivity {
    let now = Clocks::now();
    machine::activity(recording, &now, &now)
}

fn traffic_since(before: &CounterSnapshot, tree: &StackTree, roots: &Roots) -> Option<IdleTraffic> {
    before.layers.first()?;
    let seen = snapshot(tree, roots).since(before);
    let leaves = seen.leaf_read_bytes().zip(seen.leaf_write_bytes());
    let tops = || {
        let top = seen.layers.first()?.delta.as_ref()?;
        Some((top.read_bytes, top.write_bytes))
    };
    let (read_bytes, written_bytes): (Bytes, Bytes) = leaves.or_else(tops)?;
    let span: Nanos = seen.span;
    Some(IdleTraffic {
        span,
        read_bytes,
        written_bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_surrounds_the_modelled_device_only_the_limits_are_looked_at() {
        let directory = tempfile::tempdir().unwrap();
        let site = Site::look(directory.path()).unwrap();
        let (real, modelled) = (
            TargetObserver::new(&site, true),
            TargetObserver::of_model(&site),
        );
        assert!(real.idle_meters.is_some() && modelled.idle_meters.is_none());
        let (before, of_model) = (real.before(&[]), modelled.before(&[]));
        assert!(before.monitor.is_some() && of_model.monitor.is_none());
        assert!(before.limits.is_some() && of_model.limits.is_some());
    }
}
