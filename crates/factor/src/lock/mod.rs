//! Two etalons on one device notice each other.

mod holder;
mod value;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

use rustix::process::geteuid;

pub use holder::Holder;
pub(crate) use value::ValueLock;

/// Held while a target is measured; let go when dropped, and by the kernel when the process dies.
///
/// The lock of a device is a listening socket with an abstract name (`unix(7)`): it needs no
/// directory that all users may write, leaves no file, cannot be a planted link, and the kernel tells
/// who listens. Anybody may hold one, so that root does not have to respect those of ordinary users
/// ([`Strangers`]). Containers with a network namespace of their own do not see it.
#[derive(Debug)]
pub struct TargetLock {
    _listeners: Vec<UnixListener>,
    disregarded: Vec<Busy>,
}

/// The devices and filesystems that a target stands on: number (`stat(2)`: `st_dev`, or `st_rdev` of
/// a block device) and the name that people know.
pub type LockedDevices = BTreeMap<u64, String>;

/// What locks of other users mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strangers {
    /// As much as those of this user.
    Respect,
    /// Nothing where this is root: an ordinary user must not be able to keep root from its work.
    DisregardAsRoot,
}

/// A device on which another etalon is at work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Busy {
    /// The device or filesystem, by the name that people know.
    pub device: String,
    /// Who holds it.
    pub holder: Holder,
}

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is measured by {}", self.device, self.holder)
    }
}

/// Why a target could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum TargetLockError {
    /// Another etalon measures on something that the target stands on.
    #[error("{0}; two at once would measure each other: wait for it with --wait, or end it")]
    Busy(Box<Busy>),
    /// The wait for another etalon was interrupted.
    #[error("interrupted while waiting; nothing was measured")]
    Interrupted,
    /// The kernel refuses the lock; a second etalon would not be noticed.
    #[error(
        "whether another etalon measures here cannot be told: {0}; make sure that there is none"
    )]
    Unavailable(#[source] io::Error),
}

impl TargetLock {
    /// Takes the locks of all these devices or none, without waiting.
    ///
    /// # Errors
    /// [`TargetLockError::Busy`] when another process, or this one, holds one of them.
    pub fn acquire(
        devices: &LockedDevices,
        strangers: Strangers,
    ) -> Result<TargetLock, TargetLockError> {
        let mut listeners = Vec::new();
        let mut disregarded = Vec::new();
        for (number, device) in devices {
            match listen(&name(*number)) {
                Ok(listener) => listeners.push(listener),
                Err(e) if e.kind() == io::ErrorKind::AddrInUse => {
                    let busy = Busy {
                        device: device.clone(),
                        holder: Holder::of(&name(*number)),
                    };
                    if !may_disregard(&busy.holder, strangers) {
                        return Err(TargetLockError::Busy(Box::new(busy)));
                    }
                    disregarded.push(busy);
                }
                Err(e) => return Err(TargetLockError::Unavailable(e)),
            }
        }
        Ok(TargetLock {
            _listeners: listeners,
            disregarded,
        })
    }

    /// The devices that ordinary users hold, where root goes on all the same.
    pub fn disregarded(&self) -> &[Busy] {
        &self.disregarded
    }
}

fn listen(name: &str) -> io::Result<UnixListener> {
    let address = SocketAddr::from_abstract_name(name)?;
    UnixListener::bind_addr(&address)
}

fn name(device: u64) -> String {
    format!("etalon/target/{device:#x}")
}

fn may_disregard(holder: &Holder, strangers: Strangers) -> bool {
    let is_stranger = holder.uid.is_some_and(|uid| uid != 0);
    strangers == Strangers::DisregardAsRoot && is_stranger && geteuid().is_root()
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    fn devices(numbers: &[u64]) -> LockedDevices {
        let number = |n: &u64| 0xdead_0000_0000_0000 | n << 32 | u64::from(std::process::id());
        let named = |n: &u64| (number(n), format!("disk {n}"));
        numbers.iter().map(named).collect()
    }

    fn acquire(numbers: &[u64]) -> Result<TargetLock, TargetLockError> {
        TargetLock::acquire(&devices(numbers), Strangers::DisregardAsRoot)
    }

    /// The lock of devices that nobody holds but, for a moment, a child of another test: between fork and exec it has
    /// whatever was open here.
    fn free(numbers: &[u64]) -> TargetLock {
        for _ in 0..500 {
            match acquire(numbers) {
                Err(TargetLockError::Busy(_)) => sleep(Duration::from_millis(10)),
                acquired => return acquired.unwrap(),
            }
        }
        panic!("held for five seconds: {:?}", busy(numbers));
    }

    fn busy(numbers: &[u64]) -> Busy {
        match acquire(numbers).unwrap_err() {
            TargetLockError::Busy(busy) => *busy,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_second_one_learns_who_holds_the_device_that_both_stand_on() {
        let lock = acquire(&[1, 2]).unwrap();
        for _ in 0..300 {
            busy(&[2, 3]);
        }
        let other = free(&[3, 4]);
        drop(lock);
        let lock = free(&[1, 2]);
        let Busy { device, holder } = busy(&[2, 5]);
        assert_eq!(device, "disk 2");
        assert_eq!(holder.pid, Some(std::process::id()));
        assert_eq!(holder.uid, Some(geteuid().as_raw()));
        assert!(!holder.command.is_empty(), "{holder}");
        drop((lock, other));
    }

    #[test]
    fn who_is_refused_holds_nothing() {
        let lock = acquire(&[12]).unwrap();
        busy(&[11, 12, 13]);
        drop((free(&[11]), free(&[13]), lock));
    }

    #[test]
    fn only_root_disregards_and_only_others() {
        let of = |uid| Holder {
            uid,
            ..Holder::default()
        };
        let root = geteuid().is_root();
        for (uid, respected) in [(Some(0), true), (None, true), (Some(1000), !root)] {
            let disregards = may_disregard(&of(uid), Strangers::DisregardAsRoot);
            assert_eq!(disregards, !respected, "{uid:?}");
            assert!(!may_disregard(&of(uid), Strangers::Respect));
        }
    }
}
