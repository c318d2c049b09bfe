//! Opening the two files of a copy, the output through the guard.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_factor::guard::{self, Create, GuardError, Refusal, Writing};
use rustix::fs::{Mode, OFlags};

use super::ends::{Descriptor, Sink};
use super::notice::Notice;
use super::settings::{CopySettings, FileFlags};

/// Why the files of a copy were not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The kernel said no.
    #[error("{0}")]
    Failed(Notice),
    /// The output is something that must not be written to.
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
/// A file that cannot be opened, or an output that the guard keeps from being written; `destroy` is
/// the name of a device that the user typed out.
pub fn open(settings: &CopySettings, destroy: Option<&str>) -> Result<Ends, OpenError> {
    let source = open_input(settings)
        .map_err(|errno| OpenError::Failed(Notice::OpenFailed(settings.input_name(), errno)))?;
    check_length(settings)?;
    let sink = match &settings.output {
        None => standard_output(settings, destroy)?,
        Some(path) => open_output(settings, path, destroy)?,
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
) -> Result<Descriptor, OpenError> {
    let failed = |errno| OpenError::Failed(Notice::OpenFailed(settings.output_name(), errno));
    let output = Descriptor::standard_output().map_err(failed)?;
    let name = fs::read_link("/proc/self/fd/1");
    let name = name.unwrap_or_else(|_| PathBuf::from(settings.output_name()));
    guard::may_write(&output, &name, destroy)?;
    add_flags(&output, open_flags(settings.output_flags)).map_err(failed)?;
    cut(settings, output)
}

fn open_output(
    settings: &CopySettings,
    path: &Path,
    destroy: Option<&str>,
) -> Result<Descriptor, OpenError> {
    let failed = |errno| OpenError::Failed(Notice::OpenFailed(settings.output_name(), errno));
    let conversions = settings.conversions;
    let cuts_at_seek = settings.seek.blocks > 0;
    let writing = Writing {
        create: match (conversions.excl, conversions.nocreat) {
            (true, _) => Create::New,
            (_, true) => Create::Never,
            _ => Create::IfMissing,
        },
        truncate: !conversions.notrunc && !cuts_at_seek,
        read: cuts_at_seek,
        flags: open_flags(settings.output_flags),
        destroy,
    };
    let opened = guard::open(path, &writing).map_err(|error| match error {
        GuardError::Refused(refusal) => OpenError::Refused(refusal),
        GuardError::Failed(errno) => failed(errno),
    });
    cut(settings, Descriptor::own(opened?).map_err(failed)?)
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
