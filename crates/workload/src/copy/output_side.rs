//! The writing half of a copy: seeking, whole output blocks, holes, the end made durable.

use std::ffi::OsString;

use rustix::fs::SeekFrom;
use rustix::io::Errno;

use super::buffer::AlignedBuffer;
use super::counts::Counts;
use super::early_end::EarlyEnd;
use super::ends::{Sink, offset};
use super::notice::{Notice, SyncCall};
use super::observer::{Go, Observer};
use super::settings::CopySettings;

/// Pages are dropped after so many bytes with `oflag=nocache`.
const DROP_EVERY_BYTES: u64 = 1 << 20;

/// A sink and what dd remembers about it.
pub(crate) struct OutputSide<K> {
    sink: K,
    name: OsString,
    block: usize,
    direct: bool,
    /// With `oflag=nonblock` a full pipe is an error.
    nonblock: bool,
    nocache: bool,
    sparse: bool,
    fsync: bool,
    fdatasync: bool,
    /// Where `O_DIRECT` was turned off; what follows lies in the page cache.
    buffered_from: Option<u64>,
    /// The last block was sought over: the file may end before it.
    ends_in_hole: bool,
    undropped: u64,
    gathered: AlignedBuffer,
    fill: usize,
}

/// A write that ended early, with what it had written.
struct CutShort {
    written: usize,
    /// None where the observer ended it.
    errno: Option<Errno>,
}

impl CutShort {
    fn failed(written: usize, errno: Errno) -> CutShort {
        CutShort {
            written,
            errno: Some(errno),
        }
    }

    /// Of a block in which the user ended the copy dd counts nothing.
    fn stopped() -> CutShort {
        CutShort {
            written: 0,
            errno: None,
        }
    }
}

impl<K: Sink> OutputSide<K> {
    /// `gathered` holds one output block where the copy regroups, and nothing otherwise.
    pub(crate) fn new(sink: K, settings: &CopySettings, gathered: AlignedBuffer) -> OutputSide<K> {
        let (conversions, flags) = (settings.conversions, settings.output_flags);
        OutputSide {
            sink,
            name: settings.output_name(),
            block: settings.output_block,
            direct: flags.direct,
            nonblock: flags.nonblock,
            nocache: flags.nocache,
            sparse: conversions.sparse,
            fsync: conversions.fsync,
            fdatasync: conversions.fdatasync,
            buffered_from: None,
            ends_in_hole: false,
            undropped: 0,
            gathered,
            fill: 0,
        }
    }

    /// Moves to where writing starts.
    pub(crate) fn seek(&mut self, settings: &CopySettings) -> Result<(), Notice> {
        let moved = settings
            .seek
            .in_bytes(settings.output_block)
            .ok_or(Errno::OVERFLOW)
            .and_then(offset)
            .and_then(|distance| self.sink.seek(SeekFrom::Current(distance)));
        match moved {
            Ok(_) => Ok(()),
            Err(errno) => Err(Notice::SeekFailed(self.name.clone(), errno)),
        }
    }

    /// Writes one input block as it came.
    pub(crate) fn pass(
        &mut self,
        data: &[u8],
        whole: bool,
        observer: &mut dyn Observer,
        counts: &mut Counts,
    ) -> Result<(), EarlyEnd> {
        match self.write(data, observer, counts) {
            Ok(()) => {
                counts.wrote(data.len());
                match whole {
                    true => counts.full_out += 1,
                    false => counts.partial_out += 1,
                }
                Ok(())
            }
            Err(cut) => {
                counts.wrote(cut.written);
                Err(self.ended(cut.errno, false))
            }
        }
    }

    /// Adds bytes to the output block and writes each time it is full.
    pub(crate) fn gather(
        &mut self,
        mut data: &[u8],
        observer: &mut dyn Observer,
        counts: &mut Counts,
    ) -> Result<(), EarlyEnd> {
        while !data.is_empty() {
            let room = self.block - self.fill;
            let (now, later) = data.split_at(room.min(data.len()));
            self.gathered.get_mut()[self.fill..self.fill + now.len()].copy_from_slice(now);
            self.fill += now.len();
            data = later;
            if self.fill == self.block {
                self.fill = 0;
                self.write_gathered(observer, counts)?;
            }
        }
        Ok(())
    }

    fn write_gathered(
        &mut self,
        observer: &mut dyn Observer,
        counts: &mut Counts,
    ) -> Result<(), EarlyEnd> {
        // The buffer steps aside so that `write` can borrow the rest of `self`.
        let buffer = std::mem::take(&mut self.gathered);
        let result = self.write(buffer.get(), observer, counts);
        self.gathered = buffer;
        match result {
            Ok(()) => {
                counts.wrote(self.block);
                counts.full_out += 1;
                Ok(())
            }
            Err(cut) => {
                counts.wrote(cut.written);
                counts.partial_out += u64::from(cut.written > 0);
                Err(self.ended(cut.errno, true))
            }
        }
    }

    /// Writes what is left of an output block.
    pub(crate) fn flush(
        &mut self,
        observer: &mut dyn Observer,
        counts: &mut Counts,
    ) -> Result<(), EarlyEnd> {
        let fill = std::mem::take(&mut self.fill);
        if fill == 0 {
            return Ok(());
        }
        let buffer = std::mem::take(&mut self.gathered);
        let result = self.write(&buffer.get()[..fill], observer, counts);
        self.gathered = buffer;
        let written = result.as_ref().map_or_else(|cut| cut.written, |()| fill);
        counts.wrote(written);
        counts.partial_out += u64::from(written > 0);
        result.map_err(|cut| self.ended(cut.errno, false))
    }

    fn ended(&self, errno: Option<Errno>, gathered: bool) -> EarlyEnd {
        errno.map_or(EarlyEnd::Stopped, |errno| {
            EarlyEnd::Failed(Notice::WriteFailed {
                name: self.name.clone(),
                errno,
                gathered,
            })
        })
    }

    fn write(
        &mut self,
        data: &[u8],
        observer: &mut dyn Observer,
        counts: &mut Counts,
    ) -> Result<(), CutShort> {
        if self.direct && data.len() < self.block {
            self.leave_direct(observer);
        }
        self.ends_in_hole = self.sparse && is_zero(data) && self.step_over(data.len());
        if self.ends_in_hole {
            counts.sought_over(data.len());
            return Ok(());
        }
        let result = self.write_all(data, observer, counts);
        let written = result
            .as_ref()
            .map_or_else(|cut| cut.written, |()| data.len());
        if self.buffered_from.is_some() {
            counts.went_through_the_cache(written);
        }
        self.undropped += written as u64;
        if self.nocache && self.undropped >= DROP_EVERY_BYTES {
            self.drop_written();
        }
        result
    }

    fn write_all(
        &mut self,
        data: &[u8],
        observer: &mut dyn Observer,
        counts: &Counts,
    ) -> Result<(), CutShort> {
        let mut written = 0;
        while written < data.len() {
            match self.write_some(&data[written..]) {
                // A device that takes nothing is full.
                Ok(0) => return Err(CutShort::failed(written, Errno::NOSPC)),
                Ok(n) => written += n,
                Err(Errno::INTR) if observer.go_on(counts) == Go::On => {}
                Err(Errno::INTR) => return Err(CutShort::stopped()),
                Err(errno) => return Err(CutShort::failed(written, errno)),
            }
        }
        Ok(())
    }

    /// One write, or `INTR` where there is no room after a while.
    fn write_some(&mut self, data: &[u8]) -> Result<usize, Errno> {
        match self.nonblock || self.sink.wait()? {
            true => self.sink.write(data),
            false => Err(Errno::INTR),
        }
    }

    /// A block that is no whole block cannot be written directly: it goes through the page cache,
    /// from where an fsync at the end brings it to the device.
    fn leave_direct(&mut self, observer: &mut dyn Observer) {
        if let Err(errno) = self.sink.stop_direct() {
            observer.notice(&Notice::DirectStaysOn(self.name.clone(), errno));
        }
        let here = self.sink.seek(SeekFrom::Current(0)).unwrap_or(0);
        self.sink.drop_cache(here, 0);
        self.buffered_from = Some(here);
        self.direct = false;
        self.fsync = true;
    }

    fn step_over(&mut self, bytes: usize) -> bool {
        let moved = offset(bytes as u64)
            .and_then(|distance| self.sink.seek(SeekFrom::Current(distance)))
            .is_ok();
        // Where the output cannot be positioned, zeros are written like other data.
        self.sparse = moved;
        moved
    }

    fn drop_written(&mut self) {
        let here = self.sink.seek(SeekFrom::Current(0)).unwrap_or(0);
        let start = here.saturating_sub(self.undropped);
        self.sink.drop_cache(start, here - start);
        self.undropped = 0;
    }

    /// Gives a file that ends in a hole its length.
    pub(crate) fn close_hole(&mut self) -> Result<(), Notice> {
        if !self.ends_in_hole {
            return Ok(());
        }
        let Ok(here) = self.sink.seek(SeekFrom::Current(0)) else {
            return Ok(());
        };
        match self.sink.length() {
            Some(length) if length < here => self
                .sink
                .truncate(here)
                .map_err(|errno| Notice::TruncateFailed(self.name.clone(), here, errno)),
            _ => Ok(()),
        }
    }

    /// Makes the output durable as far as `conv=` asks; hands back every call that failed.
    pub(crate) fn make_durable(&mut self) -> Vec<Notice> {
        let mut failures = Vec::new();
        let mut fsync = self.fsync;
        if self.fdatasync
            && let Err(errno) = retried(|| self.sink.fdatasync())
        {
            // What cannot do the smaller one is asked for the larger one.
            fsync = true;
            if !matches!(errno, Errno::INVAL | Errno::NOSYS) {
                failures.push(self.sync_failed(SyncCall::Fdatasync, errno));
            }
        }
        if fsync && let Err(errno) = retried(|| self.sink.fsync()) {
            failures.push(self.sync_failed(SyncCall::Fsync, errno));
        }
        failures
    }

    /// Closes the output; `None` where that went well.
    pub(crate) fn close(&mut self) -> Option<Notice> {
        let failed = self.sink.close().err();
        failed.map(|errno| Notice::CloseFailed(self.name.clone(), errno))
    }

    fn sync_failed(&self, call: SyncCall, errno: Errno) -> Notice {
        Notice::SyncFailed(call, self.name.clone(), errno)
    }

    /// Drops what the file has in the page cache: all with `oflag=nocache`, and what was written since `oflag=direct` was
    /// turned off, so that the page cache holds no more of it than of the blocks before.
    pub(crate) fn drop_all(&mut self) {
        let from = if self.nocache {
            Some(0)
        } else {
            self.buffered_from
        };
        if let Some(from) = from {
            self.sink.drop_cache(from, 0);
        }
    }

    pub(crate) fn into_sink(self) -> K {
        self.sink
    }
}

fn retried(mut call: impl FnMut() -> rustix::io::Result<()>) -> rustix::io::Result<()> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            result => return result,
        }
    }
}

/// Whether `data`, which is not empty, is all zero.
fn is_zero(data: &[u8]) -> bool {
    // Each byte equals the one after it and the first is zero: one memcmp over the block.
    data.first() == Some(&0) && data[..data.len() - 1] == data[1..]
}

#[cfg(test)]
mod tests {
    use super::is_zero;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn zero_is_zero_everywhere(mut data in proptest::collection::vec(0u8..2, 1..40), blank: bool) {
            if blank {
                data.fill(0);
            }
            prop_assert_eq!(is_zero(&data), data.iter().all(|&byte| byte == 0));
        }
    }
}
