//! A test that runs once more, in a process of its own within a control group, and prints what it finds there.

use std::ffi::OsStr;

use etalon_testbed::ControlGroup;

/// What the test printed within the group.
pub(crate) struct Said(pub(crate) String);

impl Said {
    /// Runs a test of this binary, by its path within it, in the group and with one more variable in its environment.
    pub(crate) fn within(
        group: &ControlGroup,
        test: &str,
        (variable, value): (&str, &OsStr),
    ) -> Said {
        let mut again = group.around(&std::env::current_exe().unwrap());
        again.args(["--exact", test, "--nocapture"]);
        let done = again.env(variable, value).output().unwrap();
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success(), "{said}");
        Said(said)
    }

    /// The first line that begins so.
    pub(crate) fn line(&self, start: &str) -> &str {
        let mut lines = self.0.lines();
        let found = lines.find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no line '{start}': {}", self.0))
    }
}
