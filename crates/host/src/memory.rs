//! How much memory there is.

use etalon_units::Bytes;

/// All memory of the machine (`sysinfo(2)`).
pub fn total() -> Bytes {
    let info = rustix::system::sysinfo();
    Bytes((info.totalram as u64).saturating_mul(u64::from(info.mem_unit)))
}

/// What can be had without swapping: `MemAvailable` of proc_meminfo(5); half of the memory where it
/// is not said.
pub fn available() -> Bytes {
    let said = std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| available_of(&text));
    said.unwrap_or_else(|| Bytes(total().get() / 2))
}

fn available_of(meminfo: &str) -> Option<Bytes> {
    let mut lines = meminfo.lines();
    let line = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(Bytes::kib(kibibytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_found_and_its_absence_is_no_zero() {
        let text = "MemTotal:       100 kB\nMemAvailable:    2048 kB\n";
        assert_eq!(available_of(text), Some(Bytes::mib(2)));
        assert_eq!(available_of("MemTotal: 100 kB\n"), None);
        assert!(available() <= total());
    }
}
