//! What iozone prints: rows of kB, record length and up to thirteen rates in kB/s.

use super::Command;
use super::iozone_columns::{COLUMNS, columns};
use super::iozone_options::IozoneOptions;
use crate::quantity::option_size;
use crate::{Action, Figure, Line, Page, Tool};

/// iozone's kilobyte.
const KB: f64 = 1024.0;

/// The rates of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let rows = rows(page).into_iter().flat_map(|row| row.figures());
    let together = (0..page.lines.len()).filter_map(|at| throughput(page, at));
    rows.chain(together).collect()
}

/// The lines of rows of which it is not known what their rates are of.
pub(super) fn unread(page: &Page) -> Vec<usize> {
    let rows = rows(page).into_iter();
    let unknown = rows.filter(|row| row.columns.is_none());
    unknown.map(|row| row.line).collect()
}

/// A row of the table.
struct Row {
    /// Its line, from 1.
    line: usize,
    /// Sizes of file and record, and the rates.
    cells: Vec<u64>,
    /// The column of each rate, where they are known.
    columns: Option<Vec<usize>>,
    /// The line of its command, from 1, and what that asks for.
    command: Option<(usize, IozoneOptions)>,
}

fn rows(page: &Page) -> Vec<Row> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < page.lines.len() {
        let (row, lines) = row(page, at);
        found.extend(row);
        at += lines;
    }
    found
}

/// The row that begins on a line, and how many lines it takes.
fn row(page: &Page, at: usize) -> (Option<Row>, usize) {
    let line = &page.lines[at];
    let Some(mut cells) = integers(line).filter(|cells| is_row(cells)) else {
        return (None, 1);
    };
    let whole = COLUMNS.len() + 2;
    let next = page.lines.get(at + 1).and_then(integers);
    let next = next.filter(|next| cells.len() + next.len() == whole);
    let lines = if next.is_some() { 2 } else { 1 };
    cells.extend(next.unwrap_or_default());
    let command = command_above(page, at);
    let options = command.as_ref().map(|(_, options)| options);
    let row = Row {
        line: line.number,
        columns: columns(line, cells.len() - 2, options),
        cells,
        command,
    };
    (Some(row), lines)
}

/// The command above a line, and what it asks for.
fn command_above(page: &Page, at: usize) -> Option<(usize, IozoneOptions)> {
    let command = Command::near(page, at, at, "iozone")?;
    Some((command.line, IozoneOptions::of(&command)))
}

impl Row {
    /// A figure for each rate that is told.
    fn figures(&self) -> Vec<Figure> {
        let columns = self.columns.iter().flatten();
        let rates = self.cells.iter().skip(2).zip(columns);
        let told = rates.filter(|(rate, _)| **rate > 0);
        told.map(|(rate, column)| self.figure(*rate, COLUMNS[*column]))
            .collect()
    }

    fn figure(&self, rate: u64, (label, action): (&str, Action)) -> Figure {
        let options = self.command.as_ref().map(|(_, options)| options);
        let mut figure = Figure::new(Tool::Iozone, self.line, action, label);
        figure.file_bytes = Some(self.cells[0] as f64 * KB);
        figure.block_bytes = Some(self.cells[1] as f64 * KB);
        figure.bytes_per_second = Some(rate as f64 * KB);
        figure.direct = options.map(IozoneOptions::is_direct);
        figure.durable = options.map(IozoneOptions::is_durable);
        figure.place = options.and_then(|all| all.value('f')).map(str::to_owned);
        figure.command_line = self.command.as_ref().map(|(line, _)| *line);
        figure.quoted = rate.to_string();
        figure
    }
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
    let command = command_above(page, at);
    let options = command.as_ref().map(|(_, options)| options);
    let mut figure = Figure::new(Tool::Iozone, line.number, action_of(label), label);
    figure.bytes_per_second = Some(rated.value * KB);
    let size = options.and_then(|all| option_size(all.value('s')?, KB));
    // `-s` is the size of the file of each process (`-t`).
    (figure.file_bytes, figure.files) = (size, size.and(processes(rest)));
    figure.direct = options.map(IozoneOptions::is_direct);
    figure.durable = options.map(IozoneOptions::is_durable);
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

    /// Labels of the rates of a text, and how many of its rows are of unknown tests.
    fn told(text: &str) -> (Vec<String>, usize) {
        let page = Page::read(text);
        let labels = figures(&page).into_iter().map(|one| one.label);
        (labels.collect(), unread(&page).len())
    }

    #[test]
    fn rates_are_of_the_tests_that_were_chosen() {
        let random = ["write", "rewrite", "random read", "random write"].map(str::to_owned);
        let row =
            "          131072    1024   271000   281000                     191000   201000   ";
        assert_eq!(told(row), (random.to_vec(), 0));
        // Where the blanks are lost, the command tells.
        let bare = "131072 1024 271000 281000 191000 201000\n";
        for command in ["iozone -i 0 -i 2 -s 128m", "./iozone -eI -i2 -i0 -r 1m"] {
            let text = format!("\tCommand line used: {command}\n{bare}");
            assert_eq!(told(&text), (random.to_vec(), 0), "{command}");
        }
        let first = ["write", "rewrite", "read", "reread"].map(str::to_owned);
        assert_eq!(told(&format!("iozone -a\n{bare}")), (first.to_vec(), 0));
        for once in ["131072 1024 271000 191000", "131072 1024 271000 0 191000 0"] {
            let text = format!("iozone -+n -i 0 -i 2\n{once}\n");
            assert_eq!(told(&text).0, ["write", "random read"], "{once}");
        }
    }

    #[test]
    fn a_row_of_unknown_tests_is_named_and_not_read() {
        let bare = "131072 1024 271000 281000 191000 201000\n";
        for before in ["", "iozone -i 0\n", "iozone -i 0 -i 9\n"] {
            let page = Page::read(&format!("{before}{bare}"));
            let found = crate::tools::figures(&page);
            assert_eq!(found, [], "{before}");
            let named = crate::tools::unread(&page, &found);
            let told: Vec<_> = named.iter().map(|one| (one.tool, one.line)).collect();
            assert_eq!(told, [(Tool::Iozone, before.lines().count() + 1)]);
        }
        // All thirteen are in their order, however they are written.
        let all = "131072 1024 1000 2000 3000 4000 5000 6000 7000 8000 9000 1000 2000 3000 4000";
        assert_eq!((told(all).0.len(), told(all).1), (13, 0));
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
