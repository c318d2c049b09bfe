//! Binding a thread's memory to a NUMA node.
//!
//! Soundness. The one call reads a mask that lives longer than the call, whose length it is told in
//! bits, and changes nothing but where the kernel puts pages that are asked for later.
#![expect(unsafe_code, reason = "no library has set_mempolicy(2)")]

use rustix::io::Errno;

/// Words of the mask; 1024 nodes are more than any kernel has (`CONFIG_NODES_SHIFT`).
const WORDS: usize = 16;

/// Lets the calling thread have memory of `node` only (set_mempolicy(2), `MPOL_BIND`).
pub(super) fn bind(node: u32) -> Result<(), Errno> {
    let mut mask = [0_u64; WORDS];
    let word = mask.get_mut(node as usize / 64).ok_or(Errno::INVAL)?;
    *word = 1 << (node % 64);
    // SAFETY: the mask is live and has the length given, of which the kernel uses one bit less.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_set_mempolicy,
            libc::MPOL_BIND,
            mask.as_ptr(),
            WORDS * 64,
        )
    };
    match answer {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_0_can_be_bound_to_and_one_that_is_not_there_cannot() {
        let bound = std::thread::spawn(|| (bind(0), bind(1000), bind(5000)));
        let (first, absent, beyond) = bound.join().unwrap();
        // A sandbox may refuse the call itself.
        assert!(
            matches!(first, Ok(()) | Err(Errno::PERM | Errno::NOSYS)),
            "{first:?}"
        );
        assert!(absent.is_err() && beyond.is_err());
    }
}
