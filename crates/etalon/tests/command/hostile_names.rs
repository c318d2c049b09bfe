//! Names that a terminal would obey: nothing that etalon prints holds them as they are.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::common::{Ground, Home, Said, run, start, wait_while};
use crate::manners::subcommands;

/// Sets a terminal's title, returns to the beginning of the line, forges a line of its own, turns the
/// order of letters, and is no UTF-8.
const HOSTILE: &[u8] = b"a\x1b]0;pwn\x07\rb\nFORGED valid \xe2\x80\xae\xff";

fn hostile() -> OsString {
    OsStr::from_bytes(HOSTILE).to_owned()
}

/// `before`, the name, and `after` as one word.
fn word(before: &str, after: &str) -> OsString {
    OsString::from_vec([before.as_bytes(), HOSTILE, after.as_bytes()].concat())
}

fn words<const N: usize>(words: [&OsStr; N]) -> Vec<OsString> {
    words.map(OsStr::to_owned).to_vec()
}

/// Both streams hold text and line ends only, and no line is the name's.
fn is_harmless(what: &str, said: &Said) {
    for text in [&said.out, &said.err] {
        let obeyed =
            |c: char| (c.is_control() && !"\n\t".contains(c)) || "\u{202e}\u{fffe}".contains(c);
        assert!(!text.contains(obeyed), "{what}: {text:?}");
        let forged = text.lines().any(|line| line.starts_with("FORGED"));
        assert!(!forged, "{what}: {text}");
    }
}

/// Runs words that quote the name somewhere, whatever comes of it.
fn harmless(home: &Home, words: &[OsString]) -> Said {
    let mut command = home.etalon(words);
    // Where nothing can be measured by default.
    command.current_dir("/proc");
    let said = run(command);
    is_harmless(&format!("{words:?}"), &said);
    said
}

#[test]
fn no_subcommand_prints_a_name_or_an_argument_as_it_is() {
    let home = Home::new();
    let name = hostile();
    let mut commands = subcommands(&home);
    commands.push("nosuch".to_owned());
    for command in &commands {
        let command = OsStr::new(command);
        let mut lines = vec![words([command, &name]), words([command, &name, &name])];
        for option in [
            "--",
            "--nosuch=",
            "--store=",
            "--op=",
            "--set=",
            "-f",
            "-o",
            "-",
            "if=",
            "--runs=",
        ] {
            lines.push(words([command, &word(option, "")]));
        }
        for option in ["--store", "--budget", "--op", "-f", "--precision"] {
            lines.push(words([command, option.as_ref(), &name]));
        }
        for line in &lines {
            harmless(&home, line);
        }
    }
    harmless(&home, std::slice::from_ref(&name));
    harmless(&home, &[word("--", "")]);
}

#[test]
fn help_that_quotes_the_environment_and_the_program_s_name_is_harmless() {
    let home = Home::new();
    for command in subcommands(&home) {
        let mut help = home.etalon([command.as_str(), "--help"]);
        help.env("ETALON_STORE", hostile()).arg0(hostile());
        let said = run(help);
        is_harmless(&command, &said);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
}

/// A directory of that name, with a file of that name in it.
fn place(ground: &Ground) -> (PathBuf, PathBuf) {
    let directory = ground.path().join(hostile());
    fs::create_dir(&directory).unwrap();
    let file = directory.join(hostile());
    fs::write(&file, vec![7; 1 << 20]).unwrap();
    (directory, file)
}

/// What measures, each a little of it.
fn measurements(directory: &Path, file: &Path) -> Vec<Vec<OsString>> {
    let line = |text: &str, target: &Path| -> Vec<OsString> {
        let whole = |word: &str| match word {
            "TARGET" => target.as_os_str().to_owned(),
            "NAME" => hostile(),
            word => word.into(),
        };
        text.split(' ').map(whole).collect()
    };
    let mut lines: Vec<Vec<OsString>> = [
        "measure TARGET --op randread --file-size 1M --time 50ms --runs 2",
        "together --runs 1 --time 50ms -- TARGET --op read -s 1M --name NAME -- TARGET --op read -s 1M",
        "metadata TARGET --depth 1 --files 2 --runs 1",
        "work command TARGET --set step=true --runs 1",
        "fdtree -l 1 -d 2 -f 1 -o TARGET --runs 1",
        "stack TARGET",
        "watch TARGET --count 1 --interval 100ms --plain",
    ]
    .map(|text| line(text, directory))
    .to_vec();
    lines.push(line("measure TARGET --op randread --time 50ms", file));
    lines.push(line("measure TARGET --op write --time 50ms", file));
    lines.push(line("hdparm -t TARGET", file));
    let step = words([
        "work".as_ref(),
        "command".as_ref(),
        directory.as_os_str(),
        "--set".as_ref(),
    ]);
    lines.push(
        [
            step,
            vec![word("step=echo '", "'"), "--runs".into(), "1".into()],
        ]
        .concat(),
    );
    let beside = |tail: &str| {
        let mut path = file.as_os_str().to_owned();
        path.push(tail);
        path
    };
    let iozone = "iozone -i 0 -s 64 --runs 1 -f"
        .split(' ')
        .map(OsString::from);
    lines.push(iozone.chain([beside(".iozone")]).collect());
    let of = |operand: &str, path: OsString| {
        let mut word = OsString::from(operand);
        word.push(path);
        word
    };
    lines.push(vec![
        "dd".into(),
        of("if=", file.into()),
        of("of=", beside(".copy")),
    ]);
    lines.push(vec![
        "dd".into(),
        of("if=", beside(".none")),
        of("of=", beside(".copy")),
    ]);
    lines
}

#[test]
fn pages_and_lines_of_hostile_places_are_harmless() {
    let (home, ground) = (Home::new(), Ground::new());
    let (directory, file) = place(&ground);
    for line in measurements(&directory, &file) {
        harmless(&home, &line);
    }
    let experiments = home.experiments();
    assert!(experiments.len() >= 6, "{experiments:?}");
    assert!(home.run(["list"]).out.contains("\\x1b]0;pwn"));
    let listed = experiments[0]["target_path"].as_str().unwrap();
    assert!(
        listed.contains("a\x1b]0;pwn\x07\rb\nFORGED"),
        "data is not altered: {listed:?}"
    );
    harmless(&home, &["list".into()]);
    for experiment in &experiments {
        let id = experiment["id"].to_string();
        for words in [
            &["show", &id][..],
            &["show", &id, "--environment"],
            &["show", &id, "--stack"],
            &["compare", &id, &id],
            &["compare", "1", &id, "--details"],
            &["compare", "1", &id],
            &["export", &id, "--json"],
        ] {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            harmless(&home, &words);
        }
    }
}

#[test]
fn what_restore_names_is_harmless() {
    let (home, ground) = (Home::new(), Ground::new());
    let (directory, _) = place(&ground);
    let line = "--op randread --file-size 8M --time 60s".split(' ');
    let measure = ["measure".as_ref(), directory.as_os_str()].into_iter();
    let mut child = start(home.etalon(measure.chain(line.map(OsStr::new))));
    let found = || fs::read_dir(&directory).unwrap().count() > 1;
    wait_while(&child, "the scratch directory", || found().then_some(()));
    thread::sleep(Duration::from_millis(100));
    child.kill().unwrap();
    child.wait().unwrap();
    let said = harmless(&home, &["restore".into()]);
    assert!(
        said.out.contains("removed ") && said.out.contains("\\x1b]0;pwn"),
        "{said:?}"
    );
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
}

#[test]
fn a_terminal_gets_etalon_s_own_codes_and_no_others() {
    let (home, ground) = (Home::new(), Ground::new());
    let (directory, _) = place(&ground);
    let binary = env!("CARGO_BIN_EXE_etalon");
    for (line, own) in [
        (
            "measure \"$PLACE\" --op randread --file-size 1M --time 300ms",
            "\x1b[",
        ),
        ("watch \"$PLACE\" --count 2 --interval 100ms", "\x1b["),
        ("list", ""),
        ("show 1", ""),
    ] {
        let shell = format!("stty cols 200 rows 50; {binary} {line}");
        let mut script = home.in_home(Command::new("script"), ["-qec", &shell, "/dev/null"]);
        script.env("PLACE", &directory).env("TERM", "xterm");
        let said = run(script);
        let seen = &said.out;
        assert!(
            seen.contains(own) && seen.contains("\\x1b]0;pwn"),
            "{line}: {seen:?}"
        );
        for part in ["\x1b]0;", "\x07", "\u{202e}", "\nFORGED", "\rFORGED"] {
            assert!(!seen.contains(part), "{part:?} of {line}: {seen:?}");
        }
    }
}
