//! The kernel's command line: which parameters it has stays, and what most of them are set to does not.

/// Settings of a switch.
const SWITCHES: [&str; 10] = [
    "on", "off", "yes", "no", "y", "n", "auto", "always", "never", "madvise",
];

/// `line` with every value hidden that is no number and no switch: they name disks (`root=`, `cryptdevice=`), addresses
/// (`ip=`, `netconsole=`) and hosts.
pub(super) fn hide(line: &str, hidden: impl Fn(&str) -> String) -> String {
    let words = line.split(' ').map(|word| match word.split_once('=') {
        Some((key, value)) if !is_plain(value) => format!("{key}={}", hidden(value)),
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn is_plain(value: &str) -> bool {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    is_number || SWITCHES.contains(&value.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_and_switches_stay() {
        let line = "quiet root=UUID=ab-cd mitigations=off nvme.poll_queues=4 ip=10.0.0.2::10.0.0.1";
        assert_eq!(
            super::hide(line, |_| "X".to_owned()),
            "quiet root=X mitigations=off nvme.poll_queues=4 ip=X"
        );
    }
}
