//! What would make an arm comparable whose own figures stand in the way.

use etalon_language::say;

use super::Groups;

/// Why figures of an arm are compared with nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// They are invalid; their findings say what to change before the arm is measured again.
    Invalid,
    /// Their runs are too few.
    FewRuns,
}

/// The command that helps one arm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mending {
    /// Index of the arm.
    pub arm: usize,
    /// What is the matter with it.
    pub trouble: Trouble,
    /// The command.
    pub command: String,
}

impl Mending {
    pub(super) fn sentence(&self, groups: &Groups) -> String {
        let (arm, command) = (groups.name(self.arm), &self.command);
        match self.trouble {
            Trouble::Invalid => say!("compare-invalid-arm", arm = arm, command = command),
            Trouble::FewRuns => say!("compare-few-runs", arm = arm, command = command),
        }
    }
}
