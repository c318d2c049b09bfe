//! Another program as a client: what it printed, and the processor time that it used.

use std::io::Read as _;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use wait4::Wait4 as _;

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// What it printed.
    pub text: String,
    /// Its processor time, its start included, in seconds.
    pub processor: f64,
}

/// Runs it to its end.
///
/// # Errors
/// Where it cannot be started or fails, with its error output.
pub fn run(command: &mut Command) -> anyhow::Result<Ended> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {command:?}"))?;
    let mut errors = child.stderr.take().context("no error output")?;
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = errors.read_to_string(&mut text);
        text
    });
    let mut text = String::new();
    let mut output = child.stdout.take().context("no output")?;
    output.read_to_string(&mut text)?;
    let used = child.wait4()?;
    let errors = errors.join().unwrap_or_default();
    ensure!(
        used.status.success(),
        "{command:?}: {}: {errors}",
        used.status
    );
    let processor = used.rusage.utime + used.rusage.stime;
    Ok(Ended {
        text,
        processor: processor.as_secs_f64(),
    })
}
