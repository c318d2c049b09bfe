//! What hdparm prints: ` Timing buffered disk reads: 340 MB in  3.01 seconds = 112.96 MB/sec`.

use crate::quantity::{rate, rate_unit, size_unit};
use crate::{Action, Figure, Line, Number, Page, Tool};

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
    figure.bytes = numbers.iter().find_map(|n| worth(n, size_unit));
    figure.seconds = numbers
        .iter()
        .find(|n| n.unit.starts_with("sec"))
        .map(|n| n.value);
    figure.bytes_per_second = worth(rated, rate_unit);
    figure.direct = Some(label.contains("O_DIRECT"));
    figure.place = device;
    figure.quoted = format!("{} {}", rated.text, rated.unit);
    Some(figure)
}

/// What hdparm calls MB are 2^20 bytes, its kB 2^10 (`hdparm.c`, `time_device`).
fn worth(number: &Number, unit: fn(&str) -> Option<f64>) -> Option<f64> {
    let binary = number.unit.to_lowercase();
    let binary = binary.replacen("mb", "mib", 1).replacen("kb", "kib", 1);
    unit(&binary).map(|bytes| number.value * bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: f64 = 1_048_576.0;

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
                (Action::CachedRead, Some(false), Some(10774.03 * MIB)),
                (Action::Read, Some(false), Some(112.96 * MIB)),
                (Action::Read, Some(true), Some(112.5 * MIB))
            ]
        );
        assert_eq!(found[1].bytes, Some(340.0 * MIB));
        let slow =
            Page::read(" Timing buffered disk reads:   2 MB in  3.00 seconds = 682.67 kB/sec");
        assert_eq!(figures(&slow)[0].bytes_per_second, Some(682.67 * 1024.0));
        assert_eq!(found[1].place.as_deref(), Some("/dev/sda"));
    }
}
