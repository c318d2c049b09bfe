//! Processes whose open files `/proc` does not show: those outside a container, and those that root may not look into.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use etalon_model::stack::User;

use super::Survey;
use crate::roots::Roots;

/// The machine's first PID namespace, in which every process is shown (include/linux/proc_ns.h, `PROC_PID_INIT_INO`).
const FIRST: &str = "pid:[4026531836]";
/// The same of users (`PROC_USER_INIT_INO`).
const FIRST_OF_USERS: &str = "user:[4026531837]";

/// Who may have a device open for writing without being seen; nobody where `/proc` shows all that the user may see.
pub(super) fn unseen(roots: &Roots) -> Option<User> {
    // A copied machine has no processes.
    if !roots.is_host() {
        return None;
    }
    let is_root = rustix::process::geteuid().is_root();
    outside(&roots.procfs).or_else(|| is_root.then(|| hidden(&roots.procfs)).flatten())
}

/// Processes of other PID namespaces than this one and those made in it.
fn outside(procfs: &Path) -> Option<User> {
    let why = match fs::read_link(procfs.join("self/ns/pid")) {
        Ok(namespace) if namespace.as_os_str() == FIRST => return None,
        Ok(_) => "/proc shows the processes of this container (PID namespace) alone; run etalon on the host, or \
                  in a container that has the host's processes (--pid=host)"
            .to_owned(),
        // A kernel without CONFIG_PID_NS has one namespace, and no file for it.
        Err(error) if is_absent(&error) && procfs.join("self/ns/mnt").is_symlink() => return None,
        Err(error) => format!("/proc/self/ns/pid cannot be read: {error}; mount /proc"),
    };
    Some(not_known(
        "which processes outside this container have it open for writing",
        why,
    ))
}

/// What root may not look into (ptrace(2), access mode checking): without the capability, as in a container that is not
/// privileged, or as root of a user namespace, who has it over that alone. An ordinary user sees his own processes in
/// any case.
fn hidden(procfs: &Path) -> Option<User> {
    let namespace = fs::read_link(procfs.join("self/ns/user"));
    let is_first = match &namespace {
        Ok(namespace) => namespace.as_os_str() == FIRST_OF_USERS,
        Err(error) => is_absent(error),
    };
    let status = fs::read_to_string(procfs.join("self/status")).unwrap_or_default();
    if is_first && may_trace(&status) {
        return None;
    }
    let why = "root may not look into other users' processes here; run etalon on the host itself, or in a container \
               with --privileged (CAP_SYS_PTRACE)";
    Some(not_known(
        "which other processes have it open for writing",
        why.to_owned(),
    ))
}

/// Whether CAP_SYS_PTRACE is among the capabilities in effect (proc_pid_status(5), include/uapi/linux/capability.h).
fn may_trace(status: &str) -> bool {
    const CAP_SYS_PTRACE: u32 = 19;
    let mut lines = status.lines();
    let effective = lines.find_map(|line| line.strip_prefix("CapEff:"));
    let effective = effective.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    effective.is_some_and(|all| all & 1 << CAP_SYS_PTRACE != 0)
}

fn is_absent(error: &io::Error) -> bool {
    error.kind() == ErrorKind::NotFound
}

fn not_known(what: &str, why: String) -> User {
    User::NotKnown {
        what: what.to_owned(),
        why,
    }
}

impl Survey<'_> {
    /// A writer that is not seen might have this device open.
    pub(super) fn written_unseen(&mut self) {
        self.users.extend(unseen(self.context.roots));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// What is said where the link of the PID namespace leads there.
    fn said(namespace: Option<&str>) -> Option<String> {
        let proc = tempfile::tempdir().unwrap();
        let all = proc.path().join("self/ns");
        fs::create_dir_all(&all).unwrap();
        symlink("mnt:[4026531841]", all.join("mnt")).unwrap();
        if let Some(namespace) = namespace {
            symlink(namespace, all.join("pid")).unwrap();
        }
        outside(proc.path()).map(|user| user.to_string())
    }

    #[test]
    fn only_the_first_pid_namespace_shows_every_process() {
        assert_eq!(said(Some(FIRST)), None);
        assert_eq!(said(None), None, "a kernel without PID namespaces");
        let of_container = said(Some("pid:[4026532317]")).unwrap();
        assert!(
            of_container.contains("outside this container") && of_container.contains("--pid=host")
        );
    }

    #[test]
    fn without_its_own_process_nothing_is_known() {
        let empty = tempfile::tempdir().unwrap();
        let said = outside(empty.path()).unwrap().to_string();
        assert!(said.contains("/proc/self/ns/pid cannot be read"), "{said}");
    }

    #[test]
    fn root_sees_all_with_the_capability_and_outside_of_user_namespaces() {
        let proc = tempfile::tempdir().unwrap();
        let said = |namespace: &str, capabilities: &str| {
            let own = proc.path().join("self");
            let _ = fs::remove_dir_all(&own);
            fs::create_dir_all(own.join("ns")).unwrap();
            symlink(namespace, own.join("ns/user")).unwrap();
            fs::write(own.join("status"), capabilities).unwrap();
            hidden(proc.path()).map(|user| user.to_string())
        };
        let all = "Name:\tetalon\nCapPrm:\t0\nCapEff:\t000001ffffffffff\nCapBnd:\t0\n";
        // What a container of Docker has.
        let few = "Name:\tetalon\nCapPrm:\t0\nCapEff:\t00000000a80425fb\nCapBnd:\t0\n";
        assert_eq!(said(FIRST_OF_USERS, all), None);
        for hidden in [
            said(FIRST_OF_USERS, few),
            said("user:[4026532311]", all),
            said(FIRST_OF_USERS, ""),
        ] {
            assert!(hidden.unwrap().contains("CAP_SYS_PTRACE"));
        }
    }
}
