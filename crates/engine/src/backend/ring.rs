//! `io_uring(7)`: registered file and buffers, batched submission.
//!
//! Soundness. The kernel reads and writes the slots' memory while requests are in flight, so that
//! memory must stay where it is, and no reference to a slot may exist while its request is in
//! flight. The memory belongs to a raw allocation that only this file touches; `buffer` hands out a
//! slot only when `in_flight` says that the kernel is done with it, and a request is pushed only
//! into such a slot. When the ring is dropped with requests in flight (a run that was told to stop
//! while the device hangs), the memory is leaked, because the kernel may still write to it. The
//! file outlives the ring in the same struct.
#![expect(
    unsafe_code,
    reason = "the kernel works on memory that Rust cannot follow"
)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;

use etalon_model::Fallback;
use io_uring::types::{Fd, Fixed, SubmitArgs, Timespec};
use io_uring::{IoUring, opcode, squeue};
use rustix::io::Errno;

use super::buffers::ALIGN;
use super::sync::errno;
use super::{Backend, Completion, Patience, Request};
use crate::recorder::Kind;

/// `IORING_ENTER_GETEVENTS` (include/uapi/linux/io_uring.h): run deferred completions.
const GETEVENTS: u32 = 1;

/// How long an idle SQPOLL thread spins before it sleeps, in milliseconds.
const SQPOLL_IDLE: u32 = 100;

/// What the ring is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RingOptions {
    pub(crate) depth: usize,
    pub(crate) block: usize,
    pub(crate) poll: bool,
    pub(crate) sqpoll: bool,
}

/// A ring with one file.
pub(crate) struct RingBackend {
    ring: IoUring,
    file: File,
    memory: Memory,
    options: RingOptions,
    in_flight: Vec<bool>,
    flying: usize,
    registered_file: bool,
    registered_buffers: bool,
    arrived: Vec<Completion>,
    taken: usize,
}

struct Memory {
    start: NonNull<u8>,
    layout: Layout,
    leaked: bool,
}

impl Memory {
    fn new(options: RingOptions) -> Result<Self, Errno> {
        let bytes = options.block.next_multiple_of(ALIGN) * options.depth;
        let layout = Layout::from_size_align(bytes.max(ALIGN), ALIGN).map_err(|_| Errno::NOMEM)?;
        // SAFETY: the size is at least one page, so not zero.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start) else {
            handle_alloc_error(layout)
        };
        Ok(Memory {
            start,
            layout,
            leaked: false,
        })
    }

    fn slot(&self, slot: usize, block: usize) -> *mut u8 {
        let offset = slot * block.next_multiple_of(ALIGN);
        debug_assert!(offset + block <= self.layout.size());
        self.start.as_ptr().wrapping_add(offset)
    }
}

/// Asks the kernel for a small ring and gives it back: the error says why it refuses.
pub(crate) fn probe_ring() -> Result<(), Errno> {
    IoUring::new(2).map(drop).map_err(errno)
}

/// The leanest ring that this kernel makes: no index array needs Linux 6.6, deferred task work
/// 6.1, cooperative task work 5.19 (io_uring_setup(2)).
fn build(options: RingOptions) -> Result<IoUring, Errno> {
    let entries = (options.depth as u32).next_power_of_two();
    let mut last = Errno::INVAL;
    for level in 0..4 {
        let mut builder = IoUring::builder();
        if options.poll {
            builder.setup_iopoll();
        }
        if options.sqpoll {
            builder.setup_sqpoll(SQPOLL_IDLE);
        }
        match level {
            0 if !options.sqpoll => {
                builder
                    .setup_single_issuer()
                    .setup_defer_taskrun()
                    .setup_no_sqarray();
            }
            1 if !options.sqpoll => {
                builder.setup_single_issuer().setup_defer_taskrun();
            }
            2 if !options.sqpoll => {
                builder.setup_coop_taskrun();
            }
            _ => {}
        }
        match builder.build(entries) {
            Ok(ring) => return Ok(ring),
            Err(error) => last = errno(error),
        }
        if last != Errno::INVAL {
            break;
        }
    }
    Err(last)
}

impl RingBackend {
    /// A ring for `file`; also says what it could not have. Must be called by the thread that
    /// will use it.
    pub(crate) fn new(file: File, options: RingOptions) -> Result<(Self, Vec<Fallback>), Errno> {
        let ring = build(options)?;
        let mut backend = RingBackend {
            ring,
            file,
            memory: Memory::new(options)?,
            options,
            in_flight: vec![false; options.depth],
            flying: 0,
            registered_file: false,
            registered_buffers: false,
            arrived: Vec::with_capacity(options.depth),
            taken: 0,
        };
        let fallbacks = backend.register();
        Ok((backend, fallbacks))
    }

    fn register(&mut self) -> Vec<Fallback> {
        let submitter = self.ring.submitter();
        self.registered_file = submitter.register_files(&[self.file.as_raw_fd()]).is_ok();
        let buffers: Vec<libc::iovec> = (0..self.options.depth)
            .map(|slot| libc::iovec {
                iov_base: self.memory.slot(slot, self.options.block).cast(),
                iov_len: self.options.block,
            })
            .collect();
        // SAFETY: the memory outlives the ring's use of it: it is freed only when nothing is in
        // flight, after the ring is gone, and is leaked otherwise.
        match unsafe { submitter.register_buffers(&buffers) } {
            Ok(()) => {
                self.registered_buffers = true;
                Vec::new()
            }
            Err(error) => {
                vec![Fallback::BuffersNotRegistered {
                    errno: errno(error).raw_os_error(),
                }]
            }
        }
    }

    #[inline]
    fn entry(&self, slot: usize, request: Request) -> squeue::Entry {
        let memory = self
            .memory
            .slot(slot, self.options.block)
            .wrapping_add(request.done);
        let length = request.length as u32;
        let at = request.offset;
        macro_rules! with_file {
            ($op:ident $(, $index:expr)?) => {
                if self.registered_file {
                    opcode::$op::new(Fixed(0), memory, length $(, $index)?).offset(at).build()
                } else {
                    let fd = Fd(self.file.as_raw_fd());
                    opcode::$op::new(fd, memory, length $(, $index)?).offset(at).build()
                }
            };
        }
        let entry = match (request.kind, self.registered_buffers) {
            (Kind::Read, true) => with_file!(ReadFixed, slot as u16),
            (Kind::Read, false) => with_file!(Read),
            (_, true) => with_file!(WriteFixed, slot as u16),
            (_, false) => with_file!(Write),
        };
        entry.user_data(slot as u64)
    }

    fn enter(&mut self, patience: Patience) -> std::io::Result<usize> {
        let want = patience.count.min(self.flying);
        let queued = self.ring.submission().len() as u32;
        let submitter = self.ring.submitter();
        if want > 0 {
            let time = Timespec::new()
                .sec(patience.nanos / 1_000_000_000)
                .nsec((patience.nanos % 1_000_000_000) as u32);
            return submitter.submit_with_args(want, &SubmitArgs::new().timespec(&time));
        }
        if self.options.sqpoll {
            return submitter.submit();
        }
        // SAFETY: no argument is passed; the flags are those of a plain wait for nothing.
        unsafe { submitter.enter::<libc::sigset_t>(queued, 0, GETEVENTS, None) }
    }

    #[inline]
    fn gather(&mut self) {
        for entry in self.ring.completion() {
            let slot = entry.user_data() as usize;
            let result = match entry.result() {
                moved @ 0.. => Ok(moved as usize),
                code => Err(Errno::from_raw_os_error(-code)),
            };
            if let Some(flag) = self.in_flight.get_mut(slot) {
                *flag = false;
                self.flying -= 1;
                self.arrived.push(Completion { slot, result });
            }
        }
    }
}

impl Backend for RingBackend {
    const BLOCKING: bool = false;

    #[inline]
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        if self.in_flight.get(slot) != Some(&false) {
            return &mut [];
        }
        let start = self.memory.slot(slot, self.options.block);
        // SAFETY: the slot lies within the allocation (its number is below the depth), the
        // kernel does not use it (not in flight), and the borrow of self keeps `push` away.
        unsafe { std::slice::from_raw_parts_mut(start, self.options.block) }
    }

    #[inline]
    fn push(&mut self, slot: usize, request: Request) {
        debug_assert!(request.done + request.length <= self.options.block);
        let entry = self.entry(slot, request);
        // SAFETY: the entry points into the slot's memory, which is valid for the slot's length
        // and stays untouched until its completion clears `in_flight`.
        let pushed = unsafe { self.ring.submission().push(&entry) };
        match pushed {
            Ok(()) => {
                self.in_flight[slot] = true;
                self.flying += 1;
            }
            Err(_) => self.arrived.push(Completion {
                slot,
                result: Err(Errno::AGAIN),
            }),
        }
    }

    #[inline]
    fn submit(&mut self, patience: Patience) -> Result<(), Errno> {
        if self.taken == self.arrived.len() {
            self.arrived.clear();
            self.taken = 0;
        }
        match self.enter(patience) {
            Ok(_) => {}
            // Time is up, a signal came, or the completion queue must be emptied first.
            Err(error) => match errno(error) {
                Errno::TIME | Errno::INTR | Errno::BUSY | Errno::AGAIN => {}
                other => return Err(other),
            },
        }
        self.gather();
        Ok(())
    }

    #[inline]
    fn completion(&mut self) -> Option<Completion> {
        let completion = self.arrived.get(self.taken).copied()?;
        self.taken += 1;
        Some(completion)
    }

    fn flush(&mut self) -> Result<(), Errno> {
        Ok(())
    }

    fn helpers_cpu(&self) -> u64 {
        helpers_cpu().unwrap_or(0)
    }

    fn fsync(&mut self) -> Result<(), Errno> {
        rustix::fs::fsync(&self.file)
    }
}

/// Run time of the calling thread's `io_uring` workers and of all submission threads of the
/// process: what a file cannot do without waiting is done by them. Their names are in
/// io_uring/io-wq.c and sqpoll.c, the run time is the first field of `schedstat`
/// (Documentation/scheduler/sched-stats.rst). Workers that have ended are not counted.
fn helpers_cpu() -> Option<u64> {
    let workers = format!("iou-wrk-{}", rustix::thread::gettid().as_raw_nonzero());
    let mut total = 0;
    for task in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let path = task.path();
        let name = std::fs::read_to_string(path.join("comm")).unwrap_or_default();
        if name.trim_end() == workers || name.starts_with("iou-sqp-") {
            let stat = std::fs::read_to_string(path.join("schedstat")).unwrap_or_default();
            let run = stat
                .split_whitespace()
                .next()
                .and_then(|text| text.parse::<u64>().ok());
            total += run.unwrap_or(0);
        }
    }
    Some(total)
}

impl Drop for Memory {
    fn drop(&mut self) {
        if !self.leaked {
            // SAFETY: allocated in `new` with this layout, and freed nowhere else.
            unsafe { dealloc(self.start.as_ptr(), self.layout) }
        }
    }
}

impl Drop for RingBackend {
    fn drop(&mut self) {
        self.memory.leaked = self.flying > 0;
        if self.flying == 0 {
            // The kernel takes a ring down after its descriptor is closed and in its own time;
            // until then it would keep the file open, and its filesystem busy. Where these fail,
            // it does so all the same.
            let submitter = self.ring.submitter();
            let _ = submitter.unregister_files();
            let _ = submitter.unregister_buffers();
        }
    }
}
