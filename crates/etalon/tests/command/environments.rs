//! Machine and storage stack stand in the result: shown, exported, and compared fact by fact.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use etalon_model::{
    Cell, EnvironmentMark, EnvironmentRecord, Estimate, ExperimentKind, ExperimentState, Headline,
    LatencyHistogram, Measurement, NewExperiment, Run, TargetRecord, Unit, Verdict, Workload,
};
use etalon_stack::{Roots, Stack, manifest};
use etalon_store::Store;
use etalon_units::Nanos;

use crate::common::{Ground, Home};
use crate::machine::{Entry, Machine};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../stack/tests/machines")
}

pub(crate) fn text_of(machine: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{machine}.machine"))).unwrap()
}

pub(crate) fn environment(target: &str, roots: &Roots) -> Arc<EnvironmentRecord> {
    let stack = Stack::of(Path::new(target), roots).unwrap();
    let manifest = manifest(&stack, roots, &[]);
    Arc::new(EnvironmentRecord { manifest, stack })
}

fn run(environment: &Arc<EnvironmentRecord>) -> Run {
    let nothing = Measurement::of_nothing(Nanos::secs(1));
    let mut run = Run::of("a", Workload::default(), nothing);
    run.circumstances.environment = Some(EnvironmentMark::of(Arc::clone(environment)));
    run
}

fn cell() -> Cell {
    let estimate = Estimate {
        value: 1.0,
        interval: None,
        runs: 2,
    };
    Cell {
        name: "a".to_owned(),
        workload: Workload::default(),
        unit: Unit::OperationsPerSecond,
        median: estimate,
        mean: estimate,
        headline: Headline::Mean,
        values: vec![1.0, 1.0],
        latency: LatencyHistogram::new(),
        device_share: None,
        findings: Vec::new(),
        verdict: Verdict::Valid,
        precision: None,
    }
}

/// Keeps two runs in this environment as an experiment.
pub(crate) fn keep(store: &mut Store, environment: &Arc<EnvironmentRecord>) -> i64 {
    keep_under(store, environment, &[])
}

/// The same under conditions that are no part of the environment.
fn keep_under(
    store: &mut Store,
    environment: &Arc<EnvironmentRecord>,
    conditions: &[(&str, &str)],
) -> i64 {
    let new = NewExperiment {
        kind: ExperimentKind::Measure,
        started_unix_ns: 1,
        target: TargetRecord::default(),
        settings: serde_json::Value::Null,
        seed: 1,
        tool_version: "0".to_owned(),
        owner: None,
    };
    let id = store.begin_experiment(&new).unwrap();
    let runs = [1, 2].map(|number| {
        let mut run = Run {
            started_unix_ns: 10 * id + number,
            ..run(environment)
        };
        let mark = run.circumstances.environment.as_mut().unwrap();
        mark.conditions = conditions
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        run
    });
    store.append_runs(id, &runs).unwrap();
    store.append_cells(id, &[cell()]).unwrap();
    store
        .finish_experiment(id, 2, ExperimentState::Finished)
        .unwrap();
    id
}

fn rows(store: &Path) -> i64 {
    let raw = rusqlite::Connection::open(store).unwrap();
    raw.query_row("SELECT count(*) FROM environment", [], |row| row.get(0))
        .unwrap()
}

/// A text as it would be without the breaks that a width of 80 columns makes in it.
fn in_long_lines(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| *word != "│");
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_captured_machine_comes_back_from_a_store_and_from_an_export() {
    let home = Home::new();
    let mut store = Store::open(&home.store()).unwrap();
    let entries = std::fs::read_dir(folder()).unwrap().flatten();
    let machines: Vec<String> = entries
        .filter_map(|entry| {
            Some(
                entry
                    .file_name()
                    .to_str()?
                    .strip_suffix(".machine")?
                    .to_owned(),
            )
        })
        .collect();
    assert!(machines.len() >= 22, "{machines:?}");
    for name in &machines {
        let text = text_of(name);
        let target = text.lines().next().unwrap().trim_start_matches("# ");
        let machine = Machine::unpack(&text);
        let record = environment(target, &machine.roots());
        drop(machine);
        let id = keep(&mut store, &record).to_string();
        let drawing = std::fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
        let (_, drawing) = drawing.split_once("\n\n").unwrap();
        let stack = home.run(["show", &id, "--stack"]).out;
        assert_eq!(in_long_lines(&stack), in_long_lines(drawing), "{name}");
        let shown = in_long_lines(&home.run(["show", &id, "--environment", "--all"]).out);
        for (key, value) in &record.manifest.facts {
            assert!(
                shown.contains(&in_long_lines(&format!(" {key} = {value} "))),
                "{name}: {key}"
            );
        }
        let exported = home.run(["export", &id, "--json"]).out;
        let back = etalon_exchange::from_json(&exported).unwrap();
        assert_eq!(back.environments(), [&*record], "{name}");
    }
    assert_eq!(
        rows(&home.store()),
        machines.len() as i64,
        "once for each hash"
    );
}

/// What is changed on a copied machine, and the key and values that `compare` must give.
const CHANGES: [(&str, &str, &str); 10] = [
    (
        "proc/sys/vm/dirty_ratio",
        "40",
        "sysctl.vm.dirty_ratio: '20' -> '40'",
    ),
    (
        "proc/cmdline",
        "ro quiet nosmt",
        "kernel.cmdline: 'ro quiet' -> 'ro quiet nosmt'",
    ),
    (
        "proc/sys/kernel/osrelease",
        "6.13.0",
        "kernel.release: '6.12.0' -> '6.13.0'",
    ),
    (
        "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
        "performance",
        "cpu.governor: 'powersave' -> 'performance'",
    ),
    (
        "sys/devices/virtual/block/loop0/queue/scheduler",
        "none [mq-deadline]",
        "layer.loop0.queue.scheduler: 'none' -> 'mq-deadline'",
    ),
    (
        "sys/devices/virtual/block/loop0/queue/read_ahead_kb",
        "4096",
        "layer.loop0.queue.read_ahead_bytes: '131072' -> '4194304'",
    ),
    (
        "sys/devices/virtual/block/loop0/loop/dio",
        "1",
        "layer.loop0.kind.direct_io: 'false' -> 'true'",
    ),
    (
        "sys/devices/pci0000:00/0000:00:01.0/virtio0/block/vda/queue/write_cache",
        "write through",
        "layer.vda.queue.write_cache: 'write back' -> 'write through'",
    ),
    (
        "block size",
        "",
        "fs.detail.block_size_bytes: '4096' -> '1024'",
    ),
    ("journal", "", "fs.detail.features: 'has_journal ext_attr"),
];

/// A machine with a filesystem on a loop device and settings of its own.
fn machine() -> Machine {
    let machine = Machine::unpack(&text_of("loop-in-loop"));
    for (path, text) in [
        ("proc/sys/vm/dirty_ratio", "20"),
        ("proc/cmdline", "ro quiet"),
        ("proc/sys/kernel/osrelease", "6.12.0"),
        (
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
            "powersave",
        ),
    ] {
        machine.make(&Entry::File(path.into(), text.into()));
    }
    machine
}

/// Changes one thing of a machine.
fn change(machine: &Machine, what: &str, text: &str) {
    let superblock = machine.roots().dev.join("loop0");
    let mut bytes = std::fs::read(&superblock).unwrap();
    match what {
        // struct ext4_super_block, which begins at byte 1024: s_log_block_size, s_feature_compat.
        "block size" => bytes[1024 + 0x18] = 0,
        "journal" => bytes[1024 + 0x5c] &= !0x4,
        path => return machine.make(&Entry::File(path.into(), text.into())),
    }
    std::fs::write(superblock, bytes).unwrap();
}

#[test]
fn each_of_ten_changes_is_named_by_compare() {
    let home = Home::new();
    let mut store = Store::open(&home.store()).unwrap();
    let first = keep(&mut store, &environment("/mnt/o", &machine().roots()));
    let same = keep(&mut store, &environment("/mnt/o", &machine().roots()));
    let alike = home.run(["compare", &first.to_string(), &same.to_string()]);
    assert!(
        alike
            .out
            .contains("Machine and storage stack do not differ."),
        "{alike:?}"
    );
    for (what, text, expected) in CHANGES {
        let machine = machine();
        change(&machine, what, text);
        let id = keep(&mut store, &environment("/mnt/o", &machine.roots()));
        let said = home.run(["compare", &first.to_string(), &id.to_string(), "--details"]);
        let named = said
            .out
            .lines()
            .filter(|line| line.starts_with("- "))
            .count();
        assert!(
            said.out.contains(&format!("- {expected}")),
            "{what}: {said:?}"
        );
        // A journal that is gone is a feature less, and has no size either.
        assert!(named <= 3, "{what}: {said:?}");
        let document = home.run(["compare", &first.to_string(), &id.to_string(), "--json"]);
        let differences = document.json()["environment_differences"].clone();
        assert_eq!(
            differences.as_array().map(Vec::len),
            Some(named),
            "{document:?}"
        );
    }
}

/// A condition, a value of it, another that is no difference, and one that is.
const CONDITIONS: [(&str, &str, &str, &str); 10] = [
    ("layer.vda.smart.available_spare", "100 %", "99 %", "60 %"),
    ("layer.vda.smart.endurance_used", "3 %", "4 %", "40 %"),
    ("layer.vda.smart.reallocated_sectors", "0", "0", "16"),
    ("layer.vda.smart.temperature", "40 °C", "45 °C", "70 °C"),
    ("process.cpus", "0-1", "0-1", "0"),
    (
        "process.io_priority",
        "best effort 4",
        "best effort 4",
        "idle",
    ),
    ("process.limit_locked_memory", "8388608", "8388608", "65536"),
    ("process.nice", "0", "0", "19"),
    (
        "process.preloaded",
        "libm.so.6",
        "libm.so.6",
        "libeatmydata.so",
    ),
    ("space.in_use", "41.0 %", "41.3 %", "88.0 %"),
];

#[test]
fn a_condition_that_differs_is_named_and_one_that_moved_a_little_is_not() {
    let home = Home::new();
    let mut store = Store::open(&home.store()).unwrap();
    let environment = environment("/mnt/o", &machine().roots());
    let mut keep =
        |conditions: &[(&str, &str)]| keep_under(&mut store, &environment, conditions).to_string();
    let first = keep(&CONDITIONS.map(|(key, value, _, _)| (key, value)));
    let near = keep(&CONDITIONS.map(|(key, _, near, _)| (key, near)));
    let far = keep(&CONDITIONS.map(|(key, _, _, far)| (key, far)));
    let keys = |document: serde_json::Value, member: &str| {
        let facts = document[member].as_array().unwrap().clone();
        let keys = facts
            .iter()
            .map(|fact| fact["key"].as_str().unwrap().to_owned());
        keys.collect::<Vec<_>>()
    };
    let alike = home.run(["compare", &first, &near]);
    assert!(
        in_long_lines(&alike.out).contains("Machine and storage stack do not differ."),
        "{alike:?}"
    );
    let document = home.run(["compare", &first, &near, "--json"]).json();
    assert_eq!(keys(document, "environment_differences"), [""; 0]);
    let said = home.run(["compare", &first, &far, "--details"]);
    for (key, value, _, other) in CONDITIONS {
        let line = format!("- {key}: '{value}' -> '{other}'");
        assert!(in_long_lines(&said.out).contains(&line), "{line}: {said:?}");
    }
    let document = home.run(["compare", &first, &far, "--json"]).json();
    let all = CONDITIONS.map(|(key, ..)| key);
    assert_eq!(keys(document.clone(), "environment_differences"), all);
    // None of them is what the arms are called by, so that each is marked.
    assert_eq!(keys(document.clone(), "environment_undeclared"), all);
    assert_eq!(document["factor"], serde_json::Value::Null);
    assert!(
        said.out.contains("! Not compared, yet different:"),
        "{said:?}"
    );
    // The cell of each is judged as before.
    assert_eq!(document["comparisons"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_differs_beside_what_is_compared_is_marked_until_it_is_declared() {
    let home = Home::new();
    let mut store = Store::open(&home.store()).unwrap();
    let first = keep(&mut store, &environment("/mnt/o", &machine().roots())).to_string();
    let other = machine();
    change(&other, "proc/sys/vm/dirty_ratio", "40");
    change(&other, "sys/devices/virtual/block/loop0/loop/dio", "1");
    let second = keep(&mut store, &environment("/mnt/o", &other.roots())).to_string();
    let marked = |by: &[&str]| {
        let mut words = vec!["compare", first.as_str(), second.as_str(), "--json"];
        words.extend(by);
        let document = home.run(words).json();
        let open = document["environment_undeclared"].as_array().unwrap();
        let keys = open.iter().map(|fact| fact["key"].as_str().unwrap());
        keys.map(str::to_owned).collect::<Vec<_>>()
    };
    let (direct, ratio) = ("layer.loop0.kind.direct_io", "sysctl.vm.dirty_ratio");
    assert_eq!(marked(&[]), [direct, ratio]);
    assert_eq!(marked(&["--by", "dirty-ratio"]), [direct]);
    assert_eq!(marked(&["--by", "kernel,beneath"]), [""; 0]);
    let page = home.run(["compare", first.as_str(), second.as_str()]);
    assert!(
        page.out.contains("! Not compared, yet different:"),
        "{page:?}"
    );
    let wrong = home.run(["compare", &first, &second, "--by", "colour"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn every_kind_of_experiment_keeps_its_environment() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    let io = "--op randread --file-size 8M --time 100ms --runs 1";
    for line in [
        format!("measure {place} {io}"),
        format!("metadata {place} --runs 1 --files 20"),
        format!("dd if=/dev/zero of={place}/copy bs=4k count=8 --runs 2"),
        format!("iozone -s 256 -r 4 -i 0 -f {place}/t --runs 1"),
        format!("fdtree -d 1 -l 1 -f 1 -s 1 -o {place} --runs 1"),
    ] {
        let said = home.run(line.split(' '));
        assert!(matches!(said.code, Some(0 | 3)), "{line}: {said:?}");
        let id = home.experiments().len().to_string();
        let environment = home.run(["show", &id, "--environment"]).out;
        assert!(
            environment.contains("  kernel.release = "),
            "{line}: {environment}"
        );
        let stack = home.run(["show", &id, "--stack"]).out;
        assert!(stack.starts_with(place), "{line}: {stack}");
    }
}
