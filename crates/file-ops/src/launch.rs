//! Workers that are processes of their own.
//!
//! The parent starts a program that ends in [`worker_main`] and speaks with it over its standard
//! input and output, a line a message: the job as JSON, `ready` or `refused REASON`, `start NS`
//! (on the machine's monotonic clock, which all processes share), then the pass as JSON. While the
//! worker works, `wall` and `stop` end it early, and so does the parent's death.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use etalon_model::Ended;
use etalon_units::Nanos;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::error::WorkerTrouble;
use super::halt::Halt;
use super::pass::Pass;
use super::prepare::{WorkerJob, prepare};
use super::start::{bind, sleep_until};

/// How often the parent looks whether the work is to end.
const LOOK: Duration = Duration::from_micros(200);

/// The same while a worker gets ready, which is outside all clocks.
const POLL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 10_000_000,
};

/// The program, with its arguments, that serves as a worker; it must end in [`worker_main`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerProgram {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// What the parent sends first.
#[derive(Debug, Serialize, Deserialize)]
struct LaunchOrder {
    job: WorkerJob,
    cpu: Option<usize>,
}

/// A worker that has said that it is ready.
pub(crate) struct WorkerProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl WorkerProgram {
    /// Starts a worker and waits until it is ready; `stop` ends it before.
    pub(crate) fn start(
        &self,
        job: &WorkerJob,
        cpu: Option<usize>,
        stop: &AtomicBool,
    ) -> Result<WorkerProcess, WorkerTrouble> {
        let mut child = Command::new(&self.program)
            .arg0("etalon")
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Ctrl-C is for the parent, which tells its workers.
            .process_group(0)
            .spawn()
            .map_err(WorkerTrouble::NotStarted)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(WorkerTrouble::Vanished);
        };
        let mut worker = WorkerProcess {
            child,
            input,
            output: BufReader::new(output),
        };
        let order = serde_json::to_string(&LaunchOrder {
            job: job.clone(),
            cpu,
        });
        worker.send(&order.map_err(|error| WorkerTrouble::NotStarted(error.into()))?)?;
        if !worker.answers(stop)? {
            worker.kill();
            return Err(WorkerTrouble::Stopped);
        }
        let answer = worker.receive()?;
        match answer.strip_prefix("refused ") {
            Some(reason) => Err(WorkerTrouble::Refused(etalon_factor::shown(reason))),
            None if answer == "ready" => Ok(worker),
            None => Err(WorkerTrouble::Vanished),
        }
    }
}

impl WorkerProcess {
    fn send(&mut self, line: &str) -> Result<(), WorkerTrouble> {
        writeln!(self.input, "{line}").map_err(|_| WorkerTrouble::Vanished)
    }

    /// Waits until it says something or ends; false when `stop` came first.
    fn answers(&self, stop: &AtomicBool) -> Result<bool, WorkerTrouble> {
        while !stop.load(Ordering::Relaxed) {
            let mut fds = [PollFd::new(self.output.get_ref(), PollFlags::IN)];
            match poll(&mut fds, Some(&POLL)) {
                // A signal ends the wait, and may be that for which `stop` is looked at.
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(true),
                Err(_) => return Err(WorkerTrouble::Vanished),
            }
        }
        Ok(false)
    }

    /// Ends it where it is, since it does not listen before it is ready. What it has open is in use until
    /// it is gone.
    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn receive(&mut self) -> Result<String, WorkerTrouble> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(count) if count > 0 => Ok(line.trim_end().to_owned()),
            _ => Err(WorkerTrouble::Vanished),
        }
    }

    /// Lets the worker start at `start` and waits for what it came to.
    pub(crate) fn run(
        mut self,
        start: Nanos,
        stop: &AtomicBool,
        wall: Option<&AtomicBool>,
    ) -> Result<Pass, WorkerTrouble> {
        self.send(&format!("start {}", start.0))?;
        let WorkerProcess {
            mut child,
            mut input,
            mut output,
        } = self;
        let line = thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let mut line = String::new();
                output.read_line(&mut line).map(|_| line)
            });
            // After the wall a worker may still complete its file, which the user's stop ends.
            let mut signals = [(Some(stop), "stop"), (wall, "wall")];
            while !reader.is_finished() {
                for (signal, word) in &mut signals {
                    if signal
                        .take_if(|flag| flag.load(Ordering::Relaxed))
                        .is_some()
                    {
                        // A worker that has just ended hears no more.
                        let _ = writeln!(input, "{word}");
                    }
                }
                thread::sleep(LOOK);
            }
            reader.join()
        });
        drop(input);
        // Its exit status says nothing that its last line does not.
        let _ = child.wait();
        let line = line
            .ok()
            .and_then(Result::ok)
            .ok_or(WorkerTrouble::Vanished)?;
        let mut pass: Pass = serde_json::from_str(&line).map_err(|_| WorkerTrouble::Vanished)?;
        // The worker was given names of this process, for which only this process has the paths.
        if let Ended::Failed { operation, .. } = &mut pass.ended {
            *operation = etalon_factor::shown(operation);
        }
        Ok(pass)
    }
}

/// The life of a worker process, from the order on `input` to the pass on `output`.
///
/// # Errors
/// When the parent cannot be heard or answered.
pub fn worker_main(
    mut input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let order: LaunchOrder = serde_json::from_str(&line)?;
    let prepared = order
        .cpu
        .map_or(Ok(()), |cpu| bind(cpu, &order.job))
        .and_then(|()| prepare(&order.job));
    let ready = match prepared {
        Ok(ready) => ready,
        Err(error) => return writeln!(output, "refused {error}"),
    };
    writeln!(output, "ready")?;
    output.flush()?;
    line.clear();
    input.read_line(&mut line)?;
    let Some(start) = line
        .trim()
        .strip_prefix("start ")
        .and_then(|ns| ns.parse().ok())
    else {
        return Ok(());
    };
    let (stop, wall) = listen(input);
    sleep_until(Nanos(start));
    let halt = Halt {
        stop: &stop,
        wall: Some(&wall),
    };
    let pass = ready.go(halt, &());
    writeln!(output, "{}", serde_json::to_string(&pass)?)?;
    output.flush()
}

/// The two flags that the parent can set from now on; its end counts as `stop`.
fn listen(mut input: impl BufRead + Send + 'static) -> (Arc<AtomicBool>, Arc<AtomicBool>) {
    let (stop, wall) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicBool::new(false)),
    );
    let flags = (Arc::clone(&stop), Arc::clone(&wall));
    thread::spawn(move || {
        loop {
            let mut line = String::new();
            match input.read_line(&mut line) {
                Ok(count) if count > 0 && line.trim() == "wall" => {
                    flags.1.store(true, Ordering::Relaxed)
                }
                Ok(count) if count > 0 && line.trim() != "stop" => {}
                _ => return flags.0.store(true, Ordering::Relaxed),
            }
        }
    });
    (stop, wall)
}
