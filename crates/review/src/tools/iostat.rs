//! What iostat prints: a head `Device  tps  kB_read/s ...`, a line a disk.

use super::device_row::device_row;
use crate::{Action, Figure, Line, Number, Page, Tool};

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
    // The name is a column of its own.
    let number = |at: usize| numbers.get(at.saturating_sub(1));
    let rates: Option<Vec<&Number>> = transfers(columns).into_iter().map(number).collect();
    let rates = rates.filter(|rates| !rates.is_empty())?;
    let texts: Vec<&str> = rates.iter().map(|rate| rate.text.as_str()).collect();
    let mut figure = Figure::new(Tool::Iostat, line.number, Action::Other, "transfers");
    figure.operations_per_second = Some(rates.iter().map(|rate| rate.value).sum());
    figure.place = Some(name.to_owned());
    figure.quoted = texts.join(" + ");
    Some(figure)
}

/// The columns that transfers are counted in: `tps`, or with `-x` what is in it, which are reads, writes and discards.
/// Flushes are counted as writes already (`iostat.c`, `write_plain_basic_stat`).
fn transfers(columns: &[String]) -> Vec<usize> {
    let places = |names: &[&str]| -> Vec<usize> {
        let all = columns.iter().enumerate();
        let own = all.filter(|(_, column)| names.contains(&column.as_str()));
        own.map(|(at, _)| at).collect()
    };
    match places(&["tps"]) {
        all if all.is_empty() => places(&["r/s", "w/s", "d/s"]),
        all => all,
    }
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
    #[test]
    fn transfers_are_reads_writes_and_discards() {
        let rates = |text: &str| -> Vec<f64> {
            let found = figures(&Page::read(text)).into_iter();
            found.filter_map(|one| one.operations_per_second).collect()
        };
        let close = |text: &str, expected: f64| {
            let found = rates(text);
            assert!((found[0] - expected).abs() < 0.02, "{found:?}: {text}");
        };
        // The same interval, as sysstat 12.6 prints it without -x and with it.
        close(
            "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\nvda             513.63      8645.11     85989.98     84978.16  257446661 2560734188 2530602860\n",
            513.63,
        );
        close(
            "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util\nvda            387.57   8645.40     5.61   1.43    0.39    22.31  101.50  85992.89    23.59  18.86    7.27   847.20   24.57  84981.04     0.01   0.03    0.55  3458.56   12.15    0.09    0.90   4.92\n",
            513.63,
        );
        // Older ones had other columns between, and no discards.
        close(
            "Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util\nsda               0.00    12.00    2.50  497.50    10.00  1990.00     8.00     1.20    2.40    0.50    2.41   1.90  95.00\n",
            500.0,
        );
        let quoted = &figures(&Page::read("Device r/s w/s\nsda 2.50 497.50\nsdb 2.50\n"));
        assert_eq!(quoted.len(), 1);
        assert_eq!(quoted[0].quoted, "2.50 + 497.50");
    }
}
