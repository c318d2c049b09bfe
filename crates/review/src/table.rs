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

/// The tables of a page: at least two rows one under the other, of two numbers with decimals or more.
pub fn tables(page: &Page) -> Vec<Table> {
    let mut found = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    for line in &page.lines {
        match row(page, line) {
            Some(next) => rows.push(next),
            None => finish(page, &mut rows, &mut found),
        }
    }
    finish(page, &mut rows, &mut found);
    found
}

fn finish(page: &Page, rows: &mut Vec<Row>, found: &mut Vec<Table>) {
    let rows = std::mem::take(rows);
    if rows.len() < 2 {
        return;
    }
    let first = rows[0].line - 1;
    let above: Vec<&crate::Line> = page.before(first, HEADING).collect();
    let columns = above
        .first()
        .map(|line| cells(&line.text))
        .unwrap_or_default();
    let heading = above.iter().map(|line| line.plain.clone()).collect();
    found.push(Table {
        rows,
        heading,
        columns,
    });
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
    let (percents, values): (Vec<Number>, Vec<Number>) = numbers
        .iter()
        .filter(|n| n.start >= first.start)
        .cloned()
        .partition(|n| n.unit.starts_with('%'));
    let words = after_first(line, first.start);
    let plain = words
        .iter()
        .all(|word| word.len() <= 1 || *word == "SSD/SATA" || *word == "SATA/SSD" || *word == "x");
    let short = label.split_whitespace().count() <= 6;
    (decimals >= 2 && plain && short).then(|| Row {
        line: line.number,
        label,
        values,
        percents,
        marked: words.iter().any(|word| matches!(*word, "X" | "x" | "*")),
    })
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
    fn prose_is_no_table() {
        assert!(
            tables(&Page::read(
                "it took 1.5 s and 2.5 s here\nand 3.5 s and 4.5 s there\n"
            ))
            .is_empty()
        );
    }
}
