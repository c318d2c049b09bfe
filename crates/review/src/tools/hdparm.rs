//! What hdparm prints: ` Timing buffered disk reads: 340 MB in  3.01 seconds = 112.96 MB/sec`.

use crate::quantity::{rate, size};
use crate::{Action, Figure, Line, Page, Tool};

/// The timings of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let mut device = None;
    let mut found = Vec::new();
    for line in &page.lines {
        let text = line.text.trim();
        if text.starts_with("/dev/") && text.ends_with(':') {
            device = Some(text.trim_end_matches(':').to_owned());
        }
        found.extend(timing(page, line, device.clone()));
    }
    found
}

fn timing(page: &Page, line: &Line, device: Option<String>) -> Option<Figure> {
    let start = line.find("timing ")?;
    let label = line.text.get(start..)?.split(':').next()?.trim();
    let cached = label.contains("cached");
    if !(cached || label.contains("disk reads")) {
        return None;
    }
    let numbers = page.numbers(line);
    let rated = numbers.iter().rev().find(|n| rate(n).is_some())?;
    let action = if cached {
        Action::CachedRead
    } else {
        Action::Read
    };
    let mut figure = Figure::new(Tool::Hdparm, line.number, action, label);
    figure.bytes = numbers.iter().find_map(size);
    figure.seconds = numbers
        .iter()
        .find(|n| n.unit.starts_with("sec"))
        .map(|n| n.value);
    figure.bytes_per_second = rate(rated);
    figure.direct = Some(label.contains("O_DIRECT"));
    figure.place = device;
    figure.quoted = format!("{} {}", rated.text, rated.unit);
    Some(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_timings_are_told_apart() {
        let page = Page::read(
            "/dev/sda:\n Timing cached reads:   21440 MB in  1.99 seconds = 10774.03 MB/sec\n Timing buffered disk reads: 340 MB in  3.01 seconds = 112.96 MB/sec\n Timing O_DIRECT disk reads: 338 MB in  3.00 seconds = 112.50 MB/sec\n",
        );
        let found = figures(&page);
        let told: Vec<_> = found
            .iter()
            .map(|f| (f.action, f.direct, f.bytes_per_second))
            .collect();
        assert_eq!(
            told,
            [
                (Action::CachedRead, Some(false), Some(10774.03e6)),
                (Action::Read, Some(false), Some(112.96e6)),
                (Action::Read, Some(true), Some(112.5e6))
            ]
        );
        assert_eq!(found[1].place.as_deref(), Some("/dev/sda"));
    }
}
