//! `io_uring(7)`: registered file and buffers, batched submission.
//!
//! Soundness. The kernel reads and writes the slots' memory while requests are in flight, so that
//! memory must stay where it is, and no reference to a slot may exist while its request is in
//! flight. The memory is a raw allocation (`memory`) that only this file reaches; `buffer` hands out a
//! slot only when `in_flight` says that the kernel is done with it, and a request is pushed only
//! into such a slot. When the ring is dropped with requests in flight (a run that was told to stop
//! while the device hangs), the memory is leaked, because the kernel may still write to it. The
//! file outlives the ring in the same struct.
#![expect(
    unsafe_code,
    reason = "the kernel works on memory that Rust cannot follow"
)]

mod helpers;
mod memory;
mod setup;

use std::fs::File;
use std::os::fd::AsRawFd;

use etalon_model::Fallback;
use io_uring::types::{Fd, SubmitArgs, Timespec};
use io_uring::{IoUring, opcode, squeue};
use rustix::io::Errno;

use helpers::helpers_cpu;
use memory::Memory;
use setup::build;
pub(crate) use setup::{RingOptions, probe_ring};

use super::sync::errno;
use super::{Backend, Completion, Patience, Request, SyncCall};
use crate::recorder::OpKind;

/// `IORING_ENTER_GETEVENTS` (include/uapi/linux/io_uring.h): run deferred completions.
const GETEVENTS: u32 = 1;

/// A ring with one file.
pub(crate) struct RingBackend {
    ring: IoUring,
    file: File,
    memory: Memory,
    options: RingOptions,
    in_flight: Vec<bool>,
    flying: usize,
    /// The file's descriptor, or 0, its place among the registered files.
    fd: Fd,
    /// Says which of the two it is.
    flags: squeue::Flags,
    registered_buffers: bool,
    /// Completions of the queue that `submit` saw: later ones wait for the next look at the clock.
    ready: usize,
    /// Slots whose request found no room in the submission queue.
    refused: Vec<usize>,
}

impl RingBackend {
    /// A ring for `file`; also says what it could not have. Must be called by the thread that
    /// will use it.
    pub(crate) fn new(file: File, options: RingOptions) -> Result<(Self, Vec<Fallback>), Errno> {
        let ring = build(options)?;
        let mut backend = RingBackend {
            ring,
            memory: Memory::new(options)?,
            options,
            in_flight: vec![false; options.depth],
            flying: 0,
            fd: Fd(file.as_raw_fd()),
            flags: squeue::Flags::empty(),
            registered_buffers: false,
            ready: 0,
            refused: Vec::new(),
            file,
        };
        let fallbacks = backend.register();
        Ok((backend, fallbacks))
    }

    fn register(&mut self) -> Vec<Fallback> {
        let submitter = self.ring.submitter();
        if submitter.register_files(&[self.fd.0]).is_ok() {
            self.fd = Fd(0);
            self.flags = squeue::Flags::FIXED_FILE;
        }
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
            .wrapping_add(request.done as usize);
        let (fd, length, at, index) = (self.fd, request.length, request.offset, slot as u16);
        let entry = match (request.kind, self.registered_buffers) {
            (OpKind::Read, true) => opcode::ReadFixed::new(fd, memory, length, index)
                .offset(at)
                .build(),
            (OpKind::Read, false) => opcode::Read::new(fd, memory, length).offset(at).build(),
            (_, true) => opcode::WriteFixed::new(fd, memory, length, index)
                .offset(at)
                .build(),
            (_, false) => opcode::Write::new(fd, memory, length).offset(at).build(),
        };
        entry.flags(self.flags).user_data(slot as u64)
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
        debug_assert!(request.range().end <= self.options.block);
        let entry = self.entry(slot, request);
        // SAFETY: the entry points into the slot's memory, which is valid for the slot's length
        // and stays untouched until its completion clears `in_flight`.
        match unsafe { self.ring.submission().push(&entry) } {
            Ok(()) => {
                self.in_flight[slot] = true;
                self.flying += 1;
            }
            Err(_) => self.refused.push(slot),
        }
    }

    #[inline]
    fn submit(&mut self, patience: Patience) -> Result<(), Errno> {
        match self.enter(patience) {
            Ok(_) => {}
            // Time is up, a signal came, or the completion queue must be emptied first.
            Err(error) => match errno(error) {
                Errno::TIME | Errno::INTR | Errno::BUSY | Errno::AGAIN => {}
                other => return Err(other),
            },
        }
        self.ready = self.ring.completion().len();
        Ok(())
    }

    #[inline]
    fn completion(&mut self) -> Option<Completion> {
        if let Some(slot) = self.refused.pop() {
            return Some(Completion::new(slot, Err(Errno::AGAIN)));
        }
        self.ready = self.ready.checked_sub(1)?;
        let entry = self.ring.completion().next()?;
        let slot = entry.user_data() as usize;
        // Only numbers of slots were ever given to the kernel.
        *self.in_flight.get_mut(slot)? = false;
        self.flying -= 1;
        let answer = i64::from(entry.result());
        Some(Completion { slot, answer })
    }

    fn flush(&mut self) -> Result<(), Errno> {
        Ok(())
    }

    fn helpers_cpu(&self) -> u64 {
        helpers_cpu().unwrap_or(0)
    }

    fn sync(&mut self, call: SyncCall) -> Result<(), Errno> {
        call.carry_out(&self.file)
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
