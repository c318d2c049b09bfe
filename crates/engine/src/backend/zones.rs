//! Zones of a block device that are written from their start to their end: told by the kernel, and reset.
//!
//! Soundness. `BLKREPORTZONE` (include/uapi/linux/blkzoned.h) reads the head of [`Report`] and writes at most as many zones
//! behind it as that says, which is how many there is room for; `BLKRESETZONE` reads two numbers of 64 bits. Both outlive the
//! call, the kernel keeps no pointer to them (block/blk-zoned.c), and every pattern of bits is a [`Report`].
#![expect(
    unsafe_code,
    reason = "the ioctls have no safe wrapper; see the paragraph above"
)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;

/// `_IOWR(0x12, 130, struct blk_zone_report)`.
const BLKREPORTZONE: u64 = 0xC010_1282;
/// `_IOW(0x12, 131, struct blk_zone_range)`.
const BLKRESETZONE: u64 = 0x4010_1283;
/// The unit of both, in bytes.
const SECTOR: u64 = 512;
/// `BLK_ZONE_TYPE_SEQWRITE_REQ`.
const SEQUENTIAL: u8 = 2;
/// `BLK_ZONE_REP_CAPACITY`: the kernel tells how much of a zone takes data.
const TELLS_CAPACITY: u32 = 1;
/// Zones that are asked for at once.
const AT_ONCE: usize = 64;

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Zone {
    start: u64,
    length: u64,
    write_pointer: u64,
    kind: u8,
    condition: u8,
    unused: [u8; 6],
    capacity: u64,
    reserved: [u64; 3],
}

#[repr(C)]
struct Report {
    sector: u64,
    count: u32,
    flags: u32,
    zones: [Zone; AT_ONCE],
}

/// A part of a device whose zones are all written in sequence, each up to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ZonedPart {
    /// Bytes of a zone; the last of a device may be shorter.
    pub(crate) zone: u64,
    /// Where the first one starts.
    from: u64,
    /// Where the last one ends.
    end: u64,
}

impl ZonedPart {
    /// The zones from byte `from` on that reach as far as `end`; none where not all of them are such, or one starts before.
    ///
    /// # Errors
    /// What the kernel answers.
    pub(crate) fn of(device: &File, from: u64, end: u64) -> io::Result<Option<ZonedPart>> {
        let mut part = ZonedPart {
            zone: 0,
            from,
            end: from,
        };
        while part.end < end {
            let report = report(device, part.end)?;
            let told = report.zones.iter().take(report.count as usize);
            let (before, tells_capacity) = (part.end, report.flags & TELLS_CAPACITY != 0);
            for zone in told {
                if part.end < end && !part.takes(zone, tells_capacity) {
                    return Ok(None);
                }
            }
            if part.end == before {
                return Ok(None);
            }
        }
        Ok(Some(part))
    }

    /// Goes on with the zone, where it follows and all of it is written in sequence.
    fn takes(&mut self, zone: &Zone, tells_capacity: bool) -> bool {
        let is_whole = !tells_capacity || zone.capacity == zone.length;
        let follows = zone.start * SECTOR == self.end;
        if zone.kind != SEQUENTIAL || !is_whole || !follows {
            return false;
        }
        let length = zone.length * SECTOR;
        self.zone = self.zone.max(length);
        self.end += length;
        true
    }
}

fn report(device: &File, from: u64) -> io::Result<Report> {
    let mut report = Report {
        sector: from / SECTOR,
        count: AT_ONCE as u32,
        flags: 0,
        zones: [Zone::default(); AT_ONCE],
    };
    // SAFETY: see the head of this file.
    match unsafe { libc::ioctl(device.as_raw_fd(), BLKREPORTZONE as _, &raw mut report) } {
        0 => Ok(report),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Empties whole zones.
fn reset(device: &File, from: u64, end: u64) -> io::Result<()> {
    let range = [from / SECTOR, (end - from) / SECTOR];
    // SAFETY: see the head of this file.
    match unsafe { libc::ioctl(device.as_raw_fd(), BLKRESETZONE as _, range.as_ptr()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Zones that are written, and how far they have been since all of them were empty.
#[derive(Debug)]
pub(crate) struct Zones {
    part: ZonedPart,
    furthest: u64,
}

impl Zones {
    /// Empties all of them.
    ///
    /// # Errors
    /// What the device answers.
    pub(crate) fn emptied(device: &File, part: ZonedPart) -> io::Result<Zones> {
        reset(device, part.from, part.end)?;
        let furthest = part.from;
        Ok(Zones { part, furthest })
    }

    /// Empties the zone that a write begins anew: on a second pass, and in the time of this write.
    ///
    /// # Errors
    /// What the device answers.
    pub(crate) fn before_write(&mut self, device: &File, offset: u64) -> io::Result<()> {
        let begins = offset.is_multiple_of(self.part.zone);
        if begins && offset < self.furthest {
            let end = offset.saturating_add(self.part.zone).min(self.part.end);
            reset(device, offset, end)?;
        }
        self.furthest = self.furthest.max(offset.saturating_add(1));
        Ok(())
    }
}
