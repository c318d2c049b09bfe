//! The files of a fio job, as its options tell of them (fio's HOWTO, "Target file/device" and "I/O size").

use crate::quantity::option_size;

/// What a job's options say of its files.
#[derive(Debug, Clone, Default)]
pub(super) struct FioFiles {
    /// `size`: what each clone of the job works on, all its files together.
    size: Option<f64>,
    /// `filesize`: each file; `size` is then none of theirs.
    file_size: Option<f64>,
    /// `numjobs`: clones of the job.
    clones: Option<u32>,
    /// `filename`: how many it names. All clones share them.
    named: Option<u32>,
    /// `nrfiles`: files of each clone, where none are named.
    unnamed: Option<u32>,
    /// `offset_increment`: how much later in the file each clone begins than the one before.
    increment: Option<f64>,
}

impl FioFiles {
    /// Takes an option in; one that was there before gives way to a value that can be read.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let bytes = || option_size(value, 1.0);
        let count = || value.parse().ok().filter(|count| *count > 0);
        match name {
            "size" => self.size = bytes().or(self.size),
            "filesize" => self.file_size = bytes().or(self.file_size),
            "offset_increment" => self.increment = bytes().or(self.increment),
            "numjobs" => self.clones = count().or(self.clones),
            "nrfiles" => self.unnamed = count().or(self.unnamed),
            "filename" => self.named = Some(names(value)),
            _ => {}
        }
    }

    /// The size of each file; of one that clones share, the part that they work on.
    pub(super) fn each(&self) -> Option<f64> {
        self.file_size.or_else(|| self.part())
    }

    fn part(&self) -> Option<f64> {
        let own = self.named.or(self.unnamed).unwrap_or(1);
        let part = self.size? / f64::from(own);
        let increment = self.increment.filter(|_| self.named.is_some());
        let further = f64::from(self.clones() - 1) * increment.unwrap_or(0.0).min(part);
        Some(part + further)
    }

    /// How many files all clones have together.
    pub(super) fn count(&self) -> u32 {
        let unnamed = || self.unnamed.unwrap_or(1).saturating_mul(self.clones());
        self.named.unwrap_or_else(unnamed)
    }

    /// Whether several clones work on the same part of a file.
    pub(super) fn are_shared(&self) -> bool {
        let own = self
            .size
            .map(|size| size / f64::from(self.named.unwrap_or(1)));
        let is_apart = self.increment.zip(own).is_some_and(|(by, own)| by >= own);
        self.named.is_some() && self.clones() > 1 && !is_apart
    }

    fn clones(&self) -> u32 {
        self.clones.unwrap_or(1)
    }
}

/// How many files `a:b` names; a colon behind a backslash is a part of a name.
fn names(value: &str) -> u32 {
    let colons = value.matches(':').count() - value.matches("\\:").count();
    u32::try_from(colons + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: f64 = 1_073_741_824.0;

    /// Size of each file in GiB, and how many there are.
    fn told(options: &str) -> (Option<f64>, u32) {
        let mut files = FioFiles::default();
        for (name, value) in options.split(' ').filter_map(|word| word.split_once('=')) {
            files.set(name, value);
        }
        (files.each().map(|bytes| bytes / GIB), files.count())
    }

    #[test]
    fn each_clone_has_files_of_its_own_unless_they_are_named() {
        for (options, each, count) in [
            ("size=4g", 4.0, 1),
            ("size=4g numjobs=16", 4.0, 16),
            ("size=4g numjobs=16 nrfiles=4", 1.0, 64),
            ("filesize=1g nrfiles=2 numjobs=3 size=8g", 1.0, 6),
            ("size=4g numjobs=16 filename=/mnt/f", 4.0, 1),
            ("size=4g numjobs=16 filename=/mnt/a:/mnt/b", 2.0, 2),
            ("size=4g filename=/mnt/a\\:b", 4.0, 1),
            ("filesize=1g filename=/mnt/a:/mnt/b", 1.0, 2),
            ("size=4g numjobs=0", 4.0, 1),
        ] {
            assert_eq!(told(options), (Some(each), count), "{options}");
        }
        assert_eq!(told("numjobs=16").0, None);
        assert_eq!(told("size=20% numjobs=16").0, None);
    }

    #[test]
    fn clones_that_begin_later_in_a_shared_file_work_on_more_of_it() {
        for (increment, each) in [("4g", 64.0), ("1g", 19.0), ("10g", 64.0), ("20%", 4.0)] {
            let shared = "size=4g numjobs=16 filename=/dev/sdb offset_increment=";
            assert_eq!(told(&format!("{shared}{increment}")), (Some(each), 1));
        }
        for (increment, are_shared) in [("4g", false), ("1g", true), ("20%", true)] {
            let mut files = FioFiles::default();
            for (name, value) in [("size", "4g"), ("numjobs", "16"), ("filename", "/dev/sdb")] {
                files.set(name, value);
            }
            files.set("offset_increment", increment);
            assert_eq!(files.are_shared(), are_shared, "{increment}");
        }
        let own = "size=4g numjobs=16 offset_increment=4g";
        assert_eq!(told(own), (Some(4.0), 16));
    }
}
