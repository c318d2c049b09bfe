use std::sync::Mutex;

use etalon_model::{Distribution, Ended, FakeDevice, FakeKind, FsyncPolicy, Order};
use etalon_units::Nanos;
use rustix::io::Errno;

use super::*;
use crate::backend::{Buffers, Completion, FakeBackend};
use crate::clock::VirtualClock;
use crate::offsets::{Share, Visit};

const SECOND: u64 = 1_000_000_000;

/// Blocks of 4 KiB, one at a time, for three seconds.
fn task(kind: OpKind, pattern: &Pattern) -> Task<'_> {
    Task {
        depth: 1,
        batch: 1,
        gather: 1,
        length: 4096,
        pitch: 4096,
        base: 0,
        file: 0,
        choice: OpChoice::Only(kind),
        limit: None,
        time: Some(3 * SECOND),
        warm_up: 0,
        durable_warm_up: false,
        fsync: FsyncPolicy::Never,
        sync_call: SyncCall::All,
        pattern,
        epoch: 1,
        verify: Verify::Off,
    }
}

fn offsets() -> Offsets {
    let visit = Visit {
        order: Order::Random,
        distribution: Distribution::Permutation,
        stride: 1,
        seed: 1,
        fresh: false,
    };
    let share = Share {
        blocks: 1000,
        index: 0,
        of: 1,
    };
    Offsets::new(visit, share)
}

fn work<B: Backend>(
    task: &Task<'_>,
    backend: &mut B,
    clock: &VirtualClock,
    seat: &Seat,
) -> JobOutcome {
    let link = WorkerLink {
        control: &Control::default(),
        published: &Mutex::default(),
        seat,
    };
    Worker::new(task, (offsets(), Pacer::Closed), backend, clock, link, 0).work()
}

/// A job whose device takes 10 ms for a write into a cache of so many.
fn writes_into_a_cache(requests: u32, seat: &Seat) -> JobOutcome {
    let pattern = Pattern::new(1);
    let task = Task {
        warm_up: SECOND,
        durable_warm_up: true,
        fsync: FsyncPolicy::End,
        ..task(OpKind::Write, &pattern)
    };
    let device = FakeDevice {
        kind: FakeKind::WriteCache { requests },
        service: Nanos::millis(10),
        ..FakeDevice::default()
    };
    let clock = VirtualClock::default();
    let mut backend = FakeBackend::new(device, clock.clone(), Buffers::new(1, 4096));
    work(&task, &mut backend, &clock, seat)
}

#[test]
fn jobs_with_less_and_with_more_to_write_out_are_timed_in_one_window() {
    let outcomes: Vec<JobOutcome> = std::thread::scope(|scope| {
        let jobs: Vec<_> = seats(2)
            .into_iter()
            .zip([16, 160])
            .map(|(seat, requests)| scope.spawn(move || writes_into_a_cache(requests, &seat)))
            .collect();
        jobs.into_iter().map(|job| job.join().unwrap()).collect()
    });
    // After its last write within a second, the larger cache takes 1.6 s to write out what it holds.
    assert!(
        outcomes[0].begun > 2 * SECOND + SECOND / 2,
        "{}",
        outcomes[0].begun
    );
    assert_eq!(outcomes[0].begun, outcomes[1].begun);
    for outcome in outcomes {
        assert_eq!(outcome.ended, Ended::Complete);
        assert!(outcome.finished >= outcome.begun + 2 * SECOND);
    }
}

/// A device that reads and syncs in a millisecond, and whose figures take a while to gather.
struct SlowlyWatched {
    clock: VirtualClock,
    buffers: Buffers,
    queued: Option<Request>,
}

const GATHERING: u64 = 5_000_000;

impl SlowlyWatched {
    fn wait(&self, nanos: u64) {
        self.clock.advance_to(self.clock.now() + nanos);
    }
}

impl Backend for SlowlyWatched {
    const BLOCKING: bool = true;

    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn push(&mut self, _slot: usize, request: Request) {
        self.queued = Some(request);
    }

    fn submit(&mut self, _patience: Patience) -> Result<(), Errno> {
        self.wait(1_000_000);
        Ok(())
    }

    fn completion(&mut self) -> Option<Completion> {
        let request = self.queued.take()?;
        Some(Completion::new(0, Ok(request.length as usize)))
    }

    fn flush(&mut self) -> Result<(), Errno> {
        Ok(())
    }

    fn helpers_cpu(&self) -> u64 {
        self.wait(GATHERING);
        0
    }

    fn sync(&mut self, _call: SyncCall) -> Result<(), Errno> {
        self.wait(1_000_000);
        Ok(())
    }
}

fn slowly_watched(task: &Task<'_>) -> JobOutcome {
    let clock = VirtualClock::default();
    let mut backend = SlowlyWatched {
        clock: clock.clone(),
        buffers: Buffers::new(1, 4096),
        queued: None,
    };
    let mut seats = seats(1);
    work(task, &mut backend, &clock, &seats.remove(0))
}

#[test]
fn reads_back_to_back_do_not_contain_what_is_gathered_in_between() {
    let pattern = Pattern::new(1);
    // At the end of a warm-up, where the progress is shown just then and where it is not.
    for warm_up in [0, 500, 503, 506].map(|millis| millis * 1_000_000) {
        let task = Task {
            warm_up,
            ..task(OpKind::Read, &pattern)
        };
        let reads = slowly_watched(&task).recorder.finish().reads;
        assert!(reads.operations > 1900, "{}", reads.operations);
        let slowest = reads.latency.max().unwrap();
        // The histogram rounds up by less than a thousandth.
        assert!(slowest < Nanos(1_001_000), "{slowest} after {warm_up}");
    }
}

#[test]
fn a_sync_does_not_contain_what_is_gathered_beside_it() {
    let pattern = Pattern::new(1);
    let task = Task {
        fsync: FsyncPolicy::Every(3),
        ..task(OpKind::Write, &pattern)
    };
    let outcome = slowly_watched(&task);
    let slowest = outcome.fsync_latency.unwrap().max().unwrap();
    assert!(slowest < Nanos(1_001_000), "{slowest}");
    let task = Task {
        fsync: FsyncPolicy::End,
        ..task
    };
    assert_eq!(slowly_watched(&task).final_fsync, 1_000_000);
}
