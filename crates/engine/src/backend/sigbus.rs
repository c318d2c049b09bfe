//! Turns the signal for a page that cannot be delivered into an error of the request.
//!
//! Soundness. The handler touches only atomics and makes one `mmap` call, both safe in a signal
//! handler (signal-safety(7) does not list mmap, but it is a bare system call without state of the
//! library's). It maps a page of zeros over the page that failed, so that the interrupted copy
//! goes on; it does so only inside ranges that were announced by their owner, who makes no Rust
//! reference into them. Any other SIGBUS gets its default action back and strikes again.
#![expect(unsafe_code, reason = "signal handlers are unsafe by nature")]

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Mappings at once: the most jobs that a plan allows.
const SLOTS: usize = 1024;

/// Size of a page, asked for once: the handler must not ask.
static PAGE: AtomicUsize = AtomicUsize::new(4096);

struct Range {
    taken: AtomicBool,
    start: AtomicUsize,
    length: AtomicUsize,
    tripped: AtomicBool,
}

static RANGES: [Range; SLOTS] = [const {
    Range {
        taken: AtomicBool::new(false),
        start: AtomicUsize::new(0),
        length: AtomicUsize::new(0),
        tripped: AtomicBool::new(false),
    }
}; SLOTS];

static INSTALL: Once = Once::new();

/// An announced range; withdrawn when dropped.
#[derive(Debug)]
pub(super) struct Guard(usize);

impl Guard {
    /// True once a page of the range could not be delivered; asking resets it.
    pub(super) fn tripped(&self) -> bool {
        let tripped = &RANGES[self.0].tripped;
        tripped.load(Ordering::Relaxed) && tripped.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let range = &RANGES[self.0];
        range.length.store(0, Ordering::SeqCst);
        range.taken.store(false, Ordering::SeqCst);
    }
}

/// Announces a mapping; `None` when too many are.
pub(super) fn watch(start: usize, length: usize) -> Option<Guard> {
    INSTALL.call_once(install);
    let free = |range: &Range| {
        range
            .taken
            .compare_exchange(false, true, Ordering::SeqCst, Ordering::SeqCst)
            .is_ok()
    };
    let index = RANGES.iter().position(free)?;
    let range = &RANGES[index];
    range.tripped.store(false, Ordering::SeqCst);
    range.start.store(start, Ordering::SeqCst);
    range.length.store(length, Ordering::SeqCst);
    Some(Guard(index))
}

fn install() {
    PAGE.store(rustix::param::page_size(), Ordering::SeqCst);
    // SAFETY: the handler has the signature that SA_SIGINFO asks for, and the zeroed struct is a
    // valid sigaction with an empty mask.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = handle;
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
    }
}

extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: the kernel passes a valid siginfo to an SA_SIGINFO handler.
    let address = unsafe { (*info).si_addr() } as usize;
    for range in &RANGES {
        let start = range.start.load(Ordering::Relaxed);
        let length = range.length.load(Ordering::Relaxed);
        if length > 0 && address >= start && address - start < length {
            range.tripped.store(true, Ordering::Relaxed);
            if cover(address) {
                return;
            }
        }
    }
    // SAFETY: giving a signal its default action back is always allowed.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

fn cover(address: usize) -> bool {
    let size = PAGE.load(Ordering::Relaxed);
    let page = address & !(size - 1);
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
    // SAFETY: the page lies in an announced mapping, which no Rust reference points into.
    let mapped = unsafe { libc::mmap(page as *mut libc::c_void, size, protection, flags, -1, 0) };
    mapped != libc::MAP_FAILED
}
