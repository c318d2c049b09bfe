//! The options of a fio job that a figure of it is judged by, whether a command, a job file or JSON has them.

use super::fio_files::FioFiles;
use crate::Figure;

/// Options that make writes durable within the time that fio counts.
const SYNCS: [&str; 6] = [
    "sync",
    "fsync",
    "fdatasync",
    "end_fsync",
    "end_syncfs",
    "fsync_on_close",
];

/// Engines that go past the page cache by themselves: they send commands to the disk or to a server (fio's HOWTO,
/// `ioengine`).
const UNCACHED: [&str; 12] = [
    "io_uring_cmd",
    "sg",
    "spdk",
    "spdk_bdev",
    "xnvme",
    "libblkio",
    "rbd",
    "libiscsi",
    "nbd",
    "nfs",
    "dfs",
    "http",
];

/// Options with the values that leave what is read in memory, or have it read more than once, and whether it is these
/// values or all others that do: without them fio puts a file out of memory and reads each block once (fio's HOWTO,
/// `invalidate`, `pre_read`, `norandommap`, `random_distribution`, `verify`).
const WARM: [(&str, &[&str], bool); 5] = [
    ("invalidate", &["0"], true),
    ("pre_read", &["0"], false),
    ("norandommap", &["0"], false),
    ("random_distribution", &["random"], false),
    ("verify", &["0", "null"], false),
];

/// What a job's options say.
#[derive(Debug, Clone, Default)]
pub(super) struct FioOptions {
    files: FioFiles,
    /// Whether the page cache is bypassed; none where no option says it.
    direct: Option<bool>,
    /// Whether the engine has none.
    uncached: bool,
    /// The options of `SYNCS` that are on.
    syncs: Vec<String>,
    /// The options of `WARM` that have such a value.
    warm: Vec<String>,
}

impl FioOptions {
    /// Takes an option in; one that was there before gives way.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        match name {
            "direct" => self.direct = Some(value == "1"),
            "buffered" => self.direct = Some(value == "0"),
            "ioengine" => self.uncached = UNCACHED.contains(&value),
            name if SYNCS.contains(&name) => {
                turn(&mut self.syncs, name, !matches!(value, "0" | "none"));
            }
            _ => self.files.set(name, value),
        }
        if let Some((_, values, those)) = WARM.iter().find(|(warm, _, _)| *warm == name) {
            turn(&mut self.warm, name, values.contains(&value) == *those);
        }
    }

    /// Whether no block that is read was in memory when the job began; none where the size of its files is not told.
    fn cold(&self) -> Option<bool> {
        let is_cold = self.warm.is_empty() && !self.files.are_shared();
        self.files.each().map(|_| is_cold)
    }

    /// A figure of a job with these options.
    pub(super) fn described(&self, figure: Figure) -> Figure {
        Figure {
            direct: if self.uncached {
                Some(true)
            } else {
                self.direct
            },
            durable: (!self.syncs.is_empty()).then_some(true),
            cold: self.cold(),
            file_bytes: self.files.each(),
            files: self.files.each().map(|_| self.files.count()),
            ..figure
        }
    }
}

/// Notes that an option is on or off.
fn turn(options: &mut Vec<String>, name: &str, is_on: bool) {
    options.retain(|option| option != name);
    if is_on {
        options.push(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Tool};

    fn described(options: &[(&str, &str)]) -> Figure {
        let mut all = FioOptions::default();
        for (name, value) in options {
            all.set(name, value);
        }
        all.described(Figure::new(Tool::Fio, 1, Action::Write, "write"))
    }

    #[test]
    fn every_option_that_syncs_makes_durable_until_it_is_off() {
        for name in SYNCS {
            assert_eq!(described(&[(name, "1")]).durable, Some(true), "{name}");
            let off = [(name, "1"), (name, "0")];
            assert_eq!(described(&off).durable, None, "{name}");
        }
        for (value, durable) in [("sync", Some(true)), ("dsync", Some(true)), ("none", None)] {
            assert_eq!(described(&[("sync", value)]).durable, durable, "{value}");
        }
        assert_eq!(
            described(&[("fsync", "32"), ("sync", "0")]).durable,
            Some(true)
        );
    }

    #[test]
    fn direct_is_the_opposite_of_buffered() {
        for (option, direct) in [
            (("direct", "1"), true),
            (("direct", "0"), false),
            (("buffered", "1"), false),
            (("buffered", "0"), true),
        ] {
            assert_eq!(described(&[option]).direct, Some(direct), "{option:?}");
        }
        assert_eq!(described(&[("rw", "write")]).direct, None);
    }

    #[test]
    fn engines_that_send_commands_know_no_page_cache() {
        for (engine, direct) in [
            ("io_uring_cmd", true),
            ("sg", true),
            ("io_uring", false),
            ("libaio", false),
        ] {
            let figure = described(&[("direct", "0"), ("ioengine", engine)]);
            assert_eq!(figure.direct, Some(direct), "{engine}");
        }
    }

    #[test]
    fn files_are_cold_unless_an_option_leaves_them_in_memory() {
        let size = ("size", "4g");
        for (option, cold) in [
            (("rw", "read"), true),
            (("invalidate", "1"), true),
            (("invalidate", "0"), false),
            (("pre_read", "1"), false),
            (("pre_read", "0"), true),
            (("norandommap", "1"), false),
            (("random_distribution", "zipf:1.2"), false),
            (("verify", "crc32c"), false),
        ] {
            assert_eq!(described(&[size, option]).cold, Some(cold), "{option:?}");
            assert_eq!(described(&[option]).cold, None);
        }
        let shared = [size, ("numjobs", "4"), ("filename", "/mnt/f")];
        assert_eq!(described(&shared).cold, Some(false));
        assert_eq!(described(&shared[..2]).cold, Some(true));
    }
}
