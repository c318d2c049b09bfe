//! Who watches a copy: told what happens, asked before each block whether to go on.

use super::counts::Counts;
use super::notice::Notice;

/// Watches one copy.
pub trait Observer {
    /// Called before each block and whenever a wait for data is interrupted.
    fn go_on(&mut self, counts: &Counts) -> Go;

    /// Something the user should know.
    fn notice(&mut self, notice: &Notice);

    /// The statistics so far are due: a read failed and `conv=noerror` goes on.
    fn statistics(&mut self, counts: &Counts);
}

/// Whether a copy goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// It does.
    On,
    /// It ends here, as if the input ended, and what was copied stays.
    Stop,
}
