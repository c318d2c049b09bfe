//! The files and directories that a metadata operation needs to find.

use std::path::Path;

use etalon_model::Operation;
use rustix::fs::{Mode, OFlags, openat, unlinkat};
use rustix::io::Errno;

use crate::backend::{PER_DIRECTORY, file_name, job_directory, sub_directory};
use crate::{Control, EngineError, Plan};

/// Makes every job's directories, and in them all files for look-ups and removals, or none for
/// creations.
pub(super) fn lay_out(plan: &Plan, target: &Path, control: &Control) -> Result<(), EngineError> {
    for job in 0..plan.workload.jobs {
        let directory = job_directory(target, job);
        make(&directory)?;
        let (first, count) = plan.share(job).part();
        let mut file = first;
        while file < first + count {
            let next = (file / PER_DIRECTORY + 1) * PER_DIRECTORY;
            let end = next.min(first + count);
            one_directory(plan, &directory, file..end, control)?;
            file = end;
        }
    }
    Ok(())
}

/// True when the directory was not there before.
fn make(path: &Path) -> Result<bool, EngineError> {
    match std::fs::create_dir(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(source) => Err(EngineError::Io {
            action: "create",
            path: path.to_owned(),
            source,
        }),
    }
}

fn one_directory(
    plan: &Plan,
    job: &Path,
    files: std::ops::Range<u64>,
    control: &Control,
) -> Result<(), EngineError> {
    let path = sub_directory(job, files.start);
    let fresh = make(&path)?;
    let wanted = plan.workload.operation != Operation::Create;
    if fresh && !wanted {
        return Ok(());
    }
    let failed = |action, error: Errno| EngineError::Io {
        action,
        path: path.clone(),
        source: error.into(),
    };
    let directory = rustix::fs::open(&path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .map_err(|error| failed("open", error))?;
    let mut name = String::new();
    for file in files {
        if control.stopped() {
            return Err(EngineError::Stopped);
        }
        file_name(&mut name, file);
        if wanted {
            let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
            openat(&directory, &*name, flags, Mode::RUSR | Mode::WUSR)
                .map_err(|error| failed("create files in", error))?;
        } else {
            match unlinkat(&directory, &*name, rustix::fs::AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(error) => return Err(failed("remove files from", error)),
            }
        }
    }
    Ok(())
}
