//! Colour: on a terminal, never in a pipe, a document or where the environment says no; and no name
//! brings its own.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use crate::common::{Ground, Home, Said, run};

/// What a style of etalon's own begins with.
const STYLE: &str = "\x1b[";

/// One measured experiment in the home's store.
fn measured(home: &Home, target: &Path) {
    let words = "measure --op randread --buffered -s 1M --time 20ms --runs 2";
    let mut command = home.etalon(words.split(' '));
    command.arg(target);
    let said = run(command);
    assert!(!said.out.is_empty(), "{said:?}");
}

/// The program on a terminal that `script` makes; `None` where there is no `script`.
fn on_terminal(home: &Home, words: &str, environment: &[(&str, &str)]) -> Option<String> {
    let line = format!("{} {words}", env!("CARGO_BIN_EXE_etalon"));
    let mut command = home.in_home(Command::new("script"), ["-qec", &line, "/dev/null"]);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command
        .env("TERM", "xterm")
        .envs(environment.iter().copied());
    if !Path::new("/usr/bin/script").exists() {
        let _ = writeln!(std::io::stderr(), "SKIPPED on_terminal: needs script");
        return None;
    }
    Some(run(command).out)
}

#[test]
fn a_terminal_gets_colour_unless_the_environment_or_an_option_says_no() {
    let (home, ground) = (Home::new(), Ground::new());
    measured(&home, ground.path());
    for (words, environment, coloured) in [
        ("show 1", &[][..], true),
        ("show 1", &[("NO_COLOR", "")], true),
        ("show 1", &[("NO_COLOR", "1")], false),
        ("show 1", &[("TERM", "dumb")], false),
        ("show 1 --color never", &[], false),
        ("show 1 --color always", &[("NO_COLOR", "1")], true),
        ("show 1 --json --color always", &[], false),
    ] {
        let Some(text) = on_terminal(&home, words, environment) else {
            return;
        };
        assert_eq!(
            text.contains(STYLE),
            coloured,
            "{words} {environment:?}: {text}"
        );
        assert!(text.contains("random read"), "{text}");
    }
}

#[test]
fn a_pipe_gets_colour_only_where_it_was_asked_for() {
    let (home, ground) = (Home::new(), Ground::new());
    measured(&home, ground.path());
    let said = |words: &str| -> Said { home.run(words.split(' ')) };
    assert!(!said("show 1").out.contains(STYLE));
    assert!(!said("show 1 --color auto").out.contains(STYLE));
    assert!(said("show 1 --color always").out.contains(STYLE));
    for document in ["show 1 --json", "export 1 --csv", "export 1 --markdown"] {
        let mut command = home.etalon(document.split(' '));
        command.env("CLICOLOR_FORCE", "1");
        assert!(!run(command).out.contains(STYLE), "{document}");
    }
    let refused = said("show 1 --color pink");
    refused.refused(2, &["pink", "auto, always, never"]);
}

#[test]
fn no_name_brings_a_colour_of_its_own() {
    let (home, ground) = (Home::new(), Ground::new());
    let red = ground.path().join("\x1b[1m\x1b[31mred");
    std::fs::create_dir(&red).unwrap();
    measured(&home, &red);
    measured(&home, &red);
    for words in [
        "show 1 --color always",
        "show 1 --details --color always",
        "list --color always",
        "compare 1 2 --color always",
        "compare 1 2 --details --color always",
    ] {
        let said = home.run(words.split(' '));
        assert!(!said.out.contains("\x1b[31mred"), "{said:?}");
        assert!(
            words.starts_with("compare") || said.out.contains("\\x1b[31mred"),
            "{said:?}"
        );
    }
}
