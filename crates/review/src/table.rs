//! Tables that people made of figures: labels, then numbers, row upon row.

use crate::{Number, Page};

/// A row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its line in the page, from 1.
    pub line: usize,
    /// The words before its first number.
    pub label: String,
    /// Its numbers that are no percentages.
    pub values: Vec<Number>,
    /// Its percentages.
    pub percents: Vec<Number>,
    /// Whether it is marked as the best.
    pub marked: bool,
}

/// A table: rows that follow each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its rows.
    pub rows: Vec<Row>,
    /// The lines above it, the nearest first, as plain words.
    pub heading: Vec<String>,
    /// The heads of its columns, where a line above has words for them.
    pub columns: Vec<String>,
}

/// Lines above a table that may be its heading.
const HEADING: usize = 3;

/// Words in which a row is marked as the best.
const MARKS: [&str; 9] = [
    "x",
    "*",
    "winner",
    "best",
    "fastest",
    "gagnant",
    "vainqueur",
    "meilleur",
    "winnaar",
];

/// The tables of a page: at least two rows one under the other, of two numbers with decimals or more, or of whole
/// numbers under a heading that tells a unit.
pub fn tables(page: &Page) -> Vec<Table> {
    let mut found = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    let mut told: Option<(usize, bool)> = None;
    for line in &page.lines {
        let counted = || {
            let row = whole_row(page, line)?;
            let first = rows.first().map_or(row.line, |first| first.line);
            // A heading is read once for all rows below it: it may be as long as a page.
            if told.is_none_or(|(at, _)| at != first) {
                told = Some((first, tells_unit(page, first)));
            }
            told.filter(|(_, is_told)| *is_told).map(|_| row)
        };
        match row(page, line).or_else(counted) {
            Some(next) => rows.push(next),
            None => finish(page, &mut rows, &mut found),
        }
    }
    finish(page, &mut rows, &mut found);
    found
}

/// Whether a rate stands in the lines above `line`: `MB/s`, `(Mo/s)`, `IOPS`.
fn tells_unit(page: &Page, line: usize) -> bool {
    let mut above = page.before(line - 1, HEADING);
    above.any(|line| {
        let words = line
            .plain
            .split(|c: char| !(c.is_alphanumeric() || c == '/'));
        let mut words = words.filter(|word| !word.is_empty());
        words.any(|word| word == "iops" || crate::quantity::rate_unit(word).is_some())
    })
}

/// A row of whole numbers: a label of its own cell, then nothing but numbers and a mark.
fn whole_row(page: &Page, line: &crate::Line) -> Option<Row> {
    let text = line.text.trim_start_matches(['|', ' ', '\t']);
    let begin = line.text.len() - text.len();
    let cut = [text.find('|'), text.find("  "), text.find('\t')];
    let alone = || first_number(text);
    let end = cut.into_iter().flatten().min().or_else(alone)?;
    let label = text[..end].trim();
    let is_named = label.chars().any(char::is_alphabetic) && label.split_whitespace().count() <= 6;
    let numbers = page.numbers(line).into_iter();
    let numbers: Vec<Number> = numbers.filter(|n| n.start >= begin + end).collect();
    let row = of_cells(line, label, numbers, begin + end)?;
    (is_named && row.values.len() >= 2).then_some(row)
}

/// Where the first number stands that is no part of a name, as those of `dev8-0` and `dm-1` are.
fn first_number(text: &str) -> Option<usize> {
    let is_named = |at: usize| {
        let mut words = text[..at].rsplit(char::is_whitespace);
        let word = words.next();
        word.is_some_and(|word| word.contains(char::is_alphabetic))
    };
    let mut digits = text.match_indices(|c: char| c.is_ascii_digit());
    digits.find(|(at, _)| !is_named(*at)).map(|(at, _)| at)
}

/// The row of these numbers, behind which stand no words but a mark.
fn of_cells(line: &crate::Line, label: &str, numbers: Vec<Number>, start: usize) -> Option<Row> {
    let words = after_first(line, start);
    // Programs print what belongs to a name so: `IO depths : 1=100.0%, 2=0.0%`.
    let is_assigned = |n: &Number| line.text[..n.start].ends_with('=');
    if numbers.iter().any(is_assigned) {
        return None;
    }
    let is_plain = |word: &&str| {
        let bare = bare(word);
        bare.chars().count() <= 1
            || matches!(bare.as_str(), "ssd/sata" | "sata/ssd")
            || MARKS.contains(&bare.as_str())
    };
    let plain = words.iter().all(is_plain);
    let (percents, values) = numbers.into_iter().partition(|n| n.unit.starts_with('%'));
    plain.then(|| Row {
        line: line.number,
        label: label.to_owned(),
        values,
        percents,
        marked: words
            .iter()
            .any(|word| MARKS.contains(&bare(word).as_str())),
    })
}

/// A word in lower case, without the brackets or signs around it.
fn bare(word: &str) -> String {
    match word {
        "*" => word.to_owned(),
        _ => word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase(),
    }
}

fn finish(page: &Page, rows: &mut Vec<Row>, found: &mut Vec<Table>) {
    let rows = std::mem::take(rows);
    if rows.len() < 2 {
        return;
    }
    let first = rows[0].line - 1;
    let above: Vec<&crate::Line> = page.before(first, HEADING).collect();
    // A rule or an empty line between is none.
    let worded = |line: &&&crate::Line| line.text.contains(char::is_alphanumeric);
    let nearest = above.iter().find(worded);
    let columns = nearest.map_or_else(Vec::new, |line| heads(line, found));
    let heading = above.iter().map(|line| line.plain.clone()).collect();
    found.push(Table {
        rows,
        heading,
        columns,
    });
}

/// The heads that a line above a table is: those of the table above it, if it is the last row of that.
fn heads(line: &crate::Line, found: &[Table]) -> Vec<String> {
    let ends_there = |table: &&Table| table.rows.last().is_some_and(|row| row.line == line.number);
    let before = found.last().filter(ends_there);
    before.map_or_else(|| cells(&line.text), |table| table.columns.clone())
}

fn cells(text: &str) -> Vec<String> {
    let bars = text.contains('|');
    let parts: Vec<&str> = if bars {
        text.split('|').collect()
    } else {
        text.split_whitespace().collect()
    };
    parts
        .into_iter()
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// A row: a short label, then numbers and nothing else but bars, signs and a mark.
fn row(page: &Page, line: &crate::Line) -> Option<Row> {
    let numbers = page.numbers(line);
    let decimals = numbers.iter().filter(|n| n.decimals > 0).count();
    let first = numbers.iter().find(|n| n.decimals > 0)?;
    let label = line
        .text
        .get(..first.start)?
        .replace('|', " ")
        .trim()
        .to_owned();
    let start = first.start;
    let short = label.split_whitespace().count() <= 6;
    let behind = numbers.iter().filter(|n| n.start >= start).cloned();
    let row = of_cells(line, &label, behind.collect(), start)?;
    (decimals >= 2 && short).then_some(row)
}

/// The words after the first number that are no numbers.
fn after_first(line: &crate::Line, start: usize) -> Vec<&str> {
    let rest = &line.text[start..];
    let words = rest.split(|c: char| c.is_whitespace() || c == '|');
    words
        .filter(|word| word.chars().any(char::is_alphabetic) || *word == "*")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_runs_with_shares_and_a_mark() {
        let page = Page::read(
            "RAM 8GO | Dualcore kernel 2.6.31 |\nhdparm -t | 1 | 2 | 3 | TOTAL |\nSSD RAID | Noop | 201,87 | 207,80 | 203,05 | 204,24 | 103,873% | X |\nCFQ | 154,12 | 202,68 | 204,47 | 187,09 | 95,151% | ||\n",
        );
        let found = tables(&page);
        assert_eq!(found.len(), 1);
        let rows = &found[0].rows;
        assert_eq!(
            (rows[0].label.as_str(), rows[0].marked, rows[1].marked),
            ("SSD RAID   Noop", true, false)
        );
        assert_eq!(rows[0].values.len(), 4);
        assert_eq!(rows[1].percents[0].value, 95.151);
    }

    #[test]
    fn whole_numbers_under_a_unit_and_a_mark_in_words() {
        let text = "Throughput (MB/s)\n| scheduler | 1 | 2 | 3 | mean |\n|---|---|---|---|---|\n| noop | 134 | 140 | 137 | 137 | (winner) |\n| md 10 | 133 | 139 | 136 | 136 |\n";
        let found = tables(&Page::read(text));
        assert_eq!(found.len(), 1);
        let [first, second] = &found[0].rows[..] else {
            panic!("{found:?}")
        };
        assert_eq!((first.label.as_str(), first.marked), ("noop", true));
        assert_eq!((second.label.as_str(), second.marked), ("md 10", false));
        assert_eq!(second.values.len(), 4);
        assert!(found[0].may_be_runs(first));
        let plain = "IOPS     read   write\next4     5000   4000\nxfs      5100   3900 *\n";
        let found = tables(&Page::read(plain));
        assert!(found[0].rows[1].marked && !found[0].may_be_runs(&found[0].rows[0]));
    }

    #[test]
    fn the_numbers_of_a_device_are_none_of_its_row() {
        let text = "IOPS read write\ndev8-0 5000 4000\ndm-1 5100 3900\n";
        let found = tables(&Page::read(text));
        let rows = found[0].rows.iter();
        let told: Vec<(&str, Vec<f64>)> = rows
            .map(|row| (&*row.label, row.values.iter().map(|n| n.value).collect()))
            .collect();
        assert_eq!(
            told,
            [
                ("dev8-0", vec![5000.0, 4000.0]),
                ("dm-1", vec![5100.0, 3900.0])
            ]
        );
    }

    #[test]
    fn whole_numbers_without_a_unit_or_among_words_are_no_table() {
        for text in [
            "Filesystem 1K-blocks Used\n/dev/sda1 1000 500\n/dev/sdb1 1000 400\n",
            "at 5 MB/s\nit took 15 minutes and 25 seconds\nand 35 more and 45 less\n",
            "MB/s\n33554432 1024 150000\n33554432 2048 150000\n",
            "MB/s\nnoop 12\ncfq 13\n",
        ] {
            assert!(tables(&Page::read(text)).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_table_goes_on_under_the_heads_of_the_one_above_it() {
        let rows = "noop | 70.1 | 72.3 | 71.2\ncfq | 71.1 | 72.2 | 71.6\n";
        let text = format!("disk | 1 | 2 | mean\n{rows}\n{rows}\n\nwords of another\n{rows}");
        let found = tables(&Page::read(&text));
        let heads: Vec<&str> = found.iter().map(|table| &*table.columns[0]).collect();
        assert_eq!(heads, ["disk", "disk", "words"]);
    }

    #[test]
    fn names_with_their_values_are_no_table() {
        let text = "  lat (usec)   : 100=0.02%, 250=50.10%\n  lat (msec)   : 20=49.90%, 50=0.01%\n  cpu          : usr=0.37%, sys=18.39%, ctx=8170\n  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%\n     submit    : 0=0.0%, 4=100.0%, 8=0.0%\n";
        assert!(tables(&Page::read(text)).is_empty());
    }

    #[test]
    fn prose_is_no_table() {
        assert!(
            tables(&Page::read(
                "it took 1.5 s and 2.5 s here\nand 3.5 s and 4.5 s there\n"
            ))
            .is_empty()
        );
    }
}
