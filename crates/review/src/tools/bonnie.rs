//! What bonnie++ prints: its line of commas, and its table for people.

use crate::quantity::option_size;
use crate::{Action, Figure, Line, Page, Tool};

/// The columns of a line of commas, from the field after the sizes: rate at `.0`.
const COMMAS: [(usize, &str, Action); 4] = [
    (9, "sequential output block", Action::Write),
    (11, "rewrite", Action::Other),
    (15, "sequential input block", Action::Read),
    (17, "random seeks", Action::Other),
];
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
    let fields: Vec<&str> = line.text.trim().split(',').collect();
    let versioned = fields
        .first()
        .is_some_and(|v| v.starts_with("1.9") || v.starts_with("2."));
    if !versioned || fields.len() < 20 {
        return Vec::new();
    }
    let size = option_size(fields[5], 1.0);
    let rated = COMMAS
        .iter()
        .filter_map(|(at, label, action)| Some((fields.get(*at)?.parse().ok()?, *label, *action)));
    rated
        .map(|(rate, label, action)| figure(line, size, rate, label, action))
        .collect()
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
