//! What the user asked for; nothing here touches the machine.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use etalon_file_ops::{Advice, Depth, FileOp, Fill, Mapped, Settings, Sharing, WriteBack};
use etalon_model::SyncMode;
use etalon_units::{Bytes, Percent};

use super::Unit;

/// Something to be printed instead of measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// `-h`.
    Help,
    /// `-v`.
    Version,
}

/// How often each row is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Repeat {
    /// So many times.
    Runs(usize),
    /// Until the interval is ±5 % wide, in no more time than so many passes over everything take.
    /// Figures that are too few to learn from one another are measured so many times.
    TimeOfPasses(usize),
    /// Until the interval is this narrow, at most [`etalon_stats::MAX_RUNS`] times.
    Precision(Percent),
}

/// The default: enough for an interval, and no more than three times iozone's time.
pub(crate) const DEFAULT_PASSES: usize = 3;

/// The half width at which a cell is valid when none is asked for.
pub(crate) const DEFAULT_PRECISION: f64 = 0.05;

/// A command line, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What to print instead of measuring.
    pub ask: Option<Ask>,
    /// `-a`, `-A`: a grid of sizes.
    pub auto: bool,
    /// `-A`: everything dense, writing and reading only.
    pub dense: bool,
    /// `-z`: small records on large files too.
    pub all_records: bool,
    /// `-i`; empty for all.
    pub tests: BTreeSet<u8>,
    /// `-E`: the pread family too.
    pub extension: bool,
    /// `-s`, each once, ascending; several make a grid.
    pub sizes: Vec<Bytes>,
    /// `-r`, likewise.
    pub records: Vec<Bytes>,
    /// `-n`.
    pub min_size: Option<Bytes>,
    /// `-g`.
    pub max_size: Option<Bytes>,
    /// `-y`.
    pub min_record: Option<Bytes>,
    /// `-q`.
    pub max_record: Option<Bytes>,
    /// `-+x`: from one size to the next.
    pub multiplier: u64,
    /// `-R`.
    pub report: bool,
    /// `-b`.
    pub workbook: Option<PathBuf>,
    /// `-f`.
    pub file: Option<PathBuf>,
    /// `--overwrite`: files of others that may be written over and removed.
    pub overwrite: Vec<PathBuf>,
    /// `-F`.
    pub files: Vec<PathBuf>,
    /// `-t`, each once, ascending.
    pub worker_counts: Vec<usize>,
    /// `-l`.
    pub min_workers: Option<usize>,
    /// `-u`.
    pub max_workers: Option<usize>,
    /// `-T`.
    pub threads: bool,
    /// `-w`.
    pub keep: bool,
    /// `-M`.
    pub machine: bool,
    /// `-N`, `-O`.
    pub unit: Unit,
    /// `-U`.
    pub remount: Option<PathBuf>,
    /// `-p`.
    pub purge: bool,
    /// `-S`.
    pub cache: Bytes,
    /// `-L`, in bytes.
    pub cache_line: u64,
    /// `-+u`.
    pub cpu: bool,
    /// `-x` turns it off.
    pub stonewall: bool,
    /// `-C`.
    pub per_worker: bool,
    /// `-+n`.
    pub no_retest: bool,
    /// `-d`.
    pub release_delay: Duration,
    /// `-P`.
    pub first_cpu: Option<usize>,
    /// `-+p`; without it every other worker reads.
    pub read_percent: Option<u8>,
    /// `-+k`: `-s` is the sum over all workers.
    pub constant_total: bool,
    /// `-+q`.
    pub pause: Duration,
    /// `-H`: records under way at once, copied to and from the queue's memory.
    pub copying_queue: Option<usize>,
    /// `-k`: records under way at once, in the queue's memory.
    pub plain_queue: Option<usize>,
    /// `-X`.
    pub write_list: Option<PathBuf>,
    /// `-Y`.
    pub read_list: Option<PathBuf>,
    /// `-V`: the byte that every record holds.
    pub verify: Option<u8>,
    /// `-+d`: every byte is compared with what its place says.
    pub diagnose: bool,
    /// `-+w`: percent of a record that other files have too.
    pub shared_data: Option<u8>,
    /// `-+y`: percent of that which every record has.
    pub repeated: Option<u8>,
    /// `-+C`: percent of that which only the file itself has.
    pub own_repeated: Option<u8>,
    /// `-+S`: files of one number share data.
    pub set: Option<u64>,
    /// `-+L`: all workers use one file.
    pub shared: bool,
    /// `-+B`.
    pub sequential_mix: bool,
    /// `-+T`.
    pub time_stamps: bool,
    /// `-B`.
    pub mapped: bool,
    /// `-D`, `-G`.
    pub write_back: WriteBack,
    /// `-Z`.
    pub mapped_mixed: bool,
    /// `--runs`, `--precision`.
    pub repeat: Repeat,
    /// `--fill`: without the reserve of a tenth.
    pub fill: bool,
    /// What goes to the workload as it is: direct, sync, stride and the like.
    pub settings: Settings,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            ask: None,
            auto: false,
            dense: false,
            all_records: false,
            tests: BTreeSet::new(),
            extension: false,
            sizes: Vec::new(),
            records: Vec::new(),
            min_size: None,
            max_size: None,
            min_record: None,
            max_record: None,
            multiplier: 2,
            report: false,
            workbook: None,
            file: None,
            files: Vec::new(),
            overwrite: Vec::new(),
            worker_counts: Vec::new(),
            min_workers: None,
            max_workers: None,
            threads: false,
            keep: false,
            machine: false,
            unit: Unit::KiloBytes,
            remount: None,
            purge: false,
            cache: Bytes::kib(1024),
            cache_line: 32,
            cpu: false,
            stonewall: true,
            per_worker: false,
            no_retest: false,
            release_delay: Duration::ZERO,
            first_cpu: None,
            read_percent: None,
            constant_total: false,
            pause: Duration::ZERO,
            copying_queue: None,
            plain_queue: None,
            verify: None,
            diagnose: false,
            shared_data: None,
            repeated: None,
            own_repeated: None,
            set: None,
            shared: false,
            sequential_mix: false,
            time_stamps: false,
            write_list: None,
            read_list: None,
            mapped: false,
            write_back: WriteBack::Left,
            mapped_mixed: false,
            repeat: Repeat::TimeOfPasses(DEFAULT_PASSES),
            fill: false,
            settings: Settings {
                seed: 0x10e,
                ..Settings::default()
            },
        }
    }
}

impl Options {
    /// Whether a grid of sizes is measured: iozone makes one of several `-s` or `-r` too.
    pub fn is_grid(&self) -> bool {
        self.auto || self.has_several_sizes()
    }

    /// Whether sizes of files or records were given one by one.
    pub(crate) fn has_several_sizes(&self) -> bool {
        self.sizes.len() > 1 || self.records.len() > 1
    }

    /// The numbers of workers to run with, ascending; `None` for one file without a group.
    pub fn workers(&self) -> Option<Vec<usize>> {
        let counts = match (self.min_workers, self.max_workers) {
            (None, None) => self.worker_counts.clone(),
            (Some(alone), None) => vec![alone],
            (least, Some(most)) => (least.unwrap_or(1)..=most).collect(),
        };
        (!counts.is_empty()).then_some(counts)
    }

    /// The largest number of workers; `None` for one file without a group.
    pub(crate) fn most_workers(&self) -> Option<usize> {
        self.workers()?.last().copied()
    }

    /// The operations that the chosen tests consist of, in the order of the columns.
    pub fn operations(&self) -> Vec<FileOp> {
        let mut tests = self.tests.clone();
        if tests.is_empty() {
            tests.extend(match self.queue() {
                _ if self.read_list.is_some() => 0..=1,
                _ if self.write_list.is_some() => 0..=0,
                _ if self.dense => 0..=1,
                Some(_) => 0..=5,
                None => 0..=7,
            });
            let listed = self.list_option().is_some();
            if self.workers().is_some() && !listed {
                tests.insert(8);
            }
            if self.workers().is_some() && !listed && self.queue().is_none() {
                tests.extend([9, 10]);
            }
        }
        if self.extension {
            tests.extend([9, 10]);
        }
        let together = self.workers().is_some();
        let chosen = |op: &FileOp| {
            tests.contains(&test_of(*op))
                && !(self.no_retest && is_retest(*op))
                // A group repeats neither streams nor the pread family.
                && !(together && is_retest(*op) && test_of(*op) >= 6)
        };
        let order = if together {
            group_order()
        } else {
            FileOp::ALL.to_vec()
        };
        order.into_iter().filter(chosen).collect()
    }

    /// Whether what `op` writes is durable when the clock stops. `O_SYNC` is a matter of calls.
    pub fn durable(&self, op: FileOp) -> bool {
        let by_itself = match self.mapping().filter(|_| op.may_be_mapped()) {
            Some(mapped) => mapped.write_back == WriteBack::Awaited,
            None => self.settings.sync != SyncMode::None,
        };
        by_itself || self.settings.flush_in_clock
    }

    /// How many records are under way at once, if more than one may be.
    pub fn queue(&self) -> Option<Depth> {
        let depth = |records: Option<usize>, copied| {
            let records = records?;
            Some(Depth { records, copied })
        };
        depth(self.plain_queue, false).or(depth(self.copying_queue, true))
    }

    /// The first option that names a list, if any does.
    pub(crate) fn list_option(&self) -> Option<&'static str> {
        let given = [(&self.write_list, "-X"), (&self.read_list, "-Y")];
        let named = given.iter().find(|(list, _)| list.is_some());
        named.map(|&(_, option)| option)
    }

    /// What the files are filled with.
    pub fn fill(&self) -> Fill {
        match (self.verify, self.shared_data) {
            (Some(byte), _) => Fill::Byte(byte),
            (None, Some(shared)) => Fill::Shared {
                file: 0,
                sharing: Sharing {
                    shared,
                    repeated: self.repeated.unwrap_or(0),
                    own: self.own_repeated.unwrap_or(0),
                    set: self.set.unwrap_or(0),
                },
            },
            (None, None) if self.diagnose => Fill::Placed { file: 0 },
            (None, None) => Fill::Stamped,
        }
    }

    /// How files are mapped, if they are.
    pub fn mapping(&self) -> Option<Mapped> {
        self.mapped.then_some(Mapped {
            write_back: self.write_back,
            mixed: self.mapped_mixed,
        })
    }

    /// Sets what the kernel is told of the accesses.
    pub(crate) fn advise(&mut self, number: usize) -> bool {
        self.settings.advice = Advice::ALL.get(number).copied();
        self.settings.advice.is_some()
    }
}

/// The order of a group's tests, which is not that of the columns.
fn group_order() -> Vec<FileOp> {
    use FileOp::*;
    vec![
        Write,
        Rewrite,
        Read,
        Reread,
        BackwardRead,
        RecordRewrite,
        StridedRead,
        RandomRead,
        Mixed,
        RandomWrite,
        Pwrite,
        Pread,
        Pwritev,
        Preadv,
        Fwrite,
        Fread,
    ]
}

/// The number after `-i`.
pub(crate) fn test_of(op: FileOp) -> u8 {
    use FileOp::*;
    match op {
        Write | Rewrite => 0,
        Read | Reread => 1,
        RandomRead | RandomWrite => 2,
        BackwardRead => 3,
        RecordRewrite => 4,
        StridedRead => 5,
        Fwrite | Frewrite => 6,
        Fread | Freread => 7,
        Mixed => 8,
        Pwrite | Repwrite => 9,
        Pread | Repread => 10,
        Pwritev | Repwritev => 11,
        Preadv | Repreadv => 12,
    }
}

fn is_retest(op: FileOp) -> bool {
    use FileOp::*;
    matches!(
        op,
        Rewrite | Reread | Frewrite | Freread | Repwrite | Repread | Repwritev | Repreadv
    )
}
