//! Disks that fail: a wrapper around any other.

use std::collections::HashMap;

use super::finished::Finished;
use super::{Completion, Disk, DiskError, Request, RequestKind};

/// One way to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A sector that cannot be read until it is written again.
    LatentError {
        /// Where.
        at_bytes: u64,
    },
    /// A range that takes longer, as one that is read again and again does.
    SlowSectors {
        /// First byte.
        from_bytes: u64,
        /// The byte after the last.
        to_bytes: u64,
        /// What each request into it takes longer.
        extra_ns: u64,
    },
    /// The disk answers nothing from then on.
    DiesAtTime {
        /// When.
        at_ns: u64,
    },
    /// The disk dies of the first request that reaches there.
    DiesAtByte {
        /// Where.
        at_bytes: u64,
    },
    /// A flush is answered by the controller at once, and a write that forces unit access stays in the cache.
    IgnoresFlush,
}

/// A disk with faults.
pub struct FaultyDisk {
    inner: Box<dyn Disk>,
    faults: Vec<Fault>,
    /// Ends that are not those of the disk within.
    finished: Finished,
    /// What requests in the disk within take longer, by their ids.
    late: HashMap<u64, u64>,
    dead: bool,
}

impl std::fmt::Debug for FaultyDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let faults = &self.faults;
        write!(
            f,
            "FaultyDisk {{ faults: {faults:?}, dead: {} }}",
            self.dead
        )
    }
}

/// What a command takes that the controller answers by itself: the refusals of a dead disk, and a flush that is
/// ignored.
const CONTROLLER_NS: u64 = 100_000;
/// What a drive spends on a sector that it cannot read before it gives up; consumer drives take
/// seconds where drives for arrays give up after about seven tenths (assumed: 0.7 s).
const RETRY_NS: u64 = 700_000_000;

impl FaultyDisk {
    /// The disk with these faults.
    #[must_use]
    pub fn new(inner: Box<dyn Disk>, faults: Vec<Fault>) -> FaultyDisk {
        FaultyDisk {
            inner,
            faults,
            finished: Finished::default(),
            late: HashMap::new(),
            dead: false,
        }
    }

    fn dies(&self, at_ns: u64, request: &Request) -> bool {
        self.faults.iter().any(|fault| match *fault {
            Fault::DiesAtTime { at_ns: dies } => at_ns >= dies,
            Fault::DiesAtByte { at_bytes } => {
                request.kind != RequestKind::Flush && request.end_bytes() > at_bytes
            }
            _ => false,
        })
    }

    /// The request as it gets to the disk; none of a flush that is ignored.
    fn promised(&self, request: Request) -> Option<Request> {
        match (self.faults.contains(&Fault::IgnoresFlush), request.kind) {
            (true, RequestKind::Flush) => None,
            (true, RequestKind::Write { .. }) => Some(Request {
                kind: RequestKind::WRITE,
                ..request
            }),
            _ => Some(request),
        }
    }

    /// What the faults make of a request that the disk would answer.
    fn verdict(&mut self, request: &Request) -> (u64, Option<DiskError>) {
        let within = |at: u64| at >= request.offset_bytes && at < request.end_bytes();
        if matches!(request.kind, RequestKind::Write { .. }) {
            self.faults.retain(
                |fault| !matches!(fault, Fault::LatentError { at_bytes } if within(*at_bytes)),
            );
        }
        let mut extra = 0;
        for fault in &self.faults {
            match *fault {
                Fault::LatentError { at_bytes }
                    if request.kind == RequestKind::Read && within(at_bytes) =>
                {
                    return (RETRY_NS, Some(DiskError::Unreadable(at_bytes)));
                }
                Fault::SlowSectors {
                    from_bytes,
                    to_bytes,
                    extra_ns,
                } if request.offset_bytes < to_bytes && request.end_bytes() > from_bytes => {
                    extra += extra_ns;
                }
                _ => {}
            }
        }
        (extra, None)
    }
}

impl Disk for FaultyDisk {
    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn passed(&self, byte: u64) -> u64 {
        self.inner.passed(byte)
    }

    fn submit(&mut self, at_ns: u64, request: Request) {
        self.dead |= self.dies(at_ns, &request);
        if self.dead {
            let end = at_ns + CONTROLLER_NS;
            return self
                .finished
                .add_with(end, request.id, Some(DiskError::Dead));
        }
        let request = match self.promised(request) {
            Some(request) => request,
            None => return self.finished.add(at_ns + CONTROLLER_NS, request.id),
        };
        match self.verdict(&request) {
            (0, None) => self.inner.submit(at_ns, request),
            (late, failed @ Some(_)) => self.finished.add_with(at_ns + late, request.id, failed),
            (late, None) => {
                self.late.insert(request.id, late);
                self.inner.submit(at_ns, request);
            }
        }
    }

    fn next_event_ns(&self) -> Option<u64> {
        let own = self.finished.next_ns();
        let inner = self.inner.next_event_ns();
        own.into_iter().chain(inner).min()
    }

    fn step(&mut self) -> Option<Completion> {
        let own = self.finished.next_ns().unwrap_or(u64::MAX);
        match self.inner.next_event_ns() {
            Some(inner) if inner <= own => {
                let ended = self.inner.step()?;
                let failed = self.dead.then_some(DiskError::Dead).or(ended.failed);
                if let Some(late) = self.late.remove(&ended.id) {
                    self.finished.add_with(ended.at_ns + late, ended.id, failed);
                    return None;
                }
                Some(Completion { failed, ..ended })
            }
            _ => self.finished.take(),
        }
    }
}
