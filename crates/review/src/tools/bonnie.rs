//! What bonnie++ prints: its line of commas, and its table for people.

use crate::quantity::option_size;
use crate::{Action, Figure, Line, Page, Tool};

/// The fields of a line of commas up to format 1.97, each a rate with the processor's share behind it.
const COMMAS: [(usize, &str, Action); 4] = [
    (9, "sequential output block", Action::Write),
    (11, "rewrite", Action::Other),
    (15, "sequential input block", Action::Read),
    (17, "random seeks", Action::Other),
];
/// Fields of a line of commas, of which later formats have more.
const FEWEST_FIELDS: usize = 20;
/// The pairs of rate and processor share of the table, after the machine's name and size.
const PAIRS: [(usize, &str, Action); 4] = [
    (1, "sequential output block", Action::Write),
    (2, "rewrite", Action::Other),
    (4, "sequential input block", Action::Read),
    (5, "random seeks", Action::Other),
];
/// bonnie++ counts in K of 1024 bytes.
const K: f64 = 1024.0;

/// The figures of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let mut in_table = false;
    let mut found = Vec::new();
    for line in &page.lines {
        found.extend(commas(line));
        if line.text.contains("K/sec %CP") {
            in_table = true;
        } else if in_table && line.text.contains("------") {
            in_table = false;
        } else if in_table {
            found.extend(table(line));
        }
    }
    found
}

/// `1.97,1.98,host,1,1700000000,16G,,1105,99,238193,12,...`
fn commas(line: &Line) -> Vec<Figure> {
    let fields = fields(line);
    let Some(further) = further_fields(fields[0]).filter(|_| is_row(&fields)) else {
        return Vec::new();
    };
    let size = option_size(fields[5], 1.0);
    let rated = COMMAS.iter().filter_map(|(at, label, action)| {
        let rate = fields.get(at + further)?.parse().ok()?;
        Some((rate, *label, *action))
    });
    rated
        .map(|(rate, label, action)| figure(line, size, rate, label, action))
        .collect()
}

fn fields(line: &Line) -> Vec<&str> {
    line.text.trim().split(',').collect()
}

/// How many fields a format has before the rates that 1.97 has not: 1.98, which bonnie++ 2.00 writes too, has the number
/// of seeks and of their processes. None of formats that are not known.
fn further_fields(format: &str) -> Option<usize> {
    let (major, minor) = version(format)?;
    match (major, minor) {
        (1, 90..=97) => Some(0),
        (1, 98) => Some(2),
        _ => None,
    }
}

/// The two numbers of `1.97` or `2.00a`.
fn version(text: &str) -> Option<(u32, u32)> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let (major, minor) = number.split_once('.')?;
    let is_short = major.len() == 1 && minor.len() == 2;
    is_short.then_some((major.parse().ok()?, minor.parse().ok()?))
}

/// Whether a line is one of commas, in whatever format: versions of format and program, a name, and what was measured.
fn is_row(fields: &[&str]) -> bool {
    let versions = fields.iter().take(2).filter_map(|field| version(field));
    let is_named = fields
        .get(2)
        .is_some_and(|name| name.parse::<f64>().is_err());
    fields.len() >= FEWEST_FIELDS && versions.count() == 2 && is_named
}

/// The lines of commas of which no rate could be read.
pub(super) fn unread(page: &Page) -> Vec<usize> {
    let lines = page.lines.iter();
    let unread = lines.filter(|line| is_row(&fields(line)) && commas(line).is_empty());
    unread.map(|line| line.number).collect()
}

/// `myhost 16G  1105  99 238193  12 117423   8  2534  98 331122  11 284.5   9`
fn table(line: &Line) -> Vec<Figure> {
    let words = line.words();
    let Some(at) = words
        .iter()
        .position(|word| word.ends_with(['G', 'M']) && option_size(word, 1.0).is_some())
    else {
        return Vec::new();
    };
    let size = option_size(words[at], 1.0);
    let rates = &words[at + 1..];
    let rated = PAIRS.iter().filter_map(|(pair, label, action)| {
        Some((rates.get(pair * 2)?.parse().ok()?, *label, *action))
    });
    rated
        .map(|(rate, label, action)| figure(line, size, rate, label, action))
        .collect()
}

fn figure(line: &Line, size: Option<f64>, rate: f64, label: &str, action: Action) -> Figure {
    let mut figure = Figure::new(Tool::Bonnie, line.number, action, label);
    figure.file_bytes = size;
    match label {
        "random seeks" => figure.operations_per_second = Some(rate),
        _ => figure.bytes_per_second = Some(rate * K),
    }
    figure.direct = Some(false);
    // bonnie++ calls fsync before it stops its clock.
    figure.durable = Some(true);
    figure.quoted = rate.to_string();
    figure
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Label and rate of each figure of a line, and whether it is one of which nothing could be read.
    fn told(line: &str) -> (Vec<(String, String)>, bool) {
        let page = Page::read(line);
        let found = figures(&page).into_iter();
        let told = found.map(|one| (one.label, one.quoted)).collect();
        (told, !unread(&page).is_empty())
    }

    #[test]
    fn later_formats_have_the_seeks_before_the_rates() {
        let owned = |label: &str, rate: &str| (label.to_owned(), rate.to_owned());
        let line = "1.98,2.00a,testhost,1,1796076758,512M,,8192,5,575,29,280067,28,319372,27,919,29,731122,11,1284.5,30,,,,,,,,,,,,,,,,,,32327us,24052us,20062us,26656us,12047us,30358us,,,,,,";
        let all = vec![
            owned("sequential output block", "280067"),
            owned("rewrite", "319372"),
            owned("sequential input block", "731122"),
            owned("random seeks", "1284.5"),
        ];
        assert_eq!(told(line), (all.clone(), false));
        // What was too fast to be told.
        let fast = line.replace("731122,11,1284.5,30", "+++++,+++,+++++,+++");
        assert_eq!(told(&fast), (all[..2].to_vec(), false));
        let before = line
            .replace("1.98,2.00a", "1.97,1.97")
            .replace(",8192,5,", ",");
        assert_eq!(told(&before), (all, false));
    }

    #[test]
    fn a_line_of_an_unknown_format_or_without_a_rate_is_named() {
        let line = |versions: &str| {
            format!(
                "{versions},host,1,1700000000,16G,,1105,99,238193,12,117423,8,2534,98,331122,11,284.5,9,16,,"
            )
        };
        for versions in ["1.99,2.05", "2.00,2.10a", "3.01,3.01"] {
            assert_eq!(told(&line(versions)), (Vec::new(), true), "{versions}");
        }
        let fast = "1.98,2.00a,testhost,1,1796070843,16M,,8192,5,597,30,+++++,+++,+++++,+++,966,30,+++++,+++,+++++,+++";
        assert_eq!(told(fast), (Vec::new(), true));
        let page = Page::read(&line("1.99,2.05"));
        let named = crate::tools::unread(&page, &crate::tools::figures(&page));
        assert_eq!((named[0].tool, named[0].line), (Tool::Bonnie, 1));
        for other in ["1.99,2.05,host", &line("1.50,99.9"), &"1.50,".repeat(30)] {
            assert_eq!(told(other), (Vec::new(), false), "{other}");
        }
    }

    #[test]
    fn both_forms_say_the_same() {
        let commas = "1.97,1.98,host,1,1700000000,16G,,1105,99,238193,12,117423,8,2534,98,331122,11,284.5,9,16";
        let table = "Version  1.98       ------Sequential Output------ --Sequential Input- --Random-\nName:Size etc        /sec %CP  /sec %CP\nMachine  Size K/sec %CP K/sec %CP\nhost 16G 1105 99 238193 12 117423 8 2534 98 331122 11 284.5 9\n";
        let rates = |text: &str| -> Vec<Option<f64>> {
            figures(&Page::read(text))
                .iter()
                .map(|f| f.bytes_per_second)
                .collect()
        };
        assert_eq!(rates(commas), rates(table));
        assert_eq!(rates(commas)[0], Some(238193.0 * 1024.0));
        assert_eq!(
            figures(&Page::read(table))[3].operations_per_second,
            Some(284.5)
        );
    }
}
