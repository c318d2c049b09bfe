//! The lines with which dd closes, and the one that it keeps up to date.

use etalon_units::Nanos;
use etalon_workload::copy::{Counts, StatusLevel, human};

/// dd's closing lines, each with its newline: records in, records out, truncated ones if any, and unless `noxfer` bytes,
/// time and rate. Empty for `none`.
pub(crate) fn statistics(counts: &Counts, elapsed: Nanos, level: StatusLevel) -> String {
    if level == StatusLevel::None {
        return String::new();
    }
    let mut text = format!(
        "{}+{} records in\n{}+{} records out\n",
        counts.full_in, counts.partial_in, counts.full_out, counts.partial_out
    );
    match counts.truncated {
        0 => {}
        1 => text.push_str("1 truncated record\n"),
        more => text.push_str(&format!("{more} truncated records\n")),
    }
    if level != StatusLevel::NoTransfer {
        let seconds = human::seconds(elapsed.get());
        text.push_str(&transfer(counts, elapsed, &seconds));
        text.push('\n');
    }
    text
}

/// The line of `status=progress`, without an end of line; time in whole seconds.
pub(crate) fn progress(counts: &Counts, elapsed: Nanos) -> String {
    transfer(counts, elapsed, &format!("{:.0}", elapsed.as_secs_f64()))
}

fn transfer(counts: &Counts, elapsed: Nanos, seconds: &str) -> String {
    let bytes = counts.bytes.get();
    let rate = human::rate(bytes, elapsed.get());
    let size = match bytes {
        1 => "1 byte".to_owned(),
        0..1000 => format!("{bytes} bytes"),
        1000..1024 => format!("{bytes} bytes ({})", human::decimal(bytes)),
        _ => format!(
            "{bytes} bytes ({}, {})",
            human::decimal(bytes),
            human::binary(bytes)
        ),
    };
    format!("{size} copied, {seconds} s, {rate}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_units::Bytes;

    #[test]
    fn the_lines_are_those_of_gnu_dd() {
        let counts = Counts {
            full_in: 20480,
            full_out: 20480,
            bytes: Bytes(1_342_177_280),
            ..Counts::default()
        };
        let elapsed = Nanos(5_071_590_000);
        let all = "20480+0 records in\n20480+0 records out\n\
                   1342177280 bytes (1.3 GB, 1.2 GiB) copied, 5.07159 s, 265 MB/s\n";
        assert_eq!(statistics(&counts, elapsed, StatusLevel::Default), all);
        assert_eq!(statistics(&counts, elapsed, StatusLevel::None), "");
        assert_eq!(
            statistics(&counts, elapsed, StatusLevel::NoTransfer),
            "20480+0 records in\n20480+0 records out\n"
        );
        assert_eq!(
            progress(&counts, elapsed),
            "1342177280 bytes (1.3 GB, 1.2 GiB) copied, 5 s, 265 MB/s"
        );
    }

    #[test]
    fn small_counts_carry_only_the_units_that_say_something() {
        let line = |bytes| {
            let counts = Counts {
                bytes: Bytes(bytes),
                ..Counts::default()
            };
            progress(&counts, Nanos::secs(1))
        };
        assert_eq!(line(0), "0 bytes copied, 1 s, 0.0 kB/s");
        assert_eq!(line(1), "1 byte copied, 1 s, 0.0 kB/s");
        assert_eq!(line(999), "999 bytes copied, 1 s, 1.0 kB/s");
        assert_eq!(line(1000), "1000 bytes (1.0 kB) copied, 1 s, 1.0 kB/s");
        assert_eq!(
            line(1024),
            "1024 bytes (1.0 kB, 1.0 KiB) copied, 1 s, 1.0 kB/s"
        );
    }
}
