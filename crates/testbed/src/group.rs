//! Control groups.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long the last process of a group may take to end.
const END: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(5);

/// A control group of a test's own. When it is dropped, its last process is waited for, and then it is removed.
pub struct ControlGroup {
    place: PathBuf,
}

impl ControlGroup {
    /// A group within another, by a name that nobody else on the machine uses.
    ///
    /// # Errors
    /// What the kernel said.
    pub fn within(parent: &Path, name: &str) -> std::io::Result<ControlGroup> {
        let place = parent.join(format!("etalon-test-{}-{name}", std::process::id()));
        fs::create_dir(&place)?;
        Ok(ControlGroup { place })
    }

    /// A group of version 1 of this controller with these files, or one of version 2 with those.
    /// `None` where neither is there.
    #[must_use]
    pub fn limited(
        (controller, first): (&str, &[(&str, &str)]),
        second: &[(&str, &str)],
    ) -> Option<ControlGroup> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed).to_string();
        let top = Path::new("/sys/fs/cgroup");
        let base = top.join(controller);
        let is_first = base.join(first[0].0).exists() || base.join("cgroup.procs").exists();
        let (parent, files) = match is_first {
            true => (&*base, first),
            false => (top, second),
        };
        let group = ControlGroup::within(parent, &number).ok()?;
        for (file, value) in files {
            group.set(file, value).ok()?;
        }
        Some(group)
    }

    /// A group with a limit on memory. `None` where no hierarchy has one.
    #[must_use]
    pub fn of_memory(limit: &str) -> Option<ControlGroup> {
        ControlGroup::limited(
            ("memory", &[("memory.limit_in_bytes", limit)]),
            &[("memory.max", limit)],
        )
    }

    /// Its directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.place
    }

    /// Writes one of its files.
    ///
    /// # Errors
    /// What the kernel said.
    pub fn set(&self, file: &str, value: &str) -> std::io::Result<()> {
        fs::write(self.place.join(file), value)
    }

    /// A shell that puts itself into the group and then becomes the program behind it.
    #[must_use]
    pub fn around(&self, program: &Path) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", "echo $$ >\"$0\" && exec \"$@\""])
            .arg(self.place.join("cgroup.procs"))
            .arg(program);
        command
    }

    /// Whether no process is in it any more; its threads count too.
    fn is_empty(&self) -> bool {
        let processes = fs::read_to_string(self.place.join("cgroup.procs"));
        processes.is_ok_and(|processes| processes.is_empty())
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let begun = Instant::now();
        // Empty, it may still be busy for a moment: the kernel lets go of a process a little after its end.
        while !self.is_empty() || fs::remove_dir(&self.place).is_err() {
            if begun.elapsed() > END {
                let still = fs::read_to_string(self.place.join("cgroup.procs"));
                let place = self.place.display();
                assert!(
                    std::thread::panicking(),
                    "{place} is still in use: {still:?}"
                );
                return;
            }
            sleep(LOOK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_waits_for_its_last_process_and_goes() {
        if !crate::root_for("a_group_waits_for_its_last_process_and_goes") {
            return;
        }
        let top = Path::new("/sys/fs/cgroup");
        let parents = ["blkio", "memory", "."].map(|name| top.join(name));
        let parent = parents.iter().find(|at| at.join("cgroup.procs").exists());
        let group = ControlGroup::within(parent.unwrap(), "waits").unwrap();
        let mut shell = group.around(Path::new("sleep"));
        let mut child = shell.arg("0.3").spawn().unwrap();
        while group.is_empty() {
            assert_eq!(child.try_wait().unwrap(), None);
        }
        let place = group.path().to_owned();
        // Ended by itself and not waited for: the group sees it go.
        drop(group);
        assert!(!place.exists() && child.wait().unwrap().success());
    }
}
