//! Loop devices.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::Duration;

/// losetup opens the device that it finds free for writing, and sees only then whether it is: two of them at once, and
/// the loser has the other's new device open for a moment, which the guard takes for a user of it.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const TRIES: usize = 10;
const PAUSE: Duration = Duration::from_millis(50);

/// A loop device over `file`, set up with more `options` of losetup; detached by whoever asked for it.
///
/// # Errors
/// What losetup said the last time; another program may take the device that it found free.
pub fn attach(options: &[&str], file: &Path) -> Result<PathBuf, String> {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut said = Err("not tried".to_owned());
    for _ in 0..TRIES {
        said = losetup(options, file);
        if said.is_ok() {
            break;
        }
        sleep(PAUSE);
    }
    said
}

fn losetup(options: &[&str], file: &Path) -> Result<PathBuf, String> {
    let mut command = Command::new("losetup");
    command.args(["--find", "--show"]).args(options).arg(file);
    match command.output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).trim().into())
        }
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Err(format!("losetup: {error}")),
    }
}
