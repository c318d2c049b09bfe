//! What iostat prints: a head `Device  tps  kB_read/s ...`, a line a disk.

use super::device_row::device_row;
use crate::{Action, Figure, Line, Page, Tool};

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
        found.extend(figure(page, line, columns));
    }
    found
}

/// The transfers of one disk.
fn figure(page: &Page, line: &Line, columns: &[String]) -> Option<Figure> {
    let (name, numbers) = device_row(page, &line.text)?;
    let at = columns
        .iter()
        .position(|column| matches!(column.as_str(), "tps" | "r/s"))?;
    // The name is a column of its own.
    let rate = numbers.get(at.saturating_sub(1))?;
    let mut figure = Figure::new(Tool::Iostat, line.number, Action::Other, "transfers");
    figure.operations_per_second = Some(rate.value);
    figure.place = Some(name.to_owned());
    figure.quoted = rate.text.clone();
    Some(figure)
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

    #[test]
    fn the_numbers_of_a_device_are_none_of_its_figures() {
        for head in ["Device: tps kB_read/s", "Device r/s rkB/s"] {
            let page = Page::read(&format!("{head}\ndm-0 12.50 345.00\nvg0-root 1.50 2.00\n"));
            let found = figures(&page);
            let told: Vec<_> = found
                .iter()
                .map(|figure| (figure.place.as_deref(), figure.operations_per_second))
                .collect();
            assert_eq!(
                told,
                [(Some("dm-0"), Some(12.5)), (Some("vg0-root"), Some(1.5))],
                "{head}"
            );
        }
    }
}
