//! Opening the two files of a copy, with block devices guarded.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::ends::{Descriptor, Sink};
use super::notice::Notice;
use super::settings::{CopySettings, FileFlags};
use crate::guard::{Guard, Refusal, Unknown};

/// Permissions of a new output file before the umask: read and write for all, as dd(1).
const NEW_FILE_MODE: u32 = 0o666;

/// Why the files of a copy were not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The kernel said no.
    #[error("{0}")]
    Failed(Notice),
    /// The output is a block device that must not be written to.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

/// Both files of a copy.
#[derive(Debug)]
pub struct Ends {
    /// Open for reading.
    pub source: Descriptor,
    /// Open for writing, and cut to where writing starts.
    pub sink: Descriptor,
}

/// Opens the input, then the output, and cuts the output unless `conv=notrunc`.
///
/// # Errors
/// A file that cannot be opened, or a block device that `guard` keeps from being written.
pub fn open(
    settings: &CopySettings,
    destroy: Option<&str>,
    guard: Guard<'_>,
) -> Result<Ends, OpenError> {
    let source = open_input(settings)
        .map_err(|errno| OpenError::Failed(Notice::OpenFailed(settings.input_name(), errno)))?;
    check_length(settings)?;
    let sink = match &settings.output {
        None => standard_output(settings, destroy, guard)?,
        Some(path) => open_output(settings, path, destroy, guard)?,
    };
    Ok(Ends { source, sink })
}

fn open_input(settings: &CopySettings) -> rustix::io::Result<Descriptor> {
    let flags = open_flags(settings.input_flags);
    match &settings.input {
        None => {
            let input = Descriptor::standard_input()?;
            add_flags(&input, flags)?;
            Ok(input)
        }
        Some(path) => Descriptor::own(rustix::fs::open(
            path,
            flags | OFlags::RDONLY | OFlags::CLOEXEC,
            Mode::empty(),
        )?),
    }
}

fn standard_output(
    settings: &CopySettings,
    destroy: Option<&str>,
    guard: Guard<'_>,
) -> Result<Descriptor, OpenError> {
    let failed = |errno| OpenError::Failed(Notice::OpenFailed(settings.output_name(), errno));
    let output = Descriptor::standard_output().map_err(failed)?;
    if output.kind() == FileType::BlockDevice {
        let name = fs::read_link("/proc/self/fd/1")
            .unwrap_or_else(|_| PathBuf::from(settings.output_name()));
        guard(&name, destroy)?;
    }
    add_flags(&output, open_flags(settings.output_flags)).map_err(failed)?;
    cut(settings, output)
}

fn open_output(
    settings: &CopySettings,
    path: &Path,
    destroy: Option<&str>,
    guard: Guard<'_>,
) -> Result<Descriptor, OpenError> {
    let failed = |errno| OpenError::Failed(Notice::OpenFailed(settings.output_name(), errno));
    let conversions = settings.conversions;
    let flags = open_flags(settings.output_flags) | OFlags::CLOEXEC;
    if fs::metadata(path).is_ok_and(|target| target.file_type().is_block_device()) {
        guard(path, destroy)?;
        if conversions.excl {
            return Err(failed(Errno::EXIST));
        }
        // O_EXCL without O_CREAT: the kernel refuses a device that is mounted or held, open(2).
        let flags = flags | OFlags::WRONLY | OFlags::EXCL;
        let opened = rustix::fs::open(path, flags, Mode::empty()).and_then(Descriptor::own);
        return cut(settings, opened.map_err(failed)?);
    }
    let keeps = conversions.notrunc || settings.seek.blocks > 0;
    let with = |wanted, flag| if wanted { flag } else { OFlags::empty() };
    let flags = flags
        | with(!conversions.nocreat, OFlags::CREATE)
        | with(conversions.excl, OFlags::EXCL)
        | with(!keeps, OFlags::TRUNC);
    let mode = Mode::from_raw_mode(NEW_FILE_MODE);
    let both = || rustix::fs::open(path, flags | OFlags::RDWR, mode);
    let write = || rustix::fs::open(path, flags | OFlags::WRONLY, mode);
    let fd = match settings.seek.blocks {
        0 => write(),
        _ => both().or_else(|_| write()),
    };
    let sink = fd.and_then(Descriptor::own).map_err(failed)?;
    if sink.kind() == FileType::BlockDevice {
        // Put in the place of the file since it was looked at.
        return Err(Refusal::NotKnown {
            device: path.to_owned(),
            reason: Unknown::Replaced,
        }
        .into());
    }
    cut(settings, sink)
}

/// The length to which `seek=` cuts the output, or why no file has that length.
fn check_length(settings: &CopySettings) -> Result<u64, OpenError> {
    let seek = settings.seek;
    let cuts = seek.blocks > 0 && !settings.conversions.notrunc;
    match seek.in_bytes(settings.output_block) {
        None if cuts => Err(OpenError::Failed(Notice::SeekTooLarge {
            blocks: seek.blocks,
            block: settings.output_block,
        })),
        length => Ok(length.unwrap_or(0)),
    }
}

/// Cuts or grows the output to where writing starts.
fn cut(settings: &CopySettings, mut sink: Descriptor) -> Result<Descriptor, OpenError> {
    let seek = settings.seek;
    if seek.blocks == 0 || settings.conversions.notrunc {
        return Ok(sink);
    }
    let length = check_length(settings)?;
    match sink.truncate(length) {
        Err(errno) if sink.must_truncate() => Err(OpenError::Failed(Notice::TruncateFailed(
            settings.output_name(),
            length,
            errno,
        ))),
        _ => Ok(sink),
    }
}

fn open_flags(flags: FileFlags) -> OFlags {
    let table = [
        (flags.append, OFlags::APPEND),
        (flags.direct, OFlags::DIRECT),
        (flags.directory, OFlags::DIRECTORY),
        (flags.dsync, OFlags::DSYNC),
        (flags.sync, OFlags::SYNC),
        (flags.nonblock, OFlags::NONBLOCK),
        (flags.noatime, OFlags::NOATIME),
        (flags.noctty, OFlags::NOCTTY),
        (flags.nofollow, OFlags::NOFOLLOW),
    ];
    table
        .into_iter()
        .filter(|(wanted, _)| *wanted)
        .fold(OFlags::empty(), |all, (_, flag)| all | flag)
}

/// Sets flags on a stream that somebody else opened, as far as fcntl(2) can.
fn add_flags(stream: &Descriptor, flags: OFlags) -> rustix::io::Result<()> {
    if flags.is_empty() {
        return Ok(());
    }
    let old = rustix::fs::fcntl_getfl(stream)?;
    rustix::fs::fcntl_setfl(stream, old | flags)
}
