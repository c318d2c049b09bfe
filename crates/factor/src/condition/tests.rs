//! Factors on a made tree of `/sys` and `/proc`: what is set, read back, and put back.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_stack::Roots;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::{Change, Entry, Journal, ProcessStamp, Token, restore};

struct Machine {
    root: TempDir,
    ground: Ground,
}

impl Machine {
    fn new() -> Machine {
        let root = TempDir::new().unwrap();
        for disk in ["sda", "sdb", "md0"] {
            make_disk(root.path(), disk);
        }
        let vm = root.path().join("proc/sys/vm");
        fs::create_dir_all(&vm).unwrap();
        for (name, value) in [("dirty_bytes", "0\n"), ("dirty_ratio", "20\n")] {
            fs::write(vm.join(name), value).unwrap();
        }
        let ground = Ground {
            journal: Journal::at(&root.path().join("journal")).unwrap(),
            roots: Roots::under(root.path()),
            target: root.path().to_owned(),
            workshop: root.path().to_owned(),
            devices: Vec::new(),
            destroy: Vec::new(),
            disks: vec![
                ground_disk("md0", false),
                ground_disk("sda", true),
                ground_disk("sdb", true),
            ],
            read_ahead: Default::default(),
            part: None,
            manual: Default::default(),
            stop: Default::default(),
        };
        Machine { root, ground }
    }

    fn file(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn value(&self, path: &str) -> String {
        fs::read_to_string(self.file(path)).unwrap()
    }

    /// Every file below `sys` and `proc` with what stands in it.
    fn state(&self) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        for part in ["sys", "proc"] {
            files(&self.file(part), &mut found);
        }
        found.sort();
        found
    }

    fn entries(&self) -> usize {
        let names = fs::read_dir(self.file("journal")).unwrap().flatten();
        names
            .filter(|entry| entry.path().extension().is_some_and(|e| e == "json"))
            .count()
    }

    fn apply(&self, name: &str, level: &Value) -> Result<Box<dyn Applied>, FactorError> {
        let level = factor(name).unwrap().parse(level).unwrap();
        level.apply(&self.ground)
    }
}

fn make_disk(root: &Path, disk: &str) {
    for (name, value) in [
        ("scheduler", "none [mq-deadline] bfq\n"),
        ("nr_requests", "64\n"),
        ("wbt_lat_usec", "75000\n"),
        ("read_ahead_kb", "128\n"),
        ("write_cache", "write back\n"),
        ("iosched/read_expire", "100\n"),
        ("iosched/low_latency", "1\n"),
    ] {
        let file = root.join(format!("sys/block/{disk}/queue/{name}"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, value).unwrap();
    }
}

fn ground_disk(name: &str, is_leaf: bool) -> GroundDisk {
    GroundDisk {
        name: name.to_owned(),
        is_leaf,
    }
}

fn files(directory: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push((
                path.clone(),
                fs::read_to_string(path).unwrap().trim().into(),
            ));
        }
    }
}

#[test]
fn an_attribute_is_set_on_every_disk_written_down_before_and_put_back() {
    let machine = Machine::new();
    let before = machine.state();
    let applied = machine.apply("nr_requests", &json!(32)).unwrap();
    assert_eq!(machine.value("sys/block/sda/queue/nr_requests"), "32");
    assert_eq!(machine.value("sys/block/sdb/queue/nr_requests"), "32");
    assert_eq!(machine.value("sys/block/md0/queue/nr_requests"), "64\n");
    assert_eq!(machine.entries(), 1);
    applied.verify().unwrap();
    fs::write(machine.file("sys/block/sdb/queue/nr_requests"), "7").unwrap();
    let error = applied.verify().unwrap_err().to_string();
    assert!(error.contains("is '7' and not '32'"), "{error}");
    applied.restore().unwrap();
    assert_eq!((machine.state(), machine.entries()), (before, 0));
}

#[test]
fn reading_ahead_is_set_on_what_the_filesystem_is_on_too() {
    let machine = Machine::new();
    let before = machine.state();
    drop(machine.apply("read_ahead_kb", &json!("4096")).unwrap());
    assert_eq!(machine.state(), before);
    let applied = machine.apply("read_ahead_kb", &json!(0)).unwrap();
    assert_eq!(machine.value("sys/block/md0/queue/read_ahead_kb"), "0");
    applied.restore().unwrap();
}

#[test]
fn reading_ahead_is_set_on_a_filesystem_that_heeds_no_disk_and_refused_where_it_is_hidden() {
    let mut machine = Machine::new();
    let (place, file) = ("sys/class/bdi/0:42", "sys/class/bdi/0:42/read_ahead_kb");
    let path = machine.file(file);
    machine.ground.read_ahead = ReadAhead::Hidden {
        kind: "cifs".to_owned(),
        path: path.clone(),
    };
    let before = machine.state();
    let level = factor("read_ahead_kb").unwrap().parse(&json!(64)).unwrap();
    let needs = level.needs(&machine.ground);
    let error = level.apply(&machine.ground).unwrap_err().to_string();
    assert!(error.contains("lies on cifs"), "{error}");
    assert_eq!(needs.first().map(ToString::to_string), Some(error));
    assert_eq!((machine.state(), machine.entries()), (before, 0));
    // What has nothing to do with files is as before.
    drop(machine.apply("nr_requests", &json!(32)).unwrap());
    fs::create_dir_all(machine.file(place)).unwrap();
    fs::write(&path, "4096\n").unwrap();
    machine.ground.read_ahead = ReadAhead::OfFilesystem(path);
    let before = machine.state();
    let applied = machine.apply("read_ahead_kb", &json!(64)).unwrap();
    assert_eq!(machine.value(file), "64");
    assert_eq!(machine.value("sys/block/md0/queue/read_ahead_kb"), "64");
    applied.restore().unwrap();
    assert_eq!(machine.state(), before);
}

#[test]
fn what_a_killed_process_has_set_is_put_back_and_what_is_gone_is_not_missed() {
    let machine = Machine::new();
    let before = machine.state();
    let files = [
        "sys/block/sda/queue/nr_requests",
        "sys/block/sdx/queue/gone",
    ];
    let values = files.map(|file| SavedValue {
        path: machine.file(file),
        before: "64".to_owned(),
        diskseq: None,
    });
    fs::write(machine.file(files[0]), "5").unwrap();
    let dead = ProcessStamp {
        start_ticks: 1,
        ..ProcessStamp::current().unwrap()
    };
    let change = Change::KernelValues {
        values: values.to_vec(),
    };
    let entry = Entry::new(dead, Token::random().unwrap(), change);
    machine.ground.journal.write(&entry).unwrap();
    let report = restore(&machine.ground.journal);
    assert_eq!(report.put_back, [machine.file(files[0])]);
    assert!(report.kept.is_empty() && report.removed.is_empty());
    assert_eq!((machine.state(), machine.entries()), (before, 0));
}

/// Makes every entry one of a process that was killed.
fn kill_owners(machine: &Machine) {
    for found in machine.ground.journal.read_all() {
        let mut entry = found.entry.unwrap();
        entry.owner.start_ticks = 1;
        machine.ground.journal.write(&entry).unwrap();
    }
}

/// As the kernel does when the scheduler changes (block/blk-mq-sched.c, `blk_mq_init_sched`).
fn reset_requests(machine: &Machine) {
    for disk in ["sda", "sdb"] {
        let file = format!("sys/block/{disk}/queue/nr_requests");
        fs::write(machine.file(&file), "256\n").unwrap();
    }
}

#[test]
fn after_a_kill_the_last_change_is_put_back_first() {
    // Names of entries are random, and so would their order be.
    for round in 0..12 {
        let machine = Machine::new();
        let before = machine.state();
        let scheduler = |machine: &Machine| {
            let made = machine.apply("scheduler", &json!("bfq")).unwrap();
            reset_requests(machine);
            made
        };
        let requests = |machine: &Machine| machine.apply("nr_requests", &json!(32)).unwrap();
        let made = match round % 2 {
            0 => [scheduler(&machine), requests(&machine)],
            _ => [requests(&machine), scheduler(&machine)],
        };
        std::mem::forget(made);
        kill_owners(&machine);
        let report = restore(&machine.ground.journal);
        assert!(report.kept.is_empty(), "{report:?}");
        // A plain file does not show the other choices.
        let mut after = machine.state();
        for (path, text) in &mut after {
            if path.ends_with("queue/scheduler") {
                *text = text.replace("mq-deadline", "none [mq-deadline] bfq");
            }
        }
        let own = |(path, _): &&(PathBuf, String)| !path.starts_with(machine.file("sys/block/md0"));
        let [before, after] =
            [&before, &after].map(|all| all.iter().filter(own).collect::<Vec<_>>());
        assert_eq!((after, machine.entries()), (before, 0), "round {round}");
    }
}

#[test]
fn virtual_disks_tell_the_memory_that_they_may_take_and_are_refused_beyond_it() {
    let machine = Machine::new();
    let level = |kind: &str, size: &str| {
        let level = json!({ "value": kind, "size": size, "count": 2 });
        factor("disk").unwrap().parse(&level).unwrap()
    };
    let both = Bytes::mib(128);
    for (kind, memory, space) in [
        ("loop-memory", both, Bytes::ZERO),
        ("zram", both, Bytes::ZERO),
        ("loop-file", Bytes::ZERO, both),
    ] {
        let described = level(kind, "64MiB").describe(&machine.ground).unwrap();
        assert_eq!(
            (described.memory, described.space),
            (memory, space),
            "{kind}"
        );
        let needs = level(kind, "32TiB").needs(&machine.ground);
        let is_refused = |need: &Need| need.to_string().contains("may take 64 TiB of memory");
        let is_in_memory = memory > Bytes::ZERO;
        assert_eq!(
            needs.iter().any(is_refused),
            is_in_memory,
            "{kind}: {needs:?}"
        );
    }
}

#[test]
fn what_a_plan_cleans_up_in_the_end_comes_after_its_devices_and_what_a_level_resets_before_them() {
    let machine = Machine::new();
    let journal = &machine.ground.journal;
    let log = machine.file("log");
    let end = |command: &str| {
        let command = format!("{command} && echo {} >> {}", command.len(), log.display());
        due_at_the_end(journal, &command).unwrap()
    };
    // As a plan does: the commands of the end, the last of them first, then devices, then what is set on them.
    let mut made = crate::made::Made::begin(journal).unwrap();
    let disk = made.name_in(machine.root.path(), "disk");
    let (there, gone) = (
        format!("test -e {}", disk.display()),
        format!("test ! -e {}", disk.display()),
    );
    let ends = [end(&format!("{gone} && true")), end(&gone)];
    made.enter(crate::steps::EntryStep::File {
        path: disk.clone(),
        filesystem: None,
    })
    .unwrap();
    fs::write(&disk, "").unwrap();
    let reset = format!("{there} && echo reset >> {}", log.display());
    let level = json!({ "value": "big", "set": "true", "reset": reset });
    let level = machine.apply("command", &level).unwrap();
    std::mem::forget((ends, made, level));
    kill_owners(&machine);
    let report = restore(journal);
    assert!(report.kept.is_empty(), "{report:?}");
    let told = fs::read_to_string(&log).unwrap();
    assert_eq!(told, format!("reset\n{}\n{}\n", gone.len(), gone.len() + 8));
}

#[test]
fn what_a_level_leaves_in_the_background_runs_until_it_is_reset_and_a_stop_resets_too() {
    let machine = Machine::new();
    let there = machine.file("there");
    fs::write(&there, "").unwrap();
    let shown = there.display();
    // It ends with the file, or after half a minute.
    let set = format!("for n in $(seq 600); do test -e {shown} && sleep 0.05 || exit; done &");
    let reset = format!("rm {shown}");
    let level = json!({ "value": "busy", "set": set, "reset": reset });
    let begun = std::time::Instant::now();
    let applied = machine.apply("command", &level).unwrap();
    assert!(begun.elapsed() < std::time::Duration::from_secs(20));
    applied.restore().unwrap();
    assert!(!there.exists());
    fs::write(&there, "").unwrap();
    let level = json!({ "value": "long", "set": "sleep 600; true", "reset": reset });
    let stop = std::sync::atomic::Ordering::Relaxed;
    machine.ground.stop.store(true, stop);
    let ended = machine.apply("command", &level);
    assert!(matches!(ended, Err(FactorError::Stopped)), "{ended:?}");
    assert_eq!((there.exists(), machine.entries()), (false, 0));
}

#[test]
fn the_values_of_hundreds_of_disks_are_put_back_after_a_kill() {
    let mut machine = Machine::new();
    for n in 0..300 {
        let name = format!("nvme{n}n1");
        make_disk(machine.root.path(), &name);
        machine.ground.disks.push(ground_disk(&name, true));
    }
    let before = machine.state();
    let applied = machine.apply("scheduler", &json!("bfq")).unwrap();
    std::mem::forget(applied);
    assert_ne!(machine.state(), before);
    kill_owners(&machine);
    let report = restore(&machine.ground.journal);
    assert!(report.kept.is_empty(), "{:?}", report.kept);
    assert_eq!(
        machine.value("sys/block/nvme299n1/queue/scheduler"),
        "mq-deadline"
    );
    assert_eq!(machine.entries(), 0);
}

#[test]
fn nothing_is_set_whose_entry_would_be_too_long_to_be_read_back() {
    let machine = Machine::new();
    let before = machine.state();
    let path = machine.file("sys/block/sda/queue/nr_requests");
    let saved = SavedValue {
        before: "6".repeat(17 << 20),
        ..SavedValue::read(&path).unwrap()
    };
    let value = "32".to_owned();
    let error = KernelValues::set_saved(
        &machine.ground,
        vec![ValueToSet { path, value }],
        vec![saved],
    );
    let told = error.unwrap_err().to_string();
    assert!(told.contains("let one level change fewer"), "{told}");
    assert_eq!((machine.state(), machine.entries()), (before, 0));
}

#[test]
fn what_cannot_be_put_back_keeps_nothing_else_from_it_and_stays_in_the_journal() {
    let machine = Machine::new();
    let applied = machine.apply("nr_requests", &json!(32)).unwrap();
    let (first, last) = (
        "sys/block/sda/queue/nr_requests",
        "sys/block/sdb/queue/nr_requests",
    );
    // A directory is no file that could be read.
    fs::remove_file(machine.file(first)).unwrap();
    fs::create_dir(machine.file(first)).unwrap();
    assert!(applied.restore().is_err());
    assert_eq!((machine.value(last).trim(), machine.entries()), ("64", 1));
}

#[test]
fn values_beyond_all_are_put_back_to_the_letter() {
    let machine = Machine::new();
    let shown = "18446744073692774399\n";
    for before in [shown, "max\n", "9223372036854775807\n"] {
        fs::write(machine.file("proc/sys/vm/dirty_bytes"), before).unwrap();
        fs::write(machine.file("proc/sys/vm/dirty_ratio"), "0\n").unwrap();
        let applied = machine
            .apply("sysctl", &json!("vm.dirty_bytes=4096"))
            .unwrap();
        applied.restore().unwrap();
        let after = machine.value("proc/sys/vm/dirty_bytes");
        assert_eq!(after.trim(), before.trim());
    }
}

#[test]
fn after_a_reboot_or_on_another_disk_nothing_is_written() {
    let machine = Machine::new();
    let file = machine.file("sys/block/sda/queue/nr_requests");
    let dead = ProcessStamp {
        start_ticks: 1,
        ..ProcessStamp::current().unwrap()
    };
    let rebooted = ProcessStamp {
        boot: "another".to_owned(),
        ..dead.clone()
    };
    let undone = vec![file.clone()];
    for (owner, diskseq, undone) in [
        (rebooted, None, undone),
        (dead, Some("9".to_owned()), Vec::new()),
    ] {
        fs::write(&file, "5").unwrap();
        let saved = SavedValue {
            path: file.clone(),
            before: "64".to_owned(),
            diskseq,
        };
        let change = Change::KernelValues {
            values: vec![saved],
        };
        let entry = Entry::new(owner, Token::random().unwrap(), change);
        machine.ground.journal.write(&entry).unwrap();
        let mut report = restore(&machine.ground.journal);
        assert_eq!(std::mem::take(&mut report.undone_by_reboot), undone);
        assert!(report.is_empty());
        assert_eq!(
            (
                fs::read_to_string(&file).unwrap().as_str(),
                machine.entries()
            ),
            ("5", 0)
        );
    }
}

#[test]
fn a_scheduler_comes_with_its_tunables() {
    let machine = Machine::new();
    let level = json!({ "value": "bfq", "low_latency": 0 });
    let parsed = factor("scheduler").unwrap().parse(&level).unwrap();
    assert_eq!(parsed.name(), "bfq low_latency=0");
    // A file does not keep its choices as the kernel does, so that only the chosen word remains.
    let applied = machine.apply("scheduler", &level).unwrap();
    assert_eq!(machine.value("sys/block/sda/queue/scheduler"), "bfq");
    assert_eq!(
        machine.value("sys/block/sdb/queue/iosched/low_latency"),
        "0"
    );
    applied.restore().unwrap();
    assert_eq!(
        machine.value("sys/block/sda/queue/scheduler"),
        "mq-deadline"
    );
    assert_eq!(
        machine.value("sys/block/sdb/queue/iosched/low_latency"),
        "1"
    );
    assert_eq!(machine.entries(), 0);
}

#[test]
fn a_scheduler_that_is_not_there_is_missing() {
    let machine = Machine::new();
    let level = factor("scheduler").unwrap().parse(&json!("kyber")).unwrap();
    let needs = level.needs(&machine.ground);
    let texts: Vec<String> = needs.iter().map(ToString::to_string).collect();
    assert!(
        texts.iter().any(|text| text.contains("offers no 'kyber'")),
        "{texts:?}"
    );
}

#[test]
fn one_of_a_pair_of_parameters_is_put_back_by_the_other() {
    let machine = Machine::new();
    let applied = machine
        .apply("sysctl", &json!("vm.dirty_bytes=1048576"))
        .unwrap();
    assert_eq!(machine.value("proc/sys/vm/dirty_bytes"), "1048576");
    // As the kernel does.
    fs::write(machine.file("proc/sys/vm/dirty_ratio"), "0").unwrap();
    applied.restore().unwrap();
    assert_eq!(machine.value("proc/sys/vm/dirty_ratio"), "20");
}

#[test]
fn a_step_that_fails_leaves_nothing_changed() {
    let machine = Machine::new();
    fs::remove_file(machine.file("proc/sys/vm/dirty_ratio")).unwrap();
    let before = machine.state();
    let level = json!("vm.dirty_bytes=4096,vm.dirty_ratio=5");
    let error = machine.apply("sysctl", &level).unwrap_err().to_string();
    assert!(error.contains("dirty_ratio"), "{error}");
    assert_eq!((machine.state(), machine.entries()), (before, 0));
}

#[test]
fn a_kernel_is_in_force_where_the_laboratory_booted_it_and_nowhere_else() {
    let machine = Machine::new();
    let level = json!({ "value": "6.1 slow", "image": "x" });
    let read = || factor("kernel").unwrap().parse(&level).unwrap();
    let error = machine.apply("kernel", &level).unwrap_err().to_string();
    assert!(error.contains("etalon lab run PLAN"), "{error}");
    assert!(read().is_due(&machine.ground) && read().needs(&machine.ground).len() == 1);
    let line = "console=ttyS0 etalon.kernel=6.1%20slow etalon.block=3\n";
    fs::write(machine.file("proc/cmdline"), line).unwrap();
    assert_eq!(booted_block(&machine.ground.roots), Some(3));
    assert!(read().is_due(&machine.ground) && read().needs(&machine.ground).is_empty());
    let applied = machine.apply("kernel", &level).unwrap();
    applied.verify().unwrap();
    let other = factor("kernel").unwrap().parse(&json!("6.12")).unwrap();
    assert!(!other.is_due(&machine.ground), "another was booted");
    let error = other.apply(&machine.ground).unwrap_err().to_string();
    assert!(
        error.contains("'etalon.kernel=6.1%20slow' and not 'etalon.kernel=6.12'"),
        "{error}"
    );
}

#[test]
fn what_is_no_level_is_quoted_with_what_is_accepted() {
    for (name, level) in [
        ("scheduler", json!(3)),
        ("scheduler", json!("b/f/q")),
        ("scheduler", json!([])),
        ("read_ahead_kb", json!("much")),
        ("read_ahead_kb", json!(-1)),
        ("nomerges", json!(3)),
        ("nomerges", json!({ "value": 1, "more": 2 })),
        ("write_cache", json!("back")),
        ("io_poll", json!(true)),
        ("sysctl", json!("vm.dirty_ratio")),
        ("sysctl", json!("../vm.x=1")),
        ("sysctl", json!("vm..x=1")),
    ] {
        let factor = factor(name).unwrap();
        let error = factor.parse(&level).unwrap_err();
        assert!(error.to_string().contains(factor.accepted()), "{error}");
        let given = level
            .as_str()
            .map_or_else(|| level.to_string(), str::to_owned);
        assert!(error.given.contains(&given), "{error}");
    }
}

#[test]
fn names_are_told_apart_and_deeper_factors_come_first() {
    let mut names: Vec<&str> = FACTORS.iter().map(|factor| factor.name()).collect();
    assert!(FACTORS.is_sorted_by_key(|factor| factor.depth()));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FACTORS.len());
}

#[test]
fn a_machine_is_what_the_laboratory_says() {
    let machine = Machine::new();
    let read = |level| factor("machine").unwrap().parse(&level).unwrap();
    let (host, guest) = (read(json!("host")), read(json!("guest")));
    let error = machine
        .apply("machine", &json!("host"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("etalon lab run PLAN -- DIRECTORY"),
        "{error}"
    );
    let mut here = machine.ground.clone();
    here.part = Some("etalon.machine=host".to_owned());
    assert!(host.is_due(&here) && host.needs(&here).is_empty());
    assert!(!guest.is_due(&here));
    host.apply(&here).unwrap().verify().unwrap();
    let error = guest.apply(&here).unwrap_err().to_string();
    assert!(
        error.contains("'etalon.machine=host' and not 'etalon.machine=guest'"),
        "{error}"
    );
    // In a guest the command line says so.
    fs::write(machine.file("proc/cmdline"), "quiet etalon.machine=guest\n").unwrap();
    assert!(guest.is_due(&machine.ground) && !host.is_due(&machine.ground));
    let facts = guest.apply(&machine.ground).unwrap().facts();
    assert_eq!(facts.len(), 2, "{facts:?}");
}
