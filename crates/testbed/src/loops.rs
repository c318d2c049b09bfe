//! Loop devices.

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{again, root_for, tool, try_tool, undo};

/// losetup opens the device that it finds free for writing, and sees only then whether it is: two of them at once, and
/// the loser has the other's new device open for a moment, which the guard takes for a user of it.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The turn of whoever has a loop device set up.
pub(crate) fn turn() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A loop device; gone when dropped.
pub struct Loop {
    name: String,
    open: Option<File>,
}

impl Loop {
    /// A loop device over a file or another device, set up with more options of losetup.
    ///
    /// # Panics
    /// Where losetup fails ten times, with what it said the last time; another program may take the device that it found
    /// free.
    #[must_use]
    pub fn over(file: &Path, options: &[&str]) -> Loop {
        let name = file.to_string_lossy();
        let words = [&["--find", "--show"], options, &[&*name]].concat();
        let _turn = turn();
        let made = again(|| try_tool("losetup", &words), |_| true);
        Loop {
            name: made.unwrap_or_else(|why| panic!("{why}")),
            open: None,
        }
    }

    /// The same for a test that is skipped where this is not root.
    ///
    /// # Panics
    /// As [`Loop::over`].
    #[must_use]
    pub fn for_test(test: &str, file: &Path, options: &[&str]) -> Option<Loop> {
        root_for(test).then(|| Loop::over(file, options))
    }

    /// The same, but asked to go at once, which it does when the last one who has it open closes it: this value, a mount,
    /// or the kernel for a test that was killed.
    ///
    /// # Panics
    /// As [`Loop::over`], and where it cannot be opened.
    #[must_use]
    pub fn until_closed(file: &Path, options: &[&str]) -> Loop {
        let mut made = Loop::over(file, options);
        let opened = File::open(&made.name);
        made.open = Some(opened.unwrap_or_else(|why| panic!("{}: {why}", made.name())));
        tool("losetup", &["--detach", made.name()]);
        made
    }

    /// Its node, such as `/dev/loop0`.
    #[must_use]
    pub fn node(&self) -> &Path {
        Path::new(&self.name)
    }

    /// The same as text.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        if self.open.is_none() {
            undo("losetup", &["--detach", self.name()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn image(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        File::create(&path).unwrap().set_len(1 << 20).unwrap();
        path
    }

    /// The devices over a file, of any name.
    fn over(file: &Path) -> String {
        tool("losetup", &["--associated", file.to_str().unwrap()])
    }

    #[test]
    fn a_device_goes_with_its_value_also_when_the_test_fails() {
        let image = image("loop-of-a-failing-test");
        let test = "a_device_goes_with_its_value_also_when_the_test_fails";
        let failed = std::panic::catch_unwind(|| {
            let made = Loop::for_test(test, &image, &["--read-only"])?;
            assert!(over(&image).starts_with(made.name()));
            panic!("a failing test");
            #[expect(unreachable_code, reason = "gives the closure its type")]
            Some(())
        });
        let is_left = over(&image);
        std::fs::remove_file(&image).unwrap();
        assert_eq!((is_left.as_str(), failed.is_ok()), ("", !is_root()));
    }

    #[test]
    fn a_device_until_closed_goes_when_it_is_closed() {
        if !root_for("a_device_until_closed_goes_when_it_is_closed") {
            return;
        }
        let image = image("loop-until-closed");
        let made = Loop::until_closed(&image, &[]);
        assert!(over(&image).starts_with(made.name()));
        drop(made);
        let is_left = over(&image);
        std::fs::remove_file(&image).unwrap();
        assert_eq!(is_left, "");
    }

    #[test]
    fn what_losetup_said_fails_the_test() {
        let failed = std::panic::catch_unwind(|| drop(Loop::over(Path::new("/not here"), &[])));
        let why = failed.unwrap_err().downcast::<String>().unwrap();
        assert!(why.starts_with("losetup ["), "{why}");
        assert!(why.contains("/not here"), "{why}");
    }

    fn is_root() -> bool {
        rustix::process::geteuid().is_root()
    }
}
