//! Asking the kernel for a ring.

use io_uring::IoUring;
use rustix::io::Errno;

use crate::backend::sync::errno;

/// How long an idle SQPOLL thread spins before it sleeps, in milliseconds.
const SQPOLL_IDLE: u32 = 100;

/// What the ring is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RingOptions {
    pub(crate) depth: usize,
    /// Requests handed over at once.
    pub(crate) batch: usize,
    pub(crate) block: usize,
    /// Bytes of a huge page, where the buffers are to lie in such.
    pub(crate) huge_page: Option<usize>,
    pub(crate) poll: bool,
    pub(crate) sqpoll: bool,
}

/// Asks the kernel for a small ring and gives it back: the error says why it refuses.
pub(crate) fn probe_ring() -> Result<(), Errno> {
    IoUring::new(2).map(drop).map_err(errno)
}

/// The leanest ring that this kernel makes: no index array needs Linux 6.6, deferred task work
/// 6.1, cooperative task work 5.19 (io_uring_setup(2)).
pub(super) fn build(options: RingOptions) -> Result<IoUring, Errno> {
    // No longer than a batch, so that its entries are still in the cache when they are used
    // again; a submission thread takes them in its own time.
    let entries = if options.sqpoll {
        options.depth
    } else {
        options.batch
    };
    let entries = (entries as u32).next_power_of_two();
    let completions = (options.depth as u32).next_power_of_two().max(entries);
    let mut last = Errno::INVAL;
    for level in 0..4 {
        let mut builder = IoUring::builder();
        builder.setup_cqsize(completions);
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
