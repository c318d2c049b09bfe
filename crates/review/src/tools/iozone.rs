//! What iozone prints: rows of kB, record length and up to thirteen rates in kB/s.

use super::iozone_columns::{COLUMNS, columns};
use super::iozone_context::IozoneContext;
use super::iozone_options::IozoneOptions;
use crate::quantity::option_size;
use crate::{Action, Figure, Line, Page, Tool};

/// iozone's kilobyte.
const KB: f64 = 1024.0;

/// The rates of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let rows = rows(page).into_iter().flat_map(|row| row.figures());
    let mut above = IozoneContext::default();
    let together = page.lines.iter().filter_map(|line| {
        above.add(line);
        throughput(page, line, &above)
    });
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
    let mut above = IozoneContext::default();
    let mut found = Vec::new();
    let mut at = 0;
    while at < page.lines.len() {
        above.add(&page.lines[at]);
        let (row, lines) = row(page, at, &above);
        found.extend(row);
        at += lines;
    }
    found
}

/// The row that begins on a line, and how many lines it takes.
fn row(page: &Page, at: usize, above: &IozoneContext) -> (Option<Row>, usize) {
    let line = &page.lines[at];
    let Some(mut cells) = integers(line).filter(|cells| above.is_row(cells)) else {
        return (None, 1);
    };
    let whole = COLUMNS.len() + 2;
    let next = page.lines.get(at + 1).and_then(integers);
    let next = next.filter(|next| cells.len() + next.len() == whole);
    let lines = if next.is_some() { 2 } else { 1 };
    cells.extend(next.unwrap_or_default());
    let row = Row {
        line: line.number,
        columns: columns(line, cells.len() - 2, above.options()),
        cells,
        command: above.command.clone(),
    };
    (Some(row), lines)
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

/// `Children see throughput for  2 initial writers  =   97012.33 kB/sec` of the throughput mode.
fn throughput(page: &Page, line: &Line, above: &IozoneContext) -> Option<Figure> {
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
    let options = above.options();
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
    fn sizes_that_are_no_powers_of_two_are_read_under_their_head_or_command() {
        let row = "            1500       4   271000   281000   150000   160000\n";
        let head = "              kB  reclen    write  rewrite    read    reread\n";
        for above in [
            head,
            "iozone -s 1500k -i 0 -i 1\n",
            "iozone -i 0 -i 1 -s1500 -r 4\n",
            "iozone -s 10000\n\n              KB  reclen   write rewrite    read    reread\n",
        ] {
            let found = figures(&Page::read(&format!("{above}{row}")));
            let sizes = found.iter().map(|one| (one.file_bytes, one.block_bytes));
            let expected = (Some(1500.0 * 1024.0), Some(4096.0));
            assert_eq!(sizes.collect::<Vec<_>>(), [expected; 4], "{above}");
        }
        let odd = "iozone -s 10000 -r 24k -i 1\n10000 24 150000 160000\n10000 96 150000 160000";
        assert_eq!(told(odd), (vec!["read".to_owned(), "reread".to_owned()], 0));
        for other in [
            String::new(),
            "iozone -s 1500m\n".to_owned(),
            "iozone -s 1500 -r 8\n".to_owned(),
            format!("{head}{row}\niozone test complete.\n"),
        ] {
            let lines = other.lines().count();
            let found = figures(&Page::read(&format!("{other}1500 4 271000 281000\n")));
            assert!(found.iter().all(|one| one.line < lines), "{other}");
        }
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
