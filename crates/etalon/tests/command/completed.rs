//! What the shells themselves offer for a line that is begun.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Ground, Home, run};

/// A store with two experiments, of the modelled device.
fn measured() -> (Home, Ground) {
    let (home, ground) = (Home::new(), Ground::new());
    let fake = "--op randread --file-size 8M --backend fake --time 50ms --runs 1";
    for _ in 0..2 {
        let line = format!("measure {} {fake}", ground.name());
        let said = home.run(line.split(' '));
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    (home, ground)
}

/// Whether the shell is there; if not, says on the real standard error what is not tried.
fn has(shell: &str) -> bool {
    let there = Command::new(shell).args(["-c", ":"]).output().is_ok();
    if !there {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED completions of {shell}: it is not installed"
        );
    }
    there
}

/// The script for a shell, in a directory of its own within the home.
fn script(home: &Home, shell: &str) -> PathBuf {
    let directory = home.path().join(format!("of-{shell}"));
    let _ = std::fs::create_dir(&directory);
    let file = directory.join("_etalon");
    std::fs::write(&file, home.run(["completions", shell]).out).unwrap();
    file
}

fn with_program_in_path(mut command: Command) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_etalon"));
    let path = std::env::var("PATH").unwrap();
    command.env(
        "PATH",
        format!("{}:{path}", program.parent().unwrap().display()),
    );
    command
}

fn asked(home: &Home, shell: &str, words: &[&str]) -> String {
    let command = home.in_home(Command::new(shell), words);
    run(with_program_in_path(command)).out
}

/// What bash offers after a line of words, the last of which is begun.
fn by_bash(home: &Home, line: &str) -> String {
    let file = script(home, "bash");
    let words = line.split(' ').count() - 1;
    let ask = format!(
        "source {}; COMP_WORDS=({line}); COMP_WORDS[{words}]=\"${{COMP_WORDS[{words}]-}}\"; COMP_CWORD={words}; \
         $(complete -p etalon | sed 's/.*-F \\([^ ]*\\).*/\\1/') etalon \"${{COMP_WORDS[{words}]}}\" \
         \"${{COMP_WORDS[{words}-1]}}\" 2>/dev/null; echo \"${{COMPREPLY[@]}}\"",
        file.display()
    );
    asked(home, "bash", &["-c", &ask]).trim().to_owned()
}

#[test]
fn bash_offers_numbers_and_names_where_those_are_asked_for() {
    let (home, _ground) = measured();
    std::fs::write(home.path().join("random-file"), "").unwrap();
    for line in [
        "etalon show ",
        "etalon export ",
        "etalon compare ",
        "etalon compare 1 ",
    ] {
        assert_eq!(by_bash(&home, line), "1 2", "{line}");
    }
    let operations = by_bash(&home, "etalon measure . --op rand");
    assert_eq!(
        operations,
        "randread randwrite randrw randtrim randtrimwrite"
    );
    assert_eq!(by_bash(&home, "etalon measure . --runs rand"), "rand");
    assert!(by_bash(&home, "etalon show --det").contains("--details"));
}

#[test]
fn fish_offers_numbers_and_names_where_those_are_asked_for() {
    if !has("fish") {
        return;
    }
    let (home, _ground) = measured();
    let file = script(&home, "fish");
    let offered = |line: &str| {
        let ask = format!("source {}; complete -C '{line}'", file.display());
        asked(&home, "fish", &["--no-config", "-c", &ask])
    };
    assert!(offered("etalon comp").contains("compare"));
    let numbers = offered("etalon show ");
    assert_eq!(numbers.split_whitespace().collect::<Vec<_>>(), ["1", "2"]);
}

/// Types a line and two tabs into an interactive zsh and waits until the screen matches a pattern.
const TYPED: &str = r#"
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; PS1=RE''ADY"
zpty -r z out '*READY*'
zpty -w -n z "$2"$'\t\t'
zpty -r z out "$3"
print -r -- "$out"
zpty -d z
"#;

#[test]
fn zsh_offers_subcommands_first_and_numbers_behind_them() {
    if !has("zsh") {
        return;
    }
    let (home, _ground) = measured();
    let file = script(&home, "zsh");
    let place = file.parent().unwrap().to_str().unwrap();
    // It hangs, and fails, where the pattern never comes.
    for (line, pattern) in [
        ("etalon comp", "*compare *completions*"),
        ("etalon show ", "*show *1  2*"),
        (
            "etalon measure . --op rand",
            "*randread *randrw *randtrim *randtrimwrite *randwrite*",
        ),
    ] {
        asked(
            &home,
            "zsh",
            &["-f", "-c", TYPED, "zsh", place, line, pattern],
        );
    }
}
