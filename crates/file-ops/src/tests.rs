//! What each operation does to a file, seen by a file that writes down every call, and on real files.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use etalon_factor::Journal;
use etalon_model::Ended;
use etalon_units::Bytes;

use super::content::Content;
use super::data::RecordBuffers;
use super::file::Opened;
use super::halt::Halt;
use super::ready::ReadyWorker;
use super::record_file::RecordFile;
use super::*;

/// A call that reached the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Read(u64, usize),
    Write(u64, usize),
    Drain,
    Flush,
}

/// Answers every call and writes it down; fails writes beyond `room`.
struct Witness {
    calls: Arc<Mutex<Vec<Call>>>,
    room: u64,
    /// The most that one call moves.
    most: usize,
    /// What is told when it is closed.
    closed: io::Result<()>,
}

impl RecordFile for Witness {
    fn read(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let length = buffer.len().min(self.most);
        self.calls.lock().unwrap().push(Call::Read(offset, length));
        Ok(length)
    }

    fn write(&mut self, data: &[u8], offset: u64) -> io::Result<usize> {
        let length = data.len().min(self.most);
        if offset + length as u64 > self.room {
            return Err(rustix::io::Errno::NOSPC.into());
        }
        self.calls.lock().unwrap().push(Call::Write(offset, length));
        Ok(length)
    }

    fn drain(&mut self) -> io::Result<()> {
        self.calls.lock().unwrap().push(Call::Drain);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.calls.lock().unwrap().push(Call::Flush);
        Ok(())
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.closed
    }
}

/// How many pieces of 32 bytes stand in `data` a second time within a mebibyte.
pub(crate) fn repeated(data: &[u8]) -> usize {
    let twice = |window: &[u8]| {
        let mut seen = HashSet::new();
        let pieces = window.chunks_exact(32);
        pieces.filter(|&piece| !seen.insert(piece)).count()
    };
    data.chunks(1 << 20).map(twice).sum()
}

fn settings(records: u64) -> Settings {
    Settings {
        size: Bytes(records * 100 + 30),
        record: Bytes(100),
        stride: 3,
        ..Settings::default()
    }
}

fn witnessed(op: FileOp, settings: &Settings, room: u64, most: usize) -> (Pass, Vec<Call>) {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let file = Witness {
        calls: Arc::clone(&calls),
        room,
        most,
        closed: Ok(()),
    };
    let pass = passed(op, settings, file);
    let calls = calls.lock().unwrap().clone();
    (pass, calls)
}

fn passed(op: FileOp, settings: &Settings, file: Witness) -> Pass {
    let ready = ReadyWorker {
        op,
        opened: Opened {
            file: Box::new(file),
            queued: None,
            lock: None,
            record_lock: None,
            direct: false,
            refused: None,
        },
        records: RecordBuffers::new(1, 100, Content::new(Fill::Stamped), 1),
        content: Content::new(Fill::Stamped),
        steps: settings.steps(op, 100, 5),
        pauses: super::prepare::pauses(op, settings),
        settings: settings.clone(),
        path: PathBuf::new(),
        number: 0,
    };
    let stop = &AtomicBool::new(false);
    ready.go(Halt { stop, wall: None }, &())
}

/// The offsets of an operation over seven records of 100 bytes, as the manual tells them in words.
fn told(op: FileOp) -> Option<Vec<u64>> {
    use FileOp::*;
    Some(match op {
        BackwardRead => vec![600, 500, 400, 300, 200, 100, 0],
        RecordRewrite => vec![0; 7],
        StridedRead => vec![0, 300, 600, 100, 400, 200, 500],
        RandomRead | RandomWrite | Mixed => return None,
        _ => vec![0, 100, 200, 300, 400, 500, 600],
    })
}

#[test]
fn every_operation_visits_what_its_description_says() {
    for op in FileOp::ALL {
        let (pass, calls) = witnessed(op, &settings(7), u64::MAX, usize::MAX);
        let mut offsets = Vec::new();
        for call in &calls {
            match (call, op.direction()) {
                (Call::Read(offset, 100), Direction::Read)
                | (Call::Write(offset, 100), Direction::Write) => offsets.push(*offset),
                (Call::Drain | Call::Flush, _) => {}
                other => panic!("{op:?}: {other:?}"),
            }
        }
        match told(op) {
            Some(told) => assert_eq!(offsets, told, "{op:?}"),
            None => {
                assert_ne!(offsets, [0, 100, 200, 300, 400, 500, 600], "{op:?}");
                offsets.sort_unstable();
                assert_eq!(offsets, [0, 100, 200, 300, 400, 500, 600], "{op:?}");
            }
        }
        assert_eq!((pass.operations, pass.bytes), (7, Bytes(700)), "{op:?}");
        assert_eq!(calls[7..], [Call::Drain, Call::Flush], "{op:?}: closing");
    }
}

#[test]
fn short_answers_are_made_whole() {
    let (pass, calls) = witnessed(FileOp::Read, &settings(2), u64::MAX, 60);
    assert_eq!(pass.bytes, Bytes(200));
    let reads = [(0, 60), (60, 40), (100, 60), (160, 40)].map(|(at, n)| Call::Read(at, n));
    assert_eq!(calls[..4], reads);
}

#[test]
fn a_full_disk_ends_the_pass_and_keeps_what_was_done() {
    let (pass, _) = witnessed(FileOp::Write, &settings(7), 450, usize::MAX);
    assert_eq!((pass.ended, pass.operations), (Ended::DiskFull, 4));
}

#[test]
fn flush_moves_into_the_clock_for_writes_only() {
    let mut settings = settings(1);
    settings.flush_in_clock = true;
    let (_, calls) = witnessed(FileOp::Write, &settings, u64::MAX, usize::MAX);
    assert_eq!(
        calls,
        [Call::Write(0, 100), Call::Drain, Call::Flush, Call::Flush]
    );
    settings.close_in_clock = true;
    let (_, calls) = witnessed(FileOp::Write, &settings, u64::MAX, usize::MAX);
    assert_eq!(
        calls,
        [Call::Write(0, 100), Call::Drain, Call::Flush],
        "closed within the clock"
    );
}

/// As on NFS, where the server has no room for what it is handed when the file is closed.
#[test]
fn what_a_file_tells_when_it_is_closed_ends_the_pass() {
    let ended = |op: FileOp, close_in_clock: bool, errno: rustix::io::Errno| {
        let settings = Settings {
            close_in_clock,
            ..settings(3)
        };
        let file = Witness {
            calls: Arc::default(),
            room: u64::MAX,
            most: usize::MAX,
            closed: Err(errno.into()),
        };
        let pass = passed(op, &settings, file);
        assert_eq!(pass.operations, 3);
        pass.ended
    };
    use rustix::io::Errno;
    let failed = Ended::Failed {
        operation: "close of ''".to_owned(),
        offset: 0,
        errno: Errno::IO.raw_os_error(),
    };
    for close_in_clock in [true, false] {
        let full = ended(FileOp::Write, close_in_clock, Errno::DQUOT);
        assert_eq!(full, Ended::DiskFull);
        assert_eq!(ended(FileOp::Rewrite, close_in_clock, Errno::IO), failed);
    }
}

#[test]
fn half_of_a_mixed_group_reads_and_the_first_is_a_reader() {
    let ops = |read_percent, workers| {
        let mix = Mix {
            read_percent,
            sequential: false,
        };
        let op = |index| FileOp::Mixed.for_worker((index, workers), mix);
        (0..workers).map(op).collect::<Vec<_>>()
    };
    use FileOp::{RandomRead as R, RandomWrite as W};
    assert_eq!(ops(Some(50), 4), [R, W, R, W]);
    assert_eq!(ops(Some(100), 4), [R, R, R, R]);
    assert_eq!(ops(Some(0), 4), [W, W, W, W]);
    assert_eq!(ops(Some(25), 4), [R, W, W, W]);
    assert_eq!(ops(None, 4), [R, W, R, W]);
    assert_eq!(ops(None, 3), [R, W, R]);
    let sequential = Mix {
        sequential: true,
        ..Mix::default()
    };
    let sequential = [0, 1].map(|i| FileOp::Mixed.for_worker((i, 2), sequential));
    assert_eq!(sequential, [FileOp::Read, FileOp::Rewrite]);
}

/// As iozone has it: a share that is no whole number of workers is rounded down.
#[test]
fn no_more_of_a_mixed_group_reads_than_was_asked_for() {
    for (percent, workers, expected) in
        [(40, 4, 1), (50, 3, 1), (99, 4, 3), (40, 2, 0), (70, 10, 7)]
    {
        let mix = Mix {
            read_percent: Some(percent),
            sequential: false,
        };
        let reads =
            |&index: &usize| FileOp::Mixed.for_worker((index, workers), mix) == FileOp::RandomRead;
        let readers = (0..workers).filter(reads).count();
        assert_eq!(readers, expected, "{percent} % of {workers}");
    }
}

fn every_kind(settings: &Settings) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let mut placed = Placed::new(std::slice::from_ref(&path), &Terms::default()).unwrap();
    let stop = AtomicBool::new(false);
    for (number, op) in FileOp::ALL.into_iter().enumerate() {
        if op.creates() {
            placed.renew(0, settings).unwrap();
        }
        let pass = run_pass(op, &path, settings, number as u64, (&stop, &())).unwrap();
        assert_eq!(pass.ended, Ended::Complete, "{op:?}");
        assert_eq!(pass.operations, settings.records(), "{op:?}");
        assert!(pass.elapsed().0 > 0, "{op:?}");
    }
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 1 << 20);
    placed.remove().unwrap();
    assert!(!path.exists());
}

#[test]
fn every_operation_works_on_a_real_file() {
    let plain = Settings {
        size: Bytes::mib(1),
        record: Bytes::kib(16),
        ..Settings::default()
    };
    every_kind(&plain);
    every_kind(&Settings {
        direct: true,
        flush_in_clock: true,
        ..plain.clone()
    });
    for write_back in [WriteBack::Left, WriteBack::Asked, WriteBack::Awaited] {
        every_kind(&Settings {
            mapped: Some(Mapped {
                write_back,
                mixed: write_back == WriteBack::Asked,
            }),
            fill: Fill::Byte(3),
            advice: Some(Advice::DontNeed),
            ..plain.clone()
        });
    }
    every_kind(&Settings {
        fill: Fill::Byte(0x5a),
        close_in_clock: true,
        jitter: true,
        latencies: true,
        buffers: 3,
        lock: true,
        purge: Some(Bytes::kib(64)),
        advice: Some(Advice::Random),
        sync: etalon_model::SyncMode::DSync,
        ..plain
    });
}

fn accesses(list: &[(u64, u64)]) -> Option<Vec<Access>> {
    let of = |&(offset, length)| Access {
        offset,
        length,
        delay: etalon_units::Nanos(1),
    };
    Some(list.iter().map(of).collect())
}

#[test]
fn a_list_is_followed_to_the_letter() {
    let mut settings = settings(7);
    settings.lists.reads = accesses(&[(600, 10), (0, 90), (0, 90)]);
    let (pass, calls) = witnessed(FileOp::Read, &settings, u64::MAX, usize::MAX);
    let reads = [(600, 10), (0, 90), (0, 90)].map(|(at, n)| Call::Read(at, n));
    assert_eq!(calls[..3], reads);
    assert_eq!((pass.operations, pass.bytes), (3, Bytes(190)));
    let (pass, _) = witnessed(FileOp::Write, &settings, u64::MAX, usize::MAX);
    assert_eq!(pass.bytes, Bytes(700), "writes have no list");
}

/// What is computed and slept takes at least its time, and a pass is shorter by all of it.
#[test]
fn pauses_are_taken_from_the_time_unless_they_count() {
    use etalon_units::Nanos;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    std::fs::write(&path, vec![0; 64 << 10]).unwrap();
    let mut settings = Settings {
        size: Bytes::kib(64),
        think: Think {
            compute: Nanos(10_000),
            burst: Some(Burst {
                bytes: Bytes::kib(10),
                rest: Nanos(20_000),
            }),
            counted: false,
        },
        ..Settings::default()
    };
    let pass = |settings: &Settings| {
        run_pass(
            FileOp::Read,
            &path,
            settings,
            0,
            (&AtomicBool::new(false), &()),
        )
        .unwrap()
    };
    let found = pass(&settings);
    // 16 records of 4 KiB: a rest after every third, but none after the last.
    let least = 16 * 10_000 + 5 * 20_000;
    assert!(found.paused.0 >= least, "{found:?}");
    let span = found.stopped.0 - found.started.0;
    assert_eq!(found.elapsed().0, span - found.paused.0);
    settings.think.counted = true;
    let found = pass(&settings);
    assert_eq!(found.paused, Nanos::ZERO);
    assert!(found.elapsed().0 >= least, "{found:?}");
    settings.think.compute = Nanos(u64::MAX);
    let stopped = run_pass(
        FileOp::Read,
        &path,
        &settings,
        0,
        (&AtomicBool::new(true), &()),
    )
    .unwrap();
    assert_eq!(stopped.ended, Ended::Interrupted);
}

/// Fewer slots than records, more than records, and records of odd lengths.
#[test]
fn queues_leave_what_calls_leave() {
    let plain = Settings {
        size: Bytes::mib(1),
        record: Bytes::kib(16),
        ..Settings::default()
    };
    for (records, copied) in [(1, false), (5, true), (5, false), (200, true)] {
        let queued = Settings {
            queue: Some(Depth { records, copied }),
            ..plain.clone()
        };
        every_kind(&queued);
        every_kind(&Settings {
            direct: true,
            fill: Fill::Byte(7),
            latencies: true,
            ..queued.clone()
        });
        every_kind(&Settings {
            fill: Fill::Placed { file: 3 },
            ..queued
        });
    }
}

/// Both ways write the same bytes: same seed, same stamps.
#[test]
fn a_queue_writes_the_records_where_they_belong() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let stop = AtomicBool::new(false);
    let mut placed = Placed::new(std::slice::from_ref(&path), &Terms::default()).unwrap();
    for copied in [false, true] {
        let settings = Settings {
            queue: Some(Depth { records: 3, copied }),
            ..Settings::default()
        };
        placed.renew(0, &settings).unwrap();
        let pass = run_pass(FileOp::RandomWrite, &path, &settings, 7, (&stop, &())).unwrap();
        assert_eq!(pass.operations, 128);
        let data = std::fs::read(&path).unwrap();
        assert_eq!(data.len(), 512 << 10);
        for (index, page) in data.chunks(4096).enumerate() {
            let word = |at: usize| u64::from_le_bytes(page[at..at + 8].try_into().unwrap());
            assert_eq!(word(0), super::stamp::MAGIC, "page {index}");
            assert_eq!((word(8), word(16)), (index as u64 * 4096, 7));
        }
    }
}

#[test]
fn a_queue_writes_no_piece_twice_within_a_mebibyte() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    for (record, copied) in [(512, false), (4096, false), (4096, true), (1 << 20, false)] {
        std::fs::write(&path, "").unwrap();
        let settings = Settings {
            size: Bytes::mib(2),
            record: Bytes(record),
            queue: Some(Depth { records: 4, copied }),
            ..Settings::default()
        };
        let stop = AtomicBool::new(false);
        let pass = run_pass(FileOp::Write, &path, &settings, 1, (&stop, &())).unwrap();
        assert_eq!((pass.ended, pass.bytes), (Ended::Complete, Bytes::mib(2)));
        let data = std::fs::read(&path).unwrap();
        // A ring has too few buffers for a mebibyte of the smallest records.
        let pieces = data.chunks(record.min(4096) as usize * 128);
        assert_eq!(pieces.map(repeated).sum::<usize>(), 0, "{record} {copied}");
    }
}

#[test]
fn a_queue_tells_what_failed_and_keeps_what_was_done() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let stop = AtomicBool::new(false);
    let settings = Settings {
        fill: Fill::Byte(9),
        queue: Some(Depth {
            records: 4,
            copied: false,
        }),
        ..Settings::default()
    };
    let (_placed, pass) = read_after_a_flip(&path, &settings);
    assert!(pass.operations < 128 && pass.operations >= 16, "{pass:?}");
    let stopped = run_pass(
        FileOp::Read,
        &path,
        &settings,
        1,
        (&AtomicBool::new(true), &()),
    )
    .unwrap();
    assert_eq!((stopped.operations, stopped.ended), (0, Ended::Interrupted));
    let deep = Settings {
        record: Bytes::mib(1),
        size: Bytes::mib(1),
        queue: Some(Depth {
            records: 2000,
            copied: true,
        }),
        ..Settings::default()
    };
    let error = run_pass(FileOp::Write, &path, &deep, 1, (&stop, &())).unwrap_err();
    assert!(error.to_string().contains("smaller depth"), "{error}");
}

/// A file written, one byte of it changed, and read again: the read must find the place. The file
/// goes with what holds it.
fn read_after_a_flip(path: &PathBuf, settings: &Settings) -> (Placed, Pass) {
    let stop = AtomicBool::new(false);
    let mut placed = Placed::new(std::slice::from_ref(path), &Terms::default()).unwrap();
    placed.renew(0, settings).unwrap();
    run_pass(FileOp::Write, path, settings, 0, (&stop, &())).unwrap();
    let mut data = std::fs::read(path).unwrap();
    data[70_000] ^= 1;
    std::fs::write(path, data).unwrap();
    let pass = run_pass(FileOp::Read, path, settings, 1, (&stop, &())).unwrap();
    assert!(
        matches!(pass.ended, Ended::Failed { offset: 70_000, .. }),
        "{:?}",
        pass.ended
    );
    (placed, pass)
}

#[test]
fn verification_finds_a_flipped_byte() {
    let directory = tempfile::tempdir().unwrap();
    let settings = Settings {
        fill: Fill::Byte(9),
        ..Settings::default()
    };
    read_after_a_flip(&directory.path().join("file"), &settings);
}

fn together(
    op: FileOp,
    paths: &[PathBuf],
    settings: &Settings,
) -> Result<GroupResult, FileOpError> {
    in_a_group(op, paths, settings, true)
}

fn in_a_group(
    op: FileOp,
    paths: &[PathBuf],
    settings: &Settings,
    stonewall: bool,
) -> Result<GroupResult, FileOpError> {
    run_together(
        op,
        paths,
        settings,
        &of_threads(stonewall),
        1,
        (&AtomicBool::new(false), &()),
    )
}

fn of_threads(stonewall: bool) -> TogetherOptions {
    TogetherOptions {
        workers: Workers::Threads,
        stonewall,
        release_delay: Duration::ZERO,
        first_cpu: None,
        mix: Mix::default(),
    }
}

#[test]
fn a_group_starts_together_and_leaves_whole_files() {
    let directory = tempfile::tempdir().unwrap();
    let paths = [directory.path().join("a"), directory.path().join("b")];
    let settings = Settings {
        size: Bytes::mib(4),
        ..Settings::default()
    };
    let mut placed = Placed::new(&paths, &Terms::default()).unwrap();
    placed.renew(0, &settings).unwrap();
    placed.renew(1, &settings).unwrap();
    for op in FileOp::ALL {
        let group = together(op, &paths, &settings).unwrap();
        assert_eq!(group.passes.len(), 2);
        assert!(
            group
                .passes
                .iter()
                .all(|pass| pass.ended == Ended::Complete),
            "{op:?}"
        );
        let most = group.passes.iter().map(|pass| pass.bytes).max().unwrap();
        assert_eq!(most, Bytes::mib(4), "{op:?}: the first to end did all");
        assert!(
            group
                .passes
                .iter()
                .all(|pass| pass.elapsed() <= group.elapsed),
            "{op:?}"
        );
        for path in &paths {
            assert_eq!(std::fs::metadata(path).unwrap().len(), 4 << 20, "{op:?}");
        }
    }
}

/// A worker whose group was over before it had begun.
#[test]
fn what_a_worker_left_out_of_a_new_file_is_written_behind_the_clock() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    for (op, record, direct) in [
        (FileOp::Write, 4096, false),
        (FileOp::Fwrite, 4096, false),
        (FileOp::Fwrite, 1000, true),
    ] {
        std::fs::write(&path, "").unwrap();
        let job = super::prepare::WorkerJob {
            op,
            path: path.clone(),
            settings: Settings {
                size: Bytes(record * 10),
                record: Bytes(record),
                direct,
                ..Settings::default()
            },
            number: 1,
        };
        let (stop, wall) = (AtomicBool::new(false), AtomicBool::new(true));
        let halt = Halt {
            stop: &stop,
            wall: Some(&wall),
        };
        let pass = super::prepare::prepare(&job).unwrap().go(halt, &());
        assert_eq!((pass.ended, pass.operations), (Ended::Complete, 0));
        let length = std::fs::metadata(&path).unwrap().len();
        assert_eq!(length, record * 10, "{op:?}");
    }
}

/// Both write and read the same bytes in the same file, a record at a time.
#[test]
fn a_group_shares_a_file_with_locks() {
    let directory = tempfile::tempdir().unwrap();
    let paths = [directory.path().join("a"), directory.path().join("a")];
    let settings = Settings {
        size: Bytes::mib(1),
        fill: Fill::Placed { file: 0 },
        lock_records: true,
        ..Settings::default()
    };
    let mut placed = Placed::new(&paths, &Terms::default()).unwrap();
    placed.renew(0, &settings).unwrap();
    placed.renew(1, &settings).unwrap();
    for op in FileOp::ALL {
        let group = together(op, &paths, &settings).unwrap();
        for pass in &group.passes {
            assert_eq!(pass.ended, Ended::Complete, "{op:?}");
        }
    }
    placed.remove().unwrap();
    assert!(!paths[0].exists());
}

/// `work` as another thread does it; a test must not wait for ever for what waits for ever.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    let done = receiver.recv_timeout(Duration::from_secs(60));
    done.expect("the work ends")
}

fn locked_settings(lock_records: bool) -> Settings {
    Settings {
        size: Bytes::kib(64),
        lock: true,
        lock_records,
        ..Settings::default()
    }
}

/// Nobody has the lock of a file before all workers of a group are ready, so that those of one file go
/// one after the other.
#[test]
fn a_group_takes_turns_at_a_file_that_is_locked_while_it_is_used() {
    for lock_records in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        let paths = ["a", "a"].map(|name| directory.path().join(name));
        let settings = locked_settings(lock_records);
        let mut placed = Placed::new(&paths, &Terms::default()).unwrap();
        placed.renew(0, &settings).unwrap();
        let groups = in_time(move || {
            let all = [FileOp::Write, FileOp::Rewrite, FileOp::RandomRead].into_iter();
            all.map(|op| in_a_group(op, &paths, &settings, false).unwrap())
                .collect::<Vec<_>>()
        });
        for group in groups {
            let ended = |pass: &Pass| (pass.ended.clone(), pass.bytes);
            let whole = (Ended::Complete, Bytes::kib(64));
            assert_eq!(
                group.passes.iter().map(ended).collect::<Vec<_>>(),
                [whole.clone(), whole]
            );
            let [one, other] = group.passes.as_slice() else {
                panic!("{group:?}");
            };
            let in_turn = one.stopped <= other.started || other.stopped <= one.started;
            assert!(in_turn || group.op == FileOp::RandomRead, "{group:?}");
        }
    }
}

/// Another program's lock keeps a pass waiting until the user stops it, or it is let go.
#[test]
fn a_pass_waits_for_a_lock_until_it_is_stopped() {
    let of_records = Settings {
        lock: false,
        ..locked_settings(true)
    };
    for settings in [locked_settings(false), of_records] {
        waits_until_stopped(&settings);
    }
}

fn waits_until_stopped(settings: &Settings) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let file = std::fs::File::create_new(&path).unwrap();
    let foreign = super::file_lock::FileLock::new(file, Direction::Write);
    let (idle, stop) = (AtomicBool::new(false), Arc::new(AtomicBool::new(false)));
    let halt = |stop| Halt { stop, wall: None };
    foreign.wait(halt(&idle)).unwrap();
    let pass = |stop: &Arc<AtomicBool>| {
        let (stop, path) = (Arc::clone(stop), path.clone());
        let settings = settings.clone();
        move || run_pass(FileOp::Write, &path, &settings, 1, (&stop, &())).unwrap()
    };
    let stopping = Arc::clone(&stop);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        stopping.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let stopped = in_time(pass(&stop));
    assert_eq!((stopped.ended, stopped.operations), (Ended::Interrupted, 0));
    drop(foreign);
    let passed = in_time(pass(&Arc::default()));
    assert_eq!((passed.ended, passed.operations), (Ended::Complete, 16));
}

/// What becomes of a group when the user stops it whose two workers, with the files `a` and `b`, are this
/// script.
fn stopped_scripts(script: &str) -> FileOpError {
    let directory = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| directory.path().join(name));
    let options = TogetherOptions {
        workers: Workers::Processes(WorkerProgram {
            program: PathBuf::from("/bin/sh"),
            arguments: ["-c", script].map(Into::into).to_vec(),
        }),
        ..of_threads(true)
    };
    let stopped = in_time(move || {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            let told: (_, &dyn ClockWitness) = (&stop, &());
            let settings = Settings::default();
            run_together(FileOp::Write, &paths, &settings, &options, 1, told)
        })
    });
    stopped.unwrap_err()
}

/// A worker that does not get ready listens to nobody.
#[test]
fn a_stop_ends_a_worker_that_does_not_get_ready() {
    let error = stopped_scripts("exec sleep 120");
    assert!(error.is_stop(), "{error}");
}

/// Behind the wall it may write what it left out.
#[test]
fn a_stop_reaches_a_worker_behind_the_wall() {
    let error = stopped_scripts(
        r#"read -r job; echo ready; read -r start
        case "$job" in *'/a"'*) exit;; esac
        while read -r line; do test "$line" = stop && exit; done"#,
    );
    assert!(!error.is_stop(), "{error}");
}

/// Each file of a group has data of its own, so that one file's data in the other are noticed.
#[test]
fn what_lies_in_the_wrong_file_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| directory.path().join(name));
    let settings = Settings {
        fill: Fill::Placed { file: 0 },
        ..Settings::default()
    };
    let mut placed = Placed::new(&paths, &Terms::default()).unwrap();
    placed.renew(0, &settings).unwrap();
    placed.renew(1, &settings).unwrap();
    together(FileOp::Write, &paths, &settings).unwrap();
    std::fs::copy(&paths[0], &paths[1]).unwrap();
    // Each to its end: the other's may come before this one has begun.
    let group = in_a_group(FileOp::Read, &paths, &settings, false).unwrap();
    let Ended::Failed {
        operation,
        offset: 0,
        ..
    } = &group.passes[1].ended
    else {
        panic!("{:?}", group.passes[1].ended);
    };
    assert!(operation.starts_with("comparison (0x"), "{operation}");
    let file = format!("of '{}'", paths[1].display());
    assert!(operation.ends_with(&file), "{operation}");
}

#[test]
fn one_worker_that_cannot_begin_keeps_the_others_from_starting() {
    let directory = tempfile::tempdir().unwrap();
    let paths = [directory.path().join("a"), directory.path().join("b")];
    let settings = Settings::default();
    let mut placed = Placed::new(&paths, &Terms::default()).unwrap();
    placed.renew(0, &settings).unwrap();
    let error = together(FileOp::Write, &paths, &settings).unwrap_err();
    assert!(error.to_string().contains("cannot open"), "{error}");
    assert_eq!(std::fs::metadata(&paths[0]).unwrap().len(), 0);
}

#[test]
fn files_of_others_are_left_alone_unless_typed_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("letter");
    std::fs::write(&path, "dear reader").unwrap();
    let paths = std::slice::from_ref(&path);
    let error = Placed::new(paths, &Terms::default()).unwrap_err();
    assert!(error.is_dangerous(), "{error}");
    let reads = Terms {
        writes: false,
        ..Terms::default()
    };
    drop(Placed::new(paths, &reads).unwrap());
    let typed = Terms {
        overwrite: paths,
        ..Terms::default()
    };
    drop(Placed::new(paths, &typed).unwrap());
    assert_eq!(
        std::fs::read(&path).unwrap(),
        b"dear reader",
        "only looked at"
    );
    let here = [directory.path().to_owned()];
    assert!(matches!(
        Placed::new(&here, &Terms::default()),
        Err(FileOpError::NotAFile { .. })
    ));
    let mut placed = Placed::new(paths, &typed).unwrap();
    placed.renew(0, &Settings::default()).unwrap();
    placed.remove().unwrap();
    assert!(!path.exists());
}

#[test]
fn a_link_is_neither_followed_nor_removed() {
    let directory = tempfile::tempdir().unwrap();
    let (path, letter) = (
        directory.path().join("file"),
        directory.path().join("letter"),
    );
    std::fs::write(&letter, "dear reader").unwrap();
    std::os::unix::fs::symlink(&letter, &path).unwrap();
    let paths = std::slice::from_ref(&path);
    let error = Placed::new(paths, &Terms::default()).unwrap_err();
    assert!(error.is_dangerous(), "{error}");
    std::fs::remove_file(&path).unwrap();

    let mut placed = Placed::new(paths, &Terms::default()).unwrap();
    std::os::unix::fs::symlink(&letter, &path).unwrap();
    let error = placed.renew(0, &Settings::default()).unwrap_err();
    assert!(matches!(error, FileOpError::Replaced { .. }), "{error}");
    std::fs::remove_file(&path).unwrap();

    placed.renew(0, &Settings::default()).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(&letter, &path).unwrap();
    let stop = AtomicBool::new(false);
    let opened = run_pass(
        FileOp::Write,
        &placed.paths()[0],
        &Settings::default(),
        0,
        (&stop, &()),
    );
    assert!(opened.is_err(), "{opened:?}");
    let error = placed.remove().unwrap_err();
    assert!(matches!(error, FileOpError::Replaced { .. }), "{error}");
    assert!(path.is_symlink(), "what others put there stays");
    assert_eq!(std::fs::read(&letter).unwrap(), b"dear reader");
}

#[test]
fn a_file_left_by_an_earlier_run_is_known_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let settings = Settings::default();
    let mut placed = Placed::new(
        std::slice::from_ref(&path),
        &Terms {
            keep: true,
            ..Terms::default()
        },
    )
    .unwrap();
    placed.renew(0, &settings).unwrap();
    run_pass(
        FileOp::Write,
        &path,
        &settings,
        0,
        (&AtomicBool::new(false), &()),
    )
    .unwrap();
    placed.remove().unwrap();
    assert!(made_by_etalon(&path).unwrap());
    let reads = Terms {
        writes: false,
        ..Terms::default()
    };
    drop(Placed::new(std::slice::from_ref(&path), &reads).unwrap());
    assert!(path.exists(), "what is only read stays");
    drop(Placed::new(std::slice::from_ref(&path), &Terms::default()).unwrap());
    assert!(!path.exists());
}

/// Some fills leave no room for a stamp: a later command knows the file until somebody else writes to it, and the one that
/// made it after that too. What another puts in the file's place is another's.
#[test]
fn a_file_without_a_stamp_is_known_by_the_command_that_made_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let paths = std::slice::from_ref(&path);
    let keeps = Terms {
        keep: true,
        ..Terms::default()
    };
    let mut placed = Placed::new(paths, &keeps).unwrap();
    assert_eq!(placed.made(), []);
    placed.renew(0, &Settings::default()).unwrap();
    std::fs::write(&path, [7; 100]).unwrap();
    let made = placed.made();
    placed.remove().unwrap();
    drop(Placed::new(paths, &keeps).unwrap());
    std::fs::write(&path, [8; 99]).unwrap();
    let error = Placed::new(paths, &keeps).unwrap_err();
    assert!(error.to_string().contains("no stamp"), "{error}");
    let again = Terms {
        made: &made,
        ..Terms::default()
    };
    let other = directory.path().join("other");
    std::fs::write(&other, [7; 100]).unwrap();
    assert!(Placed::new(&[other], &again).unwrap_err().is_dangerous());
    let mut placed = Placed::new(paths, &again).unwrap();
    placed.renew(0, &Settings::default()).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
    placed.remove().unwrap();
    assert!(!path.exists());
}

#[test]
fn remounting_refuses_what_it_must() {
    let file = [PathBuf::from("/dev/shm/x")];
    let notes = tempfile::tempdir().unwrap();
    let journal = Journal::at(&notes.path().join("journal")).unwrap();
    for (point, word) in [
        ("/", "root"),
        ("/dev/shm", "unmount"),
        ("/nonexistent", "mounted"),
    ] {
        let error = Remount::new(std::path::Path::new(point), &file, &journal).unwrap_err();
        assert!(error.is_dangerous());
        let text = error.to_string();
        assert!(text.contains(word) || text.contains("needs root"), "{text}");
    }
}

#[test]
fn a_remounted_filesystem_has_the_options_that_it_had() {
    let test = "a_remounted_filesystem_has_the_options_that_it_had";
    if !etalon_testbed::root_for(test) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let (image, point) = (root.join("image"), root.join("point"));
    let file = std::fs::File::create(&image).unwrap();
    file.set_len(64 << 20).unwrap();
    etalon_testbed::mkfs("ext4", &[image.to_str().unwrap()]);
    let device = etalon_testbed::Loop::over(&image, &[]);
    let options = ["-o", "data=journal,commit=60", device.name()];
    let _mount = etalon_testbed::Mount::at(&point, &options);
    let listed = || {
        let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
        let here = |line: &&str| line.contains(point.to_str().unwrap());
        mounts.lines().find(here).map(str::to_owned)
    };
    let before = listed();
    let journal = Journal::at(&root.join("journal")).unwrap();
    let remount = Remount::new(&point, &[point.join("x")], &journal).unwrap();
    remount.cycle().unwrap();
    assert_eq!(listed(), before);
    assert!(before.is_some_and(|line| line.contains("commit=60,data=journal")));
    let elsewhere = Remount::new(&point, &[image], &journal).unwrap_err();
    assert!(
        elsewhere.to_string().contains("does not lie on it"),
        "{elsewhere}"
    );
}

#[test]
fn a_worker_process_speaks_the_protocol() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    std::fs::write(&path, vec![0; 1 << 19]).unwrap();
    let job = super::prepare::WorkerJob {
        op: FileOp::Read,
        path,
        settings: Settings::default(),
        number: 0,
    };
    let job = serde_json::to_string(&job).unwrap();
    let input = format!("{{\"job\":{job},\"cpu\":null}}\nstart 0\nhm\n");
    let mut output = Vec::new();
    // What follows the text is its end, which asks the worker to stop: either end is an answer.
    worker_main(io::Cursor::new(input.into_bytes()), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let (first, second) = output.trim_end().split_once('\n').unwrap();
    assert_eq!(first, "ready");
    let pass: Pass = serde_json::from_str(second).unwrap();
    assert_eq!(pass.op, FileOp::Read);
}
