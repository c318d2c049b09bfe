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

/// What a job's options say.
#[derive(Debug, Clone, Default)]
pub(super) struct FioOptions {
    files: FioFiles,
    /// Whether the page cache is bypassed; none where no option says it.
    direct: Option<bool>,
    /// The options of `SYNCS` that are on.
    syncs: Vec<String>,
}

impl FioOptions {
    /// Takes an option in; one that was there before gives way.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        match name {
            "direct" => self.direct = Some(value == "1"),
            "buffered" => self.direct = Some(value == "0"),
            name if SYNCS.contains(&name) => self.set_sync(name, value),
            _ => self.files.set(name, value),
        }
    }

    fn set_sync(&mut self, name: &str, value: &str) {
        self.syncs.retain(|sync| sync != name);
        if !matches!(value, "0" | "none") {
            self.syncs.push(name.to_owned());
        }
    }

    /// A figure of a job with these options.
    pub(super) fn described(&self, figure: Figure) -> Figure {
        Figure {
            direct: self.direct,
            durable: (!self.syncs.is_empty()).then_some(true),
            file_bytes: self.files.each(),
            files: self.files.each().map(|_| self.files.count()),
            ..figure
        }
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
}
