//! Ctrl-C at any moment: a quick end, no file left, finished runs kept.

use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{
    Ground, Home, Said, finish, left_in, scratch_in, start, wait_for_line, wait_for_work,
    wait_while,
};

/// Far above the second that is promised, which a busy machine may stretch, and far below the time
/// that was asked for.
const AT_MOST: Duration = Duration::from_secs(30);
const ASKED: &str = "90s";

fn interrupt(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

fn stop(child: Child, signal: Signal) -> Said {
    let begun = Instant::now();
    interrupt(&child, signal);
    let said = finish(child);
    assert!(begun.elapsed() < AT_MOST, "{:?}: {said:?}", begun.elapsed());
    eprintln!("stopped after {:?}", begun.elapsed());
    said
}

/// What the document says of the runs is what the store has.
fn nothing_lost(home: &Home, said: &Said) {
    assert_eq!(said.code, Some(130), "{said:?}");
    let document = said.json();
    assert_eq!(document["interrupted"], true, "{said:?}");
    let cells = document["cells"].as_array().unwrap();
    let runs: u64 = cells
        .iter()
        .map(|cell| cell["runs"].as_u64().unwrap())
        .sum();
    match document["experiment"].as_i64() {
        None => assert_eq!(runs, 0, "{said:?}"),
        Some(id) => {
            let experiments = home.experiments();
            let kept = experiments.iter().find(|e| e["id"] == id).unwrap();
            assert_eq!(kept["state"], "interrupted");
            assert_eq!(whole_runs(home, id), runs, "{said:?}");
        }
    }
}

/// The runs that came to their end; those that were cut short are kept too, and are in no figure.
fn whole_runs(home: &Home, id: i64) -> u64 {
    let said = home.run(["export", &id.to_string(), "--json"]);
    let document = said.json();
    let runs = document["runs"].as_array().unwrap();
    let ended = |run: &&serde_json::Value| run["measurement"]["ended"] != "interrupted";
    runs.iter().filter(ended).count() as u64
}

#[test]
fn a_run_that_was_cut_is_kept_and_is_in_no_figure() {
    let (home, ground) = (Home::new(), Ground::new());
    let measured = |extra: &str| {
        let line = format!(
            "measure {} --op randread -s 16M --time {ASKED} --json{extra}",
            ground.name()
        );
        let mut child = start(home.etalon_that_hears(line.split(' ')));
        // The line before its first run, and then something of this run.
        wait_for_line(&mut child, "block ");
        wait_for_work(&child);
        stop(child, Signal::INT)
    };
    let said = measured("");
    nothing_lost(&home, &said);
    let document = said.json();
    assert_eq!(document["cells"].as_array().unwrap().len(), 0, "{said:?}");
    let id = document["experiment"].as_i64().unwrap();
    let kept = home.run(["export", &id.to_string(), "--json"]).json();
    let runs = kept["runs"].as_array().unwrap();
    assert_eq!(runs[0]["measurement"]["ended"], "interrupted", "{kept}");
    let shown = home.run(["show", &id.to_string()]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.out.contains("no figure"), "{shown:?}");
}

#[test]
fn at_any_moment_it_ends_soon_and_keeps_what_had_finished() {
    // Each in a place of its own, so that they wait for their moments together.
    let moments = [[0, 160, 840], [20, 320, 1360], [60, 520, 1880]];
    thread::scope(|scope| {
        for moments in moments {
            scope.spawn(move || stopped_after(&moments));
        }
    });
}

/// Stops a check after so many milliseconds, time and again.
fn stopped_after(moments: &[u64]) {
    let (home, ground) = (Home::new(), Ground::new());
    // Files that are laid out soon, so that the later moments lie in runs.
    let words = [
        "quick",
        ground.name(),
        "--file-size",
        "16M",
        "--budget",
        ASKED,
        "--json",
    ];
    for wait_ms in moments {
        let child = start(home.etalon_that_hears(words));
        wait_while(&child, "the scratch directory", || {
            scratch_in(ground.path()).pop()
        });
        thread::sleep(Duration::from_millis(*wait_ms));
        let said = stop(child, Signal::INT);
        nothing_lost(&home, &said);
        assert_eq!(left_in(ground.path()), [""; 0]);
    }
    let restored = home.run(["restore"]);
    assert_eq!(restored.out, "nothing was left behind\n");
}

#[test]
fn other_ends_are_as_orderly() {
    let (home, ground) = (Home::new(), Ground::new());
    for signal in [Signal::TERM, Signal::HUP] {
        let words = [
            "measure",
            ground.name(),
            "--op",
            "randread",
            "--file-size",
            "16M",
            "--time",
            ASKED,
        ];
        let child = start(home.etalon_that_hears(words));
        wait_while(&child, "the scratch directory", || {
            scratch_in(ground.path()).pop()
        });
        wait_for_work(&child);
        let said = stop(child, signal);
        assert_eq!(said.code, Some(130), "{said:?}");
        assert_eq!(left_in(ground.path()), [""; 0]);
    }
}

#[test]
fn before_anything_has_begun_it_just_ends() {
    let (home, ground) = (Home::new(), Ground::new());
    for wait_ms in [0, 5, 10, 20, 40] {
        let child = start(home.etalon_that_hears(["quick", ground.name(), "--budget", ASKED]));
        thread::sleep(Duration::from_millis(wait_ms));
        // Not SIGINT: what a shell starts in the background is born deaf to it.
        let said = stop(child, Signal::TERM);
        // Until its first line, the kernel ends it, which a shell calls 143.
        assert!(matches!(said.code, Some(130) | None), "{said:?}");
        home.run(["restore"]);
        assert_eq!(left_in(ground.path()), [""; 0]);
    }
}

#[test]
fn several_workloads_end_together() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    let line = format!(
        "together --alone --time {ASKED} --json -- {place} --op randread -s 16M -- {place} --op write -s 16M"
    );
    for wait_ms in [0, 300, 900] {
        let child = start(home.etalon_that_hears(line.split(' ')));
        wait_while(&child, "the scratch directory", || {
            scratch_in(ground.path()).pop()
        });
        thread::sleep(Duration::from_millis(wait_ms));
        let said = stop(child, Signal::INT);
        nothing_lost(&home, &said);
        assert_eq!(left_in(ground.path()), [""; 0]);
    }
}
