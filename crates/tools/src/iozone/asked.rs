//! Help and version.

use super::Ask;
use super::specs::{Effect, Spec, Takes};
use super::table::SPECS;

/// How the command is used, before the list of options.
const USAGE: &str = "\
Usage: etalon iozone [OPTIONS]

Writes and reads a file record by record, as iozone does, and says how far each
figure can be trusted. Each line of etalon's own begins with 'etalon:'.
  etalon iozone -a                                every test, a grid of sizes
  etalon iozone -s 1G -r 64k -i 0 -i 1 -e -I      write and read, on the disk
  etalon iozone -t 2 -F a/one b/two -s 256m -i 0  two workers, a file each

Each figure is measured until its interval is within 5 %, as far as the time of
three passes goes (a second at least for one size of file and record), or as
--runs or --precision says. Without -s a file has 512 kB.
SIZE is a number of kilobytes, or one with k, m or g.
";

/// Above the options that the real one has and this one has not.
const MISSING: &str = "\nOptions of iozone that are not offered (each says why when used):\n ";

/// What the surrounding program takes away from the words of every tool.
const OF_EVERY_TOOL: [(&str, &str); 3] = [
    (
        "--wait",
        "wait for another etalon that measures on the same devices",
    ),
    ("--json", "one JSON document on standard output"),
    ("--store FILE", "keep the runs in this store"),
];

/// What was asked for; `help` is what `--help` prints.
pub(crate) fn answer(ask: Ask, help: &str) -> String {
    match ask {
        Ask::Version => format!("etalon iozone {}\n", env!("CARGO_PKG_VERSION")),
        Ask::Help => help.to_owned(),
    }
}

/// `etalon iozone --help`.
pub(super) fn help() -> String {
    let is_offered = |spec: &&Spec| !matches!(spec.effect, Effect::NotOffered(_));
    let (offered, missing): (Vec<&Spec>, Vec<&Spec>) = SPECS.iter().partition(is_offered);
    let mut text = format!("{USAGE}\n");
    for spec in offered {
        describe(&mut text, &form(spec), spec.help);
    }
    for (form, help) in OF_EVERY_TOOL {
        describe(&mut text, form, help);
    }
    text.push_str(MISSING);
    for spec in missing {
        text.push_str(&format!(" -{}", spec.name));
    }
    text + "\n"
}

/// An option and what it does, with further lines below that.
fn describe(text: &mut String, form: &str, help: &str) {
    let mut form = form;
    let mut line = String::new();
    for word in help.split_whitespace() {
        if !line.is_empty() && line.len() + 1 + word.len() > HELP_COLUMNS {
            text.push_str(&format!("  {form:<16} {line}\n"));
            (form, line) = ("", String::new());
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    text.push_str(&format!("  {form:<16} {line}\n"));
}

/// Columns beside the options.
const HELP_COLUMNS: usize = 80 - 19;

fn form(spec: &Spec) -> String {
    match spec.takes {
        Takes::Nothing => format!("-{}", spec.name),
        Takes::Value(what) | Takes::Names(what) => format!("-{} {what}", spec.name),
    }
}
