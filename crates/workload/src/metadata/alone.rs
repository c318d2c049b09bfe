//! One operation alone on so many names, as `etalon measure --op create --files N` has it.

use super::error::SettingsError;
use super::operation::MetadataOperation as Op;
use super::settings::MetadataWorkload;

/// Files in one directory: below what any filesystem finds large.
const PER_DIRECTORY: u32 = 1000;

impl Op {
    /// Whether [`MetadataWorkload::of_one`] has it: it is about names, not about what stands in files
    /// or directories.
    pub const fn stands_alone(self) -> bool {
        !matches!(self, Op::Write | Op::Readdir)
    }
}

impl MetadataWorkload {
    /// `operation` on `names` files, of which a directory holds a thousand at most, or on as many
    /// directories where it is about those. Each of the `jobs` has a share of its own.
    ///
    /// # Errors
    /// [`SettingsError`] when the figures are out of range, or the operation is about what stands
    /// in files or directories.
    pub fn of_one(
        operation: Op,
        names: u64,
        jobs: u32,
        seed: u64,
    ) -> Result<MetadataWorkload, SettingsError> {
        if u32::try_from(names).is_err() {
            return Err(SettingsError::TooManyNames(names));
        }
        let base = MetadataWorkload {
            operations: vec![operation],
            jobs,
            seed,
            ..MetadataWorkload::default()
        };
        let workload = match operation {
            _ if !operation.stands_alone() => return Err(SettingsError::NotAlone(operation)),
            Op::Mkdir | Op::Rmdir => base.on_directories(names)?,
            _ => base.on_files(names),
        };
        workload.check()?;
        Ok(workload)
    }

    /// The operations `create`, `stat` and `unlink`, one after the other on the same files.
    ///
    /// # Errors
    /// [`SettingsError`] when the figures are out of range.
    pub fn life_of_files(names: u64, seed: u64) -> Result<MetadataWorkload, SettingsError> {
        let create = MetadataWorkload::of_one(Op::Create, names, 1, seed)?;
        Ok(MetadataWorkload {
            operations: vec![Op::Create, Op::Stat, Op::Unlink],
            ..create
        })
    }

    /// What people call it: `create 1000 files`.
    pub fn headline(&self) -> String {
        let operations: Vec<&str> = self.operations.iter().map(|op| op.name()).collect();
        let (count, what) = match self.operations.iter().all(|op| op.is_on_directories()) {
            true => (self.total_directories(), "directories"),
            false => (self.total_files(), "files"),
        };
        format!("{} {count} {what}", operations.join(","))
    }

    fn on_files(self, files: u64) -> MetadataWorkload {
        let of_job = files.div_ceil(u64::from(self.jobs.max(1)));
        let directories = of_job.div_ceil(u64::from(PER_DIRECTORY));
        // The root of the tree is one of them.
        let breadth = u32::try_from(directories.saturating_sub(1)).unwrap_or(u32::MAX);
        MetadataWorkload {
            depth: u32::from(breadth > 0),
            breadth,
            files: PER_DIRECTORY,
            files_in_all: Some(files),
            ..self
        }
    }

    fn on_directories(self, directories: u64) -> Result<MetadataWorkload, SettingsError> {
        let jobs = self.jobs.max(1);
        if !directories.is_multiple_of(u64::from(jobs)) || directories == 0 {
            return Err(SettingsError::Uneven { directories, jobs });
        }
        let breadth = u32::try_from(directories / u64::from(jobs)).unwrap_or(u32::MAX);
        Ok(MetadataWorkload {
            depth: 1,
            breadth,
            files: 0,
            ..self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_names_as_asked_for_in_directories_of_a_thousand() {
        for (files, jobs, breadth) in [(50, 2, 0), (1000, 1, 0), (1001, 1, 1), (10_007, 3, 3)] {
            let workload = MetadataWorkload::of_one(Op::Create, files, jobs, 1).unwrap();
            assert_eq!(workload.total_files(), files);
            assert_eq!(workload.breadth, breadth, "{files} files, {jobs} jobs");
            let of_jobs = (0..u64::from(jobs)).map(|job| workload.files_of_job(job).unwrap());
            assert_eq!(of_jobs.sum::<u64>(), files);
            assert_eq!(workload.headline(), format!("create {files} files"));
        }
        let mkdir = MetadataWorkload::of_one(Op::Mkdir, 60, 4, 1).unwrap();
        assert_eq!((mkdir.total_directories(), mkdir.total_files()), (60, 0));
        assert_eq!(mkdir.headline(), "mkdir 60 directories");
    }

    #[test]
    fn what_cannot_be_alone_or_divided_is_refused_with_a_way_out() {
        let error = |op, names, jobs| {
            let made = MetadataWorkload::of_one(op, names, jobs, 1);
            made.unwrap_err().to_string()
        };
        assert!(error(Op::Readdir, 10, 1).contains("etalon metadata --operations readdir"));
        assert!(error(Op::Create, 0, 1).contains("files is 0"));
        assert!(error(Op::Stat, 2, 3).contains("fewer jobs"));
        assert!(error(Op::Create, 999_999_999_999, 1).contains("999999999999"));
        assert!(error(Op::Mkdir, 7, 2).contains("multiple of 2"));
    }
}
