//! Telling one process from every other, past and present.

use std::fmt;
use std::fs;
use std::io;
use std::str::FromStr;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

/// One process for good: its number alone is given to another process sooner or later, its number
/// and start time within one boot of one machine are not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessStamp {
    /// The machine: `/etc/machine-id` (`machine-id(5)`), or else its host name.
    pub machine: String,
    /// The boot: `/proc/sys/kernel/random/boot_id` (`random(4)`), or `unknown` where that is hidden.
    pub boot: String,
    /// The inode of the PID namespace, within which the number holds (`pid_namespaces(7)`).
    pub pid_namespace: u64,
    /// The process's number.
    pub pid: u32,
    /// When it started, in clock ticks since the boot (`proc_pid_stat(5)`, field 22).
    pub start_ticks: u64,
}

/// Whether a process still lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    /// It lives.
    Alive,
    /// It is gone for good.
    Dead,
    /// It runs, or ran, on another machine or in another container, and cannot be seen from here.
    OutOfSight,
}

impl ProcessStamp {
    /// This very process.
    ///
    /// # Errors
    /// The kernel's, where `/proc` is not mounted.
    pub fn current() -> io::Result<ProcessStamp> {
        ProcessStamp::of(std::process::id())
    }

    /// The process of that number now.
    ///
    /// # Errors
    /// `NotFound` where there is none, and the kernel's.
    pub fn of(pid: u32) -> io::Result<ProcessStamp> {
        Ok(ProcessStamp {
            machine: machine(),
            boot: boot(),
            pid_namespace: pid_namespace()?,
            pid,
            start_ticks: start_ticks(pid)?.ok_or(io::ErrorKind::NotFound)?,
        })
    }

    /// Whether it ran on this machine.
    pub fn is_of_this_machine(&self) -> bool {
        self.machine == machine()
    }

    /// Whether it is known that the machine has not been started anew since.
    pub fn is_of_this_boot(&self) -> bool {
        self.boot != UNKNOWN_BOOT && self.boot == boot()
    }

    /// Whether the machine may not have been started anew since, also because the kernel does not tell.
    pub fn may_be_of_this_boot(&self) -> bool {
        let now = boot();
        [now.as_str(), &self.boot].contains(&UNKNOWN_BOOT) || now == self.boot
    }

    /// When a process of this boot started, in whole seconds since 1970, or a second before; `None` where the kernel does
    /// not show when it booted.
    pub fn started_s(&self) -> Option<u64> {
        let text = fs::read_to_string("/proc/stat").ok()?;
        let boot = text.lines().find_map(|line| line.strip_prefix("btime "))?;
        let boot: u64 = boot.trim().parse().ok()?;
        Some(boot.saturating_add(self.start_ticks / ticks_per_second()))
    }

    /// Whether the process still lives, as far as it can be seen from here.
    pub fn liveness(&self) -> Liveness {
        if !self.is_of_this_machine() {
            return Liveness::OutOfSight;
        }
        if !self.may_be_of_this_boot() {
            return Liveness::Dead;
        }
        if pid_namespace().ok() != Some(self.pid_namespace) {
            return Liveness::OutOfSight;
        }
        match start_ticks(self.pid) {
            Ok(found) if found == Some(self.start_ticks) => Liveness::Alive,
            Ok(None) if is_hidden(self.pid) => Liveness::OutOfSight,
            Ok(_) => Liveness::Dead,
            Err(_) => Liveness::OutOfSight,
        }
    }
}

/// Ticks of proc_pid_stat(5) in a second.
pub(crate) fn ticks_per_second() -> u64 {
    rustix::param::clock_ticks_per_second().max(1)
}

/// A text that names no process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' does not name a process: 'MACHINE BOOT PID-NAMESPACE PID START-TICKS' does")]
pub struct ParseStampError(String);

impl fmt::Display for ProcessStamp {
    /// The five parts in one line, which [`FromStr`] reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {} {} {}",
            self.machine, self.boot, self.pid_namespace, self.pid, self.start_ticks
        )
    }
}

impl FromStr for ProcessStamp {
    type Err = ParseStampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseStampError(text.to_owned());
        let parts: Vec<&str> = text.split(' ').collect();
        let [machine, boot, namespace, pid, start] = parts[..] else {
            return Err(fail());
        };
        Ok(ProcessStamp {
            machine: machine.to_owned(),
            boot: boot.to_owned(),
            pid_namespace: namespace.parse().map_err(|_| fail())?,
            pid: pid.parse().map_err(|_| fail())?,
            start_ticks: start.parse().map_err(|_| fail())?,
        })
    }
}

fn machine() -> String {
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    // "uninitialized" stands there until the first boot has ended.
    let id = id.trim();
    if !id.is_empty() && id != "uninitialized" && !id.contains(' ') {
        return id.to_owned();
    }
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().replace(' ', "-")
}

/// Stands for a boot whose number is not shown, as with a `/proc` of `subset=pid` (proc(5)). Number and
/// start time of a process tell it apart all the same, but for one of another boot that has both.
const UNKNOWN_BOOT: &str = "unknown";

fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    match id.trim() {
        "" => UNKNOWN_BOOT.to_owned(),
        id => id.to_owned(),
    }
}

/// The link reads `pid:[4026531836]`.
fn pid_namespace() -> io::Result<u64> {
    let link = fs::read_link("/proc/self/ns/pid")?;
    let text = link.to_string_lossy();
    let digits = text.trim_start_matches("pid:[").trim_end_matches(']');
    digits
        .parse()
        .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))
}

/// Whether there is a process of that number although `/proc` shows none: with `hidepid=2` it hides those
/// of other users (proc(5)), and the kernel forbids to signal them.
fn is_hidden(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let answer = pid.map(test_kill_process);
    answer == Some(Err(Errno::PERM))
}

/// `None` when there is no such process, or only its remains that nobody has waited for.
fn start_ticks(pid: u32) -> io::Result<Option<u64>> {
    // The main thread's file exists for the thread group; ESRCH is what a race with its end gives.
    let stat = match fs::read(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) if e.raw_os_error() == Some(Errno::SRCH.raw_os_error()) => {
            return Ok(None);
        }
        Err(e) => return Err(e),
    };
    let text = String::from_utf8_lossy(&stat);
    let (state, start) = state_and_start(&text).ok_or(io::ErrorKind::InvalidData)?;
    Ok((!matches!(state, 'Z' | 'X')).then_some(start))
}

/// Fields 3 and 22 of `/proc/PID/stat`. The second field is the program's name in parentheses, in
/// which anything may stand, parentheses too.
fn state_and_start(stat: &str) -> Option<(char, u64)> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((state, fields.nth(18)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::{SystemTime, UNIX_EPOCH};

    #[test]
    fn this_process_lives_and_reads_back() {
        let stamp = ProcessStamp::current().unwrap();
        assert_eq!(stamp.liveness(), Liveness::Alive);
        assert_eq!(stamp.to_string().parse(), Ok(stamp));
    }

    #[test]
    fn a_process_starts_between_the_moments_before_and_after() {
        let now = || {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            now.unwrap().as_secs()
        };
        let before = now();
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let started = ProcessStamp::of(child.id()).unwrap().started_s().unwrap();
        let after = now();
        child.kill().unwrap();
        child.wait().unwrap();
        // The seconds of the boot and of the process since then are cut off.
        assert!(
            (before - 2..=after).contains(&started),
            "{before} {started} {after}"
        );
    }

    #[test]
    fn another_start_boot_machine_or_namespace_is_another_process() {
        let own = ProcessStamp::current().unwrap();
        let changed = |change: fn(&mut ProcessStamp)| {
            let mut stamp = own.clone();
            change(&mut stamp);
            stamp.liveness()
        };
        assert_eq!(changed(|s| s.start_ticks += 1), Liveness::Dead);
        assert_eq!(changed(|s| s.pid = u32::MAX), Liveness::Dead);
        assert_eq!(changed(|s| s.boot.push('0')), Liveness::Dead);
        assert_eq!(changed(|s| s.boot = "unknown".into()), Liveness::Alive);
        assert_eq!(changed(|s| s.machine.push('0')), Liveness::OutOfSight);
        assert_eq!(changed(|s| s.pid_namespace += 1), Liveness::OutOfSight);
    }

    #[test]
    fn a_killed_child_is_dead_even_before_it_is_waited_for() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let stamp = ProcessStamp {
            pid: child.id(),
            start_ticks: start_ticks(child.id()).unwrap().unwrap(),
            ..ProcessStamp::current().unwrap()
        };
        assert_eq!(stamp.liveness(), Liveness::Alive);
        child.kill().unwrap();
        while stamp.liveness() == Liveness::Alive {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert_eq!(stamp.liveness(), Liveness::Dead);
    }

    #[test]
    fn a_name_may_hold_anything() {
        let stat = "77 (a) S 1) (b)) R 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";
        assert_eq!(state_and_start(stat), Some(('R', 4711)));
    }

    proptest! {
        #[test]
        fn hostile_texts_never_panic(text in ".*") {
            let _ = state_and_start(&text);
            let _ = text.parse::<ProcessStamp>();
        }
    }
}
