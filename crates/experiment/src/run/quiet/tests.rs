//! Sessions over devices whose every byte is known, on a clock that only they move.

use super::*;

use etalon_judge::{Facts, check_run};
use etalon_model::{
    Circumstances, DeviceTraffic, IoWorkload, Measurement, OpTotals, Run, Severity,
};
use etalon_stack::residency;
use etalon_testbed::{Loop, Mount, in_memory, mkfs, root_for};
use tempfile::TempDir;

const MIB: f64 = 1_048_576.0;
/// What a device writes back in a second.
const WRITE_BACK: f64 = 20.0 * MIB;

/// A device, what memory holds for it, and somebody else's writer.
#[derive(Default)]
struct World {
    now: Cell<Nanos>,
    /// Bytes in memory.
    dirty: Cell<f64>,
    /// Bytes per second that somebody else writes directly.
    foreign: f64,
    written: Cell<f64>,
    /// Whether what is dirty is on its way.
    sending: Cell<bool>,
    sent: Arc<AtomicBool>,
}

impl World {
    /// A row that creates and removes files, and leaves so many MiB in memory.
    fn create(&self, mib: f64) -> Bytes {
        let before = self.unwritten();
        self.pass(Nanos::millis(100));
        self.dirty.set(self.dirty.get() + mib * MIB);
        self.sending.set(false);
        before
    }

    /// A row of half a second that reads 128 MiB, while the kernel writes back what it has.
    fn read(&self, aftermath: Option<Aftermath>) -> Run {
        self.sending.set(true);
        let before = self.written.get();
        self.pass(Nanos::millis(500));
        let own = Bytes::mib(128);
        let measurement = Measurement {
            direct: Some(true),
            bytes_with_warm_up: own,
            reads: OpTotals {
                operations: 32768,
                bytes: own,
                ..OpTotals::default()
            },
            ..Measurement::of_nothing(Nanos::millis(500))
        };
        Run {
            device: Some(DeviceTraffic {
                devices: vec!["sda".to_owned()],
                read_bytes: own,
                read_requests: 32768,
                written_bytes: Bytes((self.written.get() - before) as u64),
                ..DeviceTraffic::default()
            }),
            circumstances: Circumstances {
                aftermath,
                ..Circumstances::default()
            },
            ..Run::of("random read", IoWorkload::default(), measurement)
        }
    }
}

impl Devices for &World {
    fn now(&self) -> Nanos {
        self.now.get()
    }

    fn pass(&self, time: Nanos) {
        self.now.set(Nanos(self.now.get().get() + time.get()));
        let back = match self.sending.get() {
            true => self.dirty.get().min(WRITE_BACK * time.as_secs_f64()),
            false => 0.0,
        };
        self.dirty.set(self.dirty.get() - back);
        let foreign = self.foreign * time.as_secs_f64();
        self.written.set(self.written.get() + back + foreign);
        if self.sending.get() && self.dirty.get() == 0.0 {
            self.sent.store(true, Ordering::Release);
        }
    }

    fn moved(&self) -> Moved {
        Moved {
            written: self.written.get() as u64,
            ..Moved::default()
        }
    }

    fn unwritten(&self) -> Bytes {
        Bytes(self.dirty.get() as u64)
    }

    fn send(&self) -> Arc<AtomicBool> {
        self.sending.set(true);
        self.sent.store(self.dirty.get() == 0.0, Ordering::Release);
        Arc::clone(&self.sent)
    }

    fn stopped(&self) -> bool {
        false
    }
}

/// The codes of the findings of weight on a row that reads, after one that left so many MiB.
fn after_create(world: &World, mib: f64, waits: bool) -> Vec<String> {
    let quiet = Quiet::new(Nanos::ZERO, Some(Nanos::secs(60)));
    let before = world.create(mib);
    let aftermath = waits.then(|| quiet.settle(&world, before, Nanos::ZERO));
    found(&world.read(aftermath))
}

fn found(run: &Run) -> Vec<String> {
    let facts = Facts {
        run,
        null_ns_per_operation: None,
    };
    let writes = ["foreign-io", "earlier-writes"];
    let all = check_run(&facts).into_iter();
    all.filter(|f| f.severity > Severity::Info && writes.contains(&f.code.as_str()))
        .map(|finding| finding.code)
        .collect()
}

#[test]
fn a_row_behind_one_that_creates_files_has_no_foreign_traffic() {
    assert_eq!(after_create(&World::default(), 5.0, false), ["foreign-io"]);
    assert!(after_create(&World::default(), 5.0, true).is_empty());
}

#[test]
fn somebody_elses_writer_is_found_all_the_same() {
    let busy = || World {
        foreign: 14.0 * MIB,
        ..World::default()
    };
    assert_eq!(after_create(&busy(), 5.0, true), ["foreign-io"]);
    assert_eq!(after_create(&busy(), 0.0, true), ["foreign-io"]);
}

#[test]
fn what_the_bound_leaves_is_the_sessions_own() {
    // Of 30 MiB six are written in 300 ms, and ten in the half second of the row.
    assert_eq!(
        after_create(&World::default(), 30.0, true),
        ["earlier-writes"]
    );
}

#[test]
fn all_waits_of_a_session_take_a_few_percent_of_it() {
    let world = World {
        foreign: MIB,
        ..World::default()
    };
    let quiet = Quiet::new(Nanos::ZERO, Some(Nanos::secs(60)));
    let settle = |_| quiet.settle(&&world, Bytes::ZERO, Nanos::ZERO).waited;
    let waits: Vec<Nanos> = (0..20).map(settle).collect();
    let longest = waits.iter().max().unwrap();
    assert!(*longest <= Nanos::millis(300), "{waits:?}");
    let all: u64 = waits.iter().map(|wait| wait.get()).sum();
    assert!(Nanos(all) <= Nanos::millis(1800), "{waits:?}");
    assert_eq!(waits.last(), Some(&Nanos::ZERO));
    // Devices that write nothing cost one look.
    let idle = World::default();
    let seen = Quiet::new(Nanos::ZERO, Some(Nanos::secs(60)));
    let seen = seen.settle(&&idle, Bytes::ZERO, Nanos::ZERO);
    assert_eq!((seen.waited, seen.quiet), (LOOK, true));
}

#[test]
fn a_row_waits_itself_for_what_it_left_until_all_is_sent_and_no_longer() {
    // Of 30 MiB the bound alone leaves 24.
    let world = World::default();
    let quiet = Quiet::new(Nanos::ZERO, Some(Nanos::secs(60)));
    let before = world.create(30.0);
    let seen = quiet.settle(&&world, before, Nanos::secs(10));
    assert!(seen.quiet && seen.left_bytes == Bytes::ZERO, "{seen:?}");
    assert!(
        seen.waited > Nanos::millis(1490) && seen.waited < Nanos::millis(1520),
        "{seen:?}"
    );
    // It was the row's own time.
    assert!(quiet.spent.get() <= Nanos::millis(10), "{quiet:?}");
    // Somebody else's writes are waited for as long as ever.
    let busy = World {
        foreign: MIB,
        ..World::default()
    };
    let before = busy.create(2.0);
    let seen = quiet.settle(&&busy, before, Nanos::secs(10));
    assert!(!seen.quiet && seen.waited < Nanos::millis(500), "{seen:?}");
}

#[test]
fn a_session_without_a_budget_waits_for_a_few_percent_of_what_it_took() {
    let world = World {
        foreign: MIB,
        ..World::default()
    };
    let quiet = Quiet::new(Nanos::ZERO, None);
    let waits = |count| {
        let settle = |_| quiet.settle(&&world, Bytes::ZERO, Nanos::ZERO).waited.get();
        Nanos((0..count).map(settle).sum())
    };
    let first = waits(20);
    assert!(
        first <= Nanos::millis(1810) && first > Nanos::millis(1700),
        "{first}"
    );
    (&world).pass(Nanos::secs(600));
    let all = Nanos(first.get() + waits(200).get());
    assert!(all <= Nanos::secs(20) && all > Nanos::secs(15), "{all}");
}

/// A filesystem on a loop device whose file lies in memory, behind what has to outlive it.
fn ext4_in_memory() -> (TempDir, Loop, Mount) {
    let directory = in_memory();
    let image = directory.path().join("disk");
    File::create(&image).unwrap().set_len(64 << 20).unwrap();
    let device = Loop::over(&image, &[]);
    mkfs("ext4", &["-F", "-E", "lazy_itable_init=0", device.name()]);
    let mount = Mount::new(&["-t", "ext4", device.name()]);
    (directory, device, mount)
}

/// Guards against a wait that sees nothing of what a real kernel holds back.
#[test]
fn what_a_kernel_holds_back_is_on_the_device_when_it_is_quiet() {
    if !root_for("what_a_kernel_holds_back_is_on_the_device_when_it_is_quiet") {
        return;
    }
    let (_directory, _device, mount) = ext4_in_memory();
    let site = Site::look(mount.path()).unwrap();
    let control = Control::default();
    let beneath = Beneath::new(&site, mount.path().to_path_buf(), &control);
    let quiet = Quiet::new(clock::now(), Some(Nanos::secs(60)));
    let before = beneath.unwritten();
    let file = mount.path().join("file");
    std::fs::write(&file, vec![7; 8 << 20]).unwrap();
    let seen = quiet.settle(&beneath, before, Nanos::ZERO);
    // A busy machine may need longer than the bound.
    if seen.quiet {
        assert!(seen.written_bytes >= Bytes::mib(8), "{seen:?}");
        assert_eq!(seen.left_bytes, Bytes::ZERO);
        let dirty = residency(&file).unwrap().dirty;
        assert!(dirty.is_none_or(|dirty| dirty == Bytes::ZERO), "{dirty:?}");
    }
}

/// An overlay over directories of a filesystem of its own.
pub(crate) struct Merged {
    overlay: Mount,
    disk: (Mount, Loop, TempDir),
}

impl Merged {
    pub(crate) fn path(&self) -> &Path {
        self.overlay.path()
    }

    fn beneath(&self) -> &Path {
        self.disk.0.path()
    }
}

pub(crate) fn overlay_over_ext4() -> Merged {
    overlay_with("")
}

/// The same with further options, each behind a comma.
fn overlay_with(options: &str) -> Merged {
    let (directory, device, disk) = ext4_in_memory();
    let made = |name: &str| {
        let path = disk.path().join(name);
        std::fs::create_dir(&path).unwrap();
        path.display().to_string()
    };
    let (lower, upper, work) = (made("lower"), made("upper"), made("work"));
    let options = format!("lowerdir={lower},upperdir={upper},workdir={work}{options}");
    Merged {
        overlay: Mount::new(&["-t", "overlay", "overlay", "-o", &options]),
        disk: (disk, device, directory),
    }
}

#[test]
fn what_a_row_leaves_on_an_overlay_is_waited_for_as_on_its_disk() {
    if !root_for("what_a_row_leaves_on_an_overlay_is_waited_for_as_on_its_disk") {
        return;
    }
    for options in ["", ",volatile"] {
        let overlay = overlay_with(options);
        let site = Site::look(overlay.path()).unwrap();
        let control = Control::default();
        let place = WorkPlace::in_directory(&site).unwrap();
        let before = Rest::unwritten();
        let name = place.directory().unwrap().held_path().join("file");
        std::fs::write(&name, vec![7; 4 << 20]).unwrap();
        let rest = Rest::within(Some(Nanos::secs(60)));
        rest.behind((&site, &place), &control, before, Nanos::secs(10));
        let left = rest.left().unwrap();
        assert!(left.written_bytes >= Bytes::mib(4), "{options}: {left:?}");
    }
}

#[test]
fn what_a_lower_filesystem_holds_is_sent_before_an_overlay_is_read() {
    if !root_for("what_a_lower_filesystem_holds_is_sent_before_an_overlay_is_read") {
        return;
    }
    let overlay = overlay_over_ext4();
    let file = overlay.beneath().join("lower/file");
    std::fs::write(&file, vec![7; 4 << 20]).unwrap();
    let site = Site::look(&overlay.path().join("file")).unwrap();
    send_overlaid(&site.tree, &Control::default());
    let dirty = residency(&file).unwrap().dirty;
    assert!(dirty.is_none_or(|dirty| dirty == Bytes::ZERO), "{dirty:?}");
}

#[test]
fn a_server_that_never_answers_does_not_hold_a_run_up() {
    await_sent(
        &AtomicBool::new(false),
        &Control::default(),
        Nanos::millis(20),
    );
}
