//! Where a quick check works: private directories, a pilot, the files.

use std::collections::BTreeSet;
use std::fs;
use std::time::Instant;

use etalon_engine::{Control, Plan, TargetPlace};
use etalon_host::memory;
use etalon_model::{
    Backend, Choice, End, Ended, Fallback, FsyncPolicy, IoWorkload, Measurement, Operation, Run,
    SyncMode,
};
use etalon_units::{ByteRate, Bytes, Nanos};
use etalon_workload::Measurable as _;
use etalon_workload::measurable::Pass;
use etalon_workload::metadata::{MetadataError, MetadataOperation, MetadataWorkload, Names};

use super::durable::Planned;
use super::groups::{
    Group, Means, PrivateDirectory, QuickStep, STREAM_DEPTH, cells_of_names, depth_like,
    depth_of_device_like, runs_per_block, stream_depth,
};
use super::sizing::{SMALLEST_FILE, Sizes, SizingError, SizingInputs, choose};
use super::{FileSize, QuickPlan, QuickRequest, SizeSource, inodes};
use crate::ExperimentError;
use crate::memory_room::of_one_file;
use crate::run::quiet::{Rest, SHARE};
use crate::run::{BegunPass, Observed, Runner};
use crate::work_place::WorkPlace;

/// Time of the write that estimates the target's rate.
const PILOT: Nanos = Nanos::millis(300);
/// Size of the pilot's file, where there is room for it.
const PILOT_FILE: Bytes = Bytes::mib(64);
/// Files that the metadata pilot creates.
const PILOT_FILES: u64 = 200;
/// The longest wait for what the pilot's files leave behind: what is slower gets few files in any case.
const WRITTEN: Nanos = Nanos::secs(2);
/// What a pass over files takes that also looks them up and removes them, as a multiple of their creation.
const WHOLE_LIFE: f64 = 1.5;
/// Fewest and most files of a metadata pass.
const FILES: std::ops::RangeInclusive<u64> = 100..=20_000;
/// What is written to wait for all before it.
const DEBT_BLOCK: Bytes = Bytes::kib(4);
/// Three files and room for a fourth, so that a filesystem is never measured full.
const FILES_AND_SPARE: u64 = 4;
/// What a device is taken to read where it cannot be asked by writing, so that sizes come out
/// whole.
const READ_ONLY_RATE: ByteRate = ByteRate(1e9);

/// What the target answered.
struct TargetAnswer {
    usable: Bytes,
    rate: ByteRate,
    device: Option<Bytes>,
    /// Said where the kernel refused io_uring.
    refused: Option<Choice>,
}

/// What a pass over names has, and takes until all that it leaves behind is written.
struct NamesPilot {
    files: u64,
    /// What grows with the files is what was timed, and what they left behind.
    takes: Nanos,
}

impl WorkPlace {
    /// Where the steps of one kind work.
    pub(super) fn place_for(
        &self,
        place: PrivateDirectory,
    ) -> Result<TargetPlace, ExperimentError> {
        if self.directory().is_none() {
            return Ok(self.place.clone());
        }
        let name = match place {
            PrivateDirectory::Read => "read",
            PrivateDirectory::Write => "write",
            PrivateDirectory::Stream => "stream",
            PrivateDirectory::Names => "names",
            PrivateDirectory::Debt => "debt",
        };
        let path = self.path().join(name);
        fs::create_dir_all(&path).map_err(|source| etalon_engine::EngineError::Io {
            action: "create",
            path: path.clone(),
            source,
        })?;
        Ok(TargetPlace::Directory(path))
    }

    /// Asks the target what it can do, and chooses sizes and times.
    pub(super) fn plan(
        &self,
        runner: &Runner<'_>,
        request: &QuickRequest,
        begun: Instant,
    ) -> Result<QuickPlan, ExperimentError> {
        let mut means = Means {
            direct: true,
            io_uring: true,
            writable: self.directory().is_some(),
            third_file: false,
            stream_depth: STREAM_DEPTH,
            files: None,
            durable_files: None,
        };
        let TargetAnswer {
            usable,
            rate,
            device,
            refused,
        } = self.ask(runner, request, &mut means)?;
        let left = request.budget.saturating_sub(begun.elapsed().into());
        let waits = if means.writable { SHARE } else { 0.0 };
        let inputs = SizingInputs {
            usable,
            memory: memory::available(),
            in_memory: runner.site.tree.devices.is_empty() && runner.site.is_memory(),
            takes_memory: self.memory.is_some(),
            direct: means.direct,
            device,
            write_rate: rate,
            budget: Nanos::from_secs_f64(left.as_secs_f64() * (1.0 - waits)),
            precision: request.precision,
            file_size: request.file_size.clone(),
            runs_per_block: runs_per_block(&means),
            needed_blocks: request.needed_blocks.max(1),
        };
        let before = request.budget.saturating_sub(left);
        let mut sizes = choose(&inputs).map_err(|error| explain(error, request, before, waits))?;
        sizes.reasons.extend(refused);
        if let Some(like) = request.file_size.as_ref().filter(|_| !means.writable) {
            means.stream_depth = depth_of_device_like(like, STREAM_DEPTH);
            sizes.reasons.extend(not_taken(like, sizes.file));
        }
        let mut names_take = [Nanos::ZERO; 2];
        if means.writable {
            means.third_file = usable.get() / FILES_AND_SPARE >= sizes.file.get();
            let own = stream_depth(rate, sizes.run);
            means.stream_depth = depth_like(request.file_size.as_ref(), sizes.file, own);
            names_take = self.plan_names(runner, request, &mut sizes, &mut means)?;
        }
        Ok(QuickPlan {
            sizes,
            means,
            names_take,
        })
    }

    /// Files of the passes over names, and what each pass takes. Where too few inodes are free, their rows are left out.
    fn plan_names(
        &self,
        runner: &Runner<'_>,
        request: &QuickRequest,
        sizes: &mut Sizes,
        means: &mut Means,
    ) -> Result<[Nanos; 2], ExperimentError> {
        let free = inodes::free(self.path())?;
        let most_files = inodes::most_files(free);
        if most_files < PILOT_FILES {
            sizes.reasons.push(inodes::too_few(free));
            return Ok([Nanos::ZERO; 2]);
        }
        let names = self.files_for(runner, request, (sizes.run, most_files))?;
        means.files = Some(names.files);
        let planned = Planned {
            run: sizes.run,
            blocks: sizes.blocks,
            needed_blocks: request.needed_blocks,
            names: names.takes,
            most_files,
        };
        let durable = self.durable_for(runner, request, planned)?;
        means.durable_files = durable.map(|(files, _)| files);
        let durable_takes = durable.map_or(Nanos::ZERO, |(_, takes)| takes);
        Ok([names.takes, durable_takes])
    }

    fn ask(
        &self,
        runner: &Runner<'_>,
        request: &QuickRequest,
        means: &mut Means,
    ) -> Result<TargetAnswer, ExperimentError> {
        let probe = IoWorkload {
            backend: Backend::IoUring,
            queue_depth: 2,
            direct: true,
            operation: if means.writable {
                Operation::Write
            } else {
                Operation::Read
            },
            block_size: Bytes::mib(1).into(),
            file_size: if means.writable {
                PILOT_FILE
            } else {
                Bytes::ZERO
            },
            ..IoWorkload::default()
        };
        let place = self.place_for(PrivateDirectory::Write)?;
        let plan = Plan::resolve(&probe, &place)?;
        let mut refused = None;
        for fallback in plan.fallbacks() {
            match fallback {
                Fallback::IoUringRefused { errno } => {
                    means.io_uring = false;
                    refused = Some(threads_instead(*errno));
                }
                Fallback::DirectRefused { .. } => means.direct = false,
                _ => {}
            }
        }
        if let Some(scratch) = self.directory() {
            let usable = Bytes(scratch.space_allowance()?);
            let rate = self.write_rate(runner, request, means.direct, usable)?;
            return Ok(TargetAnswer {
                usable,
                rate,
                device: None,
                refused,
            });
        }
        let size = Bytes(plan.file_size());
        Ok(TargetAnswer {
            usable: size,
            rate: READ_ONLY_RATE,
            device: Some(size),
            refused,
        })
    }

    /// What the target writes durably, from a write of a third of a second.
    fn write_rate(
        &self,
        runner: &Runner<'_>,
        request: &QuickRequest,
        direct: bool,
        usable: Bytes,
    ) -> Result<ByteRate, ExperimentError> {
        let third = Bytes(usable.get() / 3);
        let memory = self.memory.unwrap_or(PILOT_FILE).max(SMALLEST_FILE);
        let size = PILOT_FILE.min(memory).min(third).round_down(Bytes::mib(1));
        if size == Bytes::ZERO {
            return Err(ExperimentError::NoSpace {
                target: request.target.clone(),
                usable,
                needed: Bytes(SMALLEST_FILE.get() * 3),
            });
        }
        let workload = IoWorkload {
            operation: Operation::Write,
            block_size: Bytes::mib(1).into(),
            file_size: size,
            direct,
            sync: if direct {
                SyncMode::None
            } else {
                SyncMode::DSync
            },
            fsync: FsyncPolicy::End,
            end: End::Time(PILOT),
            seed: request.seed,
            ..IoWorkload::default()
        };
        let m = self.pilot(runner, &workload, PrivateDirectory::Write)?;
        match m.ended {
            // A rate of zero would be taken for a slow disk.
            Ended::Failed {
                operation, errno, ..
            } => Err(ExperimentError::Trial {
                target: request.target.clone(),
                operation,
                source: std::io::Error::from_raw_os_error(errno),
            }),
            _ => Ok(ByteRate(m.bytes_per_second())),
        }
    }

    /// Files for which creating them takes about a third of a run, but not more than the most.
    fn files_for(
        &self,
        runner: &Runner<'_>,
        request: &QuickRequest,
        (run, most): (Nanos, u64),
    ) -> Result<NamesPilot, ExperimentError> {
        // What was written before is none of the names' cost.
        self.all_written(runner)?;
        let (runs, many) = self.created(runner, request, PILOT_FILES)?;
        // One file dirties a block of each kind; what grows with their number is the rest.
        let (_, one) = self.created(runner, request, 1)?;
        let rates = runs
            .iter()
            .map(|run| run.measurement.operations_per_second());
        let rate: f64 = rates.sum();
        let files = (rate * run.as_secs_f64() / 3.0) as u64;
        let files = files.clamp(*FILES.start(), *FILES.end()).min(most);
        Ok(NamesPilot {
            files,
            takes: takes(files, many, one),
        })
    }

    /// A pass that creates so many files, and what it takes until all that it leaves behind is written.
    fn created(
        &self,
        runner: &Runner<'_>,
        request: &QuickRequest,
        files: u64,
    ) -> Result<(Vec<Run>, Nanos), ExperimentError> {
        let begun = BegunPass::now(Pass::default());
        let create = MetadataOperation::Create;
        let workload = MetadataWorkload::of_one(create, files, 1, request.seed);
        let workload = workload.map_err(MetadataError::from)?;
        let runs = self.names(runner, workload, begun)?.runs;
        self.all_written(runner)?;
        if runner.control.stopped() {
            return Err(etalon_engine::EngineError::Stopped.into());
        }
        Ok((runs, begun.since.elapsed().into()))
    }

    /// Waits for the journal, and for what a filesystem writes to its place behind it.
    fn all_written(&self, runner: &Runner<'_>) -> Result<(), ExperimentError> {
        self.pay_debts(runner.control)?;
        let place = (runner.site, self);
        Rest::within(Some(Nanos::ZERO)).behind(place, runner.control, Bytes::ZERO, WRITTEN);
        Ok(())
    }

    /// Makes and judges a pass of metadata operations, which may have failed in one of them; a device has none.
    pub(crate) fn names(
        &self,
        runner: &Runner<'_>,
        workload: MetadataWorkload,
        begun: BegunPass,
    ) -> Result<Observed, ExperimentError> {
        let TargetPlace::Directory(place) = self.place_for(PrivateDirectory::Names)? else {
            return Ok(Observed::default());
        };
        let cells = cells_of_names(&workload).iter();
        let cells = cells.map(|(operation, cell)| (*operation, (*cell).to_owned()));
        let cells = cells.collect();
        let names = Names::new(workload, place, &runner.control.stop);
        let mut names = names.in_cells(cells);
        names.get_ready(begun.pass)?;
        let observed = runner.pass(&mut names, begun)?;
        match observed.failure {
            Some(why) if observed.runs.is_empty() => Err(ExperimentError::NothingMeasured { why }),
            _ => Ok(observed),
        }
    }

    /// Writes a block durably and waits for it. What thousands of created and removed names leave behind
    /// in a journal is written before it, and would else hold back whichever run comes next.
    pub(crate) fn pay_debts(&self, control: &Control) -> Result<(), ExperimentError> {
        let workload = IoWorkload {
            operation: Operation::Write,
            block_size: DEBT_BLOCK.into(),
            file_size: DEBT_BLOCK,
            backend: Backend::Sync,
            direct: false,
            fsync: FsyncPolicy::End,
            end: End::Pass,
            ..IoWorkload::default()
        };
        let plan = Plan::resolve(&workload, &self.place_for(PrivateDirectory::Debt)?)?;
        etalon_engine::run(&etalon_engine::prepare(&plan, control)?, control)?;
        Ok(())
    }

    fn pilot(
        &self,
        runner: &Runner<'_>,
        workload: &IoWorkload,
        place: PrivateDirectory,
    ) -> Result<Measurement, ExperimentError> {
        let begun = BegunPass::now(Pass::default());
        let mut work = runner.ready("pilot", workload, &self.place_for(place)?)?;
        let run = runner.run(&mut work, begun, None)?;
        let m = run.measurement;
        if runner.control.stopped() {
            return Err(etalon_engine::EngineError::Stopped.into());
        }
        Ok(m)
    }

    /// Lays out the files of every place once; later steps find them there.
    pub(crate) fn lay_out(
        &self,
        runner: &Runner<'_>,
        groups: &[Group],
    ) -> Result<(), ExperimentError> {
        let mut done = BTreeSet::new();
        for step in groups.iter().filter_map(Group::step) {
            // A sequential write needs no data beforehand, but the write file must have no holes.
            let lays_out = step.workload.operation != Operation::Write;
            if lays_out && done.insert(step.place as u8) {
                self.ready(runner, step)?;
            }
        }
        Ok(())
    }

    fn ready(&self, runner: &Runner<'_>, step: &QuickStep) -> Result<(), ExperimentError> {
        runner.ready(&step.name, &step.workload, &self.place_for(step.place)?)?;
        Ok(())
    }
}

impl QuickPlan {
    /// Bytes that are laid out before the first run.
    pub(super) fn laid_out(&self) -> Bytes {
        if self.means.writable {
            Bytes(self.sizes.file.get() * 2)
        } else {
            Bytes::ZERO
        }
    }
}

/// What a pass over so many files takes, where [`PILOT_FILES`] and one took so long.
fn takes(files: u64, many: Nanos, one: Nanos) -> Nanos {
    let more = files as f64 / PILOT_FILES as f64;
    let growing = many.saturating_sub(one).as_secs_f64() * more;
    Nanos::from_secs_f64(one.as_secs_f64() + growing * WHOLE_LIFE)
}

/// What a device cannot take of an experiment that was named: it has no files.
fn not_taken(like: &FileSize, size: Bytes) -> Option<Choice> {
    let is_other = like.source == SizeSource::Experiment && like.size != size;
    is_other.then(|| {
        Choice::note(format!(
            "--like: a device is read as a whole, so that the file size of {} was not taken; the two compare in streams alone.",
            like.size
        ))
    })
}

fn threads_instead(errno: i32) -> Choice {
    let error = std::io::Error::from_raw_os_error(errno);
    Choice::note(format!(
        "The kernel refused io_uring ({error}): where operations are in flight together, each has a thread."
    ))
}

/// The error with what the whole check needs: `before` went by until the sizes were chosen, and of the rest the share
/// `waits` is kept for waiting.
fn explain(
    error: SizingError,
    request: &QuickRequest,
    before: Nanos,
    waits: f64,
) -> ExperimentError {
    match error {
        SizingError::NoSpace { usable, needed } => ExperimentError::NoSpace {
            target: request.target.clone(),
            usable,
            needed,
        },
        SizingError::TooLarge { usable, size } => ExperimentError::TooLarge {
            target: request.target.clone(),
            usable,
            size,
        },
        SizingError::TooLargeForMemory { memory, size } => ExperimentError::TooLargeForMemory {
            target: request.target.clone(),
            memory,
            size,
            fits: of_one_file(memory),
        },
        SizingError::NoRoomAgain { usable, size } => ExperimentError::NoRoomAgain {
            target: request.target.clone(),
            usable,
            size,
        },
        SizingError::NoTime { needed, blocks, .. } => {
            let needed = before.as_secs_f64() + needed.as_secs_f64() / (1.0 - waits);
            ExperimentError::NoTime {
                budget: request.budget,
                blocks,
                needed: Nanos::from_secs_f64(needed),
                needed_option: enough(needed),
            }
        }
    }
}

/// As a budget that is refused by no other outcome of the pilot, such as half the write rate: whole seconds, a quarter
/// and a second more than `needed`.
fn enough(needed: f64) -> String {
    format!("{}s", (needed * 1.25).ceil() + 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::Likeness;
    use super::super::groups::groups;
    use super::super::samples::request;
    use super::*;
    use crate::Site;
    use etalon_factor::Journal;
    use etalon_testbed::Mount;

    #[test]
    fn what_one_file_leaves_behind_does_not_grow_and_what_many_do_is_foreseen() {
        // Ordinary flash: the journal takes as long for two hundred files as for one.
        let quick = takes(20_000, Nanos::millis(60), Nanos::millis(55));
        assert!(quick < Nanos::secs(1), "{quick}");
        // A hundred operations a second: thirteen blocks of inodes are thirteen operations.
        let slow = takes(20_000, Nanos::millis(250), Nanos::millis(110));
        assert!(slow > Nanos::secs(20), "{slow}");
        assert_eq!(
            takes(20_000, Nanos::millis(50), Nanos::millis(55)),
            Nanos::millis(55)
        );
    }

    #[test]
    fn a_device_says_what_it_cannot_take_of_another_experiment() {
        let like = |source, size| FileSize {
            size,
            source,
            like: Likeness::default(),
        };
        let device = Bytes::gib(16);
        let told = not_taken(&like(SizeSource::Experiment, Bytes::gib(1)), device);
        let Some(Choice::Note { text }) = told else {
            panic!("nothing was told");
        };
        assert!(
            text.contains("the file size of 1 GiB was not taken"),
            "{text}"
        );
        assert_eq!(
            not_taken(&like(SizeSource::Experiment, device), device),
            None
        );
        let last = like(SizeSource::SameTarget, Bytes::gib(1));
        assert_eq!(not_taken(&last, device), None);
    }

    /// What is planned on a filesystem with so many inodes; `None` where none can be mounted.
    fn planned(test: &str, inodes: u32) -> Option<QuickPlan> {
        let mount = Mount::tmpfs_for(test, &format!("size=64m,nr_inodes={inodes}"))?;
        let journal = tempfile::tempdir().unwrap();
        let site = Site::look(mount.path()).unwrap();
        let control = Control::default();
        let runner = Runner::new(&site, &control, true);
        let journal = Journal::at(journal.path()).unwrap();
        let place = WorkPlace::entered_in(&journal, &site).unwrap();
        let request = request(mount.path(), Nanos::secs(20));
        Some(place.plan(&runner, &request, Instant::now()).unwrap())
    }

    #[test]
    fn names_leave_a_tenth_of_the_inodes_free_or_are_left_out_with_a_word() {
        let test = "names_leave_a_tenth_of_the_inodes_free_or_are_left_out_with_a_word";
        let Some(few) = planned(test, 1000) else {
            return;
        };
        let files = few.means.files.unwrap();
        assert!((PILOT_FILES..=670).contains(&files), "{files}");
        let Some(none) = planned(test, 250) else {
            return;
        };
        assert_eq!((none.means.files, none.means.durable_files), (None, None));
        let said = format!("{:?}", none.sizes.reasons.last());
        assert!(said.contains("files is not measured: only 2"), "{said}");
        let rows = groups(&none.sizes, &none.means, 1).unwrap();
        assert_eq!(rows.len(), 6);
    }

    #[test]
    fn the_budget_that_is_advised_holds_what_went_by_before_and_what_waits_take() {
        let request = request(".".as_ref(), Nanos::secs(4));
        let error = SizingError::NoTime {
            budget: Nanos::secs(2),
            needed: Nanos::secs(3),
            blocks: 1,
        };
        let told = explain(error, &request, Nanos::millis(1500), 0.25).to_string();
        assert!(
            told.contains("one block of runs takes 5.50 s here; give --budget 8s or more"),
            "{told}"
        );
    }
}
