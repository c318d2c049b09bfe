//! What is only read has no data left in memory that would be written meanwhile.

use std::fs::File;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::{Control, EngineError, Plan};

/// How soon a stop is obeyed while the kernel writes.
const LOOK: Duration = Duration::from_millis(100);

/// Makes durable what somebody wrote to the plan's files or device and the kernel still holds: written during a run that
/// only reads, it would look like the work of others. The content stays as it is.
///
/// # Errors
/// [`EngineError::Stopped`].
pub(super) fn settle(plan: &Plan, control: &Control) -> Result<(), EngineError> {
    if !plan.touches_target() || plan.workload.operation.changes() {
        return Ok(());
    }
    plan.files
        .iter()
        .try_for_each(|path| make_durable(path, control))
}

/// A call of fsync(2) cannot be broken off; one that a stop leaves behind ends by itself.
fn make_durable(path: &Path, control: &Control) -> Result<(), EngineError> {
    // Whoever cannot be opened is refused by the run, with its reason; what is not written is told by the counters.
    let Ok(file) = File::open(path) else {
        return Ok(());
    };
    let (ended, end) = channel();
    thread::spawn(move || {
        let _ = file.sync_all();
        let _ = ended.send(());
    });
    loop {
        match end.recv_timeout(LOOK) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) if control.stopped() => {
                return Err(EngineError::Stopped);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
