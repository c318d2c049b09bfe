//! The socket of a server, which goes with it.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use super::ServeError;

/// A listening socket under a name, for its owner alone. Dropping it removes the name, if it is still its own.
#[derive(Debug)]
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
    identity: (u64, u64),
}

impl Socket {
    /// Makes it; the name must be free.
    ///
    /// # Errors
    /// [`ServeError::Taken`] and [`ServeError::Socket`].
    pub fn bind(path: &Path) -> Result<Socket, ServeError> {
        let refused = |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => taken(path),
            _ => ServeError::Socket {
                path: path.to_owned(),
                source,
            },
        };
        let listener = UnixListener::bind(path).map_err(refused)?;
        let found = fs::symlink_metadata(path).map_err(refused)?;
        let socket = Socket {
            listener,
            path: path.to_owned(),
            identity: (found.dev(), found.ino()),
        };
        // Who may not read and write it cannot connect (unix(7)).
        let owner = fs::Permissions::from_mode(0o600);
        fs::set_permissions(path, owner).map_err(refused)?;
        Ok(socket)
    }

    /// The name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn listener(&self) -> &UnixListener {
        &self.listener
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let found = fs::symlink_metadata(&self.path);
        if found.is_ok_and(|found| (found.dev(), found.ino()) == self.identity) {
            // Nobody is left to tell; nothing listens behind the name any more.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Why the name is not free.
fn taken(path: &Path) -> ServeError {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
    let is_dead = is_socket && UnixStream::connect(path).is_err();
    ServeError::Taken {
        path: path.to_owned(),
        what: match (is_socket, is_dead) {
            (true, true) => "a socket to which nothing listens any more; remove it",
            (true, false) => "another server; give another name",
            _ => "something else, which is not overwritten; give another name",
        },
    }
}
