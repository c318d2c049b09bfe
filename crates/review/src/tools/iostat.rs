//! What iostat prints: a head `Device  tps  kB_read/s ...`, a line a disk.

use crate::{Action, Figure, Page, Tool};

/// Transfers a second of each disk.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let mut head: Option<Vec<String>> = None;
    let mut found = Vec::new();
    for line in &page.lines {
        let words = line.words();
        if words
            .first()
            .is_some_and(|word| matches!(*word, "Device" | "Device:"))
        {
            head = Some(words.iter().map(|word| (*word).to_owned()).collect());
            continue;
        }
        if words.is_empty() {
            head = None;
        }
        let Some(columns) = &head else { continue };
        let numbers = page.numbers(line);
        let at = columns
            .iter()
            .position(|c| matches!(c.as_str(), "tps" | "r/s"));
        if let Some(rate) = at.and_then(|at| numbers.get(at.saturating_sub(1))) {
            let mut figure = Figure::new(Tool::Iostat, line.number, Action::Other, "transfers");
            figure.operations_per_second = Some(rate.value);
            figure.place = words.first().map(|word| (*word).to_owned());
            figure.quoted = rate.text.clone();
            found.push(figure);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disks_below_the_head_are_read() {
        let page = Page::read(
            "Device             tps    kB_read/s\nsda              12.50       345.00\n\nsdb 1.0 2.0\n",
        );
        let found = figures(&page);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].operations_per_second, Some(12.5));
    }
}
