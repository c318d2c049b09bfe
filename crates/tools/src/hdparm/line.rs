//! The line that hdparm prints for a measurement.

use etalon_units::Bytes;

use etalon_workload::raw_read::{Part, RawRead, RawReading};

/// hdparm's line, without its newline: ` Timing buffered disk reads: 508 MB in  3.00 seconds =
/// 169.26 MB/sec`. hdparm writes MB for 2^20 bytes, and kB for 2^10 below one of them per second.
pub(super) fn line(reading: &RawReading) -> String {
    let mebibytes = reading.bytes.get() / Bytes::mib(1).get();
    let seconds = reading.elapsed.as_secs_f64().max(1e-6);
    let rate = mebibytes as f64 / seconds;
    let (rate, unit) = if rate > 1.0 {
        (rate, "MB")
    } else {
        (rate * 1024.0, "kB")
    };
    format!(
        "{}{mebibytes:3} MB in {seconds:5.2} seconds = {rate:6.2} {unit}/sec",
        heading(&reading.read)
    )
}

/// What hdparm writes before the figures.
fn heading(read: &RawRead) -> String {
    let offset = match read.offset.get() / Bytes::gib(1).get() {
        0 => String::new(),
        gibibytes => format!(" (offset {gibibytes} GB)"),
    };
    match (read.part, read.direct) {
        (Part::Cache, false) => " Timing cached reads:   ".to_owned(),
        (Part::Cache, true) => " Timing O_DIRECT cached reads:   ".to_owned(),
        (Part::Disk, false) => format!(" Timing buffered disk reads{offset}: "),
        (Part::Disk, true) => format!(" Timing O_DIRECT disk reads{offset}: "),
    }
}

#[cfg(test)]
mod tests {
    use super::super::span::timed_read;
    use super::*;
    use etalon_units::Nanos;

    fn line(part: Part, direct: bool, mebibytes: u64, nanos: u64) -> String {
        super::line(&RawReading {
            read: timed_read(part, direct, Bytes(0)),
            bytes: Bytes::mib(mebibytes),
            elapsed: Nanos(nanos),
            cached_before: None,
            device_share: None,
        })
    }

    #[test]
    fn lines_are_those_of_hdparm() {
        assert_eq!(
            line(Part::Disk, false, 508, 3_001_300_000),
            " Timing buffered disk reads: 508 MB in  3.00 seconds = 169.26 MB/sec"
        );
        assert_eq!(
            line(Part::Disk, true, 300, 87_172_000),
            " Timing O_DIRECT disk reads: 300 MB in  0.09 seconds = 3441.47 MB/sec"
        );
        assert_eq!(
            line(Part::Cache, false, 11630, 1_998_000_000),
            " Timing cached reads:   11630 MB in  2.00 seconds = 5820.82 MB/sec"
        );
        assert_eq!(
            line(Part::Disk, false, 2, 3_000_000_000),
            " Timing buffered disk reads:   2 MB in  3.00 seconds = 682.67 kB/sec"
        );
    }
}
