//! Filesystems and mounts.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::loops::turn;
use crate::{again, root_for, tool, try_tool, undo};

/// What mount(8) and mkfs say of what another program on the machine does for a moment: who looks at a new device has it
/// open, and who sets up a loop device takes the one that was found free.
const PASSING: [&str; 4] = [
    "busy",
    "in use by the system",
    "loop device",
    "temporarily unavailable",
];

fn passes(why: &str) -> bool {
    PASSING.iter().any(|said| why.contains(said))
}

/// Makes a filesystem by `mkfs.KIND`, with more words for it, the device or file last.
///
/// # Panics
/// Where it fails, with what it said.
pub fn mkfs(kind: &str, words: &[&str]) {
    let program = format!("mkfs.{kind}");
    let words = [&["-q"], words].concat();
    let made = again(|| try_tool(&program, &words), passes);
    assert!(made.is_ok(), "{}", made.unwrap_or_else(|why| why));
}

/// Something mounted; unmounted when dropped.
pub struct Mount {
    point: PathBuf,
    is_mounted: bool,
    _directory: Option<TempDir>,
}

impl Mount {
    /// Mounts in a directory of its own what these words of mount(8) say.
    ///
    /// # Panics
    /// Where it fails, with what it said.
    #[must_use]
    pub fn new(words: &[&str]) -> Mount {
        Mount::by("mount", words)
    }

    /// The same by another program, which is given the words and then the place.
    ///
    /// # Panics
    /// Where it fails, with what it said.
    #[must_use]
    pub fn by(program: &str, words: &[&str]) -> Mount {
        let directory = tempfile::tempdir().unwrap_or_else(|why| panic!("{why}"));
        let made = mounted(program, words, directory.path());
        let mut mount = made.unwrap_or_else(|why| panic!("{why}"));
        mount._directory = Some(directory);
        mount
    }

    /// A filesystem in memory with these options, in a directory of its own.
    ///
    /// # Panics
    /// Where it fails, with what mount(8) said.
    #[must_use]
    pub fn tmpfs(options: &str) -> Mount {
        Mount::new(&["-t", "tmpfs", "-o", options, "etalon-test"])
    }

    /// The same for a test that is skipped where this is not root.
    ///
    /// # Panics
    /// As [`Mount::tmpfs`].
    #[must_use]
    pub fn tmpfs_for(test: &str, options: &str) -> Option<Mount> {
        root_for(test).then(|| Mount::tmpfs(options))
    }

    /// The same at a place of the caller's.
    ///
    /// # Panics
    /// As [`Mount::tmpfs`].
    #[must_use]
    pub fn tmpfs_at(test: &str, point: &Path, options: &str) -> Option<Mount> {
        let words = ["-t", "tmpfs", "-o", options, "etalon-test"];
        root_for(test).then(|| Mount::at(point, &words))
    }

    /// Mounts at a place of the caller's, which is made a directory where there is nothing.
    ///
    /// # Panics
    /// Where it fails, with what mount(8) said.
    #[must_use]
    pub fn at(point: &Path, words: &[&str]) -> Mount {
        Mount::try_at(point, words).unwrap_or_else(|why| panic!("{why}"))
    }

    /// The same where the kernel may not have it.
    ///
    /// # Errors
    /// What mount(8) said.
    pub fn try_at(point: &Path, words: &[&str]) -> Result<Mount, String> {
        mounted("mount", words, point)
    }

    /// What the test itself has mounted there, by mount(2).
    #[must_use]
    pub fn held(point: &Path) -> Mount {
        Mount {
            point: point.to_owned(),
            is_mounted: true,
            _directory: None,
        }
    }

    /// Where it is mounted.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.point
    }

    /// Follows it after a directory above it was renamed.
    pub fn has_moved_to(&mut self, point: &Path) {
        self.point = point.to_owned();
    }

    /// Mounts it anew with these options.
    ///
    /// # Panics
    /// Where it fails, with what mount(8) said.
    pub fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        tool("mount", &["-o", &options, &self.name()]);
    }

    /// Unmounts it, which nobody may have open any more.
    ///
    /// # Panics
    /// Where somebody has, with what umount(8) said.
    pub fn unmount(mut self) {
        self.is_mounted = false;
        let done = try_tool("umount", &[&self.name()]);
        self.is_mounted = done.is_err();
        assert!(done.is_ok(), "{}", done.unwrap_or_else(|why| why));
    }

    fn name(&self) -> String {
        self.point.to_string_lossy().into_owned()
    }
}

fn mounted(program: &str, words: &[&str], point: &Path) -> Result<Mount, String> {
    if !point.exists() {
        fs::create_dir_all(point).map_err(|why| format!("{}: {why}", point.display()))?;
    }
    let name = point.to_string_lossy();
    let words = [words, &[&*name]].concat();
    // mount(8) sets up a loop device itself where it is asked to.
    let _turn = turn();
    again(|| try_tool(program, &words), passes)?;
    Ok(Mount::held(point))
}

impl Drop for Mount {
    fn drop(&mut self) {
        let name = self.name();
        // Lazily where something in it is open: what a killed program had open is closed in the kernel's own time.
        if self.is_mounted && try_tool("umount", &[&name]).is_err() {
            undo("umount", &["--lazy", &name]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    fn is_mounted(point: &Path) -> bool {
        let table = fs::read_to_string("/proc/self/mounts").unwrap();
        table.contains(point.to_str().unwrap())
    }

    #[test]
    fn a_mount_goes_with_its_value_also_when_the_test_fails_or_something_is_open() {
        let test = "a_mount_goes_with_its_value_also_when_the_test_fails_or_something_is_open";
        let Some(mount) = Mount::tmpfs_for(test, "size=1m") else {
            return;
        };
        let point = mount.path().to_owned();
        assert!(is_mounted(&point));
        let open = fs::File::create(point.join("open")).unwrap();
        let failed = catch_unwind(move || {
            let _mount = mount;
            panic!("a failing test");
        });
        let said = failed.unwrap_err();
        assert_eq!(said.downcast_ref::<&str>(), Some(&"a failing test"));
        assert!(!is_mounted(&point) && !point.exists());
        drop(open);
    }

    #[test]
    fn an_unmount_says_that_something_is_open_and_what_is_mounted_goes_all_the_same() {
        let test = "an_unmount_says_that_something_is_open_and_what_is_mounted_goes_all_the_same";
        let Some(mount) = Mount::tmpfs_for(test, "size=1m") else {
            return;
        };
        let point = mount.path().to_owned();
        let open = fs::File::create(point.join("open")).unwrap();
        let failed = catch_unwind(|| mount.unmount()).unwrap_err();
        let why = failed.downcast::<String>().unwrap();
        assert!(why.starts_with("umount [") && why.contains("busy"), "{why}");
        assert!(!is_mounted(&point));
        drop(open);
        Mount::tmpfs("size=1m").unmount();
    }

    #[test]
    fn what_mount_and_mkfs_said_fails_the_test() {
        let said = |failed: std::thread::Result<()>| *failed.unwrap_err().downcast().unwrap();
        let why: String = said(catch_unwind(|| drop(Mount::new(&["-t", "nofs", "none"]))));
        assert!(why.starts_with("mount [\"-t\", \"nofs\""), "{why}");
        let why: String = said(catch_unwind(|| mkfs("ext4", &["/not here"])));
        assert!(
            why.starts_with("mkfs.ext4 [\"-q\", \"/not here\"]"),
            "{why}"
        );
    }
}
