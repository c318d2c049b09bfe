//! Help, completions, manual pages, terminals and pipes.

use std::process::{Command, Stdio};

use crate::common::{Ground, Home, finish, left_in, run};

/// The subcommands that the help lists.
pub(crate) fn subcommands(home: &Home) -> Vec<String> {
    let help = home.run(["--help"]).out;
    let list = help.split("Commands:\n").nth(1).unwrap();
    list.lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' ') && !line.starts_with("help "))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect()
}

#[test]
fn help_shows_examples_everywhere() {
    let home = Home::new();
    for words in [&["--help"][..], &["help"]] {
        let said = home.run(words);
        assert_eq!(said.code, Some(0));
        assert!(
            said.out.contains("Examples:") && said.out.contains("Exit codes:"),
            "{said:?}"
        );
    }
    let names = subcommands(&home);
    assert!(
        names.len() >= 12 && names.contains(&"measure".to_owned()),
        "{names:?}"
    );
    for name in &names {
        let said = home.run(["help", name]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.contains("Examples:"), "{name}: {}", said.out);
        assert!(
            said.out.contains(&format!("etalon {name}")),
            "{name}: {}",
            said.out
        );
        let said = home.run([name.as_str(), "--help"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(!said.out.is_empty(), "{said:?}");
    }
    assert!(home.run(["--version"]).out.starts_with("etalon 0."));
}

#[test]
fn completions_and_manual_pages_are_made_from_the_same_definitions() {
    let home = Home::new();
    let subcommands = subcommands(&home);
    for (shell, word) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef etalon"),
        ("fish", "complete -c etalon"),
    ] {
        let said = home.run(["completions", shell]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.contains(word), "{shell}");
        for name in &subcommands {
            assert!(said.out.contains(name), "{name} in {shell}");
        }
        assert!(said.out.contains("queue-depth"), "{shell}");
    }
    // What bash makes of it.
    let script = home.run(["completions", "bash"]).out;
    let checked = Command::new("bash")
        .args(["-n", "-c", &script])
        .status()
        .unwrap();
    assert!(checked.success());
    let pages = home.path().join("man");
    std::fs::create_dir(&pages).unwrap();
    let said = home.run(["man", pages.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let names = left_in(&pages);
    assert!(names.contains(&"etalon.1".to_owned()), "{names:?}");
    for name in &subcommands {
        assert!(
            names.contains(&format!("etalon-{name}.1")),
            "{name} in {names:?}"
        );
    }
    let page = std::fs::read_to_string(pages.join("etalon-measure.1")).unwrap();
    assert!(page.starts_with(".ie") || page.contains(".TH"), "{page}");
    home.run(["man", "/no/such"]).refused(1, &["/no/such"]);
}

#[test]
fn a_reader_that_goes_away_is_no_crash() {
    let (home, ground) = (Home::new(), Ground::new());
    let measure = [
        "measure",
        ground.name(),
        "--op",
        "read",
        "--file-size",
        "1M",
        "--time",
        "100ms",
    ];
    let place = ground.name();
    let file = format!("{place}/iozone");
    let iozone = ["iozone", "-i", "0", "-s", "64", "-f", &file];
    let tree = ["fdtree", "-l", "1", "-d", "2", "-f", "1", "-o", place];
    let names = ["metadata", place, "--files", "5", "--runs", "1"];
    let mut lines: Vec<Vec<&str>> = [
        &["--help"][..],
        &["--version"],
        &["checks"],
        &["completions", "bash"],
        &measure,
        &["list"],
        &["show", "1"],
        &["export", "1", "--json"],
        &["compare", "1@1-2", "1@3-4"],
        &["stack", place],
        &["watch", place, "--count", "1", "--interval", "100ms"],
        &iozone,
        &["iozone", "-h"],
        &["iozone", "-v"],
        &tree,
        &names,
    ]
    .map(<[&str]>::to_vec)
    .to_vec();
    let subcommands = subcommands(&home);
    lines.extend(subcommands.iter().map(|name| vec![name.as_str(), "--help"]));
    for words in lines {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = home.etalon(&words);
        let child = command
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = finish(child);
        assert!(matches!(said.code, Some(0 | 3)), "{words:?}: {said:?}");
        let quiet = ["etalon: ", "etalon iozone: ", "fdtree: ", "panicked"];
        let noise = quiet.iter().find(|word| said.err.contains(**word));
        assert_eq!(noise, None, "{words:?}: {said:?}");
    }
    assert_eq!(left_in(ground.path()), [""; 0]);
}

#[test]
fn an_output_that_cannot_be_written_is_told() {
    let home = Home::new();
    for words in [
        &["checks"][..],
        &["iozone", "--help"],
        &["fdtree", "--help"],
        &["hdparm", "--help"],
        &["dd", "--help"],
        &["--help"],
        &["--version"],
        &["help", "import"],
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut command = home.etalon(words);
        let child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let said = finish(child);
        assert_eq!(said.code, Some(1), "{words:?}: {said:?}");
        assert!(said.err.starts_with("etalon"), "{words:?}: {said:?}");
        assert!(
            said.err.contains("No space left on device") && said.err.lines().count() == 1,
            "{words:?}: {said:?}"
        );
    }
}

/// Runs a shell line on a terminal of some columns; gives all that appeared on it.
fn on_terminal(home: &Home, columns: u32, line: &str) -> String {
    on_terminal_called(home, "xterm", columns, line)
}

/// The same on a terminal of a kind.
fn on_terminal_called(home: &Home, term: &str, columns: u32, line: &str) -> String {
    let line = format!("stty cols {columns}; {line}");
    let mut script = home.in_home(Command::new("script"), ["-qec", &line, "/dev/null"]);
    // What is painted is tested where that is the subject.
    script.env("TERM", term).env("NO_COLOR", "1");
    let said = run(script);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    said.out.replace('\r', "")
}

#[test]
fn a_narrow_terminal_gets_the_same_figures_below_each_other() {
    let (home, ground) = (Home::new(), Ground::new());
    let binary = env!("CARGO_BIN_EXE_etalon");
    let place = ground.name();
    let measure =
        format!("{binary} measure {place} --op randread --file-size 8M --time 300ms --runs 1");
    for columns in [1, 8, 40] {
        let seen = on_terminal(&home, columns, &measure);
        // On a machine whose host took the processor away it is invalid.
        let judged = ["verdict: undecided", "verdict: invalid"];
        assert!(judged.iter().any(|part| seen.contains(part)), "{seen}");
    }
    let narrow = on_terminal(&home, 40, &format!("{binary} show 1"));
    for line in narrow.lines() {
        let fits = line.chars().count() <= 40;
        // A path is not broken: it could not be copied.
        assert!(fits || line.trim().split(' ').count() == 1, "{line:?}");
    }
    for part in [
        "random read 4 KiB",
        "result: ",
        "±: ",
        "median: ",
        "95 % interval: ",
        "p99.9: ",
        "from device: ",
    ] {
        assert!(narrow.contains(part), "{part} in {narrow}");
    }
    let wide = on_terminal(&home, 200, &format!("{binary} show 1"));
    let heading = wide.lines().find(|line| line.contains("result"));
    assert!(heading.unwrap().contains("verdict"), "{wide}");
}

#[test]
fn a_terminal_gets_a_line_of_progress_and_a_pipe_plain_lines() {
    let (home, ground) = (Home::new(), Ground::new());
    let binary = env!("CARGO_BIN_EXE_etalon");
    let place = ground.name();
    // Runs of a length of their own: a budget may be too short for a busy machine.
    let words = format!("measure {place} --op randread --file-size 8M --time 400ms --runs 5");
    let measure = format!("NO_COLOR=1 {binary} {words}");
    let seen = on_terminal(&home, 100, &measure);
    assert!(seen.contains("block 1") && seen.contains(" left"), "{seen}");
    assert!(!colours(&seen), "{seen}");
    let dumb = on_terminal_called(&home, "dumb", 100, &measure);
    assert!(dumb.contains("block 1") && !dumb.contains('\x1b'), "{dumb}");
    let piped = home.run(words.split(' '));
    assert!(piped.err.lines().count() >= 3, "{piped:?}");
    assert!(piped.err.contains("block 1"), "{piped:?}");
    assert!(
        !piped.err.contains('\x1b') && !piped.out.contains('\x1b'),
        "{piped:?}"
    );
}

/// Whether a text sets a colour or another rendition (ECMA-48, SGR).
fn colours(text: &str) -> bool {
    text.split("\x1b[").skip(1).any(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';');
        end.and_then(|at| rest[at..].chars().next()) == Some('m')
    })
}
