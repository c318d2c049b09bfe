//! Reading a device from one end for a few seconds, as hdparm does with `-t` and `-T`.
//!
//! [`read_device`] carries one [`RawRead`] out and hands back a [`RawReading`].

mod error;

use std::path::Path;
use std::time::{Duration, Instant};

use etalon_model::stack::share;
use etalon_stack::{Roots, Stack, residency, snapshot};
use etalon_units::{ByteRate, Bytes, Nanos, Percent};
use rustix::fs::{Advice, Mode, OFlags, SeekFrom};
use rustix::io::Errno;
use schemars::JsonSchema;
use serde::Serialize;

use crate::copy::AlignedBuffer;

pub use error::{PartRead, RawReadError};

/// Size of one read, as in hdparm(8): 2 MiB.
pub const BLOCK: Bytes = Bytes::mib(2);

/// The buffer starts on a boundary of this many bytes, so that it can be one huge page of x86-64:
/// direct reads into scattered pages are split into more requests.
const BUFFER_ALIGNMENT: usize = 2 << 20;

/// What is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The first block again and again: the page cache, or with `direct` the device's own.
    Cache,
    /// Block after block.
    Disk,
}

/// One measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RawRead {
    /// What is read.
    pub part: Part,
    /// With `O_DIRECT`, past the page cache.
    pub direct: bool,
    /// Where reading starts.
    #[serde(rename = "offset_bytes", alias = "offset")]
    pub offset: Bytes,
    /// When reading stops, at the latest at the end of the device.
    #[serde(rename = "span_ns", alias = "span")]
    pub span: Nanos,
}

/// What one measurement found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RawReading {
    /// What was asked for.
    pub read: RawRead,
    /// Bytes read, whole blocks.
    pub bytes: Bytes,
    /// How long it took.
    #[serde(rename = "elapsed_ns", alias = "elapsed")]
    pub elapsed: Nanos,
    /// Bytes of the device in the page cache when reading began; none where that cannot be told.
    #[serde(rename = "cached_before_bytes", alias = "cached_before")]
    pub cached_before: Option<Bytes>,
    /// Bytes that the device delivered, of those read; none where it was not counted.
    pub device_share: Option<Percent>,
}

impl RawReading {
    /// Bytes per second.
    pub fn rate(&self) -> ByteRate {
        ByteRate::over(self.bytes, self.elapsed)
    }
}

/// Reads `device` once: drops its pages from the page cache, then reads for the span that is asked
/// for or until the device ends, and drops them again. Nothing is written. As hdparm does, it looks
/// at every sector of what it read, within the clock.
///
/// Pages that hold changed data are written back first. A kernel that keeps pages all the same
/// (mapped or locked by somebody) is found out: see [`RawReading::cached_before`].
///
/// # Errors
/// When the device cannot be opened or read, or has less than one block from the offset on.
pub fn read_device(device: &Path, read: RawRead) -> Result<RawReading, RawReadError> {
    let flags = match read.direct {
        true => OFlags::RDONLY | OFlags::CLOEXEC | OFlags::DIRECT,
        false => OFlags::RDONLY | OFlags::CLOEXEC,
    };
    let at = |source| RawReadError::Open {
        device: device.to_owned(),
        source,
    };
    let fd = rustix::fs::open(device, flags, Mode::empty()).map_err(at)?;
    let end = rustix::fs::seek(&fd, SeekFrom::End(0)).map_err(at)?;
    let block = BLOCK.get();
    let blocks = end.saturating_sub(read.offset.get()) / block;
    if blocks == 0 {
        return Err(RawReadError::TooSmall {
            device: device.to_owned(),
            length: Bytes(end),
            offset: read.offset,
        });
    }
    let mut buffer = AlignedBuffer::aligned(BLOCK.get() as usize, BUFFER_ALIGNMENT)
        .map_err(|_| RawReadError::OutOfMemory)?;
    buffer.get_mut().fill(1);
    let roots = Roots::default();
    let tree = Stack::of(device, &roots).ok();
    forget(&fd);
    let cached_before = residency(device).ok().map(|found| found.cached);
    let before = tree.as_ref().map(|tree| snapshot(tree, &roots));

    let (done, elapsed) = timed(&fd, buffer.get_mut(), read, blocks)
        .map_err(|(failure, before)| RawReadError::read(device, failure, before))?;
    // Nobody who reads the device next, hdparm for one, shall find these pages and measure memory.
    forget(&fd);
    let bytes = Bytes(done * block);
    let delivered = tree.zip(before).and_then(|(tree, before)| {
        let top = tree.devices.first()?.devno;
        let delta = snapshot(&tree, &roots).since(&before);
        let layer = delta.layers.into_iter().find(|layer| layer.devno == top)?;
        share(layer.delta?.read_bytes.get(), bytes.get())
    });
    Ok(RawReading {
        read,
        bytes,
        elapsed: elapsed.into(),
        cached_before,
        device_share: delivered,
    })
}

/// Drops the device's pages from the page cache. Both steps are advice: without permission to flush,
/// clean pages still go.
fn forget(fd: &rustix::fd::OwnedFd) {
    let _ = rustix::fs::fsync(fd);
    let _ = rustix::fs::fadvise(fd, 0, None, Advice::DontNeed);
}

/// Reads until the span is over or all `blocks` of the device are read; blocks and time.
fn timed(
    fd: &rustix::fd::OwnedFd,
    buffer: &mut [u8],
    read: RawRead,
    blocks: u64,
) -> Result<(u64, Duration), (ReadFailure, PartRead)> {
    let span = Duration::from(read.span);
    let mut done = 0;
    let start = Instant::now();
    loop {
        let place = match read.part {
            Part::Cache => 0,
            Part::Disk => done * BLOCK.get(),
        };
        fill(fd, buffer, read.offset.get() + place).map_err(|failure| {
            let before = PartRead {
                bytes: Bytes(done * BLOCK.get()),
                elapsed: start.elapsed().into(),
            };
            (failure, before)
        })?;
        touch(buffer);
        done += 1;
        let elapsed = start.elapsed();
        if elapsed >= span || (read.part == Part::Disk && done == blocks) {
            return Ok((done, elapsed));
        }
    }
}

/// Fills `buffer` from `offset`; a device that ends within is an error of its own.
fn fill(fd: &rustix::fd::OwnedFd, buffer: &mut [u8], offset: u64) -> Result<(), ReadFailure> {
    let mut filled = 0;
    while filled < buffer.len() {
        let at = offset + filled as u64;
        match rustix::io::pread(fd, &mut buffer[filled..], at) {
            Ok(0) => return Err(ReadFailure::Ends(at)),
            Ok(n) => filled += n,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(ReadFailure::Failed(at, errno)),
        }
    }
    Ok(())
}

/// Changes a byte of each sector of 512 bytes. Data that another processor or the device put into
/// memory come to this one only when they are used, and hdparm's rates count that.
fn touch(buffer: &mut [u8]) {
    for sector in buffer.chunks_exact_mut(512) {
        sector[0] &= 1;
    }
    std::hint::black_box(buffer);
}

/// Why one block was not read, and from which byte on.
enum ReadFailure {
    Ends(u64),
    Failed(u64, Errno),
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn file(bytes: u64) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![7; bytes as usize]).unwrap();
        file
    }

    fn quick(part: Part, offset: u64) -> RawRead {
        RawRead {
            part,
            direct: false,
            offset: Bytes(offset),
            span: Nanos::millis(5),
        }
    }

    #[test]
    fn a_small_device_is_read_once_in_whole_blocks() {
        let file = file(5 * BLOCK.get() + 1000);
        let read = RawRead {
            span: Nanos::secs(3),
            ..quick(Part::Disk, 0)
        };
        let reading = read_device(file.path(), read).unwrap();
        assert_eq!(reading.bytes, Bytes(5 * BLOCK.get()));
        let reading = read_device(file.path(), quick(Part::Disk, BLOCK.get())).unwrap();
        assert!(reading.bytes <= Bytes(4 * BLOCK.get()));
    }

    #[test]
    fn the_first_block_is_read_again_and_again() {
        let file = file(BLOCK.get());
        let reading = read_device(file.path(), quick(Part::Cache, 0)).unwrap();
        assert!(reading.bytes.get().is_multiple_of(BLOCK.get()));
        assert!(reading.elapsed >= Nanos::millis(5));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let file = file(BLOCK.get() - 1);
        let error = read_device(file.path(), quick(Part::Disk, 0)).unwrap_err();
        assert!(error.to_string().contains("device too small"), "{error}");
        let error = read_device(Path::new("/dev/absent"), quick(Part::Disk, 0)).unwrap_err();
        assert_eq!(error.to_string(), "/dev/absent: No such file or directory");
    }
}
