//! Words of mount(8) as filesystems take and show them: ext4(5), btrfs(5), xfs(5), and the kernel's own `show_options`.

/// When access times are written: one of them takes the place of another.
pub(super) const OF_TIMES: [&str; 4] = ["noatime", "nodiratime", "relatime", "strictatime"];

const EXT: &str = "ext";
const BTRFS: &str = "btrfs";
const XFS: &str = "xfs";

/// What is given, and what is shown of it.
const SHOWN_AS: &[(&str, &str, &str)] = &[
    (EXT, "barrier=0", "nobarrier"),
    (EXT, "barrier=1", "barrier"),
    (EXT, "auto_da_alloc=0", "noauto_da_alloc"),
    (EXT, "auto_da_alloc=1", "auto_da_alloc"),
    (EXT, "dioread_lock", "nodioread_nolock"),
    (EXT, "bsdgroups", "grpid"),
    (EXT, "sysvgroups", "nogrpid"),
    (EXT, "init_itable", "init_itable=10"),
    (EXT, "commit=0", "commit=5"),
    (BTRFS, "commit=0", "commit=30"),
    (BTRFS, "discard=sync", "discard"),
    (BTRFS, "compress", "compress=zlib:3"),
    (BTRFS, "compress=zlib", "compress=zlib:3"),
    (BTRFS, "compress=zstd", "compress=zstd:3"),
    (BTRFS, "compress=none", "compress=no"),
    (BTRFS, "compress-force", "compress-force=zlib:3"),
    (BTRFS, "compress-force=zlib", "compress-force=zlib:3"),
    (BTRFS, "compress-force=zstd", "compress-force=zstd:3"),
    (BTRFS, "compress-force=no", "compress=no"),
    (BTRFS, "compress-force=none", "compress=no"),
];

/// Values that are in force where none is shown, whatever the superblock says.
const DEFAULT_VALUES: &[(&str, &str)] = &[
    (EXT, "commit=5"),
    (EXT, "min_batch_time=0"),
    (EXT, "max_batch_time=15000"),
    (EXT, "inode_readahead_blks=32"),
    (EXT, "init_itable=10"),
    (EXT, "max_dir_size_kb=0"),
    (EXT, "stripe=0"),
    (BTRFS, "commit=30"),
    (BTRFS, "compress=no"),
    (BTRFS, "max_inline=2048"),
    (BTRFS, "metadata_ratio=0"),
    (BTRFS, "fatal_errors=bug"),
    (XFS, "max_atomic_write=0"),
];

/// Flags that are in force where their opposite is not shown; those of the first line on every filesystem.
const DEFAULT_FLAGS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "suid",
            "dev",
            "exec",
            "symfollow",
            "async",
            "atime",
            "diratime",
            "nolazytime",
        ],
    ),
    (
        BTRFS,
        &[
            "datasum",
            "datacow",
            "barrier",
            "treelog",
            "acl",
            "nodiscard",
        ],
    ),
    (
        BTRFS,
        &[
            "noflushoncommit",
            "noautodefrag",
            "noenospc_debug",
            "nossd_spread",
        ],
    ),
    (
        XFS,
        &["nodiscard", "nolargeio", "noikeep", "nogrpid", "lifetime"],
    ),
];

/// Flags whose opposite is not the word with or without "no".
const OPPOSITES: &[(&str, &str)] = &[
    ("sync", "async"),
    ("async", "sync"),
    ("inode32", "inode64"),
    ("inode64", "inode32"),
    ("minixdf", "bsddf"),
    ("bsddf", "minixdf"),
    // The other way of discarding.
    ("discard=async", "nodiscard"),
];

/// Flags that nothing takes back as long as it is mounted.
const FOR_GOOD: &[(&str, &[&str])] = &[
    (EXT, &["abort", "debug", "i_version"]),
    (EXT, &["usrquota", "grpquota", "prjquota"]),
    (EXT, &["no_prefetch_block_bitmaps"]),
    (EXT, &["prefetch_block_bitmaps"]),
    (BTRFS, &["user_subvol_rm_allowed", "skip_balance"]),
    (BTRFS, &["degraded", "clear_cache", "rescan_uuid_tree"]),
];

/// One name for filesystems of one driver.
fn family(kind: &str) -> &str {
    match kind {
        "ext2" | "ext3" | "ext4" => EXT,
        kind => kind,
    }
}

/// How the filesystem shows `word`.
pub(super) fn shown_as<'a>(kind: &str, word: &'a str) -> &'a str {
    let is_it = |(of, given, _): &&(&str, &str, &str)| *of == family(kind) && *given == word;
    let found = SHOWN_AS.iter().find(is_it);
    found.map_or(word, |(_, _, shown)| shown)
}

/// The option that has a value; compression that is forced is the other one's with a flag.
pub(super) fn key(word: &str) -> Option<&str> {
    let (key, _) = word.split_once('=')?;
    Some(key.strip_suffix("-force").unwrap_or(key))
}

/// The word that sets the value which is in force where none is shown.
pub(super) fn default_value(kind: &str, wanted: &str) -> Option<&'static str> {
    let mut known = DEFAULT_VALUES.iter().filter(|(of, _)| *of == family(kind));
    let found = known.find(|(_, word)| key(word) == Some(wanted));
    found.map(|(_, word)| *word)
}

/// Whether a flag is in force where its opposite is not shown.
pub(super) fn is_default_flag(kind: &str, word: &str) -> bool {
    is_listed(DEFAULT_FLAGS, kind, word)
}

/// Whether a flag stays until it is unmounted.
pub(super) fn is_for_good(kind: &str, word: &str) -> bool {
    is_listed(FOR_GOOD, kind, word)
}

fn is_listed(list: &[(&str, &[&str])], kind: &str, word: &str) -> bool {
    let mut of_kind = list
        .iter()
        .filter(|(of, _)| of.is_empty() || *of == family(kind));
    of_kind.any(|(_, words)| words.contains(&word))
}

/// What denies a flag.
pub(super) fn opposite(word: &str) -> String {
    let known = OPPOSITES.iter().find(|(one, _)| *one == word);
    match (known, word.strip_prefix("no")) {
        (Some((_, other)), _) => (*other).to_owned(),
        (None, Some(denied)) => denied.to_owned(),
        (None, None) => format!("no{word}"),
    }
}

/// Whether an option is shown by its name, with a value or without.
pub(super) fn names(shown: &[&str], name: &str) -> bool {
    shown
        .iter()
        .any(|word| *word == name || key(word) == Some(name))
}

/// Whether both give one option the same value, as "64m" and "65536k" do.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let is_same_size = || {
        let ((name, value), (of, wanted)) = (one.split_once('=')?, other.split_once('=')?);
        Some(name == of && size(value)? == size(wanted)?)
    };
    one == other || is_same_size() == Some(true)
}

/// A number with k, m or g, as the kernel's memparse reads it.
fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_compared_and_other_values_are_words() {
        for (one, other, same) in [
            ("allocsize=64m", "allocsize=65536k", true),
            ("logbsize=256k", "logbsize=32k", false),
            ("max_inline=2k", "max_inline=2048", true),
            ("commit=60", "stripe=60", false),
            ("compress=zstd:3", "compress=zstd:9", false),
            ("discard", "discard", true),
        ] {
            assert_eq!(is_same(one, other), same, "{one} {other}");
        }
    }

    #[test]
    fn each_default_is_shown_as_it_stands_here() {
        for (kind, word) in DEFAULT_VALUES {
            assert_eq!(shown_as(kind, word), *word);
            assert_eq!(default_value(kind, key(word).unwrap()), Some(*word));
        }
        for (word, other) in OPPOSITES {
            assert!(*other == "nodiscard" || opposite(other) == *word, "{word}");
        }
    }
}
