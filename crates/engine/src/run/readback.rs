//! Reading back what a verified run has written.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use etalon_model::VerifyReport;

use crate::backend::Buffers;
use crate::data::{Expected, Ledger, check, generation};
use crate::{Control, EngineError, Prepared};

/// Compares every block that `ledgers` know as written with what the target now holds. What the
/// page cache still has is written and dropped first, so that the data comes from below it.
pub(super) fn read_back(
    prepared: &Prepared,
    ledgers: &[Ledger],
    control: &Control,
    report: &mut VerifyReport,
) -> Result<(), EngineError> {
    for (number, ledger) in ledgers.iter().enumerate() {
        let Some(path) = prepared.plan.files.get(number) else {
            break;
        };
        let file = reopen(prepared, path).map_err(|source| EngineError::Io {
            action: "read back",
            path: path.clone(),
            source,
        })?;
        one_file(prepared, (number as u32, &file), ledger, control, report).map_err(|source| {
            EngineError::Io {
                action: "read back",
                path: path.clone(),
                source,
            }
        })?;
    }
    Ok(())
}

fn reopen(prepared: &Prepared, path: &Path) -> std::io::Result<File> {
    let plain = File::open(path)?;
    rustix::fs::fsync(&plain)?;
    let _ = rustix::fs::fadvise(&plain, 0, None, rustix::fs::Advice::DontNeed);
    if !prepared.plan.direct {
        return Ok(plain);
    }
    OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_DIRECT)
        .open(path)
}

fn one_file(
    prepared: &Prepared,
    (number, file): (u32, &File),
    ledger: &Ledger,
    control: &Control,
    report: &mut VerifyReport,
) -> std::io::Result<()> {
    let plan = &prepared.plan;
    let mut buffers = Buffers::new(1, plan.block as usize);
    for block in (0..plan.blocks).filter(|&block| ledger.writes(block) > 0) {
        if control.stopped() {
            break;
        }
        let offset = plan.base + block * plan.block;
        let data = buffers.get(0);
        file.read_exact_at(data, offset)?;
        let expected = Expected::Exactly(generation(prepared.epoch, ledger.writes(block)));
        check(&prepared.pattern, data, number, offset, expected, report);
    }
    Ok(())
}
