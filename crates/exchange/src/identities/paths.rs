//! Paths, whose parts name users, their directories, and devices by their serial numbers.

/// Directories of the system: what lies in them names nobody.
const OF_THE_SYSTEM: [&str; 10] = [
    "bin", "boot", "etc", "lib", "lib32", "lib64", "proc", "sbin", "sys", "usr",
];
/// Parts that every machine has (Filesystem Hierarchy Standard 3.0; udev's directories of devices).
const OF_EVERY_MACHINE: [&str; 24] = [
    "block",
    "by-id",
    "by-label",
    "by-partlabel",
    "by-partuuid",
    "by-path",
    "by-uuid",
    "cache",
    "data",
    "dev",
    "disk",
    "home",
    "lib",
    "mapper",
    "md",
    "media",
    "mnt",
    "opt",
    "root",
    "run",
    "shm",
    "srv",
    "tmp",
    "var",
];
/// What ends a sentence, and no path.
const STOPS: [char; 6] = ['.', ',', ';', ':', '!', '?'];

/// `text` with the parts of each path in it hidden by `hidden`, but for those that every machine has.
pub(super) fn hide(text: &str, hidden: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = from.find(ends_a_path).unwrap_or(from.len());
        let path = from[..end].trim_end_matches(STOPS);
        match begins_a_path(out.chars().last()) {
            true => out.push_str(&hide_path(path, &hidden)),
            false => out.push_str(path),
        }
        rest = &from[path.len()..];
    }
    out + rest
}

fn ends_a_path(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "'\"`,;()[]{}<>|&*?=".contains(c)
}

/// In `MB/s` and `a/b` no path begins.
fn begins_a_path(before: Option<char>) -> bool {
    !before.is_some_and(|c| c.is_alphanumeric() || "_-.%)~".contains(c))
}

fn hide_path(path: &str, hidden: impl Fn(&str) -> String) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let first = parts.iter().find(|part| !part.is_empty());
    if first.is_some_and(|first| OF_THE_SYSTEM.contains(first)) {
        return path.to_owned();
    }
    // What lies directly in /dev has the kernel's name.
    let is_device = parts.len() == 3 && parts[1] == "dev";
    let parts = parts.iter().map(|part| {
        let stays = is_device || part.is_empty() || OF_EVERY_MACHINE.contains(part);
        if stays {
            (*part).to_owned()
        } else {
            hidden(part)
        }
    });
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_every_machine_has_stay() {
        let hide = |text: &str| hide(text, |part| format!("<{part}>"));
        for (text, hidden) in [
            ("/", "/"),
            ("/home/alice/x.img", "/home/<alice>/<x.img>"),
            ("loop0 (/home/alice/x).", "loop0 (/home/<alice>/<x>)."),
            (
                "/dev/sda1 and /dev/mapper/vg-home",
                "/dev/sda1 and /dev/mapper/<vg-home>",
            ),
            ("/dev/disk/by-id/ata-X_1", "/dev/disk/by-id/<ata-X_1>"),
            ("/dev/vg0/home", "/dev/<vg0>/home"),
            ("/sys/block/sda/queue", "/sys/block/sda/queue"),
            ("200 MB/s, read/write, n/a", "200 MB/s, read/write, n/a"),
            ("server:/export/a,ro", "server:/<export>/<a>,ro"),
            ("--file=/srv/é/b, then", "--file=/srv/<é>/<b>, then"),
            ("a / b", "a / b"),
        ] {
            assert_eq!(hide(text), hidden);
        }
    }
}
