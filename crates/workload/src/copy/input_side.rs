//! The reading half of a copy: skipping, short reads, read errors.

use std::ffi::OsString;

use rustix::fs::SeekFrom;
use rustix::io::Errno;

use super::counts::Counts;
use super::ends::{Source, offset};
use super::notice::Notice;
use super::observer::{Go, Observer};
use super::settings::CopySettings;

/// Pages are dropped after so many bytes with `iflag=nocache`.
const DROP_EVERY_BYTES: u64 = 1 << 20;

/// Why a block was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotRead {
    Stopped,
    Failed(Errno),
}

/// A source and what dd remembers about it.
pub(crate) struct InputSide<S> {
    source: S,
    name: OsString,
    fullblock: bool,
    direct: bool,
    nocache: bool,
    /// Length of the read before this one.
    previous: usize,
    warn_partial: bool,
    /// Where the next read starts; meaningful where the input can be positioned.
    position: u64,
    seekable: bool,
    dropped_to: u64,
}

impl<S: Source> InputSide<S> {
    pub(crate) fn new(mut source: S, settings: &CopySettings) -> InputSide<S> {
        let start = source.seek(SeekFrom::Current(0));
        let flags = settings.input_flags;
        let direct = flags.direct || settings.output_flags.direct;
        let bounded = settings.skip.blocks > 0 || settings.count.is_some_and(|c| c.blocks > 0);
        InputSide {
            name: settings.input_name(),
            fullblock: flags.fullblock,
            direct: flags.direct,
            nocache: flags.nocache,
            previous: 0,
            warn_partial: !settings.regroup && !flags.fullblock && (bounded || direct),
            position: start.unwrap_or(0),
            seekable: start.is_ok(),
            dropped_to: start.unwrap_or(0),
            source,
        }
    }

    pub(crate) fn name(&self) -> &OsString {
        &self.name
    }

    /// Moves to where reading starts: by lseek(2) where that works, else by reading.
    pub(crate) fn skip(
        &mut self,
        settings: &CopySettings,
        scratch: &mut [u8],
        observer: &mut dyn Observer,
        counts: &Counts,
    ) -> Result<(), Notice> {
        let too_far = match settings.skip.in_bytes(settings.input_block) {
            Some(distance) => match self.source.seek(SeekFrom::Current(offset_of(distance))) {
                Ok(position) => {
                    self.skipped_to(position, distance, observer);
                    return Ok(());
                }
                Err(errno) => errno,
            },
            None => Errno::OVERFLOW,
        };
        if self.source.seek(SeekFrom::End(0)).is_ok() {
            return Err(Notice::SkipFailed(self.name.clone(), too_far));
        }
        // Nothing can be positioned: the position counts what was read.
        let goal = settings.skip.in_bytes(settings.input_block);
        let start = self.position;
        let mut left = settings.skip;
        while !left.is_zero() {
            let want = if left.blocks > 0 {
                scratch.len()
            } else {
                left.bytes
            };
            match self.block(&mut scratch[..want], observer, counts) {
                Ok(0) => break,
                Ok(_) if left.blocks > 0 => left.blocks -= 1,
                Ok(_) => left.bytes = 0,
                Err(NotRead::Stopped) => return Ok(()),
                Err(NotRead::Failed(errno)) => {
                    return Err(Notice::ReadFailed(self.name.clone(), errno));
                }
            }
        }
        if goal.is_none_or(|goal| self.position - start < goal) {
            observer.notice(&Notice::SkipBeyondEnd(self.name.clone()));
        }
        Ok(())
    }

    fn skipped_to(&mut self, position: u64, distance: u64, observer: &mut dyn Observer) {
        self.position = position;
        self.dropped_to = position;
        let beyond = self.source.length().is_some_and(|length| length < position);
        if beyond && distance > 0 {
            observer.notice(&Notice::SkipBeyondEnd(self.name.clone()));
        }
    }

    /// One input block: a single read, or with `iflag=fullblock` as many as fill it.
    pub(crate) fn block(
        &mut self,
        buffer: &mut [u8],
        observer: &mut dyn Observer,
        counts: &Counts,
    ) -> Result<usize, NotRead> {
        if !self.fullblock {
            return self.read(buffer, observer, counts);
        }
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read(&mut buffer[filled..], observer, counts)? {
                0 => break,
                n => filled += n,
            }
        }
        Ok(filled)
    }

    fn read(
        &mut self,
        buffer: &mut [u8],
        observer: &mut dyn Observer,
        counts: &Counts,
    ) -> Result<usize, NotRead> {
        loop {
            let result = match self.source.wait() {
                Ok(true) => self.source.read(buffer),
                Ok(false) => Err(Errno::INTR),
                Err(errno) => Err(errno),
            };
            match result {
                Ok(n) => return Ok(self.note(n, buffer.len(), observer)),
                Err(Errno::INTR) => {
                    if observer.go_on(counts) == Go::Stop {
                        return Err(NotRead::Stopped);
                    }
                }
                // After a short direct read the position is not aligned: that was the end.
                Err(Errno::INVAL)
                    if self.direct && 0 < self.previous && self.previous < buffer.len() =>
                {
                    return Ok(0);
                }
                Err(errno) => return Err(NotRead::Failed(errno)),
            }
        }
    }

    fn note(&mut self, n: usize, wanted: usize, observer: &mut dyn Observer) -> usize {
        let short_before = 0 < self.previous && self.previous < wanted;
        if n > 0 && self.warn_partial && short_before {
            observer.notice(&Notice::PartialRead(self.previous));
            self.warn_partial = false;
        }
        self.previous = n;
        self.position = self.position.saturating_add(n as u64);
        if self.nocache && self.position - self.dropped_to >= DROP_EVERY_BYTES {
            self.source
                .drop_cache(self.dropped_to, self.position - self.dropped_to);
            self.dropped_to = self.position;
        }
        n
    }

    /// After a failed read: moves over the `bytes` that could not be read.
    pub(crate) fn pass_over(&mut self, bytes: usize) -> Result<(), Notice> {
        if !self.seekable {
            return Ok(());
        }
        self.position = self.position.saturating_add(bytes as u64);
        let moved =
            offset(self.position).and_then(|_| self.source.seek(SeekFrom::Start(self.position)));
        match moved {
            Ok(_) => Ok(()),
            Err(errno) => {
                self.seekable = false;
                Err(Notice::SeekFailed(self.name.clone(), errno))
            }
        }
    }

    /// With `iflag=nocache`: drops what was read, and all to the end of the file once it is read.
    pub(crate) fn finish(&mut self) {
        if self.nocache {
            self.source.drop_cache(self.dropped_to, 0);
        }
    }
}

fn offset_of(distance: u64) -> i64 {
    // Extent::in_bytes keeps within what an offset holds.
    i64::try_from(distance).unwrap_or(i64::MAX)
}
