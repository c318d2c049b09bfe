//! What ends a pass before its end.

use std::sync::atomic::{AtomicBool, Ordering};

/// Who may end a pass early.
#[derive(Clone, Copy)]
pub(crate) struct Halt<'a> {
    /// The user.
    pub(crate) stop: &'a AtomicBool,
    /// The first worker of a group that is done.
    pub(crate) wall: Option<&'a AtomicBool>,
}

impl Halt<'_> {
    #[inline]
    pub(crate) fn reached(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.walled()
    }

    pub(crate) fn walled(&self) -> bool {
        self.wall.is_some_and(|wall| wall.load(Ordering::Relaxed))
    }
}
