//! What puts the options of a mount back, and for which of them there is nothing that does.

use super::found::Found;
use super::words::{OF_TIMES, default_value, is_for_good, key, names, opposite, shown_as};

/// What takes back a word that is shown; none of what stays.
fn undoing(kind: &str, word: &str) -> Option<String> {
    let denied = || opposite(word);
    match key(word) {
        _ if word == "discard=async" => Some(denied()),
        Some(name) => default_value(kind, name).map(str::to_owned),
        None => (!is_for_good(kind, word)).then(denied),
    }
}

/// What takes back each option that came since, and the former ones. Those of access times are set anew by naming one of
/// them.
pub(super) fn way_back(kind: &str, now: &str, before: &str) -> String {
    let before: Vec<&str> = before.split(',').collect();
    let is_new = |option: &&str| !before.contains(option) && !OF_TIMES.contains(option);
    let is_named = |option: &&str| match key(option) {
        // A value is set to what it was, by the former options.
        Some(name) => before.iter().any(|former| key(former) == Some(name)),
        None => matches!(*option, "rw" | "ro"),
    };
    let new = now.split(',').filter(is_new).filter(|o| !is_named(o));
    let mut options: Vec<String> = new.filter_map(|option| undoing(kind, option)).collect();
    options.extend(before.iter().map(|option| (*option).to_owned()));
    // Without either of them the kernel keeps what is in force, or chooses relatime.
    let has_times = names(&before, "noatime") || names(&before, "relatime");
    options.extend((!has_times).then(|| "strictatime".to_owned()));
    options.join(",")
}

/// Why the mount could not be had back as it is found, if `wanted` were set. What is in force already changes nothing.
pub(super) fn obstacle(found: &Found, wanted: &str) -> Option<String> {
    let words: Vec<String> = wanted.split(',').map(str::to_owned).collect();
    let new = found.lacks(&words, &found.options);
    let before: Vec<&str> = found.options.split(',').collect();
    let mut whys = new
        .into_iter()
        .filter_map(|word| obstacle_of(&found.kind, word, &before));
    whys.next().map(|why| {
        format!(
            "the {} at '{}' {why}: mount it so beforehand, or give the option to the factor 'filesystem', which makes one",
            found.kind,
            found.point.display()
        )
    })
}

fn obstacle_of(kind: &str, word: &str, before: &[&str]) -> Option<String> {
    let shown = shown_as(kind, word);
    let is_valued = |name| before.iter().any(|former| key(former) == Some(name));
    match key(shown) {
        None if chooses_by_disk(kind, word) && !names_ssd(before) => Some(format!(
            "shows neither 'ssd' nor 'nossd', and once '{word}' was set it always shows one of them"
        )),
        None if is_for_good(kind, shown) => Some(format!("keeps '{word}' until it is unmounted")),
        Some(name) if !is_valued(name) && undoing(kind, shown).is_none() => Some(format!(
            "does not show which '{name}' is in force, so that nothing could put it back after '{word}'"
        )),
        _ => None,
    }
}

/// Whether btrfs decides by the disk as long as it is told nothing.
fn chooses_by_disk(kind: &str, word: &str) -> bool {
    kind == "btrfs" && ["ssd", "nossd", "ssd_spread"].contains(&word)
}

fn names_ssd(shown: &[&str]) -> bool {
    shown.iter().any(|word| chooses_by_disk("btrfs", word))
}

#[cfg(test)]
mod tests {
    use etalon_model::stack::DevNo;

    use super::*;

    fn mounted(kind: &str, options: &str) -> Found {
        Found {
            point: "/mnt".into(),
            kind: kind.to_owned(),
            options: options.to_owned(),
            device: DevNo { major: 0, minor: 0 },
        }
    }

    #[test]
    fn what_came_since_is_undone_and_what_was_is_named() {
        for (now, before, way) in [
            ("rw,noatime", "rw,relatime", "rw,relatime"),
            (
                "rw,relatime,discard",
                "rw,relatime",
                "nodiscard,rw,relatime",
            ),
            (
                "rw,relatime,nobarrier",
                "rw,relatime",
                "barrier,rw,relatime",
            ),
            (
                "rw,relatime,commit=30",
                "rw,relatime,commit=5",
                "rw,relatime,commit=5",
            ),
            ("rw,noatime", "rw", "rw,strictatime"),
        ] {
            assert_eq!(way_back("ext4", now, before), way);
        }
    }

    #[test]
    fn what_was_not_shown_is_set_to_what_it_was() {
        for (kind, now, before, way) in [
            (
                "ext4",
                "rw,noatime,commit=60",
                "rw,noatime",
                "commit=5,rw,noatime",
            ),
            ("ext4", "rw,noatime,sync", "rw,noatime", "async,rw,noatime"),
            (
                "ext4",
                "rw,lazytime,noatime",
                "rw,noatime",
                "nolazytime,rw,noatime",
            ),
            (
                "btrfs",
                "rw,noatime,compress-force=lzo",
                "rw,noatime",
                "compress=no,rw,noatime",
            ),
            (
                "btrfs",
                "rw,noatime,compress-force=lzo",
                "rw,noatime,compress=zstd:5",
                "rw,noatime,compress=zstd:5",
            ),
            (
                "btrfs",
                "rw,noatime,discard=async",
                "rw,noatime",
                "nodiscard,rw,noatime",
            ),
            (
                "xfs",
                "rw,noatime,inode32",
                "rw,noatime,inode64",
                "inode64,rw,noatime,inode64",
            ),
            (
                "xfs",
                "rw,nodiratime,relatime",
                "rw,nodiratime",
                "rw,nodiratime,strictatime",
            ),
        ] {
            assert_eq!(way_back(kind, now, before), way);
        }
    }

    #[test]
    fn what_nothing_puts_back_is_refused_by_name() {
        for (kind, word, before, why) in [
            ("ext4", "errors=panic", "rw", "which 'errors' is in force"),
            (
                "xfs",
                "logdev=x",
                "rw,inode64",
                "which 'logdev' is in force",
            ),
            (
                "f2fs",
                "fsync_mode=strict",
                "rw",
                "which 'fsync_mode' is in force",
            ),
            ("ext4", "debug", "rw", "keeps 'debug' until"),
            ("btrfs", "skip_balance", "rw", "keeps 'skip_balance' until"),
            ("btrfs", "ssd", "rw", "neither 'ssd' nor 'nossd'"),
        ] {
            let told = obstacle(&mounted(kind, before), word).unwrap_or_default();
            assert!(told.contains(why), "{kind} {word}: {told}");
        }
        for (kind, word, before) in [
            ("ext4", "errors=panic", "rw,errors=remount-ro"),
            ("ext4", "barrier=0", "rw"),
            ("ext4", "commit=60", "rw"),
            ("ext4", "debug", "rw,debug"),
            ("xfs", "logbsize=256k", "rw,logbsize=32k"),
            ("btrfs", "compress", "rw"),
            ("btrfs", "discard=async", "rw"),
            ("btrfs", "ssd_spread", "rw,nossd"),
            ("f2fs", "nobarrier", "rw"),
            ("f2fs", "fsync_mode=posix", "rw,fsync_mode=posix"),
            ("ext4", "noatime,defaults", "rw,relatime"),
        ] {
            assert_eq!(
                obstacle(&mounted(kind, before), word),
                None,
                "{kind} {word}"
            );
        }
    }
}
