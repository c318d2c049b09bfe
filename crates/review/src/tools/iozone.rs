//! What iozone prints: rows of kB, record length and up to thirteen rates in kB/s.

use super::Command;
use crate::quantity::option_size;
use crate::{Action, Figure, Line, Page, Tool};

/// The columns after the two sizes, as iozone's manual lists the tests.
const COLUMNS: [(&str, Action); 13] = [
    ("write", Action::Write),
    ("rewrite", Action::Write),
    ("read", Action::Read),
    ("reread", Action::Read),
    ("random read", Action::RandomRead),
    ("random write", Action::RandomWrite),
    ("backward read", Action::Read),
    ("record rewrite", Action::CachedRead),
    ("strided read", Action::Read),
    ("fwrite", Action::Write),
    ("frewrite", Action::Write),
    ("fread", Action::Read),
    ("freread", Action::Read),
];
/// iozone's kilobyte.
const KB: f64 = 1024.0;

/// The rates of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < page.lines.len() {
        let (figures, lines) = row(page, at);
        found.extend(figures);
        found.extend(throughput(page, at));
        at += lines.max(1);
    }
    found
}

/// The figures of the row that begins on a line, and how many lines it takes.
fn row(page: &Page, at: usize) -> (Vec<Figure>, usize) {
    let Some(mut cells) = integers(&page.lines[at]).filter(|cells| is_row(cells)) else {
        return (Vec::new(), 1);
    };
    let mut lines = 1;
    let whole = COLUMNS.len() + 2;
    let next = page.lines.get(at + 1).and_then(integers);
    if let Some(next) = next.filter(|next| cells.len() + next.len() == whole) {
        cells.extend(next);
        lines = 2;
    }
    let command = Command::near(page, at, at, "iozone");
    let rated = cells[2..]
        .iter()
        .zip(COLUMNS)
        .filter(|(rate, _)| **rate > 0);
    let figures = rated
        .map(|(rate, column)| figure(&page.lines[at], &cells, *rate, column, command.as_ref()));
    (figures.collect(), lines)
}

/// The whole numbers of a line that holds nothing else.
fn integers(line: &Line) -> Option<Vec<u64>> {
    let words: Vec<&str> = line
        .text
        .split(|c: char| c.is_whitespace() || c == '|')
        .filter(|w| !w.is_empty())
        .collect();
    let values: Option<Vec<u64>> = words.iter().map(|word| word.parse().ok()).collect();
    values.filter(|values| !values.is_empty())
}

/// Sizes are powers of two, a record is no larger than the file, and at least a rate follows.
fn is_row(cells: &[u64]) -> bool {
    let [file, record, rates @ ..] = cells else {
        return false;
    };
    file.is_power_of_two()
        && record.is_power_of_two()
        && *file >= 64
        && record <= file
        && (1..=13).contains(&rates.len())
        && rates.iter().any(|r| *r > 100)
}

fn figure(
    line: &Line,
    cells: &[u64],
    rate: u64,
    (label, action): (&str, Action),
    command: Option<&Command>,
) -> Figure {
    let mut figure = Figure::new(Tool::Iozone, line.number, action, label);
    figure.file_bytes = Some(cells[0] as f64 * KB);
    figure.block_bytes = Some(cells[1] as f64 * KB);
    figure.bytes_per_second = Some(rate as f64 * KB);
    figure.direct = command.map(|c| c.has("-I"));
    figure.durable = command.map(|c| ["-o", "-e", "-I"].iter().any(|o| c.has(o)));
    figure.place = command.and_then(|c| c.option("-f")).map(str::to_owned);
    figure.command_line = command.map(|c| c.line);
    figure.quoted = rate.to_string();
    figure
}

/// `Children see throughput for  2 initial writers  =   97012.33 kB/sec` of the throughput mode.
fn throughput(page: &Page, at: usize) -> Option<Figure> {
    let line = &page.lines[at];
    let rest = line
        .plain
        .trim()
        .strip_prefix("children see throughput for")?;
    let numbers = page.numbers(line);
    let rated = numbers
        .iter()
        .rev()
        .find(|n| n.unit.to_lowercase().starts_with("kb"))?;
    let label = rest
        .split('=')
        .next()?
        .trim()
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let command = Command::near(page, at, at, "iozone");
    let mut figure = Figure::new(Tool::Iozone, line.number, action_of(label), label);
    figure.bytes_per_second = Some(rated.value * KB);
    let size = command
        .as_ref()
        .and_then(|c| c.option("-s"))
        .and_then(|s| option_size(s, KB));
    // `-s` is the size of the file of each process (`-t`).
    (figure.file_bytes, figure.files) = (size, size.and(processes(rest)));
    figure.direct = command.as_ref().map(|c| c.has("-I"));
    figure.durable = command
        .as_ref()
        .map(|c| ["-o", "-e", "-I"].iter().any(|o| c.has(o)));
    figure.quoted = format!("{} {}", rated.text, rated.unit);
    Some(figure)
}

/// How many processes a line of the throughput mode adds up.
fn processes(rest: &str) -> Option<u32> {
    rest.split_whitespace().next()?.parse().ok()
}

fn action_of(label: &str) -> Action {
    Action::transfer(label.contains("random"), label.contains("write"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_cut_in_two_is_one() {
        let page = Page::read(
            "iozone -s 4096 -r 16 -f /t -I -o -M\n4096      16    5186   16680    14973    16750   43991   19815   17172    35960    16189   271512   637599 \n41750  1252212 \n",
        );
        let found = figures(&page);
        assert_eq!(found.len(), 13);
        assert_eq!(
            (found[4].action, found[4].bytes_per_second),
            (Action::RandomRead, Some(43991.0 * 1024.0))
        );
        assert_eq!(
            (found[0].file_bytes, found[0].block_bytes),
            (Some(4194304.0), Some(16384.0))
        );
        assert_eq!(
            (found[0].direct, found[0].durable),
            (Some(true), Some(true))
        );
    }

    #[test]
    fn other_rows_of_numbers_are_none() {
        assert!(
            figures(&Page::read(
                "32768, 98304\n1000 16 500\n4096\n64 128 500 600\n"
            ))
            .is_empty()
        );
    }

    #[test]
    fn the_throughput_mode_is_read() {
        let page =
            Page::read("\tChildren see throughput for  2 random readers \t=   97012.33 kB/sec\n");
        assert_eq!(figures(&page)[0].action, Action::RandomRead);
    }

    #[test]
    fn each_process_of_the_throughput_mode_has_a_file_of_its_own() {
        let line = "\tChildren see throughput for 16 readers \t\t=  970331.25 kB/sec\n";
        let told = |command: &str| {
            let figure = figures(&Page::read(&format!("{command}{line}"))).remove(0);
            (figure.file_bytes, figure.files, figure.size())
        };
        let gib = |count: u64| (count << 30) as f64;
        assert_eq!(
            told("iozone -t 16 -s 4g -r 1m -i 1\n"),
            (Some(gib(4)), Some(16), Some(gib(64)))
        );
        assert_eq!(told(""), (None, None, None));
    }
}
