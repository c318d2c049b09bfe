//! A file as a pass sees it: records that are read and written at offsets.

use std::fs::{File, OpenOptions};
use std::io::{self, IoSlice, IoSliceMut, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use etalon_engine::Stream;
use etalon_model::SyncMode;
use rustix::fs::OFlags;

use super::file_lock::FileLock;
use super::mapped::MappedFile;
use super::queue::Queued;
use super::record_file::{Positioned, RecordFile, close};
use super::record_lock::RecordLock;
use super::settings::Depth;
use super::{Direction, FileOp, FileOpError, Settings};

/// Pieces into which a record is cut by `preadv` and `pwritev`.
const PIECES: usize = 8;

/// `preadv(2)` and `pwritev(2)` over equal pieces of the record.
pub(crate) struct Vectored(pub(crate) File);

/// The length of a piece: whole pages where the record has enough of them.
fn piece(length: usize) -> usize {
    let piece = length.div_ceil(PIECES);
    if piece > 4096 {
        piece.next_multiple_of(4096)
    } else {
        piece.max(512)
    }
}

impl RecordFile for Vectored {
    fn read(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let piece = piece(buffer.len());
        let mut pieces = buffer.chunks_mut(piece).map(IoSliceMut::new);
        let mut list: [IoSliceMut<'_>; PIECES] =
            std::array::from_fn(|_| pieces.next().unwrap_or_else(|| IoSliceMut::new(&mut [])));
        Ok(rustix::io::preadv(&self.0, &mut list, offset)?)
    }

    fn write(&mut self, data: &[u8], offset: u64) -> io::Result<usize> {
        let piece = piece(data.len());
        let mut pieces = data.chunks(piece).map(IoSlice::new);
        let list: [IoSlice<'_>; PIECES] =
            std::array::from_fn(|_| pieces.next().unwrap_or_else(|| IoSlice::new(&[])));
        Ok(rustix::io::pwritev(&self.0, &list, offset)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        close(self.0)
    }
}

/// `fread(3)` and `fwrite(3)`, from the start to the end of the file.
pub(crate) struct Streamed(pub(crate) Stream);

impl RecordFile for Streamed {
    #[inline]
    fn read(&mut self, buffer: &mut [u8], _offset: u64) -> io::Result<usize> {
        self.0.read(buffer)
    }

    #[inline]
    fn write(&mut self, data: &[u8], _offset: u64) -> io::Result<usize> {
        self.0.write(data)
    }

    fn drain(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.sync()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.0.close()
    }
}

/// A file that is open for one operation.
pub(crate) struct Opened {
    pub(crate) file: Box<dyn RecordFile>,
    /// What the records go through where several are under way at once; `file` is the same file.
    pub(crate) queued: Option<Queued>,
    /// What is taken before the clock starts, where the file is locked while it is used.
    pub(crate) lock: Option<FileLock>,
    /// What locks each record while it is moved, where that is asked for.
    pub(crate) record_lock: Option<RecordLock>,
    /// Whether `O_DIRECT` is in force.
    pub(crate) direct: bool,
    /// The error number with which `O_DIRECT` was refused.
    pub(crate) refused: Option<i32>,
}

/// Opens `path` as `op` needs it, at its start.
pub(crate) fn open(path: &Path, op: FileOp, settings: &Settings) -> Result<Opened, FileOpError> {
    let mapped = settings.mapped.filter(|_| op.may_be_mapped());
    let wants_direct = settings.direct && !op.is_stream() && mapped.is_none();
    let failed = |action| {
        move |source| FileOpError::Io {
            action,
            path: path.to_owned(),
            source,
        }
    };
    let (file, refused) = open_plain(path, op, settings, wants_direct).map_err(failed("open"))?;
    ready(&file, settings).map_err(failed("prepare"))?;
    let queued = match settings.queue.filter(|_| op.may_be_queued()) {
        Some(depth) => Some(queue(&file, depth, path, op, settings)?),
        None => None,
    };
    let lock = settings.lock.then(|| file.try_clone()).transpose();
    let lock = lock.map_err(failed("prepare"))?;
    let lock = lock.map(|handle| FileLock::new(handle, op.direction()));
    let locks_records = settings.lock_records && !op.is_stream();
    let record_lock = locks_records.then(|| file.try_clone()).transpose();
    let record_lock = record_lock.map_err(failed("prepare"))?;
    let record_lock = record_lock.map(|handle| RecordLock::new(handle, op.direction()));
    let file: Box<dyn RecordFile> = match mapped {
        Some(mapped) => {
            Box::new(MappedFile::new(file, op, mapped, settings).map_err(failed("map"))?)
        }
        None => {
            by_calls(file, op, settings.buffer_length(op)?).map_err(failed("make a stream of"))?
        }
    };
    Ok(Opened {
        file,
        queued,
        lock,
        record_lock,
        direct: wants_direct && refused.is_none(),
        refused,
    })
}

fn queue(
    file: &File,
    depth: Depth,
    path: &Path,
    op: FileOp,
    settings: &Settings,
) -> Result<Queued, FileOpError> {
    let record = settings.buffer_length(op)?;
    settings.queue_memory(depth, record)?;
    file.try_clone()
        .and_then(|file| Queued::new(file, depth, record, (op, settings)))
        .map_err(|source| FileOpError::NoQueue {
            path: path.to_owned(),
            source,
        })
}

fn by_calls(file: File, op: FileOp, record: usize) -> io::Result<Box<dyn RecordFile>> {
    let writes = op.direction() == Direction::Write;
    Ok(match (op.is_stream(), op.is_vectored()) {
        // A buffer of one record: what iozone's streams hand to the kernel at once.
        (true, _) => Box::new(Streamed(Stream::with_buffer(file, writes, record)?)),
        (false, true) => Box::new(Vectored(file)),
        (false, false) => Box::new(Positioned(file)),
    })
}

/// The file, and the error number with which `O_DIRECT` was refused.
fn open_plain(
    path: &Path,
    op: FileOp,
    settings: &Settings,
    direct: bool,
) -> io::Result<(File, Option<i32>)> {
    let writes = op.direction() == Direction::Write;
    // What was made has no link in its name.
    let mut flags = OFlags::NOFOLLOW;
    if writes || settings.sync_reads {
        flags |= match settings.sync {
            SyncMode::None => OFlags::empty(),
            SyncMode::DSync => OFlags::DSYNC,
            SyncMode::Sync => OFlags::SYNC,
        };
    }
    let options = |flags: OFlags| {
        let mut options = OpenOptions::new();
        options
            .read(true)
            .write(writes)
            .custom_flags(flags.bits() as i32);
        options.open(path)
    };
    if !direct {
        return Ok((options(flags)?, None));
    }
    match options(flags | OFlags::DIRECT) {
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::INVAL.raw_os_error()) => {
            Ok((options(flags)?, error.raw_os_error()))
        }
        other => Ok((other?, None)),
    }
}

fn ready(mut file: &File, settings: &Settings) -> io::Result<()> {
    if let Some(advice) = settings.advice {
        advice.apply(file)?;
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(())
}
