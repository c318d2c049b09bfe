//! Names that speak to the terminal, to a reader of lines, or to a spreadsheet.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

use crate::common::{Ground, Home, Said, program, run};
use crate::dangers::{none, of_each};

/// Names of files and directories.
const NAMES: &[&[u8]] = &[
    b"\x1b[31mred\x1b[0m",
    b"\x1b]0;title\x07",
    b"\x1b[2J\x1b[H",
    b"\x1bP+q\x1b\\",
    b"line\nFORGED one more",
    b"back\rFORGED over it",
    b"\x08\x08\x08gone",
    b"\x7fdelete\x0c",
    // The same introducer as one character (ECMA-48, C1), in UTF-8 and as a bare byte.
    "\u{9b}31mred".as_bytes(),
    b"\x9b31mred",
    b"\xff\xfe\x1b[5m",
];

/// Every command with a name in its words: `{}`, of a directory; `{file}`, in it; `{none}`, absent.
#[rustfmt::skip]
const COMMANDS: &[&str] = &[
    "measure {} --op read -s 64k --time 20ms",
    "measure {} --op read -s 64k --time 20ms --json",
    "measure {file} --op read --time 20ms",
    "measure {file} --op write --time 20ms",
    "measure {none} --op read",
    "measure . --op {}",
    "measure . --op read --time {}",
    "measure . --op read -s 64k --time 20ms --store {file}",
    "measure . --op read -s 64k --time 20ms --store {file}/no",
    "together --runs 1 --time 20ms -- {} --op read -s 64k --name {name} -- {} --op write -s 64k",
    "metadata {} --files 2 --depth 1 --breadth 1 --runs 1",
    "metadata {none}",
    "metadata {} --operations {name}",
    "work archive {none} --runs 1",
    "work {name} {}",
    "work command {} --runs 1 --set step={file}",
    "work archive {} --set {name}=1",
    "quick {none}",
    "passport {none}",
    "list",
    "list --json",
    "list --store {file}",
    "show 1",
    "show {name}",
    "show 1 --store {none}",
    "export 1 --json",
    "export 1 --csv",
    "compare 1 2",
    "compare {file}:1 1",
    "compare 1/{name} 1",
    "compare 1 1 --baseline {name}",
    "stack {}",
    "stack {file}",
    "stack {} --json",
    "stack {none}",
    "watch {} --plain --count 1 --interval 100ms",
    "watch {none} --plain",
    "dd if={file} of={none} bs=4k",
    "dd if={none}2 of={}/x",
    "dd if={file} of={} bs=4k",
    "dd {name}",
    "dd if={file} of={none} bs=4k --runs 2",
    "dd if={file} of={none} bs=4k --json",
    "iozone -i 0 -s 64 -r 4 --runs 1 -f {}/new",
    "iozone -i 0 -s 64 -r 4 --runs 1 -f {file}",
    "iozone -i 0 -s 64 -r 4 --runs 1 -f {none}/no",
    "iozone -i 0 -s 64 -r 4 --runs 1 -f {}/new -b {}/book.xlsx",
    "iozone -i 0 -s 64 -r 4 --runs 1 -f {}/new -b {none}/no",
    "iozone -t 2 -i 0 -s 64 -r 4 --runs 1 -F {}/one {}/two",
    "iozone -i 0 -s 64 -r 4 --runs 1 -f {}/new -X {file}",
    "iozone -i {name}",
    "iozone -{name}",
    "fdtree -o {} -l 1 -d 1 -f 1 -s 1",
    "fdtree -D -o {} -l 1 -d 1 -f 1 -s 1",
    "fdtree -o {none} -l 1 -d 1 -f 1 -s 1",
    "fdtree -l {name}",
    "hdparm -t {file}",
    "hdparm -t {none}",
    "hdparm {name}",
    "man {none}",
    "man {file}",
    "completions {name}",
    "restore {name}",
    "{none}",
    "--{name}",
];

/// A directory with a hostile name, and a file in it.
struct Hostile {
    home: Home,
    ground: Ground,
    name: OsString,
}

impl Hostile {
    fn new(name: &[u8]) -> Hostile {
        let hostile = Hostile {
            home: Home::new(),
            ground: Ground::new(),
            name: OsStr::from_bytes(name).to_owned(),
        };
        let place = hostile.ground.path().join(&hostile.name);
        fs::create_dir(&place).unwrap();
        fs::write(place.join(&hostile.name), [0x5a; 8192]).unwrap();
        hostile
    }

    fn filled(&self, word: &str) -> OsString {
        let (mark, value) = [
            (
                "{file}",
                self.ground
                    .path()
                    .join(&self.name)
                    .join(&self.name)
                    .into_os_string(),
            ),
            (
                "{none}",
                self.ground
                    .path()
                    .join(&self.name)
                    .join("none")
                    .join(&self.name)
                    .into_os_string(),
            ),
            ("{name}", self.name.clone()),
            ("{}", self.ground.path().join(&self.name).into_os_string()),
        ]
        .into_iter()
        .find(|(mark, _)| word.contains(mark))
        .unwrap_or(("{}", OsString::new()));
        let Some((before, after)) = word.split_once(mark) else {
            return word.into();
        };
        let mut filled = OsString::from(before);
        filled.push(value);
        filled.push(after);
        filled
    }

    fn command(&self, line: &str) -> Command {
        let words = line.split(' ').map(|word| self.filled(word));
        let mut command = self.home.etalon(words);
        command.current_dir(self.ground.path());
        command
    }
}

/// What reaches a reader that should not.
fn leaks(bytes: &[u8]) -> Option<String> {
    // A line of CSV ends with both (RFC 4180).
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let bare = text
        .chars()
        .find(|c| c.is_control() && !"\n\t".contains(*c));
    // The line that a new line in a name would begin.
    let forged = text.lines().find(|line| line.starts_with("FORGED"));
    bare.map(|c| format!("{c:?} in {:?}", short(&text)))
        .or(forged.map(|line| format!("the line {line:?} in {:?}", short(&text))))
}

fn short(text: &str) -> String {
    text.chars().take(400).collect()
}

#[test]
fn no_name_speaks_to_the_terminal() {
    let all = [
        NAMES[..NAMES.len() - 2].concat(),
        NAMES[NAMES.len() - 2..].concat(),
    ];
    let together = all.iter().map(Vec::as_slice);
    let names: Vec<(usize, &[u8])> = NAMES.iter().copied().chain(together).enumerate().collect();
    // Those that all commands meet take longest, and come first.
    none(&of_each(names.into_iter().rev(), |(index, name)| {
        meets_commands(index, name)
    }));
}

/// What is wrong where commands meet the name at `index`: each command meets one name alone, and all of them together.
fn meets_commands(index: usize, name: &[u8]) -> Vec<String> {
    let hostile = Hostile::new(name);
    let meets = |at: usize| index >= NAMES.len() || at % NAMES.len() == index;
    let mut faults = Vec::new();
    for (_, line) in COMMANDS.iter().enumerate().filter(|(at, _)| meets(*at)) {
        let said = run(hostile.command(line));
        let leaked = leaks(&said.out).or_else(|| leaks(&said.err));
        if let Some(leak) = leaked.or_else(|| disorder(&said)) {
            faults.push(format!("{line}: {leak}"));
        }
    }
    faults
}

fn disorder(said: &Said) -> Option<String> {
    (!said.is_orderly()).then(|| format!("{said:?}"))
}

/// On a terminal etalon moves the cursor itself; what it never sends is what stands in a name.
#[test]
fn no_name_speaks_to_a_real_terminal() {
    const TITLE: &[u8] = b"\x1b]0;FORGED\x07\x1b[35m";
    let hostile = Hostile::new(TITLE);
    let mut faults = Vec::new();
    for line in [
        "measure \"$D\" --op read -s 64k --time 300ms --runs 2",
        "measure \"$D/none\" --op read",
        "metadata \"$D\" --files 2 --depth 1 --breadth 1 --runs 2",
        "list",
        "show 1",
        "stack \"$D\"",
        "iozone -i 0 -s 64 -r 4 --runs 1 -f \"$D/new\"",
        "fdtree -o \"$D\" -l 1 -d 1 -f 1 -s 1",
        "dd if=\"$D/none\" of=\"$D/new\"",
    ] {
        let line = format!("{} {line}", program().display());
        let mut script = Command::new("script");
        script.env("D", hostile.filled("{}"));
        let said = run(hostile.home.in_home(script, ["-qec", &line, "/dev/null"]));
        let out = said.out();
        if out.contains("\x1b]0;") || out.contains("\x1b[35m") || said.hung {
            faults.push(format!("{line}: {said:?}"));
        }
    }
    none(&faults);
}

#[test]
fn a_cell_that_begins_like_a_formula_is_text() {
    let mut faults = Vec::new();
    for name in ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "=cmd|'/C calc'!A0"] {
        let (home, ground) = (Home::new(), Ground::new());
        let place = ground.name();
        let named = format!("--name={name}");
        let words = [
            "together", "--runs", "1", "--time", "20ms", "--", place, "--op", "read", "-s", "64k",
            &named, "--", place, "--op", "write", "-s", "64k",
        ];
        let said = home.run(words);
        assert!(said.ended(&[0, 3]), "{said:?}");
        let said = home.run(["export", "1", "--csv"]);
        assert!(said.ended(&[0]), "{said:?}");
        let out = said.out();
        assert!(out.contains(&name[1..]), "the name is not there: {out}");
        let cells = out.lines().flat_map(|line| line.split(','));
        let formula = cells.map(|cell| cell.trim_start_matches('"')).find(|cell| {
            // A number may be negative.
            cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err()
        });
        faults.extend(formula.map(|cell| format!("{name}: the cell {cell:?}")));
    }
    none(&faults);
}
