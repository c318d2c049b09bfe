//! How far the loop over the records of a pass came.

use std::io;

use etalon_model::Ended;
use rustix::io::Errno;

use super::content::WrongByte;
use super::halt::Halt;
use super::pass::RecordLatency;
use super::record_file::RecordFile;

/// How far the loop over the records came.
pub(crate) struct RecordProgress {
    pub(crate) operations: u64,
    pub(crate) bytes: u64,
    pub(crate) ended: Ended,
    pub(crate) latencies: Vec<RecordLatency>,
}

impl Default for RecordProgress {
    fn default() -> Self {
        RecordProgress {
            operations: 0,
            bytes: 0,
            ended: Ended::Complete,
            latencies: Vec::new(),
        }
    }
}

impl RecordProgress {
    /// Of a pass whose records were not begun.
    pub(crate) fn failed(operation: &str, error: &io::Error) -> RecordProgress {
        RecordProgress {
            ended: failure(operation, 0, error),
            ..RecordProgress::default()
        }
    }

    /// Notes who ended the pass early: another worker's end counts as complete.
    pub(crate) fn halt(&mut self, halt: Halt<'_>) {
        if !halt.walled() {
            self.ended = Ended::Interrupted;
        }
    }

    /// Notes the first thing that failed.
    pub(crate) fn note(&mut self, operation: &str, offset: u64, result: io::Result<()>) {
        if let (Err(error), Ended::Complete) = (result, &self.ended) {
            self.ended = failure(operation, offset, &error);
        }
    }
}

#[inline]
pub(crate) fn write_whole(file: &mut dyn RecordFile, data: &[u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < data.len() {
        match file.write(&data[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

pub(crate) fn failure(operation: &str, offset: u64, error: &io::Error) -> Ended {
    let inner = error.get_ref();
    if let Some(byte) = inner.and_then(|inner| inner.downcast_ref::<WrongByte>()) {
        let WrongByte {
            offset,
            found,
            expected,
        } = *byte;
        return Ended::Failed {
            operation: format!("comparison (0x{found:02x} in place of 0x{expected:02x})"),
            offset,
            errno: Errno::BADMSG.raw_os_error(),
        };
    }
    let errno = Errno::from_io_error(error).unwrap_or(Errno::IO);
    if errno == Errno::NOSPC || errno == Errno::DQUOT {
        return Ended::DiskFull;
    }
    Ended::Failed {
        operation: operation.to_owned(),
        offset,
        errno: errno.raw_os_error(),
    }
}
