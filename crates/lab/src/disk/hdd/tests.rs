//! Times that follow from the figures alone: a turn takes 10 ms, a track has 100 sectors of 0.1 ms,
//! every seek takes 2 ms, a command 0.05 ms, and a sector is 1 us on the interface.

use super::*;
use crate::disk::SECTOR_BYTES;

const US: u64 = 1_000;
const MS: u64 = 1_000 * US;

fn disk(write_cache_bytes: u64) -> Hdd {
    Hdd::new(HddFigures {
        zones: vec![RecordingZone {
            cylinders: 1_000,
            sectors_per_track: 100,
        }],
        heads: 1,
        rpm: 6_000,
        seek: SeekCurve {
            short_ns: 2.0e6,
            root_ns: 0.0,
            long_ns: 0.0,
            cylinder_ns: 0.0,
            long_from: u64::MAX,
        },
        switch_ns: MS,
        command_ns: 50 * US,
        interface_rate: 512_000_000,
        read_ahead_bytes: 20 * SECTOR_BYTES,
        write_cache_bytes,
        discipline: Discipline::Fifo,
        shingle: None,
    })
}

fn of(kind: RequestKind, sector: u64) -> Request {
    Request {
        id: sector,
        kind,
        offset_bytes: sector * SECTOR_BYTES,
        length_bytes: SECTOR_BYTES,
    }
}

/// When the next request ends.
fn end(disk: &mut Hdd) -> u64 {
    loop {
        disk.next_event_ns().unwrap();
        if let Some(completion) = disk.step() {
            return completion.at_ns;
        }
    }
}

#[test]
fn a_read_waits_for_its_sector_to_come_by() {
    let mut hdd = disk(0);
    hdd.submit(0, of(RequestKind::Read, 50));
    assert_eq!(end(&mut hdd), 5 * MS + 100 * US);
    // The command takes longer than the sector takes to pass: it comes by a turn later.
    let mut hdd = disk(0);
    hdd.submit(0, of(RequestKind::Read, 0));
    assert_eq!(end(&mut hdd), 10 * MS + 100 * US);
}

#[test]
fn another_cylinder_costs_a_seek_and_its_skew() {
    let mut hdd = disk(0);
    // Its first sector lies a switch of 1 ms behind that of the track before, and the seek has ended after 2.05 ms.
    hdd.submit(0, of(RequestKind::Read, 100));
    assert_eq!(end(&mut hdd), 11 * MS + 100 * US);
    let mut hdd = disk(0);
    hdd.submit(0, of(RequestKind::Read, 120));
    assert_eq!(end(&mut hdd), 3 * MS + 100 * US);
}

#[test]
fn what_was_read_ahead_is_answered_from_the_buffer() {
    let mut hdd = disk(0);
    hdd.submit(0, of(RequestKind::Read, 50));
    let read = end(&mut hdd);
    hdd.submit(read + MS, of(RequestKind::Read, 51));
    assert_eq!(end(&mut hdd), read + MS + 51 * US);
}

#[test]
fn a_cached_write_is_answered_before_the_medium_has_it_and_a_flush_after() {
    let mut hdd = disk(64 << 10);
    hdd.submit(0, of(RequestKind::WRITE, 50));
    hdd.submit(0, of(RequestKind::Flush, 0));
    assert_eq!(end(&mut hdd), 51 * US);
    // The flush is answered once the sector has passed below the head.
    assert_eq!(end(&mut hdd), 5 * MS + 100 * US + 50 * US);
    hdd.submit(20 * MS, of(RequestKind::Flush, 0));
    assert_eq!(end(&mut hdd), 20 * MS + 50 * US);
}

#[test]
fn a_write_with_fua_waits_for_the_medium() {
    let mut hdd = disk(64 << 10);
    hdd.submit(0, of(RequestKind::Write { fua: true }, 50));
    assert_eq!(end(&mut hdd), 5 * MS + 100 * US);
}

#[test]
fn answers_share_the_interface() {
    let mut hdd = disk(64 << 10);
    hdd.submit(0, of(RequestKind::WRITE, 10));
    hdd.submit(0, of(RequestKind::WRITE, 20));
    assert_eq!([end(&mut hdd), end(&mut hdd)], [51 * US, 102 * US]);
}

#[test]
fn a_buffer_gives_nothing_faster_than_the_interface() {
    let mut hdd = disk(0);
    hdd.submit(0, of(RequestKind::Read, 50));
    let read = end(&mut hdd);
    // The head has passed three of these five sectors when they are asked for, and is past all of them in time for the interface.
    let five = Request {
        length_bytes: 5 * SECTOR_BYTES,
        ..of(RequestKind::Read, 51)
    };
    hdd.submit(read + 300 * US, five);
    assert_eq!(end(&mut hdd), read + 500 * US);
    let mut slow = disk(0);
    slow.figures.interface_rate /= 100;
    slow.submit(0, of(RequestKind::Read, 50));
    let read = end(&mut slow);
    slow.submit(read + 300 * US, five);
    assert_eq!(end(&mut slow), read + 300 * US + 50 * US + 500 * US);
}
