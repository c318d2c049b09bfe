//! The load at which a latency stays below a limit, found on the modelled device.

use crate::common::{Ground, Home, Said, runs_with_own_places};

/// A device of four servers, each a millisecond an operation: in flight 4 n, an operation takes n ms.
const MODEL: &str =
    "--op randread --backend fake --fake-service 1ms --fake-servers 4 --file-size 8M";

fn asked(home: &Home, ground: &Ground, words: &str) -> Said {
    let line = format!("measure {} {MODEL} {words}", ground.name());
    home.run(line.split(' '))
}

#[test]
fn the_deepest_queue_that_meets_a_target_is_found_and_the_next_does_not() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = asked(&home, &ground, "--time 100ms --latency-target 5ms --json");
    assert_eq!(said.code, Some(0), "{said:?}");
    let document = said.json();
    let found = &document["latency_target"];
    assert_eq!(found["met"]["queue_depth"], 16, "{found}");
    assert_eq!(found["missed"]["queue_depth"], 24, "{found}");
    // Single runs choose the steps and are no cells.
    assert_eq!(document["cells"].as_array().unwrap().len(), 2);
    for cell in document["cells"].as_array().unwrap() {
        assert_eq!(cell["runs"], 6, "{cell}");
    }
    let shown = home.run(["show", "1", "--json"]).json();
    assert_eq!(&shown["latency_target"], found);
    let kept = home.run(["export", "1", "--json"]).json();
    assert!(runs_with_own_places(&kept) >= 12);
    let page = home.run(["show", "1"]);
    let answer = "At queue depth 16, 99 % of the operations take at most 5.00 ms: 4000 IOPS";
    assert!(page.joined().starts_with(answer), "{page:?}");
    let page = home.run(["show", "1", "--lang", "fr"]);
    let answer =
        "À profondeur de file 16, 99 % des opérations prennent au plus 5,00 ms : 4000 IOPS";
    assert!(page.joined().starts_with(answer), "{page:?}");
}

#[test]
fn the_highest_rate_that_meets_a_target_is_found() {
    let (home, ground) = (Home::new(), Ground::new());
    // An even rate below what four servers do waits for none of them.
    let words = "--time 100ms --latency-target 2ms --arrival fixed --json";
    let document = asked(&home, &ground, words).json();
    let found = &document["latency_target"];
    assert!(
        found["met"]["asked_iops"].as_f64() >= Some(3600.0),
        "{found}"
    );
    assert!(found["met"]["queue_depth"].is_null(), "{found}");
}

#[test]
fn a_target_that_no_load_meets_is_said_so() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = asked(&home, &ground, "--time 50ms --latency-target 100us");
    assert_eq!(said.code, Some(0), "{said:?}");
    let answer = "At no load that was tried do 99 % of the operations take at most 100 µs.";
    assert!(said.joined().starts_with(answer), "{said:?}");
    home.run(["continue", "1"]).refused(2, &["latency target"]);
}

#[test]
fn what_is_looked_for_is_not_given() {
    let (home, ground) = (Home::new(), Ground::new());
    for (words, part) in [
        ("--latency-target 5ms --queue-depth 4", "--queue-depth"),
        ("--latency-target 5ms --rate 100", "--rate"),
        ("--latency-target 5ms --block-size 4k,8k", "the sweep has 2"),
        ("--latency-target soon", "'soon'"),
        ("--arrival poisson", "--rate"),
    ] {
        asked(&home, &ground, words).refused(2, &[part]);
    }
    let names = format!("measure {} --op create --latency-target 5ms", ground.name());
    home.run(names.split(' '))
        .refused(2, &["metadata operation"]);
}
