//! Two etalons on one target notice each other.

use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with,
    sockopt::socket_peercred,
};

/// Held while a target is measured; let go when dropped, and by the kernel when the process dies.
///
/// The lock is a listening socket with an abstract name (`unix(7)`): it needs no directory that all
/// users may write, leaves no file, cannot be a planted link, and the kernel tells who listens.
/// Containers with a network namespace of their own do not see it.
#[derive(Debug)]
pub struct TargetLock {
    _listener: UnixListener,
}

/// Why a target could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum TargetLockError {
    /// Another etalon measures on the same filesystem or device.
    #[error("{} is measuring on the same filesystem or device; wait for it to end: two at once measure each other", match pid { Some(pid) => format!("another etalon (process {pid})"), None => "another etalon".to_owned() })]
    Busy {
        /// Its process, where the kernel tells.
        pid: Option<u32>,
    },
    /// The kernel refuses the lock; a second etalon would not be noticed.
    #[error(
        "whether another etalon measures here cannot be told: {0}; make sure that there is none"
    )]
    Unavailable(#[source] io::Error),
}

impl TargetLock {
    /// Takes the lock of the filesystem or device with this number (`stat(2)`: `st_dev`, or
    /// `st_rdev` of a block device), without waiting.
    ///
    /// # Errors
    /// [`TargetLockError::Busy`] when another process, or this one, holds it.
    pub fn acquire(device: u64) -> Result<TargetLock, TargetLockError> {
        let name = format!("etalon/target/{device:#x}");
        let bound = SocketAddr::from_abstract_name(&name)
            .and_then(|address| UnixListener::bind_addr(&address));
        match bound {
            Ok(listener) => Ok(TargetLock {
                _listener: listener,
            }),
            Err(e) if e.kind() == io::ErrorKind::AddrInUse => Err(TargetLockError::Busy {
                pid: listener_pid(&name).ok(),
            }),
            Err(e) => Err(TargetLockError::Unavailable(e)),
        }
    }
}

/// The process that listens (`unix(7)`, `SO_PEERCRED`: that of `listen(2)`). Not blocking: nobody
/// ever accepts, so that a connection waits once the queue is full.
fn listener_pid(name: &str) -> io::Result<u32> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    connect(
        &socket,
        &SocketAddrUnix::new_abstract_name(name.as_bytes())?,
    )?;
    let pid = socket_peercred(&socket)?.pid.as_raw_nonzero().get();
    Ok(pid.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_one_learns_the_first_ones_pid() {
        let device = 0xdead_0000_0000_0000 | u64::from(std::process::id());
        let lock = TargetLock::acquire(device).unwrap();
        for _ in 0..300 {
            let error = TargetLock::acquire(device).unwrap_err();
            assert!(matches!(error, TargetLockError::Busy { .. }), "{error}");
        }
        let other = TargetLock::acquire(device + (1 << 40)).unwrap();
        drop(lock);
        let lock = TargetLock::acquire(device).unwrap();
        let TargetLockError::Busy { pid } = TargetLock::acquire(device).unwrap_err() else {
            panic!("the lock is held");
        };
        assert_eq!(pid, Some(std::process::id()));
        drop((lock, other));
    }
}
