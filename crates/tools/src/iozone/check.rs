//! What no single option can see: options that exclude each other, or that need another.

use etalon_file_ops::{FileOp, WriteBack};
use etalon_units::{Nanos, quoted};

use super::error::Conflict;
use super::{IozoneGrid, IozoneUsage, Options, Unit};

/// The option of the first pair that is given.
fn first(pairs: &[(bool, &'static str)]) -> Option<&'static str> {
    let given = pairs.iter().find(|(given, _)| *given);
    given.map(|&(_, option)| option)
}

impl Options {
    /// Whether the options go together.
    ///
    /// # Errors
    /// The first that do not.
    pub(crate) fn check(&self) -> Result<(), IozoneUsage> {
        let checks = [
            Options::check_workers,
            Options::check_records,
            Options::check_mapping,
            Options::check_queue,
            Options::check_lists,
            Options::check_fill,
            Options::check_group,
        ];
        let checked = checks.iter().try_for_each(|check| check(self));
        checked.map_err(IozoneUsage::Conflict)?;
        if self.operations().is_empty() {
            return Err(IozoneUsage::Conflict(Conflict::NothingToDo));
        }
        IozoneGrid::new(self)
            .map(drop)
            .map_err(IozoneUsage::Conflict)
    }

    fn check_workers(&self) -> Result<(), Conflict> {
        self.check_counts()?;
        let Some(most) = self.most_workers() else {
            return self.check_alone();
        };
        let names = self.files.len();
        if names != 0 && names < most && !self.shared {
            return Err(Conflict::Names {
                names,
                workers: most,
            });
        }
        if self.unit == Unit::Microseconds {
            return Err(Conflict::MicrosTogether);
        }
        Ok(())
    }

    /// The numbers of workers are named one by one or by their ends.
    fn check_counts(&self) -> Result<(), Conflict> {
        let (least, most) = (self.min_workers, self.max_workers);
        let end = first(&[(least.is_some(), "-l"), (most.is_some(), "-u")]);
        match (end, least.zip(most)) {
            (Some(option), _) if !self.worker_counts.is_empty() => {
                Err(Conflict::WorkersAndRange { option })
            }
            (_, Some((least, most))) if least > most => Err(Conflict::Workers { least, most }),
            _ => Ok(()),
        }
    }

    /// What does not go with one file.
    fn check_alone(&self) -> Result<(), Conflict> {
        if self.tests.contains(&8) {
            return Err(Conflict::MixedAlone);
        }
        match self.files.as_slice() {
            [] | [_] => Ok(()),
            [_, others @ ..] => Err(Conflict::NamesAlone {
                names: self.files.len(),
                others: others.iter().map(quoted).collect::<Vec<_>>().join(", "),
            }),
        }
    }

    /// Records have the sizes that are named or a range of them.
    fn check_records(&self) -> Result<(), Conflict> {
        let ends = [(self.min_record, "-y"), (self.max_record, "-q")];
        let end = ends
            .iter()
            .find_map(|&(size, option)| Some((size?, option)));
        match end.filter(|_| !self.records.is_empty()) {
            Some((size, option)) => Err(Conflict::RecordAndRange {
                records: self.records.clone(),
                option,
                size,
            }),
            None => Ok(()),
        }
    }

    fn check_mapping(&self) -> Result<(), Conflict> {
        let of_a_mapping = first(&[
            (self.write_back == WriteBack::Asked, "-D"),
            (self.write_back == WriteBack::Awaited, "-G"),
            (self.mapped_mixed, "-Z"),
        ]);
        match of_a_mapping {
            Some(option) if !self.mapped => Err(Conflict::NotMapped { option }),
            _ if self.mapped && self.settings.direct => Err(Conflict::MappedDirect),
            _ => Ok(()),
        }
    }

    /// What does not go with several records under way.
    fn check_queue(&self) -> Result<(), Conflict> {
        let option = match (self.copying_queue, self.plain_queue) {
            (None, None) => return Ok(()),
            (Some(_), Some(_)) => return Err(Conflict::TwoQueues),
            (Some(_), None) => "-H",
            (None, Some(_)) => "-k",
        };
        if self.mapped {
            return Err(Conflict::MappedQueue { option });
        }
        let think = self.settings.think;
        let pauses = first(&[
            (think.compute > Nanos::ZERO, "the computing of -J"),
            (think.burst.is_some(), "the sleep of -+b"),
            (self.write_list.is_some(), "the computing of -X"),
            (self.read_list.is_some(), "the computing of -Y"),
        ]);
        if let Some(what) = pauses.filter(|_| !think.counted) {
            return Err(Conflict::ThinkQueued { option, what });
        }
        let by_call = |test: &u8| matches!(test, 6 | 7 | 9..);
        let beside = first(&[
            (
                self.tests.iter().any(by_call),
                "-i 6, -i 7 and -i 9 to -i 12",
            ),
            (self.extension, "the tests of -E"),
            (self.settings.jitter, "the short reads of -K"),
            (self.settings.lock_records, "the locks of -+l and -+L"),
        ]);
        match beside {
            Some(what) => Err(Conflict::NotQueued { option, what }),
            None => Ok(()),
        }
    }

    /// What a list of accesses says itself, and which tests go by it.
    fn check_lists(&self) -> Result<(), Conflict> {
        let Some(option) = self.list_option() else {
            return Ok(());
        };
        let by_list = |test: &u8| matches!(test, 0 | 1 | 9 | 10);
        let beside = first(&[
            (self.auto, "-a"),
            (!self.sizes.is_empty(), "-s"),
            (!self.records.is_empty(), "-r"),
            (self.constant_total, "-+k"),
            (
                !self.tests.iter().all(by_list),
                "tests other than -i 0, -i 1, -i 9 and -i 10",
            ),
        ]);
        match beside {
            Some(what) => Err(Conflict::Listed { option, what }),
            None => Ok(()),
        }
    }

    /// One thing only can stand in a file.
    fn check_fill(&self) -> Result<(), Conflict> {
        let of_shared_data = first(&[
            (self.repeated.is_some(), "-+y"),
            (self.own_repeated.is_some(), "-+C"),
            (self.set.is_some(), "-+S"),
        ]);
        if let (None, Some(option)) = (self.shared_data, of_shared_data) {
            return Err(Conflict::NoSharedData { option });
        }
        let fills = [
            (self.verify.is_some(), "-V"),
            (self.diagnose, "-+d"),
            (self.shared_data.is_some(), "-+w"),
        ];
        let compared = first(&fills[..2]);
        if let Some(fill) = compared.filter(|_| self.write_list.is_some()) {
            return Err(Conflict::ListCompared { fill });
        }
        let mut given = fills.iter().filter(|(given, _)| *given);
        match (given.next(), given.next()) {
            (Some(&(_, one)), Some(&(_, other))) => Err(Conflict::TwoFills { one, other }),
            _ => Ok(()),
        }
    }

    fn check_group(&self) -> Result<(), Conflict> {
        if self.time_stamps && self.workers().is_none() {
            return Err(Conflict::StampsAlone);
        }
        if self.sequential_mix && !self.operations().contains(&FileOp::Mixed) {
            return Err(Conflict::NothingMixed);
        }
        Ok(())
    }
}
