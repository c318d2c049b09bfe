//! What dd prints: `1342177280 bytes (1.3 GB, 1.2 GiB) copied, 5.07159 s, 265 MB/s`.

use super::Command;
use super::dd_commands::DdCommands;
use crate::quantity::{option_size, rate};
use crate::{Action, Figure, Line, Page, Tool};

/// Lines within which a heading tells what was done.
const HEADING: usize = 12;

/// The copies of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let results = DdCommands::of_results(page, |line| copied(page, line).is_some());
    let figure = |(number, command): (usize, Option<Command>)| {
        let at = number - 1;
        let figure = copied(page, page.lines.get(at)?)?;
        Some(described(page, at, figure, command))
    };
    results.into_iter().filter_map(figure).collect()
}

/// The figure of a line that says how much was copied how fast.
fn copied(page: &Page, line: &Line) -> Option<Figure> {
    let word = ["copied", "copies"]
        .into_iter()
        .find_map(|word| line.find(word))?;
    let numbers = page.numbers(line);
    let bytes = numbers
        .iter()
        .rev()
        .find(|n| n.start < word && matches!(n.unit.as_str(), "bytes" | "octets"))?;
    let rated = numbers.iter().rev().find(|n| rate(n).is_some())?;
    let seconds = numbers
        .iter()
        .rev()
        .find(|n| n.end < rated.start && matches!(n.unit.as_str(), "s" | "seconds" | "secondes"))?;
    let mut figure = Figure::new(Tool::Dd, line.number, Action::Other, "dd");
    figure.bytes = Some(bytes.value);
    figure.seconds = Some(seconds.value);
    figure.bytes_per_second = rate(rated);
    figure.quoted = format!("{} {}", rated.text, rated.unit);
    Some(figure)
}

fn described(page: &Page, at: usize, mut figure: Figure, command: Option<Command>) -> Figure {
    match command {
        Some(command) => commanded(&mut figure, &command),
        None => headed(page, at, &mut figure),
    }
    figure.label = format!("dd {}", label(figure.action));
    figure
}

/// What the command says.
fn commanded(figure: &mut Figure, command: &Command) {
    let (from, to) = (command.operand("if"), command.operand("of"));
    figure.action = match (from, to) {
        (_, Some("/dev/null")) => Action::Read,
        (Some("/dev/zero" | "/dev/urandom" | "/dev/random"), _) => Action::Write,
        (Some(_), Some(_)) => Action::Copy,
        _ => Action::Other,
    };
    figure.block_bytes = command
        .operand("bs")
        .and_then(|text| option_size(text, 1.0));
    let flags = if figure.action == Action::Read {
        "iflag"
    } else {
        "oflag"
    };
    figure.direct = Some(command.lists(flags, "direct"));
    let synced = ["fsync", "fdatasync"]
        .iter()
        .any(|word| command.lists("conv", word));
    figure.durable = Some(
        synced
            || ["sync", "dsync"]
                .iter()
                .any(|word| command.lists("oflag", word)),
    );
    figure.place = if figure.action == Action::Read {
        from
    } else {
        to
    }
    .map(str::to_owned);
    figure.command_line = Some(command.line);
}

/// What the words above say where no command stands.
fn headed(page: &Page, at: usize, figure: &mut Figure) {
    let told = page.before(at, HEADING).find_map(|line| {
        let read = line.says(&["lecture", "reading", "read test"]);
        let write = line.says(&["ecriture", "writing", "write test"]);
        match (read, write) {
            (true, false) => Some(Action::Read),
            (false, true) => Some(Action::Write),
            _ => None,
        }
    });
    figure.action = told.unwrap_or(Action::Other);
    figure.heading = page
        .before(at, 4 * HEADING)
        .find(|line| is_prose(line))
        .map(|line| line.number);
}

/// Words that are no output of dd.
fn is_prose(line: &Line) -> bool {
    let output = line.says(&["records ", "enregistrements ", "copied", "copies"]);
    !output && line.text.chars().any(char::is_alphabetic)
}

fn label(action: Action) -> &'static str {
    match action {
        Action::Read => "read",
        Action::Write => "write",
        _ => "copy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_french_and_one_line_of_a_web_page() {
        let page = Page::read(
            "dd if=/dev/zero of=/d/t bs=65536 count=20480 20480+0 records in 20480+0 records out 1342177280 bytes (1,3 GB, 1,2 GiB) copied, 5,07159 s, 265 MB/s\n\
             dd if=/d/t of=/dev/null bs=32K iflag=direct\n1+0 enregistrements lus\n50331648000 octets (50 GB) copiés, 489,408 s, 103 MB/s\n",
        );
        let found = figures(&page);
        assert_eq!(found.len(), 2);
        let (write, read) = (&found[0], &found[1]);
        assert_eq!(
            (write.action, write.bytes, write.seconds),
            (Action::Write, Some(1342177280.0), Some(5.07159))
        );
        assert_eq!(
            (write.direct, write.durable, write.block_bytes),
            (Some(false), Some(false), Some(65536.0))
        );
        assert_eq!(
            (read.action, read.direct, read.bytes_per_second),
            (Action::Read, Some(true), Some(103e6))
        );
    }

    #[test]
    fn a_heading_tells_what_was_done_where_no_command_stands() {
        let page = Page::read("Tests en lecture :\n16 bytes (16 B) copied, 1.5 s, 11 MB/s\n");
        assert_eq!(figures(&page)[0].action, Action::Read);
    }
}
