use super::*;
use crate::tree::Stack;
use etalon_testbed::put;
use std::path::Path;

fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let base = [
        (
            "proc/self/mountinfo",
            "1 0 8:1 / / rw - ext4 /dev/sda1 rw,data=ordered\n2 1 0:5 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
        ),
        ("proc/self/cgroup", "0::/user/job\n"),
        ("proc/sys/kernel/osrelease", "6.1.0\n"),
        ("proc/sys/vm/dirty_ratio", "20\n"),
        ("proc/sys/vm/drop_caches", "3\n"),
        (
            "proc/cpuinfo",
            "processor\t: 0\nmodel name\t: Fast CPU\nflags\t\t: fpu hypervisor\n\nprocessor\t: 1\nmodel name\t: Fast CPU\n",
        ),
        ("sys/fs/cgroup/user/memory.max", "1073741824\n"),
        ("sys/dev/block/8:1/dev", "8:1\n"),
        ("sys/dev/block/8:1/size", "2048\n"),
        ("sys/dev/block/8:1/queue/scheduler", "[none] bfq\n"),
        (
            "sys/dev/block/8:1/device/hwmon/hwmon0/temp1_input",
            "40000\n",
        ),
    ];
    for (path, text) in base.iter().chain(files) {
        put(directory.path(), path, text);
    }
    directory
}

fn manifest_of(files: &[(&str, &str)]) -> Manifest {
    let directory = machine(files);
    let roots = Roots::under(directory.path());
    let tree = Stack::of(Path::new("/data"), &roots).unwrap();
    manifest(&tree, &roots, &[("etalon.version", "1.0")])
}

#[test]
fn facts_have_stable_keys() {
    let found = manifest_of(&[]);
    let fact = |key: &str| found.facts.get(key).map(String::as_str);
    assert_eq!(fact("kernel.release"), Some("6.1.0"));
    assert_eq!(fact("sysctl.vm.dirty_ratio"), Some("20"));
    assert_eq!(fact("sysctl.vm.drop_caches"), None);
    assert_eq!(
        (fact("cpu.model"), fact("cpu.processors")),
        (Some("Fast CPU"), Some("2"))
    );
    assert_eq!(fact("hypervisor.flag"), Some("yes"));
    assert_eq!(fact("cgroup.memory.max"), Some("1073741824"));
    assert_eq!(fact("layer.8:1.queue.scheduler"), Some("none"));
    assert_eq!(fact("mount.super_options"), Some("rw data=ordered"));
    assert_eq!(fact("etalon.version"), Some("1.0"));
    assert_eq!(found.hash.len(), 64);
}

#[test]
fn what_moves_by_itself_does_not_change_the_hash() {
    let hot = (
        "sys/dev/block/8:1/device/hwmon/hwmon0/temp1_input",
        "70000\n",
    );
    assert_eq!(manifest_of(&[]).hash, manifest_of(&[hot]).hash);
}

#[test]
fn a_changed_scheduler_changes_the_hash_and_is_named() {
    let before = manifest_of(&[]);
    let after = manifest_of(&[("sys/dev/block/8:1/queue/scheduler", "none [bfq]\n")]);
    assert_ne!(before.hash, after.hash);
    let changes = before.changes_to(&after);
    let words: Vec<String> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(words, ["layer.8:1.queue.scheduler: 'none' -> 'bfq'"]);
}

#[test]
fn another_session_with_the_same_limits_is_the_same_environment() {
    let session = |name: &str, limit: &str| {
        let line = format!("0::/user/{name}\n");
        let path = format!("sys/fs/cgroup/user/{name}/memory.max");
        manifest_of(&[("proc/self/cgroup", &line), (&path, limit)])
    };
    let first = session("session-1.scope", "max\n");
    assert_eq!(first.hash, session("session-2.scope", "max\n").hash);
    let limited = session("session-1.scope", "4096\n");
    assert_eq!(limited.facts["cgroup.memory.max"], "1073741824 / 4096");
    assert_ne!(first.hash, limited.hash);
}

#[test]
fn equals_signs_and_newlines_cannot_be_confused() {
    let facts = |pairs: &[(&str, &str)]| {
        let pairs = pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        hash_of_facts(&pairs.collect())
    };
    assert_ne!(facts(&[("a", "b\nc=d")]), facts(&[("a", "b"), ("c", "d")]));
    assert_ne!(facts(&[("a=b", "c")]), facts(&[("a", "b=c")]));
    // Known answer: printf 'a=b\n' | sha256sum.
    assert_eq!(
        facts(&[("a", "b")]),
        "77e7ce77c707a8147bb65a710ac1af3fca02c8dd2be36762ec9611d90fb5c041"
    );
}

#[test]
fn distribution_discards_and_memory_are_read_below_the_roots() {
    let module = "\u{11}\u{28}\0\0\0\0\0\0\0\0\0\0\0\u{10}\0\0\u{1}\0\u{1a}\0\0\0\0\u{2}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0A1\0Maker\0\0";
    let found = manifest_of(&[
        ("etc/os-release", "NAME=x\nPRETTY_NAME=\"Some Linux 7\"\n"),
        ("etc/lvm/lvm.conf", "devices {\n\tissue_discards = 1\n}\n"),
        ("usr/lib/systemd/system/fstrim.timer", "[Timer]\n"),
        ("sys/firmware/dmi/entries/17-0/raw", module),
    ]);
    let fact = |key: &str| found.facts.get(key).map(String::as_str);
    assert_eq!(fact("distribution"), Some("Some Linux 7"));
    assert_eq!(fact("lvm.issue_discards"), Some("1"));
    assert_eq!(fact("fstrim.timer"), Some("disabled"));
    assert_eq!(fact("memory.module.0"), Some("A1: 4 GiB, DDR4, Maker"));
    let wanted = "etc/systemd/system/timers.target.wants/fstrim.timer";
    let enabled = manifest_of(&[
        ("usr/lib/systemd/system/fstrim.timer", "[Timer]\n"),
        (wanted, "[Timer]\n"),
    ]);
    assert_eq!(enabled.facts["fstrim.timer"], "enabled");
    assert_eq!(manifest_of(&[]).facts.get("fstrim.timer"), None);
}

/// A file that is there and gives an error to everybody, root too.
fn unreadable(directory: &Path, file: &str) {
    let path = directory.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(path.file_name().unwrap(), &path).unwrap();
}

#[test]
fn what_may_not_be_read_is_named_and_is_no_change() {
    let (setting, module) = ("proc/sys/vm/for_root", "sys/firmware/dmi/entries/17-0/raw");
    let user = machine(&[]);
    unreadable(user.path(), setting);
    unreadable(user.path(), module);
    let of = |directory: &tempfile::TempDir| {
        let roots = Roots::under(directory.path());
        let tree = Stack::of(Path::new("/data"), &roots).unwrap();
        manifest(&tree, &roots, &[])
    };
    let user = of(&user);
    let superblock = ["fs.detail.", "fs.label", "fs.uuid"];
    let settings = ["memory.module.0", "sysctl.vm.for_root"];
    assert_eq!(user.unreadable, [&superblock[..], &settings].concat());
    let slot = "\u{11}\u{28}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    let root = of(&machine(&[(setting, "8\n"), (module, slot)]));
    assert!(root.facts.contains_key("sysctl.vm.for_root"));
    assert!(root.facts.contains_key("memory.module.0"));
    assert_eq!(user.changes_to(&root), []);
    assert_eq!(root.changes_to(&user), []);
    // A file that is not there at all is another kernel's.
    let without = of(&machine(&[]));
    assert_eq!(without.changes_to(&root).len(), 2);
}

#[test]
fn how_far_mappings_are_scattered_is_no_setting_of_storage() {
    let of = |bits: &str| manifest_of(&[("proc/sys/vm/mmap_rnd_bits", bits)]).hash;
    assert_eq!(of("28\n"), of("32\n"));
}

/// Docker's `--cpus=1` is a quota as long as the period that limits nothing.
#[test]
fn a_number_that_limits_nothing_in_one_file_is_a_limit_in_another() {
    let of = |files: &[(&str, &str)]| {
        let mounts = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
            3 1 0:6 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
            4 1 0:7 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n\
            5 1 0:8 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        let place = [
            ("proc/self/mountinfo", mounts),
            ("proc/self/cgroup", "3:cpu:/j\n2:cpuset:/j\n1:memory:/j\n"),
        ];
        let files = files
            .iter()
            .map(|(path, value)| (format!("sys/fs/cgroup/{path}"), *value));
        let files: Vec<(String, &str)> = files.collect();
        let files = files.iter().map(|(path, value)| (path.as_str(), *value));
        let found = manifest_of(&place.into_iter().chain(files).collect::<Vec<_>>()).facts;
        let limits = found.iter().filter(|(key, _)| key.starts_with("cgroup."));
        let limits: Vec<String> = limits
            .map(|(key, value)| format!("{key} {value}"))
            .collect();
        limits.join(", ")
    };
    for none in [
        ("cpu/j/cpu.cfs_quota_us", "-1\n"),
        ("cpu/j/cpu.cfs_period_us", "100000\n"),
        ("cpu/j/cpu.shares", "1024\n"),
        ("memory/j/memory.limit_in_bytes", "9223372036854771712\n"),
        // The same of pages of 64 KiB.
        ("memory/j/memory.limit_in_bytes", "9223372036854710272\n"),
    ] {
        assert_eq!(of(&[none]), "", "{none:?}");
    }
    for (path, value, limit) in [
        (
            "cpu/j/cpu.cfs_quota_us",
            "100000\n",
            "cgroup.cpu.cfs_quota_us 100000",
        ),
        ("cpuset/j/cpuset.cpus", "100\n", "cgroup.cpuset.cpus 100"),
        (
            "memory/j/memory.limit_in_bytes",
            "1024\n",
            "cgroup.memory.limit_in_bytes 1024",
        ),
    ] {
        assert_eq!(of(&[(path, value)]), limit);
    }
}
