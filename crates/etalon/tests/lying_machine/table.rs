//! The table: what lies, how it is found, and what is honest.

use std::fs::{self, File};
use std::thread::sleep;
use std::time::Duration;

use etalon_testbed::{ControlGroup, Loop, Zram, tool};

use crate::actors::{
    Busy, Frozen, Hog, empty_page_cache, hold, read, set_now, set_when, trimmer, wait_for,
    wait_for_reads, writer, written,
};
use crate::lab::{
    Lab, Try, bound, btrfs, ext4, ext4_in, left_in_memory, noise, overlay, passed_through, queue,
    text,
};

/// A trap and its honest twin.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// The finding that the trap must give, and the twin must not.
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) trap: fn(&Lab) -> Try,
    pub(crate) twin: fn(&Lab) -> Try,
    /// Where it is played while rows of the other lanes are; nowhere where nothing may go on beside it.
    pub(crate) lane: Option<Lane>,
}

/// Rows that are judged by what a busy processor cannot change: by facts, by counters of a device or a server of their own,
/// or by an event that they wait for. The page cache is that of one lane, and so is the disk of the build. Those of one lane are
/// played one after the other, beside those of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// A generator that is busy all the time, and a fact.
    Facts,
    /// What lies in the page cache, or should not, and what needs no disk.
    Cached,
    /// What waits most of the time: for a server, for the disk of the build.
    Waiting,
    /// An event that the row brings about, or what its process may not do.
    Events,
    /// What goes at a rate, of its own or of a limit, and who else writes or discards meanwhile.
    Rates,
}

impl Row {
    /// A row that may be played while those of other lanes are.
    pub(crate) const fn beside(mut self, lane: Lane) -> Row {
        self.lane = Some(lane);
        self
    }
}

pub(crate) const fn row(
    name: &'static str,
    (code, severity): (&'static str, &'static str),
    trap: fn(&Lab) -> Try,
    twin: fn(&Lab) -> Try,
) -> Row {
    Row {
        name,
        code,
        severity,
        trap,
        twin,
        lane: None,
    }
}

const RANDOM: &str = "--op randread --time 300ms";
/// What lies in every run is as true of three, of which two must tell it, as of six, of which three must.
const TRAPPED: &str = "--op randread --time 300ms --runs 3";
const WARM: &str = "--op randread --cache warm --time 300ms";
const LAID_OUT: &str = "--op randread --time 300ms -s 16M";
const LAID_OUT_SMALL: &str = "--op randread --time 300ms -s 8M";
const CREATE: &str = "--op create --files 50";
/// A rate of 8 MB/s for two seconds, of which a second writer takes its share.
const PACED: &str = "--op randread --rate 2000 --time 2s --runs 3";
/// 80 MB in a second, in an order for which no blocks are read twice before.
const READING: &str = "--op read -b 4K --rate 20000 --time 1s --runs 1";
/// Writes for long enough that a second without any is told from the rest.
const WRITING: &str = "--op randwrite -s 16M --time 3s --runs 1";
/// Each write made durable.
const DURABLE: &str = "--op randwrite --fsync 1 --time 300ms -s 8M --runs 2";

pub(crate) const TABLE: &[Row] = &[
    row(
        "warm buffered read called a disk",
        ("page-cache", "invalid"),
        |lab| {
            let file = lab.plain().file("noise");
            fs::read(&file).unwrap();
            lab.measure(file, "--op randread --buffered --time 300ms --runs 3")
        },
        |lab| lab.measure_once(lab.plain().file("noise"), RANDOM),
    )
    .beside(Lane::Cached),
    row(
        "reads among writes that memory serves",
        ("page-cache", "invalid"),
        |lab| {
            let words = "--op randrw --buffered --fsync end --time 300ms -s 8M --runs 1";
            lab.measure(lab.plain().path(), words)
        },
        |lab| {
            let words = "--op randrw --time 300ms -s 8M --runs 1";
            lab.measure(lab.plain().path(), words)
        },
    )
    .beside(Lane::Cached),
    row(
        "warm read declared warm",
        ("page-cache", "info"),
        |lab| lab.measure_once(lab.plain().file("noise"), WARM),
        |lab| {
            lab.measure(
                lab.plain().file("noise"),
                "--op read -b 1M --cache cold --one-pass",
            )
        },
    )
    .beside(Lane::Cached),
    row(
        "cold that cannot be emptied",
        ("cache-state", "invalid"),
        |lab| {
            lab.measure(
                lab.memory().path(),
                "--op read -b 1M --cache cold --one-pass -s 8M",
            )
        },
        |lab| {
            lab.measure(
                lab.plain().path(),
                "--op read -b 1M --cache cold --one-pass -s 8M",
            )
        },
    )
    .beside(Lane::Cached),
    row(
        "cold start from libraries that others have mapped",
        ("cache-state", "invalid"),
        |lab| {
            let words = "--set repeats=1 --set copy=no --runs 1";
            lab.work(lab.plain().path(), ("startup", "cold 1"), words)
        },
        |lab| {
            let words = "--set repeats=1 --runs 1";
            lab.work(lab.plain().path(), ("startup", "cold 1"), words)
        },
    )
    .beside(Lane::Cached),
    row(
        "warm file larger than its memory",
        ("cache-state", "invalid"),
        |lab| {
            let group = ControlGroup::of_memory("32M").unwrap();
            let words = "--op randread --cache warm --time 300ms --runs 3";
            let file = lab.plain().file("noise");
            empty_page_cache();
            lab.measure_in(&group, &file, words)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), WARM),
    )
    .beside(Lane::Cached),
    row(
        "file of truncate",
        ("holes", "invalid"),
        |lab| {
            let file = lab.plain().file("truncated");
            File::create(&file).unwrap().set_len(32 << 20).unwrap();
            lab.measure(file, TRAPPED)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), RANDOM),
    )
    .beside(Lane::Facts),
    row(
        "file of fallocate",
        ("holes", "invalid"),
        |lab| {
            let file = lab.plain().file("reserved");
            tool("fallocate", &["-l", "32M", file.to_str().unwrap()]);
            lab.measure(file, TRAPPED)
        },
        |lab| lab.measure_once(lab.plain().path(), LAID_OUT),
    )
    .beside(Lane::Facts),
    row(
        "write without fsync",
        ("not-durable", "invalid"),
        |lab| {
            lab.measure(
                lab.plain().path(),
                "--op write -b 1M --buffered --fsync never --one-pass -s 64M",
            )
        },
        |lab| {
            lab.measure(
                lab.plain().path(),
                "--op write -b 1M --buffered --fsync end --one-pass -s 64M",
            )
        },
    )
    .beside(Lane::Facts),
    row(
        "small file that is rewritten in memory",
        ("not-durable", "invalid"),
        |lab| {
            let words = "--op randwrite --buffered --fsync end --time 300ms -s 1M --runs 1";
            lab.measure(lab.plain().path(), words)
        },
        |lab| {
            let words = "--op randwrite --fsync end --time 300ms -s 1M --runs 1";
            lab.measure(lab.plain().path(), words)
        },
    )
    .beside(Lane::Cached),
    row(
        "dirty data when the clock stops",
        ("dirty-left", "invalid"),
        |lab| {
            lab.measure(
                lab.zram().path(),
                "--op write -b 1M --buffered --fsync never --one-pass -s 64M",
            )
        },
        |lab| {
            lab.measure(
                lab.zram().path(),
                "--op write -b 1M --buffered --fsync end --one-pass -s 64M",
            )
        },
    )
    .beside(Lane::Cached),
    row(
        "write that returns before it is durable",
        ("returned-early", "info"),
        |lab| {
            lab.measure(
                lab.plain().path(),
                "--op write -b 1M --buffered --fsync end --one-pass -s 128M",
            )
        },
        |lab| {
            lab.measure(
                lab.plain().path(),
                "--op write -b 1M --buffered --sync dsync --one-pass -s 128M",
            )
        },
    ),
    row(
        "fsync without a flush",
        ("no-flush", "invalid"),
        |lab| {
            let mount = ext4(128, &[], "nobarrier");
            lab.measure(mount.path(), "--op write -b 1M --one-pass -s 16M")
        },
        |lab| lab.measure(lab.plain().path(), "--op write -b 1M --one-pass -s 16M"),
    )
    .beside(Lane::Facts),
    row(
        "loop over tmpfs",
        ("cache-below", "warn"),
        |lab| lab.measure_once(lab.plain().path(), LAID_OUT),
        |lab| lab.measure(lab.zram().path(), "--op randread --time 300ms -s 32M"),
    )
    .beside(Lane::Facts),
    row(
        "loop through the page cache of a disk",
        ("cache-below", "warn"),
        plain_loop,
        |lab| lab.measure_once(lab.zram().file("noise"), RANDOM),
    )
    .beside(Lane::Waiting),
    row(
        "page cache beneath a loop device",
        ("buffered-loop", "warn"),
        plain_loop,
        |lab| {
            let device = loop_on_disk(lab, &["--direct-io=on"]);
            lab.measure(device.node(), RANDOM)
        },
    )
    .beside(Lane::Waiting),
    row(
        "files created where others were removed just before, without a journal",
        ("freed-inodes", "warn"),
        |lab| {
            let mount = ext4(48, &["-O", "^has_journal"], "defaults");
            lab.measure(mount.path(), CREATE)
        },
        |lab| {
            let mount = ext4(48, &[], "defaults");
            lab.measure(mount.path(), CREATE)
        },
    )
    .beside(Lane::Facts),
    row(
        "loop over a sparse file",
        ("sparse-loop", "invalid"),
        |lab| {
            let file = lab.disk.path().join("sparse");
            File::create(&file).unwrap().set_len(32 << 20).unwrap();
            let device = Loop::over(&file, &[]);
            lab.measure(device.node(), TRAPPED)
        },
        plain_loop,
    )
    .beside(Lane::Waiting),
    row(
        "loop over a file that was reserved and never written",
        ("sparse-loop", "invalid"),
        |lab| {
            let file = lab.disk.path().join("reserved");
            tool("fallocate", &["-l", "32M", &file.to_string_lossy()]);
            let device = Loop::over(&file, &["--direct-io=on"]);
            lab.measure(device.node(), TRAPPED)
        },
        plain_loop,
    )
    .beside(Lane::Waiting),
    row(
        "zram of zeros",
        ("easy-data", "invalid"),
        |lab| {
            let device = Zram::new("32M");
            lab.measure(device.node(), TRAPPED)
        },
        |lab| {
            let device = Zram::new("32M");
            let file = lab.zram().file("noise");
            tool(
                "dd",
                &[
                    &format!("if={}", file.display()),
                    &format!("of={}", device.node()),
                    "bs=1M",
                    "conv=fsync",
                ],
            );
            lab.measure(device.node(), RANDOM)
        },
    )
    .beside(Lane::Facts),
    row(
        "file of text",
        ("easy-data", "warn"),
        |lab| {
            let file = lab.plain().file("text");
            text(&file, 16);
            lab.measure(file, TRAPPED)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), RANDOM),
    )
    .beside(Lane::Facts),
    row(
        "second writer at 3 %",
        ("foreign-io", "warn"),
        |lab| {
            let _writer = writer(&lab.plain().file("other"), 60);
            lab.measure(lab.plain().file("noise"), PACED)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), PACED),
    )
    .beside(Lane::Rates),
    row(
        "second writer at 10 %",
        ("foreign-io", "invalid"),
        |lab| {
            let _writer = writer(&lab.plain().file("other"), 200);
            lab.measure(lab.plain().file("noise"), PACED)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), PACED),
    )
    .beside(Lane::Rates),
    row(
        "pages of the target that nobody has written yet",
        ("foreign-io", "invalid"),
        |lab| {
            let (mount, other) = (lab.plain(), lab.plain().file("unwritten"));
            left_in_memory(&other, 32);
            let device = mount.devices[0].name();
            let before = read(device);
            lab.measure_while(mount.file("noise"), READING, |_| {
                // Beyond what is looked at before the run.
                wait_for_reads(device, 16, before);
                File::open(&other).unwrap().sync_all().unwrap();
            })
        },
        // A direct read of a page that is not written yet has it written first.
        |lab| {
            let file = lab.plain().file("unwritten");
            left_in_memory(&file, 32);
            lab.measure(file, READING)
        },
    )
    .beside(Lane::Cached),
    row(
        "working set below twice the cache",
        ("working-set", "invalid"),
        |lab| {
            lab.measure(
                lab.plain().file("noise"),
                "--op randread --distribution uniform --buffered --time 300ms --runs 3",
            )
        },
        |lab| {
            lab.measure(
                lab.plain().path(),
                "--op randread --distribution uniform --cache limited:4M --time 500ms -s 128M",
            )
        },
    )
    .beside(Lane::Cached),
    row(
        "O_DIRECT refused",
        ("direct-refused", "warn"),
        |lab| {
            let mount = lab.ramfs();
            lab.measure(mount.file("noise"), TRAPPED)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), RANDOM),
    )
    .beside(Lane::Facts),
    row(
        "copy by dd whose blocks its input does not fill",
        ("direct-left", "warn"),
        |lab| copied(lab, "96M"),
        |lab| copied(lab, "1M"),
    )
    .beside(Lane::Facts),
    row(
        "scheduler changed in the middle",
        ("environment-changed", "invalid"),
        |lab| {
            let queue = queue(&lab.plain().devices[0], "scheduler");
            let other = if fs::read_to_string(&queue).unwrap().contains("[none]") {
                "mq-deadline"
            } else {
                "none"
            };
            let _hand = set_when(queue, other, lab.one_run_more());
            lab.measure(
                lab.plain().file("noise"),
                "--op randread --time 700ms --runs 3",
            )
        },
        |lab| {
            lab.measure(
                lab.plain().file("noise"),
                "--op randread --time 300ms --runs 3",
            )
        },
    )
    .beside(Lane::Facts),
    row(
        "readahead changed between runs",
        ("environment-changed", "invalid"),
        |lab| {
            let queue = queue(&lab.plain().devices[0], "read_ahead_kb");
            let _hand = set_when(queue, "4096", lab.one_run_more());
            lab.measure(
                lab.plain().file("noise"),
                "--op randread --time 700ms --runs 3",
            )
        },
        |lab| {
            lab.measure(
                lab.plain().path(),
                "--op write -b 1M --time 200ms --runs 3 -s 16M",
            )
        },
    )
    .beside(Lane::Facts),
    row(
        "generator bound by its processor",
        ("cpu-bound", "invalid"),
        |lab| {
            lab.measure_urgently(
                lab.plain().path(),
                "--op randread --backend null --queue-depth 32 --time 300ms -s 1G --runs 3",
            )
        },
        |lab| {
            lab.measure(
                lab.plain().file("noise"),
                "--op randread --rate 500 --time 500ms",
            )
        },
    )
    .beside(Lane::Cached),
    row(
        "btrfs RAID-1 read by one stream",
        ("sibling-idle", "warn"),
        |lab| lab.measure_once(lab.mirror().file("noise"), RANDOM),
        |lab| {
            lab.measure(
                lab.mirror().file("noise"),
                "--op randread --jobs 4 --shared --time 300ms",
            )
        },
    )
    .beside(Lane::Facts),
    row(
        "btrfs with compression",
        ("reducing-layer", "warn"),
        |lab| {
            let mount = btrfs(1, &[], "compress-force=zstd");
            text(&mount.file("text"), 16);
            lab.measure(mount.file("text"), TRAPPED)
        },
        |lab| lab.measure_once(lab.mirror().file("noise"), RANDOM),
    )
    .beside(Lane::Facts),
    row(
        "O_DIRECT on compressed extents",
        ("direct-fell-back", "invalid"),
        |lab| {
            let mount = btrfs(1, &[], "compress-force=zstd");
            text(&mount.file("text"), 16);
            empty_page_cache();
            lab.measure(mount.file("text"), TRAPPED)
        },
        |lab| lab.measure_once(lab.mirror().file("noise"), RANDOM),
    )
    .beside(Lane::Cached),
    row(
        "ext4 lazy initialisation running",
        ("background-work", "invalid"),
        |lab| {
            let mount = ext4(
                4096,
                &["-E", "lazy_itable_init=1", "-i", "4096"],
                "init_itable=200",
            );
            lab.measure(mount.path(), "--op randread --time 300ms -s 16M --runs 3")
        },
        |lab| lab.measure_once(lab.plain().path(), LAID_OUT),
    )
    .beside(Lane::Cached),
    row(
        "filesystem nearly full",
        ("nearly-full", "warn"),
        |lab| {
            let mount = ext4(128, &["-m", "0"], "rw");
            noise(&mount.file("noise"), 16);
            let room = tool("df", &["--output=avail", "-k", mount.path()]);
            let room: u64 = room.split_whitespace().last().unwrap().parse().unwrap();
            let size = format!("{}K", room - 4096);
            tool(
                "fallocate",
                &["-l", &size, mount.file("ballast").to_str().unwrap()],
            );
            lab.measure(mount.file("noise"), TRAPPED)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), RANDOM),
    )
    .beside(Lane::Facts),
    row(
        "filesystem without any room, which is only read",
        ("nearly-full", "warn"),
        |lab| {
            let mount = ext4(32, &["-m", "0"], "rw");
            noise(&mount.file("noise"), 8);
            // To the last block.
            let ballast = mount.file("ballast");
            let _ = fs::write(&ballast, vec![7; 32 << 20]).unwrap_err();
            let words = "--op randread --time 300ms --runs 1";
            lab.measure(mount.file("noise"), words)
        },
        |lab| {
            let words = "--op randread --time 300ms --runs 1";
            lab.measure(lab.plain().file("noise"), words)
        },
    )
    .beside(Lane::Facts),
    row(
        "memory pressure",
        ("memory-pressure", "warn"),
        |lab| {
            let group = ControlGroup::of_memory("8M").unwrap();
            let file = lab.plain().file("noise");
            // What is in memory already would not be counted as the group's.
            empty_page_cache();
            let _hog = Hog::new(&group, &file);
            lab.measure(lab.zram().file("noise"), "--op randread --time 1s --runs 3")
        },
        |lab| lab.measure(lab.zram().file("noise"), TRAPPED),
    ),
    row(
        "readahead that nobody uses",
        ("readahead-waste", "warn"),
        |lab| {
            lab.measure(
                lab.plain().path(),
                "--op randread --backend mmap --cache cold --bytes 2M -s 256M",
            )
        },
        |lab| {
            lab.measure(
                lab.plain().file("noise"),
                "--op read -b 1M --cache cold --one-pass",
            )
        },
    )
    .beside(Lane::Cached),
    row(
        "discards meanwhile",
        ("discards", "warn"),
        |lab| {
            let _trimmer = trimmer(lab.plain().point());
            lab.measure(lab.plain().file("noise"), PACED)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), PACED),
    )
    .beside(Lane::Rates),
    row(
        "limit of a control group on a device",
        ("capped", "invalid"),
        |lab| {
            let group = limited(lab, "blkio.throttle.read_bps_device", "rbps", 50 << 20);
            let file = lab.plain().file("noise");
            lab.measure_in(&group, &file, "--op read -b 1M --time 1s --runs 1")
        },
        |lab| {
            let group = limited(lab, "blkio.throttle.read_bps_device", "rbps", 50 << 30);
            let file = lab.plain().file("noise");
            lab.measure_in(&group, &file, "--op read -b 1M --time 1s --runs 1")
        },
    )
    .beside(Lane::Rates),
    row(
        "limit on the requests of a device",
        ("capped", "invalid"),
        |lab| {
            let group = limited(lab, "blkio.throttle.read_iops_device", "riops", 500);
            let file = lab.plain().file("noise");
            let words = "--op randread --queue-depth 16 --time 1s --runs 1";
            lab.measure_in(&group, &file, words)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), RANDOM),
    )
    .beside(Lane::Rates),
    row(
        "limit of a control group on what is written",
        ("capped", "invalid"),
        |lab| {
            let group = limited(lab, "blkio.throttle.write_bps_device", "wbps", 50 << 20);
            let words = "--op write -b 1M --time 1s -s 64M --runs 1";
            lab.measure_in(&group, lab.plain().point(), words)
        },
        |lab| {
            let group = limited(lab, "blkio.throttle.write_bps_device", "wbps", 50 << 30);
            let words = "--op write -b 1M --time 1s -s 64M --runs 1";
            lab.measure_in(&group, lab.plain().point(), words)
        },
    )
    .beside(Lane::Rates),
    row(
        "quota of processor time",
        ("capped", "invalid"),
        |lab| {
            let files = [
                ("cpu.cfs_period_us", "100000"),
                ("cpu.cfs_quota_us", "5000"),
            ];
            let group =
                ControlGroup::limited(("cpu", &files), &[("cpu.max", "5000 100000")]).unwrap();
            let file = lab.plain().file("noise");
            lab.measure_in(&group, &file, "--op randread --time 1s --runs 1")
        },
        |lab| {
            lab.measure(
                lab.plain().file("noise"),
                "--op randread --time 1s --runs 1",
            )
        },
    )
    .beside(Lane::Rates),
    row(
        "request queue shorter than the depth",
        ("capped", "invalid"),
        |lab| {
            let queue = queue(&lab.plain().devices[0], "nr_requests");
            let _short = set_now(queue, "4");
            let words = "--op randread -b 64k --queue-depth 64 --time 1s --runs 1";
            lab.measure_urgently(lab.plain().file("noise"), words)
        },
        |lab| {
            let words = "--op randread -b 64k --queue-depth 64 --time 1s --runs 1";
            lab.measure_urgently(lab.plain().file("noise"), words)
        },
    ),
    row(
        "request queue shorter than the depth, of short requests",
        ("capped", "invalid"),
        |lab| {
            let queue = queue(&lab.plain().devices[0], "nr_requests");
            let _short = set_now(queue, "4");
            let words = "--op randread --queue-depth 64 --time 1s --runs 1";
            lab.measure_urgently(lab.plain().file("noise"), words)
        },
        |lab| {
            let words = "--op randread --queue-depth 64 --time 1s --runs 1";
            lab.measure_urgently(lab.plain().file("noise"), words)
        },
    ),
    row(
        "busy programs beside the generator",
        ("cpu-starved", "invalid"),
        |lab| {
            let _busy = Busy::new(6);
            let words = "--op randread --backend null --queue-depth 32 --time 1s -s 1G --runs 1";
            lab.measure(lab.plain().path(), words)
        },
        |lab| {
            let words = "--op randread --backend null --queue-depth 32 --time 300ms -s 1G --runs 1";
            lab.measure_urgently(lab.plain().path(), words)
        },
    ),
    // The twin's jobs wait as well: for threads of btrfs and of the loop devices, which work for it.
    row(
        "btrfs in memory beside busy programs",
        ("cpu-starved", "invalid"),
        |lab| {
            let _busy = Busy::new(6);
            let words = "--op randread --queue-depth 16 --time 1s --runs 1";
            lab.measure(lab.mirror().file("noise"), words)
        },
        |lab| {
            let words = "--op randread --queue-depth 16 --time 1s --runs 1";
            lab.measure(lab.mirror().file("noise"), words)
        },
    ),
    row(
        "queue of eight beside busy programs",
        ("cpu-starved", "invalid"),
        |lab| {
            let _busy = Busy::new(6);
            let words = "--op randread --queue-depth 8 --time 1s --runs 1";
            lab.measure(lab.plain().file("noise"), words)
        },
        |lab| {
            let words = "--op randread --queue-depth 8 --time 300ms --runs 1";
            lab.measure_urgently(lab.plain().file("noise"), words)
        },
    ),
    row(
        "queue depth that the backend has not",
        ("depth-one", "invalid"),
        |lab| {
            let words = "--op randread --backend sync --queue-depth 8 --time 300ms --runs 1";
            lab.measure(lab.plain().file("noise"), words)
        },
        |lab| {
            let words = "--op randread --backend io_uring --queue-depth 8 --time 300ms --runs 1";
            lab.measure(lab.plain().file("noise"), words)
        },
    )
    .beside(Lane::Facts),
    row(
        "run stopped by a signal",
        ("stalled", "invalid"),
        |lab| {
            let device = lab.plain().devices[0].name().to_owned();
            let before = written(&device);
            lab.measure_while(lab.plain().path(), WRITING, move |process| {
                wait_for(&device, 18, 0, before);
                hold(process);
            })
        },
        |lab| lab.measure_once(lab.plain().path(), WRITING),
    )
    .beside(Lane::Events),
    row(
        "filesystem frozen meanwhile",
        ("stalled", "invalid"),
        |lab| {
            let mount = lab.plain();
            let (device, point) = (mount.devices[0].name().to_owned(), mount.point());
            let before = written(&device);
            lab.measure_while(point, WRITING, move |_| {
                wait_for(&device, 18, 0, before);
                let _frozen = Frozen::new(point);
                sleep(Duration::from_secs(1));
            })
        },
        |lab| lab.measure_once(lab.plain().path(), WRITING),
    )
    .beside(Lane::Events),
    row(
        "device that stands still meanwhile",
        ("stalled", "invalid"),
        |lab| {
            let below = lab.plain().point();
            let mount = ext4_in(below, 64);
            let device = mount.devices[0].name().to_owned();
            let before = written(&device);
            lab.measure_while(mount.path(), WRITING, move |_| {
                wait_for(&device, 18, 0, before);
                let _frozen = Frozen::new(below);
                sleep(Duration::from_millis(1500));
            })
        },
        |lab| lab.measure_once(lab.plain().path(), WRITING),
    )
    .beside(Lane::Events),
    row(
        "one run of eight that waits for a frozen filesystem",
        ("stalled", "warn"),
        |lab| {
            let mount = lab.plain();
            let (device, point) = (mount.devices[0].name().to_owned(), mount.point());
            let before = written(&device);
            let words = "--op randwrite -s 16M --think 100us --time 400ms --runs 8";
            lab.measure_while(point, words, move |_| {
                wait_for(&device, 18, 0, before);
                let _frozen = Frozen::new(point);
                sleep(Duration::from_secs(1));
            })
        },
        |lab| {
            lab.measure(
                lab.plain().path(),
                "--op randwrite -s 16M --think 100us --time 400ms --runs 2",
            )
        },
    ),
    row(
        "fsync that an overlay ignores",
        ("not-durable", "invalid"),
        |lab| {
            let plain = lab.plain().point();
            let mount = overlay(lab.zram().point(), plain, ",volatile");
            lab.measure(mount.path(), DURABLE)
        },
        |lab| {
            let plain = lab.plain().point();
            let mount = overlay(lab.zram().point(), plain, "");
            lab.measure(mount.path(), DURABLE)
        },
    )
    .beside(Lane::Facts),
    row(
        "file of an overlay whose lower directory is memory",
        ("in-memory", "warn"),
        over_memory,
        over_disk,
    )
    .beside(Lane::Waiting),
    row(
        "file of an overlay, said to have no device",
        ("no-device", "info"),
        over_memory,
        over_disk,
    )
    .beside(Lane::Waiting),
    row(
        "volatile write cache declared away",
        ("no-flush", "invalid"),
        |lab| {
            let queue = queue(&lab.plain().devices[0], "write_cache");
            let _denied = set_now(queue, "write through");
            lab.measure(lab.plain().path(), DURABLE)
        },
        |lab| lab.measure_once(lab.plain().path(), DURABLE),
    )
    .beside(Lane::Facts),
    row(
        "most flushes dropped in the middle of a run",
        ("no-flush", "invalid"),
        |lab| {
            let device = &lab.plain().devices[0];
            let (name, queue) = (device.name().to_owned(), queue(device, "write_cache"));
            let before = written(&name);
            let words = "--op randwrite --fsync 1 --time 3s -s 8M --runs 1";
            lab.measure_while(lab.plain().path(), words, move |_| {
                wait_for(&name, 9, 50, before);
                let _denied = set_now(queue, "write through");
                sleep(Duration::from_secs(2));
            })
        },
        |lab| lab.measure_once(lab.plain().path(), DURABLE),
    )
    .beside(Lane::Events),
    row(
        "loop over a compressed file",
        ("reducing-layer", "warn"),
        |lab| {
            let mount = btrfs(1, &[], "compress-force=zstd");
            text(&mount.file("image"), 16);
            let device = Loop::over(&mount.file("image"), &[]);
            lab.measure(device.node(), TRAPPED)
        },
        plain_loop,
    )
    .beside(Lane::Waiting),
    row(
        "cold above a process, in memory below",
        ("cache-state", "invalid"),
        |lab| {
            let memory = lab.memory();
            noise(&memory.file("noise"), 8);
            let mount = passed_through(memory.point());
            lab.measure(
                mount.file("noise"),
                "--op read -b 1M --cache cold --one-pass",
            )
        },
        |lab| {
            let mount = passed_through(lab.plain().point());
            lab.measure(
                mount.file("noise"),
                "--op read -b 1M --cache cold --one-pass",
            )
        },
    )
    .beside(Lane::Cached),
    row(
        "direct above a process, in memory below",
        ("direct-fell-back", "invalid"),
        |lab| {
            let mount = passed_through(lab.plain().point());
            lab.measure(mount.file("noise"), TRAPPED)
        },
        |lab| lab.measure_once(lab.plain().file("noise"), RANDOM),
    )
    .beside(Lane::Cached),
    row(
        "memory as a disk",
        ("in-memory", "warn"),
        |lab| lab.measure(lab.memory().path(), &format!("{LAID_OUT_SMALL} --runs 3")),
        |lab| lab.measure_once(lab.disk.path(), LAID_OUT_SMALL),
    )
    .beside(Lane::Waiting),
    row(
        "zram as a disk",
        ("in-memory", "warn"),
        |lab| lab.measure_once(lab.zram().file("noise"), RANDOM),
        |lab| lab.measure_once(lab.disk.path(), LAID_OUT_SMALL),
    )
    .beside(Lane::Waiting),
    row(
        "memory under another name",
        ("in-memory", "warn"),
        |lab| {
            let memory = lab.memory();
            let other = bound(memory.point());
            lab.measure(other.path(), &format!("{LAID_OUT_SMALL} --runs 3"))
        },
        |lab| {
            let other = bound(lab.disk.path());
            lab.measure(other.path(), LAID_OUT_SMALL)
        },
    )
    .beside(Lane::Waiting),
    row(
        "idle class of I/O",
        ("process-settings", "info"),
        |lab| lab.measure_by("ionice -c3", lab.zram().file("noise"), TRAPPED),
        |lab| lab.measure_once(lab.zram().file("noise"), RANDOM),
    )
    .beside(Lane::Events),
    row(
        "library that is loaded before all others",
        ("process-settings", "info"),
        |lab| {
            let library = "env LD_PRELOAD=libm.so.6";
            lab.measure_by(library, lab.zram().file("noise"), TRAPPED)
        },
        |lab| lab.measure_once(lab.zram().file("noise"), RANDOM),
    )
    .beside(Lane::Events),
];

/// 64 MiB by direct I/O, in blocks of this size.
fn copied(lab: &Lab, block: &str) -> Try {
    let (from, to) = (lab.plain().file("noise"), lab.plain().file("copied"));
    let (from, to) = (from.display(), to.display());
    let words = format!("if={from} of={to} bs={block} oflag=direct --runs 3");
    lab.dd(&words)
}

/// A limit on the loop device of the plain filesystem, by the file of version 1 and the key of `io.max`.
pub(crate) fn limited(lab: &Lab, file: &str, key: &str, value: u64) -> ControlGroup {
    let name = lab.plain().devices[0]
        .name()
        .trim_start_matches("/dev/")
        .to_owned();
    let number = fs::read_to_string(format!("/sys/block/{name}/dev")).unwrap();
    let number = number.trim();
    let (first, second) = (
        format!("{number} {value}"),
        format!("{number} {key}={value}"),
    );
    ControlGroup::limited(("blkio", &[(file, &first)]), &[("io.max", &second)]).unwrap()
}

/// What is found of a file of an overlay whose lower directory is memory.
fn over_memory(lab: &Lab) -> Try {
    lab.shared.report("an overlay over memory".to_owned(), || {
        let memory = lab.memory();
        noise(&memory.file("noise"), 8);
        let upper = lab.disk.path().join("above-memory");
        let mount = overlay(memory.point(), &upper, "");
        lab.measure(mount.file("noise"), RANDOM)
    })
}

/// What is found of one whose lower directory is on the disk.
fn over_disk(lab: &Lab) -> Try {
    lab.shared
        .report("an overlay over the disk".to_owned(), || {
            let (upper, lower) = (lab.memory(), lab.disk.path().join("below-memory"));
            fs::create_dir_all(&lower).unwrap();
            noise(&lower.join("noise"), 8);
            let mount = overlay(&lower, upper.point(), "");
            lab.measure(mount.file("noise"), RANDOM)
        })
}

/// What is found of such a loop device.
fn plain_loop(lab: &Lab) -> Try {
    lab.shared.report("a loop on the disk".to_owned(), || {
        let device = loop_on_disk(lab, &[]);
        lab.measure(device.node(), RANDOM)
    })
}

/// A loop device over 64 MiB of noise on the disk that holds the build, out of all memory here.
fn loop_on_disk(lab: &Lab, options: &[&str]) -> Loop {
    let file = lab.disk.path().join("image");
    if !file.exists() {
        noise(&file, 64);
    }
    let device = Loop::over(&file, options);
    tool("sync", &[&file.to_string_lossy()]);
    empty_page_cache();
    device
}
