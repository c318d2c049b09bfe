//! Who holds a lock, by the kernel's account.

use std::fmt;
use std::io;

use rustix::net::sockopt::socket_peercred;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

/// A process that holds a lock. Its command line is what the process says of itself, and is for
/// people only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holder {
    /// Its number, where the kernel tells.
    pub pid: Option<u32>,
    /// The number of its user, where the kernel tells.
    pub uid: Option<u32>,
    /// Its command line, of one space between the words; empty where it is not known.
    pub command: String,
}

impl Holder {
    /// Who listens on the socket of this abstract name; nothing is known of one that has gone.
    pub(crate) fn of(name: &str) -> Holder {
        let Ok((pid, uid)) = listener(name) else {
            return Holder::default();
        };
        Holder {
            pid: Some(pid),
            uid: Some(uid),
            command: command_of(pid),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another etalon")?;
        let Some(pid) = self.pid else {
            return Ok(());
        };
        write!(f, " (process {pid}")?;
        if let Some(uid) = self.uid.filter(|uid| *uid != 0) {
            write!(f, " of user {uid}")?;
        }
        if !self.command.is_empty() {
            write!(f, ": {}", self.command)?;
        }
        f.write_str(")")
    }
}

/// Process and user (`unix(7)`, `SO_PEERCRED`: those of `listen(2)`). Not blocking: nobody ever
/// accepts, so that a connection waits once the queue is full.
fn listener(name: &str) -> io::Result<(u32, u32)> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    connect(
        &socket,
        &SocketAddrUnix::new_abstract_name(name.as_bytes())?,
    )?;
    let peer = socket_peercred(&socket)?;
    let pid = peer.pid.as_raw_nonzero().get().unsigned_abs();
    Ok((pid, peer.uid.as_raw()))
}

/// Longest command line that is shown, in characters.
const SHOWN: usize = 80;

fn command_of(pid: u32) -> String {
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let text = String::from_utf8_lossy(&words).replace('\0', " ");
    text.trim().chars().take(SHOWN).collect()
}
