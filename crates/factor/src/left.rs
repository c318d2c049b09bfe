//! Files that were left on purpose, and are known again as long as nobody writes to them.

use std::fs::File;
use std::io;

use rustix::fs::{Stat, XattrFlags, fgetxattr, fsetxattr, fstat};

/// The attribute that holds what the file was when it was left (xattr(7)).
const LEFT: &str = "user.etalon.left";

/// Notes in the file how it was left. On a filesystem that keeps no attributes it is not known again.
pub(crate) fn note(file: &File) {
    let Ok(found) = fstat(file) else { return };
    let _ = fsetxattr(file, LEFT, state(&found).as_bytes(), XattrFlags::empty());
}

/// Whether a file was left by this program, by [`Named::note_left`](crate::Named::note_left), and nobody has written to it
/// since.
///
/// # Errors
/// When it cannot be looked at.
pub fn was_left(file: &File) -> io::Result<bool> {
    let now = state(&fstat(file)?);
    let mut noted = [0; 64];
    let length = fgetxattr(file, LEFT, &mut noted[..]).unwrap_or(0);
    Ok(noted.get(..length) == Some(now.as_bytes()))
}

/// Its size and when it was last written.
fn state(found: &Stat) -> String {
    format!(
        "{} {} {}",
        found.st_size, found.st_mtime, found.st_mtime_nsec
    )
}
