//! A server that stands while its clients are compared.

use std::ffi::OsStr;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tempfile::TempDir;

/// The user and the group `nobody`.
const NOBODY: u32 = 65534;
const START_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// It ends when it is dropped, and its directory goes with it.
#[derive(Debug)]
pub struct PrivateServer {
    child: Child,
    place: TempDir,
}

/// A directory below `parent` that `nobody` owns where this is root.
///
/// # Errors
/// The kernel's.
pub fn shared_directory(parent: &Path) -> anyhow::Result<TempDir> {
    let place = tempfile::Builder::new()
        .prefix("etalon-bench-")
        .tempdir_in(parent)?;
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o700))?;
    give_away(place.path())?;
    Ok(place)
}

/// Makes something `nobody`'s where this is root.
///
/// # Errors
/// The kernel's.
pub fn give_away(path: &Path) -> std::io::Result<()> {
    match is_root() {
        true => chown(path, Some(NOBODY), Some(NOBODY)),
        false => Ok(()),
    }
}

/// A program in a directory; as `nobody` where this is root, for databases refuse root.
pub fn as_nobody(program: impl AsRef<OsStr>, place: &Path) -> Command {
    let mut command = match is_root() {
        false => Command::new(program.as_ref()),
        true => {
            let mut command = Command::new("setpriv");
            let (user, group) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
            command
                .args([&user, &group, "--clear-groups"])
                .arg(program.as_ref());
            command
        }
    };
    command
        .current_dir(place)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

/// By who owns this process (proc(5)).
fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

impl PrivateServer {
    /// Starts it, and waits until `answers`.
    ///
    /// # Errors
    /// Where it cannot be started, ends, or does not answer within a minute.
    pub fn start(
        place: TempDir,
        mut command: Command,
        answers: impl Fn(&Path) -> bool,
    ) -> anyhow::Result<PrivateServer> {
        let child = command.stderr(Stdio::null()).spawn();
        let child = child.with_context(|| format!("cannot start {command:?}"))?;
        let mut server = PrivateServer { child, place };
        let begun = Instant::now();
        while !answers(server.place.path()) {
            if let Some(status) = server.child.try_wait()? {
                bail!("{command:?} ended with {status}");
            }
            if begun.elapsed() > START_TIMEOUT {
                bail!("{command:?} does not answer");
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(server)
    }

    /// Its directory.
    pub fn place(&self) -> &Path {
        self.place.path()
    }
}

impl Drop for PrivateServer {
    fn drop(&mut self) {
        // Of the signals that end all its processes at once SIGQUIT is the one that all of them know.
        let _ = Command::new("kill")
            .args(["-QUIT", &self.child.id().to_string()])
            .status();
        let _ = self.child.wait();
    }
}
