//! Programs that a process started, and that may outlive it by an instant.
//!
//! A program dies with its parent only once `setpriv` has asked for it, and a shell never does: a mount that a killed etalon
//! had just begun could be made behind a restore that found nothing to do. So each has as its standard input a socket with
//! an abstract name (unix(7)) that is its parent's. The kernel keeps the name until the last process that holds it is gone,
//! from before the program is so much as forked.

use std::mem::replace;
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process::Stdio;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::geteuid;

use crate::{Holder, ProcessStamp};

const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// So long nobody is told of the wait: most programs end with their parent.
const SILENCE: Duration = Duration::from_secs(1);

/// The standard input of a program that changes the machine for this process. Nothing can be read from it: a socket that
/// listens answers EINVAL.
pub(crate) fn input() -> Stdio {
    static OWN: LazyLock<Option<UnixListener>> =
        LazyLock::new(|| hold(&ProcessStamp::current().ok()?));
    let held = OWN.as_ref().and_then(|held| held.try_clone().ok());
    held.map_or_else(Stdio::null, |held| OwnedFd::from(held).into())
}

/// How long programs of dead processes are waited for, and who hears of it.
pub(crate) struct Wait<'t> {
    pub(crate) until: Instant,
    /// Told of whose program is waited for, where that takes longer than anybody would wonder at.
    pub(crate) tell: &'t mut dyn FnMut(&ProcessStamp),
}

/// Whether all that `owner`, who is dead, started has ended, or ends before the wait does.
pub(crate) fn have_ended(owner: &ProcessStamp, wait: &mut Wait<'_>) -> bool {
    let silent_until = Instant::now() + SILENCE;
    let mut is_told = false;
    while is_held(owner) {
        let now = Instant::now();
        if now >= wait.until {
            return false;
        }
        if now >= silent_until && !replace(&mut is_told, true) {
            (wait.tell)(owner);
        }
        sleep(POLL_INTERVAL);
    }
    true
}

/// The name is free where it can be taken, and anybody may take it; the kernel tells who has. Nothing outlives a boot.
fn is_held(owner: &ProcessStamp) -> bool {
    let holder = || Holder::of(&name(owner));
    owner.may_be_of_this_boot()
        && hold(owner).is_none()
        && matches!(holder(), Holder { pid: Some(pid), uid: Some(uid), .. }
            if pid == owner.pid && uid == geteuid().as_raw())
}

fn hold(owner: &ProcessStamp) -> Option<UnixListener> {
    let address = SocketAddr::from_abstract_name(name(owner)).ok()?;
    UnixListener::bind_addr(&address).ok()
}

fn name(owner: &ProcessStamp) -> String {
    let ProcessStamp {
        pid_namespace: space,
        pid,
        start_ticks: start,
        ..
    } = owner;
    format!("etalon/started/{space}/{pid}/{start}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, kill_process};
    use tempfile::TempDir;

    use crate::condition::put_back_command;
    use crate::restore::restore_within;
    use crate::{Change, Entered, Journal, KeptReason};

    const PLACE: &str = "ETALON_STARTED_IN";

    fn journal(place: &Path) -> Journal {
        Journal::at(&place.join("journal")).unwrap()
    }

    /// What is killed: it enters a change, and sets it by a command that goes on.
    #[test]
    fn a_change_is_begun() {
        let Some(place) = std::env::var_os(PLACE) else {
            return;
        };
        let place = Path::new(&place);
        let shown = place.display();
        let reset = format!("touch {shown}/done");
        let point = place.join("point");
        let mount = Change::MountOptions {
            point,
            before: String::new(),
        };
        let entered = [
            mount,
            Change::Command {
                reset,
                at_the_end: false,
            },
        ]
        .map(|change| Entered::new(&journal(place), |_| change).unwrap());
        let set = format!("echo $$ > {shown}/new; mv {shown}/new {shown}/pid; exec sleep 600");
        put_back_command(&set).unwrap();
        drop(entered);
    }

    fn begin(place: &Path) -> (Child, Pid) {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "started::tests::a_change_is_begun"])
            .env(PLACE, place)
            .spawn();
        let program = loop {
            if let Ok(text) = fs::read_to_string(place.join("pid")) {
                break Pid::from_raw(text.trim().parse().unwrap()).unwrap();
            }
            sleep(POLL_INTERVAL);
        };
        (child.unwrap(), program)
    }

    #[test]
    fn nothing_is_put_back_while_a_program_of_the_dead_still_runs() {
        let place = TempDir::new().unwrap();
        let (mut child, program) = begin(place.path());
        child.kill().unwrap();
        child.wait().unwrap();
        let journal = journal(place.path());
        let early = restore_within(&journal, Duration::ZERO, &mut |_| ());
        let mut told = Vec::new();
        let late = restore_within(&journal, Duration::from_secs(600), &mut |owner| {
            told.push(owner.pid);
            kill_process(program, Signal::KILL).unwrap();
        });
        assert_eq!(told, [child.id()]);
        // A command may be what ends the program.
        assert!(place.path().join("done").exists());
        assert_eq!((early.put_back.len(), early.kept.len()), (1, 1));
        assert!(matches!(early.kept[0].reason, KeptReason::ProgramRuns));
        assert!(late.is_empty() && journal.read_all().is_empty(), "{late:?}");
    }

    #[test]
    fn a_program_reads_nothing() {
        let said = crate::made::run("cat", &[]).unwrap_err().to_string();
        assert!(said.contains("Invalid argument"), "{said}");
    }

    #[test]
    fn a_name_that_another_process_holds_keeps_nobody() {
        let mut owner = ProcessStamp::current().unwrap();
        owner.pid += 1;
        let _held = hold(&owner).unwrap();
        let mut wait = Wait {
            until: Instant::now(),
            tell: &mut |_| (),
        };
        assert!(have_ended(&owner, &mut wait));
    }
}
