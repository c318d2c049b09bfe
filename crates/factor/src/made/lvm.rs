//! Programs of LVM, and volume groups that bear a token.

use std::path::Path;

use super::gone::until_gone;
use super::program::{find, run};
use crate::error::FactorError;

/// What holds for all of them, whatever the machine's lvm.conf(5) says: what is made for a time is kept in no archive of
/// groups, and its members stand in no list of devices (lvmdevices(8)), since LVM takes neither out again; and dmeventd(8)
/// does not work on it, which would enlarge a volume that is measured.
const CONFIG: &str =
    "backup{backup=0 archive=0} devices{use_devicesfile=0} activation{monitoring=0}";

/// Runs a program of LVM and gives what it printed.
pub(crate) fn run_lvm(program: &str, arguments: &[&str]) -> Result<String, FactorError> {
    run(program, &with_config(arguments))
}

fn with_config<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["--config", CONFIG][..], arguments].concat()
}

/// Removes the volume group with all its volumes, where it is there.
pub(super) fn remove_group(name: &str) -> Result<bool, FactorError> {
    // Without LVM there is no group; one that was made before it was removed stays on the devices.
    if find("vgs").is_none() {
        return Ok(false);
    }
    let there = || {
        let groups = run_lvm("vgs", &["--noheadings", "-o", "vg_name"])?;
        let is_there = groups.lines().any(|line| line.trim() == name);
        Ok(is_there.then(|| Path::new("/dev").join(name)))
    };
    let words = ["--force", "--force", "--yes", name];
    until_gone(there, |_| run_lvm("vgremove", &words).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_lvm_leave_nothing_in_the_machines_configuration() {
        let words = with_config(&["--noheadings", "group"]);
        assert_eq!(words[0], "--config");
        for setting in ["backup=0", "archive=0", "use_devicesfile=0", "monitoring=0"] {
            assert!(words[1].contains(setting), "{words:?}");
        }
        assert_eq!(words[2..], ["--noheadings", "group"]);
    }
}
