//! Every work from outside: what its record says, and that nothing is left.

mod command;
mod compared;
mod room;
mod surroundings;
mod without_effect;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_model::CacheMode;
use etalon_units::{Bytes, Nanos};

use super::*;
use etalon_workload::PartWitness;

static GO: AtomicBool = AtomicBool::new(false);

/// In memory where that can be: what is tested syncs filesystems, and another's may be busy.
fn place() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

/// Parameters as a user types them.
fn typed(given: &[(&str, &str)]) -> Vec<(String, String)> {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    given.iter().map(pair).collect()
}

fn context<'a>(
    directory: &'a Path,
    given: &'a [(String, String)],
    stop: &'a AtomicBool,
    witness: &'a dyn PartWitness,
) -> Context<'a> {
    Context {
        directory,
        elsewhere: None,
        seed: 1,
        given,
        stop,
        witness,
    }
}

fn run_on(
    place: &Path,
    name: &str,
    given: &[(&str, &str)],
    stop: &AtomicBool,
) -> Result<WorkRecord, WorkError> {
    let given = typed(given);
    let context = context(place, &given, stop, &());
    find(name).unwrap().run(&context)
}

/// Runs a work to its end, and checks what all works promise.
fn done(name: &str, given: &[(&str, &str)]) -> WorkRecord {
    let place = place();
    let record = run_on(place.path(), name, given, &GO).unwrap();
    assert_eq!(record.ended, WorkEnd::Complete, "{name} {given:?}");
    assert_eq!(entries(place.path()), 0, "{name} leaves nothing");
    assert!(!record.steps.is_empty());
    for step in &record.steps {
        assert!(
            step.elapsed > Nanos::ZERO && step.durable() >= step.elapsed,
            "{step:?}"
        );
        assert!(step.wait <= step.elapsed, "{step:?}");
    }
    record
}

fn entries(place: &Path) -> usize {
    fs::read_dir(place).unwrap().count()
}

fn names(record: &WorkRecord) -> Vec<&str> {
    record.steps.iter().map(|step| step.name.as_str()).collect()
}

#[test]
fn the_registry_is_whole() {
    let mut seen = HashSet::new();
    for work in REGISTRY {
        assert!(seen.insert(work.name()), "{} stands twice", work.name());
        assert!(
            !work.summary().is_empty() && work.summary().len() < 100,
            "{}",
            work.name()
        );
        let mut parameters = HashSet::new();
        for parameter in work.parameters() {
            let (work, name) = (work.name(), parameter.name);
            assert!(parameters.insert(name), "{work}: {name} stands twice");
            assert!(!parameter.help.is_empty(), "{work}: {name}");
            assert!(
                name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'),
                "{work}: {name}"
            );
        }
        // Every default is a value that could be typed.
        let defaults: Vec<_> = work
            .parameters()
            .iter()
            .filter(|p| !p.default.is_empty())
            .map(|p| (p.name.to_owned(), p.default.to_owned()))
            .collect();
        Values::parse(work.parameters(), &defaults).unwrap();
        assert!(find(work.name()).is_some());
    }
    assert!(find("nothing").is_none());
}

#[test]
fn an_archive_comes_round_in_every_format() {
    for (format, program) in [
        ("gzip", "internal"),
        ("zstd", "internal"),
        ("xz", "internal"),
        ("none", "internal"),
        ("gzip", "system"),
    ] {
        let given = [
            ("format", format),
            ("program", program),
            ("size", "300K"),
            ("level", "1"),
        ];
        // Where nothing is compressed there is no level.
        let given = match format {
            "none" => &given[..3],
            _ => &given[..],
        };
        let record = done("archive", given);
        assert_eq!(names(&record), ["unpack", "repack"]);
        if program == "internal" {
            let input = record.input.as_ref().unwrap();
            for step in &record.steps {
                assert_eq!(
                    (step.files, step.bytes),
                    (input.files, input.bytes),
                    "{format} {}",
                    step.name
                );
            }
        }
        assert_eq!(record.parameters["format"], [format]);
    }
}

#[test]
fn a_level_that_a_format_has_not_is_refused() {
    let place = place();
    let error = run_on(
        place.path(),
        "archive",
        &[("format", "xz"), ("level", "12")],
        &GO,
    )
    .unwrap_err();
    assert!(
        error.to_string().contains("'12'") && error.to_string().contains("xz"),
        "{error}"
    );
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn a_copy_is_equal_by_every_method_and_to_another_target() {
    let other = place();
    let target = other.path().display().to_string();
    for (preserve, method, files) in [
        ("archive", "read-write", "source-tree"),
        ("all", "kernel", "mail"),
        ("none", "kernel", "photos"),
    ] {
        let given = [
            ("preserve", preserve),
            ("method", method),
            ("files", files),
            ("size", "400K"),
            ("target", &target),
        ];
        let record = done("copy-tree", &given);
        let input = record.input.as_ref().unwrap();
        let copy = record.step("copy").unwrap();
        assert_eq!((copy.files, copy.bytes), (input.files, input.bytes));
        assert!(input.bytes > Bytes::kib(399));
    }
    assert_eq!(entries(other.path()), 0);
}

#[test]
fn a_tree_of_the_users_is_only_read() {
    let mine = place();
    fs::create_dir(mine.path().join("a")).unwrap();
    fs::write(mine.path().join("a/one"), "one etalon").unwrap();
    fs::hard_link(mine.path().join("a/one"), mine.path().join("two")).unwrap();
    std::os::unix::fs::symlink("a/one", mine.path().join("link")).unwrap();
    let input = mine.path().display().to_string();
    for (work, more) in [
        ("copy-tree", ("preserve", "all")),
        ("backup", ("verify", "yes")),
        ("grep-tree", ("pattern", "etalon")),
    ] {
        let record = done(work, &[("input", &input), more]);
        assert_eq!(record.input.unwrap().files, 3, "{work}");
    }
    assert_eq!(
        fs::read_to_string(mine.path().join("two")).unwrap(),
        "one etalon"
    );
    assert_eq!(entries(mine.path()), 3);
}

#[test]
fn deleting_counts_what_was_there() {
    let record = done("delete-tree", &[("size", "500K"), ("files", "mail")]);
    let input = record.input.unwrap();
    assert_eq!(
        (record.steps[0].files, record.steps[0].bytes),
        (input.files, input.bytes)
    );
}

#[test]
fn grep_finds_what_was_planted_by_either_program() {
    for program in ["internal", "system"] {
        let record = done(
            "grep-tree",
            &[("size", "2M"), ("program", program), ("cache", "warm")],
        );
        assert_eq!(names(&record), ["grep"]);
    }
}

#[test]
fn a_backup_unpacks_to_what_it_was() {
    for (format, program) in [
        ("none", "internal"),
        ("zstd", "internal"),
        ("gzip", "system"),
    ] {
        let given = [
            ("size", "300K"),
            ("format", format),
            ("program", program),
            ("verify", "yes"),
        ];
        assert_eq!(names(&done("backup", &given)), ["backup"]);
    }
}

#[test]
fn a_generated_program_is_built_and_prints_what_it_must() {
    let record = done("build", &[("units", "2")]);
    assert_eq!(names(&record), ["configure", "make"]);
    assert!(
        record.steps.iter().all(|step| step.user > Nanos::ZERO),
        "children are counted: {record:?}"
    );
}

#[test]
fn a_tree_that_cannot_be_built_is_refused() {
    let (place, tree) = (place(), place());
    let tree = tree.path().display().to_string();
    let error = run_on(place.path(), "build", &[("tree", &tree)], &GO).unwrap_err();
    assert!(error.to_string().contains("Kconfig"), "{error}");
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn a_program_starts_cold_and_warm() {
    for copy in ["yes", "no"] {
        let record = done("startup", &[("repeats", "2"), ("copy", copy)]);
        assert_eq!(names(&record), ["cold 1", "warm 1", "cold 2", "warm 2"]);
        assert!(record.input.unwrap().files > 1);
    }
}

#[test]
fn a_script_is_no_program_whose_pages_are_known() {
    let (place, mine) = (place(), place());
    for (name, text) in [("script", "#!/bin/sh\nexit 0\n"), ("x", "")] {
        let path = mine.path().join(name);
        fs::write(&path, text).unwrap();
        let path = path.display().to_string();
        for copy in ["yes", "no"] {
            let given = [("program", &*path), ("copy", copy)];
            let error = run_on(place.path(), "startup", &given, &GO).unwrap_err();
            assert!(matches!(error, WorkError::NoBinary(_)), "{error}");
        }
    }
    assert_eq!(entries(place.path()), 0);
}

/// A state of the page cache, with the size of an input and how much of it was there.
type SeenCache = (Option<CacheMode>, Option<(Bytes, Bytes)>);

/// What each step was to begin in, and did.
fn caches(record: &WorkRecord) -> Vec<SeenCache> {
    let seen = |step: &StepRecord| step.cache_before.map(|held| (held.size, held.cached));
    let steps = record.steps.iter();
    steps.map(|step| (step.cache, seen(step))).collect()
}

/// A directory on a disk: what lies in memory cannot leave it.
fn on_disk() -> tempfile::TempDir {
    tempfile::tempdir_in(std::env::current_exe().unwrap().parent().unwrap()).unwrap()
}

#[test]
fn what_stays_in_memory_of_an_input_that_is_to_be_cold_is_noted() {
    let cold = Some(CacheMode::Cold);
    let mine = on_disk();
    fs::write(mine.path().join("file"), vec![1; 1 << 20]).unwrap();
    let input = mine.path().display().to_string();
    let searched = |cache| {
        let given = [("input", &*input), ("cache", cache), ("pattern", "x")];
        caches(&done("grep-tree", &given))
    };
    let gone = Some((Bytes::mib(1), Bytes::ZERO));
    assert_eq!(searched("cold"), [(cold, gone)]);
    assert_eq!(searched("warm"), [(None, None)]);
    // In memory there is no other place for it.
    let record = done("copy-tree", &[("size", "1M"), ("files", "mail")]);
    let [(state, Some((size, cached)))] = caches(&record)[..] else {
        panic!("{record:?}")
    };
    assert_eq!(state, cold);
    assert!(cached >= size && size >= Bytes::mib(1), "{record:?}");
    // The warm start behind a cold one is none.
    let starts = caches(&done("startup", &[("repeats", "1")]));
    let states: Vec<_> = starts.iter().map(|(state, _)| *state).collect();
    assert_eq!(states, [cold, None]);
}

#[test]
fn a_missing_program_is_named() {
    let place = place();
    let error = run_on(
        place.path(),
        "startup",
        &[("program", "no-such-program-here -v")],
        &GO,
    )
    .unwrap_err();
    assert!(
        error.to_string().contains("'no-such-program-here'"),
        "{error}"
    );
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn commands_run_in_order_in_their_own_place() {
    let lines = [
        ("setup", "mkdir 'a b'"),
        ("step", "cp /dev/null 'a b/c'"),
        ("step", "test -f 'a b/c'"),
        ("cleanup", "rm 'a b/c'"),
    ];
    assert_eq!(
        names(&done("command", &lines)),
        ["cp /dev/null 'a b/c'", "test -f 'a b/c'"]
    );
    let shell = [
        ("shell", "yes"),
        (
            "step",
            "test -d \"$ETALON_DIR\" && echo x > y; cat y | grep -q x",
        ),
    ];
    assert_eq!(done("command", &shell).steps.len(), 1);
}

#[test]
fn a_step_that_fails_keeps_those_before_and_its_own_words() {
    let place = place();
    let given = [
        ("step", "true"),
        ("shell", "yes"),
        ("step", "echo bad luck >&2; exit 3"),
        ("step", "true"),
    ];
    let record = run_on(place.path(), "command", &given, &GO).unwrap();
    assert_eq!(record.steps.len(), 1);
    let WorkEnd::Failed { message } = &record.ended else {
        panic!("{:?}", record.ended)
    };
    assert!(
        message.contains("bad luck") && message.contains("exit status: 3"),
        "{message}"
    );
    assert_eq!(entries(place.path()), 0);
    let error = run_on(place.path(), "command", &[("step", "false")], &GO).unwrap_err();
    assert!(matches!(error, WorkError::Exit { .. }), "{error}");
    let error = run_on(place.path(), "command", &[], &GO).unwrap_err();
    assert!(error.to_string().contains("step"), "{error}");
    let error = run_on(place.path(), "command", &[("step", "a 'b")], &GO).unwrap_err();
    assert!(matches!(error, WorkError::Quoting(_)), "{error}");
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn what_is_made_unwritable_goes_away_as_well() {
    done(
        "command",
        &[
            ("shell", "yes"),
            ("step", "mkdir -p a/b && touch a/b/c && chmod 500 a/b a"),
        ],
    );
}

/// Sets the flag as soon as a step begins.
struct Stopping<'a>(&'a AtomicBool);

impl PartWitness for Stopping<'_> {
    fn begins(&self, _part: &str) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn ended(&self, _part: &str) {}
}

/// Stops a work when its first step has begun.
fn stopped(name: &str, given: &[(&str, &str)]) {
    let place = place();
    let stop = AtomicBool::new(false);
    let given = typed(given);
    let witness = Stopping(&stop);
    let context = context(place.path(), &given, &stop, &witness);
    let record = find(name).unwrap().run(&context).unwrap();
    assert_eq!(record.ended, WorkEnd::Interrupted, "{name}");
    assert_eq!(entries(place.path()), 0, "{name}");
    assert!(stop.load(Ordering::Relaxed), "{name}: nothing had begun");
}

#[test]
fn a_stop_ends_each_work_and_leaves_nothing() {
    for name in ["archive", "copy-tree", "delete-tree", "grep-tree", "backup"] {
        stopped(name, &[("size", "1M")]);
    }
    stopped("build", &[("units", "1")]);
    stopped("startup", &[]);
    let already = AtomicBool::new(true);
    let place = place();
    let record = run_on(place.path(), "copy-tree", &[], &already).unwrap();
    assert_eq!(
        (record.ended, record.steps.len()),
        (WorkEnd::Interrupted, 0)
    );
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn a_stop_kills_the_children_of_a_step_and_theirs() {
    let place = place();
    let pids = place.path().join("pids");
    let line = format!(
        "sleep 1000 & echo $! $$ > {0}.new; mv {0}.new {0}; wait",
        pids.display()
    );
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            run_on(
                place.path(),
                "command",
                &[("shell", "yes"), ("step", &line)],
                &stop,
            )
        });
        while !pids.exists() && !running.is_finished() {
            std::thread::yield_now();
        }
        stop.store(true, Ordering::Relaxed);
        assert_eq!(running.join().unwrap().unwrap().ended, WorkEnd::Interrupted);
    });
    for pid in fs::read_to_string(&pids).unwrap().split_whitespace() {
        let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // A killed orphan may wait for init to reap it.
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_figures() {
    let place = place();
    for name in ["copy-tree", "archive", "delete-tree"] {
        let error = run_on(
            place.path(),
            name,
            &[("size", "900T"), ("files", "photos")],
            &GO,
        )
        .unwrap_err();
        assert!(matches!(error, WorkError::Room(_)), "{name}: {error}");
    }
    assert_eq!(entries(place.path()), 0);
    let error = run_on(&place.path().join("missing"), "archive", &[], &GO).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn the_same_seed_gives_the_same_record_but_for_the_times() {
    let of = || {
        let record = done("delete-tree", &[("size", "200K")]);
        (
            record.parameters,
            record.seed,
            record.input.unwrap(),
            record.steps[0].files,
            record.steps[0].bytes,
        )
    };
    assert_eq!(of(), of());
}

#[test]
fn a_record_survives_json() {
    let record = done("delete-tree", &[("size", "100K")]);
    let json = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<WorkRecord>(&json).unwrap(), record);
}

#[test]
fn a_full_disk_is_told_as_such_and_what_was_done_is_kept() {
    let test = "a_full_disk_is_told_as_such_and_what_was_done_is_kept";
    let Some(place) = etalon_testbed::Mount::tmpfs_for(test, "size=1m") else {
        return;
    };
    let fill = [
        ("shell", "yes"),
        ("step", "true"),
        ("step", "head -c 2000000 /dev/zero > x"),
    ];
    let filled = run_on(place.path(), "command", &fill, &GO);
    let mine = tempfile::tempdir().unwrap();
    fs::write(mine.path().join("large"), vec![1; 2_000_000]).unwrap();
    let refused = run_on(
        place.path(),
        "copy-tree",
        &[("input", &mine.path().display().to_string())],
        &GO,
    );
    let rest = entries(place.path());
    place.unmount();
    let filled = filled.unwrap();
    assert!(
        matches!(filled.ended, WorkEnd::DiskFull { .. }),
        "{:?}",
        filled.ended
    );
    assert_eq!((filled.steps.len(), rest), (1, 0));
    let error = refused.unwrap_err();
    assert!(
        matches!(
            error,
            WorkError::Room(etalon_workload::RoomError::Space { .. })
        ),
        "{error}"
    );
}
