//! An experiment as files that fio-plot draws: one for each workload, as a fio that made it alone would have
//! printed it. fio-plot looks for a file by the options of its first job and adds up all jobs of a file.

use etalon_model::{Cell, Experiment, IoWorkload};

use crate::ExportError;
use crate::fio::document;
use crate::fio_options::block_size;

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FioFile {
    /// The directory that it belongs in, for files of one block size under one condition: within it no two
    /// have the same operation, queue depth and number of jobs, by which fio-plot tells them apart.
    pub directory: String,
    /// Its name within that.
    pub name: String,
    /// Its content.
    pub json: String,
}

/// A file for each cell that is I/O, in the order of the table; tasks have no counterpart in fio and are left out.
///
/// # Errors
/// [`ExportError::Json`] when one cannot be written.
pub fn to_fio_files(experiment: &Experiment) -> Result<Vec<FioFile>, ExportError> {
    let mut files: Vec<FioFile> = Vec::new();
    for cell in &experiment.cells {
        let Some(io) = cell.workload.io() else {
            continue;
        };
        let name = file_name(io);
        let directory = free(&files, directory(experiment, cell, io), &name);
        let json = document(experiment, std::iter::once(cell))?;
        files.push(FioFile {
            directory,
            name,
            json,
        });
    }
    Ok(files)
}

/// `randread-iodepth-32-numjobs-1.json`.
fn file_name(io: &IoWorkload) -> String {
    format!(
        "{}-iodepth-{}-numjobs-{}.json",
        io.operation.name(),
        io.queue_depth,
        io.jobs
    )
}

/// `4k`, or with the levels of a plan `4k-scheduler-bfq`; with a word more where the cell is invalid, so that it is drawn
/// with no other.
fn directory(experiment: &Experiment, cell: &Cell, io: &IoWorkload) -> String {
    let mut words = vec![block_size(io)];
    let first = experiment.runs_of(&cell.name).next();
    for level in first.iter().flat_map(|run| &run.circumstances.levels) {
        words.extend([level.factor.clone(), level.level.clone()]);
    }
    if cell.verdict.is_invalid() {
        words.push(cell.verdict.word().to_owned());
    }
    plain(&words.join("-"))
}

/// The directory, numbered where it has a file of this name already.
fn free(files: &[FioFile], directory: String, name: &str) -> String {
    let is_taken = |at: &str| {
        let mut files = files.iter();
        files.any(|file| file.directory == at && file.name == name)
    };
    let numbered = (2..).map(|n| format!("{directory}-{n}"));
    let mut all = std::iter::once(directory.clone()).chain(numbered);
    all.find(|at| !is_taken(at)).unwrap_or(directory)
}

/// Letters, digits, points and dashes, and no point at the beginning: a name that leads nowhere else.
fn plain(text: &str) -> String {
    let keep = |sign: char| match sign.is_ascii_alphanumeric() || sign == '.' {
        true => sign,
        false => '-',
    };
    let plain: String = text.chars().map(keep).take(MOST_SIGNS).collect();
    match plain.starts_with('.') {
        true => format!("-{plain}"),
        false => plain,
    }
}

/// Filesystems take names of 255 bytes; a number may follow.
const MOST_SIGNS: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;
    use etalon_model::{LevelRecord, Operation, Verdict};
    use etalon_units::Bytes;
    use serde_json::Value;

    /// Cells at two depths and two block sizes, and one of the first under another name.
    fn several() -> Experiment {
        let mut experiment = experiment();
        let first = experiment.cells[0].clone();
        let cell = |(name, depth, size): (&str, u32, Bytes)| {
            let mut cell = first.clone();
            cell.name = name.to_owned();
            cell.workload = IoWorkload {
                operation: Operation::RandRead,
                queue_depth: depth,
                block_size: size.into(),
                ..IoWorkload::default()
            }
            .into();
            cell
        };
        let (small, large) = (Bytes::kib(4), Bytes::mib(1));
        experiment.cells = [
            ("a", 1, small),
            ("b", 32, small),
            ("c", 1, large),
            ("d", 1, small),
        ]
        .map(cell)
        .into();
        experiment
    }

    #[test]
    fn each_file_is_one_job_whose_options_tell_it_apart_in_its_directory() {
        let files = to_fio_files(&several()).unwrap();
        let names: Vec<String> = files
            .iter()
            .map(|file| format!("{}/{}", file.directory, file.name))
            .collect();
        assert_eq!(
            names,
            [
                "4k/randread-iodepth-1-numjobs-1.json",
                "4k/randread-iodepth-32-numjobs-1.json",
                "1m/randread-iodepth-1-numjobs-1.json",
                "4k-2/randread-iodepth-1-numjobs-1.json",
            ]
        );
        for (file, depth) in files.iter().zip(["1", "32", "1", "1"]) {
            let document: Value = serde_json::from_str(&file.json).unwrap();
            assert_eq!(document["jobs"].as_array().unwrap().len(), 1);
            let options = &document["jobs"][0]["job options"];
            assert_eq!(
                (&options["rw"], &options["iodepth"]),
                (&"randread".into(), &depth.into())
            );
            assert_eq!(options["numjobs"], "1");
        }
    }

    #[test]
    fn an_invalid_cell_is_drawn_with_no_other() {
        let mut experiment = several();
        let reasons = vec!["page-cache".to_owned()];
        experiment.cells[1].verdict = Verdict::Invalid { reasons };
        let files = to_fio_files(&experiment).unwrap();
        let directories = files.iter().map(|file| file.directory.as_str());
        let directories: Vec<&str> = directories.collect();
        assert_eq!(directories, ["4k", "4k-invalid", "1m", "4k-2"]);
    }

    #[test]
    fn levels_of_a_plan_are_directories_that_lead_nowhere_else() {
        let mut experiment = experiment();
        experiment.runs[0].circumstances.levels = vec![LevelRecord {
            factor: "scheduler".to_owned(),
            level: "../bfq x".to_owned(),
            ..LevelRecord::default()
        }];
        let files = to_fio_files(&experiment).unwrap();
        assert_eq!(files[0].directory, "4k-scheduler-..-bfq-x");
    }
}
