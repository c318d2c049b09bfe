//! A modelled device on a virtual clock: known service time, queue and stalls, or a disk that turns, or
//! a cache of writes.

mod cache;
mod disk;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use etalon_model::{FakeDevice, FakeKind};
use rustix::io::Errno;

use super::{Backend, Buffers, Completion, Patience, Request, SyncCall};
use crate::clock::{Clock, VirtualClock};
use cache::WriteCache;
use disk::{FakeDisk, Geometry};

/// `servers` equal servers behind one first-in first-out queue, all of which stand still while the
/// device stalls. The first stall begins at moment 0.
#[derive(Debug)]
pub(crate) struct FakeBackend {
    device: FakeDevice,
    clock: VirtualClock,
    buffers: Buffers,
    works: Works,
    /// End, order of arrival, slot and length of each request in service or waiting.
    pending: BinaryHeap<Reverse<(u64, u64, usize, usize)>>,
    queued: Vec<(usize, Request)>,
    arrivals: u64,
}

/// What serves the requests.
#[derive(Debug)]
enum Works {
    /// When each server is free again.
    Servers(BinaryHeap<Reverse<u64>>),
    Cache(WriteCache),
    Disk(FakeDisk),
}

impl Works {
    fn of(device: &FakeDevice) -> Works {
        match device.kind {
            FakeKind::Servers => {
                Works::Servers((0..device.servers.max(1)).map(|_| Reverse(0)).collect())
            }
            FakeKind::WriteCache { requests } => Works::Cache(WriteCache {
                requests: u64::from(requests),
                service: device.service.get(),
                empty_at: 0,
            }),
            FakeKind::Disk {
                bytes_per_second,
                read_ahead_bytes,
                size_bytes,
            } => Works::Disk(FakeDisk::new(Geometry {
                bytes_per_second: bytes_per_second.max(1),
                read_ahead: read_ahead_bytes,
                size: size_bytes,
                seek: device.service.get(),
            })),
        }
    }
}

impl FakeBackend {
    pub(crate) fn new(device: FakeDevice, clock: VirtualClock, buffers: Buffers) -> Self {
        FakeBackend {
            device,
            clock,
            buffers,
            works: Works::of(&device),
            pending: BinaryHeap::new(),
            queued: Vec::new(),
            arrivals: 0,
        }
    }

    /// Queues for the server that is free first.
    fn serve(&mut self, slot: usize, request: Request) {
        let (now, length) = (self.clock.now(), request.length as usize);
        let end = match &mut self.works {
            Works::Servers(servers) => {
                let Reverse(free) = servers.pop().unwrap_or(Reverse(0));
                let end = work_ends(self.device, free.max(now));
                servers.push(Reverse(end));
                end
            }
            Works::Cache(cache) => cache.serve(now),
            Works::Disk(disk) => disk.serve(now, request.offset, u64::from(request.length)),
        };
        self.pending
            .push(Reverse((end, self.arrivals, slot, length)));
        self.arrivals += 1;
    }
}

/// When a service that begins at `start` ends: stalls stop the work, not the clock.
fn work_ends(device: FakeDevice, start: u64) -> u64 {
    let (every, stall) = (device.stall_every.get(), device.stall.get());
    let service = device.service.get();
    if every == 0 || stall == 0 || stall >= every {
        return start.saturating_add(service);
    }
    let (cycle, phase) = (start / every, start % every);
    // Work done since the cycle began, had the device been busy, plus what is to be done.
    let work = phase.saturating_sub(stall).saturating_add(service);
    let per_cycle = every - stall;
    // Work that ends exactly with a cycle ends before the next stall.
    let full = work.saturating_sub(1) / per_cycle;
    let rest = work - full * per_cycle;
    cycle
        .saturating_add(full)
        .saturating_mul(every)
        .saturating_add(stall)
        .saturating_add(rest)
}

impl Backend for FakeBackend {
    const BLOCKING: bool = false;

    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn push(&mut self, slot: usize, request: Request) {
        self.queued.push((slot, request));
    }

    fn submit(&mut self, patience: Patience) -> Result<(), Errno> {
        for (slot, request) in std::mem::take(&mut self.queued) {
            self.serve(slot, request);
        }
        // One completion at a time: the virtual clock must not pass any of them.
        if let (1.., Some(Reverse((end, ..)))) = (patience.count, self.pending.peek()) {
            let patient_until = self.clock.now().saturating_add(patience.nanos);
            self.clock.advance_to(patient_until.min(*end));
        }
        Ok(())
    }

    fn completion(&mut self) -> Option<Completion> {
        let Reverse((end, _, slot, length)) = *self.pending.peek()?;
        if end > self.clock.now() {
            return None;
        }
        self.pending.pop();
        Some(Completion::new(slot, Ok(length)))
    }

    fn flush(&mut self) -> Result<(), Errno> {
        Ok(())
    }

    fn sync(&mut self, _call: SyncCall) -> Result<(), Errno> {
        self.clock.advance_to(match &self.works {
            Works::Cache(cache) => cache.empty_at,
            _ => work_ends(self.device, self.clock.now()),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_units::Nanos;
    use proptest::prelude::*;

    /// Counts the working nanoseconds one by one.
    fn slow_twin(device: FakeDevice, start: u64) -> u64 {
        let mut now = start;
        let mut left = device.service.get();
        while left > 0 {
            if now % device.stall_every.get() >= device.stall.get() {
                left -= 1;
            }
            now += 1;
        }
        now
    }

    /// How often a device stalls and how long: never so long that it does nothing else.
    fn stalls() -> impl Strategy<Value = (u64, u64)> {
        (2_u64..60).prop_flat_map(|every| (Just(every), 1..every))
    }

    proptest! {
        #[test]
        fn stalls_stop_the_work(start in 0u64..500, service in 1u64..200, (every, stall) in stalls()) {
            let device = FakeDevice {
                service: Nanos(service),
                servers: 1,
                stall_every: Nanos(every),
                stall: Nanos(stall),
                ..FakeDevice::default()
            };
            prop_assert_eq!(work_ends(device, start), slow_twin(device, start));
        }
    }

    #[test]
    fn two_servers_serve_two_at_a_time_in_order() {
        let clock = VirtualClock::default();
        let device = FakeDevice {
            service: Nanos(10),
            servers: 2,
            ..FakeDevice::default()
        };
        let mut backend = FakeBackend::new(device, clock.clone(), Buffers::new(3, 8));
        let request = Request {
            kind: crate::recorder::OpKind::Read,
            offset: 0,
            length: 8,
            done: 0,
        };
        for slot in 0..3 {
            backend.push(slot, request);
        }
        let mut ends = Vec::new();
        while ends.len() < 3 {
            let patience = Patience {
                count: 1,
                nanos: 1_000,
            };
            backend.submit(patience).unwrap();
            while let Some(done) = backend.completion() {
                ends.push((clock.now(), done.slot));
            }
        }
        assert_eq!(ends, [(10, 0), (10, 1), (20, 2)]);
    }
}
