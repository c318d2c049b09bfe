//! Running the programs that make filesystems and arrays: by absolute paths, without a shell, in a
//! clean environment.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::error::FactorError;
use crate::need::Need;
use crate::started;

const BUSY_TIMEOUT: Duration = Duration::from_secs(3);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Where Debian puts them; the user's own path is not asked.
const PLACES: &[&str] = &["/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// The program, where it is installed.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let places = PLACES.iter().map(|place| Path::new(place).join(name));
    places.into_iter().find(|path| path.is_file())
}

/// Runs `program` and gives what it printed. It dies with this process, so that what takes long is not gone on with for
/// nobody, and `restore` waits for its end; it does not hear Ctrl-C, so that nothing is left half made.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Result<String, FactorError> {
    let missing = || Need::Tool {
        tool: program.to_owned(),
        package: package(program).to_owned(),
    };
    let path = find(program).ok_or_else(missing)?;
    let shown = || format!("{program} {}", arguments.join(" "));
    let mut command = match find("setpriv") {
        Some(setpriv) => {
            let mut command = Command::new(setpriv);
            command.args(["--pdeathsig", "KILL", "--"]).arg(path);
            command
        }
        None => Command::new(path),
    };
    let output = command
        .args(arguments)
        .env_clear()
        .env("PATH", PLACES.join(":"))
        .env("LC_ALL", "C")
        .stdin(started::input())
        .process_group(0)
        .output();
    let output = output.map_err(|error| FactorError::Program {
        command: shown(),
        why: error.to_string(),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = [&output.stderr[..], &output.stdout[..]].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    Err(FactorError::Program {
        command: shown(),
        why: format!("{} ({})", lines.join("; "), output.status),
    })
}

/// The same for a program that wants a device for itself, and writes nothing where it does not get
/// it. losetup, which seeks a free device, holds others for an instant.
pub(crate) fn run_alone(program: &str, arguments: &[&str]) -> Result<String, FactorError> {
    let begun = Instant::now();
    loop {
        match run(program, arguments) {
            Err(FactorError::Program { why, .. })
                if (why.contains("in use") || why.contains("busy"))
                    && begun.elapsed() < BUSY_TIMEOUT =>
            {
                sleep(POLL_INTERVAL);
            }
            ran => return ran,
        }
    }
}

/// Debian's package with a program.
fn package(program: &str) -> &'static str {
    match program {
        "mkfs.ext2" | "mkfs.ext3" | "mkfs.ext4" => "e2fsprogs",
        "mkfs.xfs" => "xfsprogs",
        "mkfs.btrfs" | "btrfs" => "btrfs-progs",
        "mkfs.f2fs" => "f2fs-tools",
        "mdadm" => "mdadm",
        "losetup" | "mount" | "umount" => "mount",
        "fstrim" | "blkdiscard" => "util-linux",
        "make-bcache" => "bcache-tools",
        _ => "lvm2",
    }
}

/// Options as somebody wrote them, as words. None may name another file or device: nothing but what
/// the guard allows is written.
pub(crate) fn words(options: &str) -> Result<Vec<String>, String> {
    let words: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
    for word in &words {
        let names_another = ["device=", "logdev", "rtdev", "UUID=", "LABEL="];
        if word.contains('/') || names_another.iter().any(|part| word.contains(part)) {
            return Err(format!(
                "the option '{word}' names another device or file, which is not allowed"
            ));
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_no_other_device() {
        assert_eq!(words("-b 4096 -O ^has_journal").unwrap().len(), 4);
        for options in ["-J device=sdb", "-d /etc", "-l logdev=sdb", "-r rtdev=x"] {
            assert!(words(options).is_err(), "{options}");
        }
    }

    #[test]
    fn what_a_program_complains_of_is_told() {
        let error = run("losetup", &["--no-such-option"]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("losetup --no-such-option"), "{text}");
        let error = run("no-such-program", &[]).unwrap_err().to_string();
        assert!(error.contains("install the package"), "{error}");
    }
}
