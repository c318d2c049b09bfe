//! Manual steps: asked for at the terminal, and gone on with where there is none.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use crate::common::{Ground, Home, Said};
use crate::stores::alter;

pub(super) const PAUSED: &str = r#"
question = "Does the cable matter?"
blocks = 2
seed = 5
order = "listed"
[[factor]]
name = "pause"
levels = ["cable A", { value = "B", message = "plug in cable B" }]
[[workload]]
name = "reads"
op = "randread"
backend = "fake"
file_size = "8M"
time = "20ms"
"#;

/// What etalon says where no terminal is: in a session of its own (setsid(2)).
pub(super) fn without_terminal(home: &Home, words: &[&str]) -> Said {
    let mut command = Command::new("setsid");
    command
        .args(["--wait", env!("CARGO_BIN_EXE_etalon")])
        .stdin(Stdio::null());
    Said::of(&home.in_home(command, words).output().unwrap())
}

/// Runs were kept, and the step that is missing is named.
pub(super) fn assert_stops(said: &Said, step: &str) {
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in ["Partial: ", step, "etalon resume --done"] {
        assert!(said.err.contains(part), "{part}: {said:?}");
    }
}

#[test]
fn without_a_terminal_a_plan_stops_at_each_manual_step_and_is_gone_on_with() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(&home, PAUSED);
    let told = home.run(["run", &plan, ground.name(), "--dry-run"]);
    assert!(
        told.out
            .contains("by hand, and not put back: plug in cable B"),
        "{told:?}"
    );
    let said = without_terminal(&home, &["run", &plan, ground.name()]);
    said.refused(
        1,
        &[
            "bring about: cable A",
            "no terminal",
            "etalon resume --done",
        ],
    );
    assert_eq!(home.experiments().len(), 0, "there is no run yet");
    // A, then B of the first block; the second begins with A again.
    let said = without_terminal(&home, &["run", &plan, ground.name(), "--done"]);
    assert_stops(&said, "plug in cable B");
    for step in ["bring about: cable A", "plug in cable B"] {
        let said = without_terminal(&home, &["resume", "--done"]);
        assert_stops(&said, step);
    }
    let said = without_terminal(&home, &["resume", "--done"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let document = home.run(["export", "1", "--json"]).json();
    let expected = [0, 0, 1, 1]
        .into_iter()
        .zip(["reads, cable A", "reads, B"].repeat(2));
    let expected: Vec<(u64, String)> = expected.map(|(b, c)| (b, c.to_owned())).collect();
    assert_eq!(super::cells(&document), expected);
}

#[test]
fn a_plan_that_is_gone_on_with_took_what_its_sessions_told_before() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(&home, PAUSED);
    let said = without_terminal(&home, &["run", &plan, ground.name(), "--done"]);
    assert_stops(&said, "plug in cable B");
    let hour = 3_600_000_000_000_u64;
    alter(&home, &format!("UPDATE experiment SET elapsed_ns = {hour}"));
    for _ in 0..3 {
        without_terminal(&home, &["resume", "--done"]);
    }
    let shown = home.run(["show", "1", "--json"]).json();
    let took = shown["elapsed_ns"].as_u64().unwrap();
    assert!(took > hour && took < 2 * hour, "{took}");
}

#[test]
fn at_a_terminal_a_plan_asks_and_waits_for_the_enter_key() {
    let (home, ground) = (Home::new(), Ground::new());
    let plan = super::plan(&home, &PAUSED.replace("blocks = 2", "blocks = 6"));
    let line = [env!("CARGO_BIN_EXE_etalon"), "run", &plan, ground.name()];
    let line = line.map(|word| format!("'{word}'")).join(" ");
    // A terminal of its own (script(1)), at which each question is answered.
    let mut command = home.in_home(Command::new("script"), ["-qefc", &line, "/dev/null"]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let (mut keys, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut seen, mut asked) = (String::new(), 0);
    let mut bytes = [0; 4096];
    while let Ok(read) = screen.read(&mut bytes) {
        if read == 0 {
            break;
        }
        seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        while seen.matches("press Enter").count() > asked {
            asked += 1;
            keys.write_all(b"\n").unwrap();
        }
    }
    let ended = child.wait().unwrap();
    assert!(matches!(ended.code(), Some(0 | 3)), "{ended:?}: {seen}");
    assert_eq!(asked, 12, "{seen}");
    assert!(seen.contains("plug in cable B"), "{seen}");
}
