//! A sampler of the stack and the machine in a thread of its own.

mod disks;
mod kernel_threads;
mod processes;
mod reread;
mod sensors;
mod system;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use etalon_host::clock;
use etalon_model::stack::{DiskTick, MonitorCost, Recording, Sample, StackTree};
use etalon_units::Nanos;
use rustix::time::{ClockId, clock_gettime};

use crate::roots::Roots;

use disks::DiskWatch;
use kernel_threads::KernelThreads;
use processes::ProcessWatch;
use sensors::Sensors;
use system::SystemWatch;

/// How often a monitor looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonitorOptions {
    /// Between two looks at the disks; at least 10 ms.
    pub disks_every: Nanos,
    /// Between two looks at the whole machine; rounded up to a multiple of the other.
    pub machine_every: Nanos,
    /// Whether to look for processes that do I/O, which reads two files of every process.
    pub processes: bool,
}

impl Default for MonitorOptions {
    /// Disks ten times a second, the machine once.
    fn default() -> Self {
        MonitorOptions {
            disks_every: Nanos::millis(100),
            machine_every: Nanos::secs(1),
            processes: true,
        }
    }
}

/// Why a monitor did not start.
#[derive(Debug, thiserror::Error)]
pub enum MonitorError {
    /// The thread could not be made.
    #[error(
        "cannot start the monitor's thread: {0}; is the limit on processes reached (ulimit -u)?"
    )]
    Thread(#[source] std::io::Error),
}

/// Ticks kept in memory: over a day at ten a second; later ones are dropped and counted.
const MOST_TICKS: usize = 1_000_000;
const SHORTEST: Nanos = Nanos(10_000_000);

/// A monitor at work. Dropping it stops it and throws its recording away.
#[derive(Debug)]
pub struct Monitor {
    stop: Sender<()>,
    latest: Arc<Mutex<Option<Sample>>>,
    thread: Option<JoinHandle<Recording>>,
}

impl Monitor {
    /// Begins to watch every layer of `tree` and the machine below `roots`. The first look, from which
    /// the samples count, is over when this returns, so that it disturbs nothing that follows.
    ///
    /// # Errors
    /// When no thread can be started. What cannot be read is left out of the samples.
    pub fn start(
        tree: &StackTree,
        roots: &Roots,
        options: MonitorOptions,
    ) -> Result<Monitor, MonitorError> {
        let (stop, stopped) = channel();
        let (looked, first_look) = channel();
        let latest = Arc::new(Mutex::new(None));
        let mut watch = MonitorThread::new(tree, roots, options, Arc::clone(&latest));
        let thread = std::thread::Builder::new()
            .name("etalon-monitor".to_owned())
            .spawn(move || watch.run(&stopped, &looked))
            .map_err(MonitorError::Thread)?;
        // A thread that died says so by its end.
        let _ = first_look.recv();
        Ok(Monitor {
            stop,
            latest,
            thread: Some(thread),
        })
    }

    /// The newest sample of the whole machine, once there is one.
    pub fn latest(&self) -> Option<Sample> {
        self.latest
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes one last look, stops, and hands over all that was seen.
    pub fn stop(mut self) -> Recording {
        let _ = self.stop.send(());
        let joined = self.thread.take().map(JoinHandle::join);
        joined.and_then(Result::ok).unwrap_or_default()
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        let _ = self.stop.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct MonitorThread {
    every: Nanos,
    ticks_per_sample: u64,
    ticks: DiskWatch,
    disks: DiskWatch,
    system: SystemWatch,
    sensors: Sensors,
    processes: Option<ProcessWatch>,
    kernel_threads: KernelThreads,
    latest: Arc<Mutex<Option<Sample>>>,
    recording: Recording,
}

impl MonitorThread {
    fn new(
        tree: &StackTree,
        roots: &Roots,
        options: MonitorOptions,
        latest: Arc<Mutex<Option<Sample>>>,
    ) -> MonitorThread {
        let every = options.disks_every.max(SHORTEST);
        MonitorThread {
            every,
            ticks_per_sample: options.machine_every.get().div_ceil(every.get()).max(1),
            ticks: DiskWatch::open(tree, roots),
            disks: DiskWatch::open(tree, roots),
            system: SystemWatch::open(roots),
            sensors: Sensors::open(roots),
            processes: options.processes.then(|| ProcessWatch::new(roots)),
            kernel_threads: KernelThreads::of(roots),
            latest,
            recording: Recording::default(),
        }
    }

    fn run(&mut self, stopped: &Receiver<()>, looked: &Sender<()>) -> Recording {
        let began = clock::now();
        let cpu_before = thread_cpu_time();
        self.look(began, true);
        self.recording.ticks.clear();
        self.recording.samples.clear();
        self.kernel_threads.begin();
        let _ = looked.send(());
        let mut until_sample = self.ticks_per_sample;
        let mut due = began;
        loop {
            due = Nanos(due.get().saturating_add(self.every.get()));
            let now = clock::now();
            // After a stall the missed looks are counted, not made up for in a burst.
            while due.get() < now.get() {
                due = Nanos(due.get().saturating_add(self.every.get()));
                self.recording.cost.missed += 1;
                until_sample = until_sample.saturating_sub(1);
            }
            let wait = Duration::from_nanos(due.get() - now.get());
            let is_last = !matches!(stopped.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
            until_sample = until_sample.saturating_sub(1);
            let whole = is_last || until_sample == 0;
            if whole {
                until_sample = self.ticks_per_sample;
            }
            self.look(clock::now(), whole);
            if is_last {
                break;
            }
        }
        let mut recording = std::mem::take(&mut self.recording);
        recording.kernel_threads = self.kernel_threads.since();
        recording.cost.wall = clock::now().saturating_sub(began);
        recording.cost.cpu = thread_cpu_time().saturating_sub(cpu_before);
        recording
    }

    /// One look at the disks, and at the rest when `whole`.
    fn look(&mut self, at: Nanos, whole: bool) {
        let (span, disks) = self.ticks.look(at);
        let tick = DiskTick { at, span, disks };
        push_bounded(&mut self.recording.ticks, tick, &mut self.recording.cost);
        if !whole {
            return;
        }
        let (span, disks) = self.disks.look(at);
        let machine = self.system.look(span);
        let sample = Sample {
            at,
            span,
            disks,
            cpu: machine.cpu,
            memory: machine.memory,
            pressure: machine.pressure,
            processes: self
                .processes
                .as_mut()
                .map(|p| p.look(at))
                .unwrap_or_default(),
            cpu_mhz: self.sensors.cpu_mhz(),
            throttled: self.sensors.throttled(),
            temperatures: self.sensors.temperatures(),
            power: self.sensors.power(at),
        };
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(sample.clone());
        push_bounded(
            &mut self.recording.samples,
            sample,
            &mut self.recording.cost,
        );
    }
}

fn push_bounded<T>(records: &mut Vec<T>, record: T, cost: &mut MonitorCost) {
    if records.len() < MOST_TICKS {
        records.push(record);
    } else {
        cost.dropped += 1;
    }
}

fn thread_cpu_time() -> Nanos {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    let nanos = u64::try_from(now.tv_nsec).unwrap_or(0);
    Nanos(seconds.saturating_mul(1_000_000_000).saturating_add(nanos))
}

#[cfg(test)]
mod tests;
