//! Plans that begin later: at a time, and once nothing else is at work.

use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Ground, Home, Said, finish, left_in, start};
use crate::locks::first_lines;

/// A plan of two short runs.
pub(super) const READS: &str = r#"
question = "How fast are reads?"
blocks = 2
[[workload]]
name = "reads"
op = "randread"
file_size = "4M"
time = "20ms"
"#;

/// A processor is busy for so long, and then as long not.
const TURN: Duration = Duration::from_millis(5);

/// Keeps every processor busy for half of its time until it is dropped, and leaves other tests the rest.
struct Busy {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Busy {
    fn new() -> Busy {
        let stop = Arc::new(AtomicBool::new(false));
        let processors = std::thread::available_parallelism().unwrap().get();
        let spin = |stop: Arc<AtomicBool>| {
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let begun = Instant::now();
                    while begun.elapsed() < TURN {}
                    std::thread::sleep(TURN);
                }
            })
        };
        let threads = (0..processors).map(|_| spin(Arc::clone(&stop))).collect();
        Busy { stop, threads }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Ctrl-C once `word` was said.
fn interrupted(mut child: Child, word: &str) -> (String, Said) {
    let told = first_lines(&mut child, word);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    (told, finish(child))
}

fn nothing_was_done(home: &Home, ground: &Ground) {
    assert_eq!(left_in(ground.path()), [""; 0]);
    assert_eq!(home.experiments().len(), 0);
}

#[test]
fn it_is_said_when_a_plan_begins_and_until_then_nothing_is_done() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(&home, READS);
    let then = jiff::Zoned::now()
        .checked_add(jiff::Span::new().hours(3))
        .unwrap();
    for (at, told) in [
        (then.strftime("%H:%M").to_string(), "%Y-%m-%d %H:%M"),
        (
            then.strftime("%Y-%m-%dT%H:%M").to_string(),
            "%Y-%m-%d %H:%M",
        ),
    ] {
        let words = ["run", &plan, ground.name(), "--at", &at];
        let child = start(home.etalon_that_hears(words));
        let (said, ended) = interrupted(child, "begins at");
        let told = then.strftime(told).to_string();
        assert!(said.contains(&told) && said.contains("Ctrl-C"), "{said}");
        ended.refused(130, &["interrupted while waiting", "nothing was measured"]);
        nothing_was_done(&home, &ground);
    }
}

#[test]
fn what_a_plan_lacks_or_what_is_past_is_told_before_the_wait() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(&home, READS);
    let run = |plan: &str, at: &str| home.run(["run", plan, ground.name(), "--at", at]);
    run(&plan, "2020-01-01T22:00").refused(2, &["--at: 2020-01-01 22:00 is past"]);
    run(&plan, "10pm").refused(2, &["'10pm'", "22:00", "2026-11-27T22:00"]);
    let wrong = super::plan(&home, &READS.replace("randread", "nonsense"));
    run(&wrong, "22:00").refused(2, &["nonsense"]);
    assert_eq!(left_in(ground.path()), [""; 0]);
    assert!(!home.store().exists(), "not even a store is made");
}

#[test]
fn a_plan_waits_for_quiet_processors_and_says_so() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(&home, READS);
    let _busy = Busy::new();
    let words = ["run", &plan, ground.name(), "--wait=quiet"];
    let child = start(home.etalon_that_hears(words));
    let (said, ended) = interrupted(child, "the processors are busy");
    assert!(
        said.contains("in which nothing else keeps disks or processors busy"),
        "{said}"
    );
    ended.refused(130, &["interrupted while waiting"]);
    nothing_was_done(&home, &ground);
    let said = home.run(["run", &plan, ground.name(), "--wait=quiet:5s"]);
    said.refused(
        6,
        &[
            "not quiet for 5 s",
            "the processors are busy",
            "--wait=quiet:4h",
        ],
    );
    nothing_was_done(&home, &ground);
    let said = home.run(["run", &plan, ground.name(), "--wait=loud"]);
    said.refused(2, &["'loud'", "--wait=quiet"]);
}
