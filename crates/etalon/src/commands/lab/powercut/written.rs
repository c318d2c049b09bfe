//! What is written beneath a filesystem, and how what is left of it is known.

use std::time::Duration;

use etalon_lab::powercut::{DrawnCut, Durability, LostRecord, Promised, RecordState, Records};
use serde_json::Value;

use super::database::{Database, rows_lost};

/// Runs of each experiment.
const RUNS: u64 = 2;
/// An experiment takes as long as so many records.
const LONGER: u32 = 50;

/// What is promised one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Numbered records in a file.
    Records,
    /// Experiments in a store of etalon's own, whose runs are fixed and few.
    Experiments,
    /// Rows of a database, a transaction each.
    Rows(Database),
}

/// Where it is written.
#[derive(Debug, Clone)]
pub(super) struct OnFilesystem {
    pub(super) written: Written,
    pub(super) filesystem: &'static str,
    pub(super) options: Option<String>,
    pub(super) durability: Durability,
}

impl Written {
    /// One of them.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Written::Records => "record",
            Written::Experiments => "experiment",
            Written::Rows(_) => "row",
        }
    }

    /// Promises between two cuts: so many at most, and those that come until the guest stops to look.
    pub(super) fn most(self) -> u64 {
        DrawnCut::MOST_PROMISES + 24
    }

    /// Promises until this cut, and the time from the last of them on.
    pub(super) fn moment(self, drawn: &DrawnCut) -> (u64, Duration) {
        match self {
            Written::Records | Written::Rows(_) => (drawn.promises, drawn.delay),
            Written::Experiments => (drawn.promises.div_ceil(6), drawn.delay * LONGER),
        }
    }

    /// Which of these are not in what the guest gave back.
    pub(super) fn lost(self, seed: u64, promised: &[Promised], given: &[u8]) -> Vec<LostRecord> {
        match self {
            Written::Records => Records::new(seed).lost(promised, given),
            Written::Experiments => experiments_lost(promised, given),
            Written::Rows(_) => rows_lost(seed, promised, given),
        }
    }
}

/// Those that the list of the store does not have, and those that lack a run.
fn experiments_lost(promised: &[Promised], list: &[u8]) -> Vec<LostRecord> {
    let list: Value = serde_json::from_slice(list).unwrap_or_default();
    let experiments = list["experiments"].as_array();
    let runs_of = |number: u64| {
        let is_it = |experiment: &&Value| experiment["id"].as_u64() == Some(number + 1);
        let found = experiments?.iter().find(is_it);
        found.and_then(|found| found["runs"].as_u64())
    };
    LostRecord::among(promised, |promised| match runs_of(promised.number) {
        Some(runs) if runs >= RUNS => RecordState::Kept,
        Some(_) => RecordState::Torn,
        None => RecordState::Lost,
    })
}

impl OnFilesystem {
    /// What the guest's script reads, for so many promises at most.
    pub(super) fn subject(&self, most: u64) -> String {
        let (force, beside) = match self.filesystem {
            // The one that it is a copy of is mounted at the same time.
            "xfs" => ("-f", ",nouuid"),
            _ => ("-F", ""),
        };
        let flags = match self.durability {
            Durability::Fsync => "conv=notrunc,fsync",
            Durability::Dsync => "conv=notrunc oflag=dsync",
            Durability::None => "conv=notrunc",
        };
        let options = self.options.as_deref().unwrap_or("rw");
        let options = options.replace('\'', "'\\''");
        let (noun, filesystem) = (self.written.noun(), self.filesystem);
        let mut text = format!(
            "subject={noun} filesystem={filesystem} force={force} beside={beside} most={most} runs={RUNS}\nflags='{flags}' options='{options}'\n"
        );
        if let Written::Rows(database) = self.written {
            let (_, level) = database.setting(self.durability);
            text.push_str(&format!("level={level}\n{}", database.script()));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promised(count: u64) -> Vec<Promised> {
        (0..count)
            .map(|number| Promised { number, at_ns: 0 })
            .collect()
    }

    fn numbers(lost: &[LostRecord]) -> Vec<(u64, RecordState)> {
        lost.iter()
            .map(|lost| (lost.promised.number, lost.state))
            .collect()
    }

    #[test]
    fn a_record_that_ends_with_the_file_is_torn_and_one_beyond_it_lost() {
        let records = Records::new(7);
        let mut file: Vec<u8> = (0..3).flat_map(|number| records.content(number)).collect();
        file.truncate(2 * 4096 + 1024);
        let lost = Written::Records.lost(7, &promised(4), &file);
        assert_eq!(
            numbers(&lost),
            [(2, RecordState::Torn), (3, RecordState::Lost)]
        );
        assert_eq!(Written::Records.lost(7, &promised(2), &file), []);
    }

    #[test]
    fn an_experiment_without_a_run_is_torn_and_a_store_without_a_list_is_lost() {
        let list = br#"{"experiments": [{"id": 1, "runs": 2}, {"id": 2, "runs": 1}]}"#;
        let lost = Written::Experiments.lost(7, &promised(3), list);
        assert_eq!(
            numbers(&lost),
            [(1, RecordState::Torn), (2, RecordState::Lost)]
        );
        assert_eq!(Written::Experiments.lost(7, &promised(3), b"").len(), 3);
    }

    #[test]
    fn options_of_a_mount_are_one_word_of_the_shell() {
        let on = OnFilesystem {
            written: Written::Records,
            filesystem: "xfs",
            options: Some("a'; poweroff #".to_owned()),
            durability: Durability::Dsync,
        };
        let text = on.subject(7);
        assert!(text.ends_with("options='a'\\''; poweroff #'\n"), "{text}");
    }
}
