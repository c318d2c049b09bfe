//! Which test each rate of a row is of: iozone leaves blank the columns of tests that were not chosen.

use super::iozone_options::IozoneOptions;
use crate::{Action, Line};

/// The columns after the two sizes, as iozone's manual lists the tests.
pub(super) const COLUMNS: [(&str, Action); 13] = [
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

/// The columns of each test that `-i` chooses by its number; those from 8 on have none in this table, or further ones.
const TESTS: [&[usize]; 8] = [
    &[0, 1],
    &[2, 3],
    &[4, 5],
    &[6],
    &[7],
    &[8],
    &[9, 10],
    &[11, 12],
];

/// How wide each column is where a rate stands in it, and where none does.
struct Layout {
    rates: [usize; COLUMNS.len()],
    blanks: [usize; COLUMNS.len()],
}

/// What iozone 3.388 to 3.424, what 3.471 to 3.492, and what etalon and later ones print (`iozone.c`: `printf` of each
/// rate, and `test_output`).
const LAYOUTS: [Layout; 3] = [
    Layout {
        rates: [8, 8, 8, 9, 8, 8, 8, 9, 9, 9, 9, 9, 9],
        blanks: [8, 8, 9, 9, 8, 8, 8, 8, 8, 9, 9, 8, 8],
    },
    Layout {
        rates: [9, 9, 9, 9, 9, 9, 9, 10, 10, 9, 9, 9, 9],
        blanks: [9, 9, 9, 9, 9, 9, 9, 10, 10, 9, 9, 9, 8],
    },
    Layout {
        rates: [10, 10, 10, 10, 10, 10, 10, 11, 11, 10, 10, 10, 10],
        blanks: [9, 9, 9, 9, 9, 9, 9, 10, 10, 9, 9, 9, 9],
    },
];
/// The width of the record's column in each of them.
const RECORD: usize = 8;

/// The columns of the `count` rates of a row: by their places in its line, or else by the tests that its command chose.
/// None where neither tells them.
pub(super) fn columns(
    line: &Line,
    count: usize,
    options: Option<&IozoneOptions>,
) -> Option<Vec<usize>> {
    let placed = by_place(&line.text).filter(|columns| columns.len() == count);
    let whole = || (count == COLUMNS.len()).then(|| (0..count).collect());
    placed.or_else(|| options.map_or_else(whole, |options| by_tests(options, count)))
}

fn by_place(text: &str) -> Option<Vec<usize>> {
    let ends = ends(text);
    let (file, record) = (*ends.first()?, *ends.get(1)?);
    // Where the blanks of the line were not kept, places tell nothing.
    if record - file != RECORD {
        return None;
    }
    let rates: Vec<usize> = ends.iter().skip(2).map(|end| end - record).collect();
    let fitting = LAYOUTS.iter().filter_map(|layout| layout.columns(&rates));
    let (whole, halves): (Vec<_>, Vec<_>) = fitting.partition(|columns| is_of_whole_tests(columns));
    let mut fitting = if whole.is_empty() { halves } else { whole };
    fitting.dedup();
    (fitting.len() == 1).then(|| fitting.remove(0))
}

/// Whether it is what iozone prints: of a test both columns or none. etalon leaves the second one blank with `-+n`.
fn is_of_whole_tests(columns: &[usize]) -> bool {
    let has = |column: &usize| columns.contains(column);
    TESTS
        .iter()
        .all(|test| test.iter().all(has) || !test.iter().any(has))
}

/// Where each word of a text ends.
fn ends(text: &str) -> Vec<usize> {
    let letters: Vec<char> = text.chars().collect();
    let blank = |at: usize| letters.get(at).is_none_or(|c| c.is_whitespace());
    let ends = (1..=letters.len()).filter(|at| blank(*at) && !blank(at - 1));
    ends.collect()
}

impl Layout {
    /// The columns in which rates end at these places behind the record, if each ends where a column does.
    fn columns(&self, rates: &[usize]) -> Option<Vec<usize>> {
        let mut rates = rates.iter().peekable();
        let (mut found, mut at) = (Vec::new(), 0);
        for (column, (wide, blank)) in self.rates.iter().zip(self.blanks).enumerate() {
            if rates.next_if_eq(&&(at + wide)).is_some() {
                found.push(column);
                at += wide;
            } else {
                at += blank;
            }
        }
        rates.next().is_none().then_some(found)
    }
}

/// The first columns of the tests that a command chose, as many as there are rates: a row may be cut.
fn by_tests(options: &IozoneOptions, count: usize) -> Option<Vec<usize>> {
    let mut columns = chosen(options)?;
    // With -+n nothing is done again, and the columns of that may be blank.
    if options.has_plus("n") && count != columns.len() {
        columns.retain(|column| TESTS.iter().any(|test| test.first() == Some(column)));
    }
    (count <= columns.len()).then(|| columns[..count].to_vec())
}

/// The columns of the tests that a command chose, or of all; none where it chose one whose columns are not known.
fn chosen(options: &IozoneOptions) -> Option<Vec<usize>> {
    let numbers = options.values('i');
    if numbers.is_empty() {
        return Some((0..COLUMNS.len()).collect());
    }
    let tests = numbers
        .iter()
        .map(|number| TESTS.get(number.parse::<usize>().ok()?));
    let tests: Option<Vec<&&[usize]>> = tests.collect();
    let mut columns: Vec<usize> = tests?.into_iter().copied().flatten().copied().collect();
    columns.sort_unstable();
    columns.dedup();
    Some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row as a layout has it, with the tests of the bits of `chosen`.
    fn row(layout: &Layout, chosen: u32) -> (String, Vec<usize>) {
        let mut text = format!("{:>16}{:>8}", 131_072, 1024);
        let mut columns = Vec::new();
        for column in 0..COLUMNS.len() {
            let test = TESTS.iter().position(|test| test.contains(&column));
            let is_chosen = test.is_some_and(|test| chosen & (1 << test) != 0);
            let (rate, blank) = (layout.rates[column], layout.blanks[column]);
            match is_chosen {
                true => text += &format!("{:>rate$}", 271_000 + column),
                false => text += &" ".repeat(blank),
            }
            columns.extend(is_chosen.then_some(column));
        }
        (text, columns)
    }

    #[test]
    fn each_choice_of_tests_is_told_by_the_places_of_its_rates_alone() {
        for (version, layout) in LAYOUTS.iter().enumerate() {
            for chosen in 1..256 {
                let (text, columns) = row(layout, chosen);
                assert_eq!(by_place(&text), Some(columns), "{version}: {text}");
                // A page may have it further in.
                assert!(by_place(&format!("    {text} ")).is_some());
            }
        }
    }

    #[test]
    fn lines_of_each_version() {
        for line in [
            "          131072    1024  271000  281000                    191000  201000",
            "          131072    1024   271000   281000                     191000   201000",
            "           65536       4   1024000   1536000                     1433600   1331200",
        ] {
            assert_eq!(by_place(line), Some(vec![0, 1, 4, 5]), "{line}");
        }
        // etalon with -+n, which repeats nothing.
        let once = "           65536       4   1024000            1536000";
        assert_eq!(by_place(once), Some(vec![0, 2]));
        assert_eq!(by_place("131072 1024 271000 281000"), None);
    }
}
