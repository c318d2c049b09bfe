//! The engine on sources and sinks that fail where a test wants it.

use rustix::fs::SeekFrom;
use rustix::io::{Errno, Result};

use super::*;

/// A seekable source that cannot read the blocks `bad`, of 4 bytes each.
struct Flawed {
    data: Vec<u8>,
    bad: Vec<usize>,
    place: usize,
    /// Bytes of a bad block that arrive nevertheless, as with `O_DIRECT` from a device.
    salvaged: usize,
}

impl Source for Flawed {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.bad.contains(&(self.place / 4)) {
            let good = self.place..self.place + self.salvaged;
            buffer[..self.salvaged].copy_from_slice(&self.data[good]);
            return Err(Errno::IO);
        }
        let rest = &self.data[self.place.min(self.data.len())..];
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        self.place += n;
        Ok(n)
    }

    fn wait(&mut self) -> Result<bool> {
        Ok(true)
    }

    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.place = match to {
            SeekFrom::Start(place) => place as usize,
            SeekFrom::Current(by) => self.place + by as usize,
            _ => self.data.len(),
        };
        Ok(self.place as u64)
    }

    fn length(&self) -> Option<u64> {
        Some(self.data.len() as u64)
    }

    fn drop_cache(&mut self, _offset: u64, _length: u64) {}
}

/// A sink with room for so many bytes.
struct Small {
    data: Vec<u8>,
    room: usize,
    synced: bool,
    closed: bool,
    /// What close(2) says.
    at_close: Result<()>,
    /// The cache was dropped of what had been synced.
    dropped: bool,
}

impl Sink for Small {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        let n = data.len().min(self.room - self.data.len());
        if n == 0 {
            return Err(Errno::NOSPC);
        }
        self.data.extend_from_slice(&data[..n]);
        Ok(n)
    }

    fn wait(&mut self) -> Result<bool> {
        Ok(true)
    }

    fn seek(&mut self, _to: SeekFrom) -> Result<u64> {
        Err(Errno::SPIPE)
    }

    fn length(&self) -> Option<u64> {
        None
    }

    fn truncate(&mut self, _length: u64) -> Result<()> {
        Ok(())
    }

    fn must_truncate(&self) -> bool {
        false
    }

    fn stop_direct(&mut self) -> Result<()> {
        Ok(())
    }

    fn fdatasync(&mut self) -> Result<()> {
        Ok(())
    }

    fn fsync(&mut self) -> Result<()> {
        self.synced = !self.closed;
        Ok(())
    }

    fn drop_cache(&mut self, _offset: u64, _length: u64) {
        self.dropped = self.synced;
    }

    fn close(&mut self) -> Result<()> {
        self.closed = true;
        self.at_close
    }
}

/// Remembers what it was told and ends the copy after so many blocks.
struct Listener {
    told: Vec<String>,
    blocks: usize,
}

impl Observer for Listener {
    fn go_on(&mut self, _counts: &Counts) -> Go {
        self.blocks = self.blocks.saturating_sub(1);
        if self.blocks == 0 { Go::Stop } else { Go::On }
    }

    fn notice(&mut self, notice: &Notice) {
        self.told.push(notice.to_string());
    }

    fn statistics(&mut self, counts: &Counts) {
        self.told.push(format!("{} in", counts.records_in()));
    }
}

struct Ended {
    copied: Copied<Small>,
    told: Vec<String>,
}

/// A copy from `in` to `out` in blocks of so many bytes, which are regrouped where the two differ.
pub(super) fn asked(
    input_block: usize,
    output_block: usize,
    conversions: Conversions,
) -> CopySettings {
    CopySettings {
        input: Some("in".into()),
        output: Some("out".into()),
        input_block,
        output_block,
        regroup: input_block != output_block,
        skip: Extent::default(),
        seek: Extent::default(),
        count: None,
        conversions,
        input_flags: FileFlags::default(),
        output_flags: FileFlags::default(),
        status: StatusLevel::default(),
    }
}

fn in_fours() -> CopySettings {
    asked(4, 4, Conversions::default())
}

fn going_on(sync: bool) -> CopySettings {
    let noerror = true;
    asked(
        4,
        4,
        Conversions {
            noerror,
            sync,
            ..Conversions::default()
        },
    )
}

fn carry_out(settings: CopySettings, bad: &[usize], room: usize, blocks: usize) -> Ended {
    salvaging(0, settings, bad, room, blocks)
}

fn salvaging(
    salvaged: usize,
    settings: CopySettings,
    bad: &[usize],
    room: usize,
    blocks: usize,
) -> Ended {
    let source = Flawed {
        bad: bad.to_vec(),
        salvaged,
        ..flawless(b"AAAABBBBCCCCDDDDEE")
    };
    between(settings, source, Small { room, ..roomy() }, blocks)
}

fn flawless(data: &[u8]) -> Flawed {
    Flawed {
        data: data.to_vec(),
        bad: Vec::new(),
        place: 0,
        salvaged: 0,
    }
}

fn roomy() -> Small {
    Small {
        data: Vec::new(),
        room: 100,
        synced: false,
        closed: false,
        at_close: Ok(()),
        dropped: false,
    }
}

fn between(settings: CopySettings, source: Flawed, sink: Small, blocks: usize) -> Ended {
    let told = Vec::new();
    let mut listener = Listener { told, blocks };
    let copied = copy(&settings, source, sink, &mut listener).unwrap();
    Ended {
        copied,
        told: listener.told,
    }
}

const ERROR: &str = "error reading 'in': Input/output error";

#[test]
fn a_read_error_ends_the_copy_and_keeps_what_came_before() {
    let synced = Conversions {
        fsync: true,
        ..Conversions::default()
    };
    let ended = carry_out(asked(4, 100, synced), &[2], 100, 100);
    assert!(ended.copied.failed());
    assert_eq!(ended.copied.sink.data, b"AAAABBBB");
    assert!(ended.copied.sink.synced);
    assert_eq!(ended.copied.counts.full_in, 2);
    assert_eq!(ended.copied.counts.partial_out, 1);
    assert_eq!(ended.told, [ERROR]);
}

#[test]
fn noerror_passes_over_what_cannot_be_read() {
    let ended = carry_out(going_on(false), &[0, 2], 100, 100);
    assert!(!ended.copied.failed());
    assert_eq!(ended.copied.sink.data, b"BBBBDDDDEE");
    assert_eq!(ended.told, [ERROR, "0 in", ERROR, "1 in"]);
}

#[test]
fn noerror_with_sync_puts_zeros_in_its_place() {
    let ended = carry_out(going_on(true), &[2], 100, 100);
    assert_eq!(ended.copied.sink.data, b"AAAABBBB\0\0\0\0DDDDEE\0\0");
    let counts = ended.copied.counts;
    assert_eq!((counts.full_in, counts.partial_in), (3, 2));
    assert_eq!((counts.full_out, counts.partial_out), (5, 0));
    assert_eq!(counts.failed_in, 1);
}

#[test]
fn what_was_read_is_counted_without_padding_and_what_was_written_without_holes() {
    let counts = carry_out(going_on(true), &[2], 100, 100).copied.counts;
    assert_eq!((counts.read.get(), counts.bytes.get()), (14, 20));
    let records = Conversions {
        records: Some(Records::Block { length: 10 }),
        ..Conversions::default()
    };
    let regrouped = CopySettings {
        regroup: true,
        ..asked(4, 4, records)
    };
    let ended = between(regrouped, flawless(b"abc\nde\n"), roomy(), 100);
    assert_eq!(ended.copied.counts.read.get(), 7);
    assert_eq!(ended.copied.counts.bytes.get(), 20);

    let sparse = Conversions {
        sparse: true,
        ..Conversions::default()
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    let sink = Descriptor::own(file.reopen().unwrap().into()).unwrap();
    let source = flawless(&[&[0; 8][..], &[1; 4], &[0; 2]].concat());
    let (told, blocks) = (Vec::new(), 100);
    let mut listener = Listener { told, blocks };
    let counts = copy(&asked(4, 4, sparse), source, sink, &mut listener)
        .unwrap()
        .counts;
    assert_eq!((counts.bytes.get(), counts.full_out), (14, 3));
    assert_eq!((counts.written().get(), counts.writes()), (4, 1));
}

#[test]
fn what_a_failed_read_brought_is_kept_by_noerror_with_sync() {
    let ended = salvaging(3, going_on(true), &[2], 100, 100);
    assert_eq!(ended.copied.sink.data, b"AAAABBBBCCC\0DDDDEE\0\0");
    let ended = salvaging(3, going_on(false), &[2], 100, 100);
    assert_eq!(ended.copied.sink.data, b"AAAABBBBDDDDEE");
}

#[test]
fn a_full_output_counts_what_fitted() {
    for (input_block, output_block, message) in [
        (4, 4, "error writing 'out'"),
        (2, 4, "writing to 'out'"),
        (2, 100, "error writing 'out'"),
    ] {
        let settings = asked(input_block, output_block, Conversions::default());
        let ended = carry_out(settings, &[], 10, 100);
        assert!(ended.copied.failed());
        assert_eq!(ended.copied.sink.data, b"AAAABBBBCC");
        assert_eq!(ended.copied.counts.bytes.get(), 10, "{output_block}");
        let expected = format!("{message}: No space left on device");
        assert_eq!(ended.told, [expected], "{output_block}");
    }
}

#[test]
fn the_output_is_closed_however_the_copy_ends_and_a_failing_close_is_told() {
    for (bad, room, blocks) in [
        (&[][..], 100, 100),
        (&[2], 100, 100),
        (&[], 10, 100),
        (&[], 100, 3),
    ] {
        let ended = carry_out(in_fours(), bad, room, blocks);
        assert!(ended.copied.sink.closed, "{:?}", ended.told);
    }
    let sink = Small {
        at_close: Err(Errno::IO),
        ..roomy()
    };
    let ended = between(in_fours(), flawless(&[1; 10]), sink, 100);
    assert!(ended.copied.failed());
    assert_eq!(
        ended.told,
        ["closing output file 'out': Input/output error"]
    );
}

#[test]
fn the_observer_can_end_it() {
    let ended = carry_out(in_fours(), &[], 100, 3);
    assert!(ended.copied.stopped && !ended.copied.failed());
    assert_eq!(ended.copied.sink.data, b"AAAABBBB");
}

#[test]
fn what_is_written_after_oflag_direct_was_left_is_synced_dropped_and_counted() {
    let direct = |block| CopySettings {
        output_flags: FileFlags {
            direct: true,
            ..FileFlags::default()
        },
        ..asked(block, block, Conversions::default())
    };
    let written = |block, length| {
        let (source, settings) = (flawless(&vec![1; length]), direct(block));
        between(settings, source, roomy(), 100).copied
    };
    let whole = written(4, 8);
    assert_eq!(whole.counts.buffered_out, 0);
    assert!(!whole.sink.dropped && !whole.counts.left_direct_early());
    let last = written(4, 10);
    assert_eq!(last.counts.buffered.get(), 2);
    assert!(last.sink.dropped && !last.counts.left_direct_early());
    let all = written(100, 10);
    assert_eq!(all.counts.buffered.get(), 10);
    assert!(all.sink.dropped && all.counts.left_direct_early());
}

#[test]
fn holes_are_written_where_the_output_cannot_be_positioned() {
    let sparse = Conversions {
        sparse: true,
        ..Conversions::default()
    };
    let ended = between(asked(4, 4, sparse), flawless(&[0; 10]), roomy(), 100);
    assert_eq!(ended.copied.sink.data, [0; 10]);
}
