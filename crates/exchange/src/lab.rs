//! What `etalon lab --json` prints beside the envelope.

use etalon_model::Finding;
use schemars::JsonSchema;
use serde::Serialize;

/// Of `lab list`, `lab check`, `lab simulate`, `lab serve` or `lab powercut`: the keys of what was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabBody {
    /// What guests need.
    Needs(Vec<LabNeed>),
    /// What was simulated.
    Simulation(Simulation),
    /// A disk that was served.
    Served(ServedDisk),
    /// Power cuts.
    PowerCuts(PowerCuts),
    /// What guests can be made of.
    #[serde(untagged)]
    Listed(LabList),
}

/// What guests can be made of here.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LabList {
    /// The disk models.
    pub models: Vec<DiskModel>,
    /// The kernels in `/boot`.
    pub kernels: Vec<LabKernel>,
}

/// An installed kernel.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LabKernel {
    /// Its image.
    pub image: String,
    /// Its release; none where the image cannot be read, or is none.
    pub release: Option<String>,
    /// Where its modules are.
    pub modules: Option<String>,
    /// Whether this machine runs it.
    pub is_running: bool,
}

/// One disk model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DiskModel {
    /// Its name.
    pub name: &'static str,
    /// What it stands for.
    pub about: &'static str,
    /// What it is made of.
    pub figures: Vec<ModelFigure>,
}

/// A figure of a model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModelFigure {
    /// What it is.
    pub name: &'static str,
    /// The value with its unit.
    pub value: &'static str,
    /// A data sheet, a paper, or that it is assumed.
    pub source: &'static str,
}

/// Something that guests need.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LabNeed {
    /// The program or device.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// The Debian package that has it; `null` of a device.
    pub package: Option<&'static str>,
    /// Whether it is there.
    pub found: bool,
}

/// Arrays of modelled disks, simulated and not measured.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Simulation {
    /// The model of every disk.
    pub disk: &'static str,
    /// Number of disks.
    pub disks: u64,
    /// Size of each.
    pub size_bytes: u64,
    /// Chunk of the array.
    pub chunk_bytes: u64,
    /// Decides every random place.
    pub seed: u64,
    /// What each layout gave; the first is the base of ratios. Empty with `--rebuild`.
    pub layouts: Vec<SimulatedLayout>,
    /// How a dead member comes back, with `--rebuild`.
    pub rebuilds: Vec<SimulatedRebuild>,
}

/// What one layout gave.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SimulatedLayout {
    /// The layout.
    pub layout: String,
    /// Sequential read of 1 MiB, queue depth 1.
    pub sequential_read_bytes_per_second: f64,
    /// Random read of 4 KiB, queue depth 16.
    pub random_read_operations_per_second: f64,
    /// Random write of 4 KiB, queue depth 16, each durable.
    pub random_write_operations_per_second: f64,
}

/// A rebuild.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SimulatedRebuild {
    /// The layout.
    pub layout: String,
    /// How long it took.
    pub elapsed_ns: u64,
    /// Bytes of the member.
    pub bytes: u64,
    /// The way there.
    pub curve: Vec<SimulatedRebuildPoint>,
}

/// A look at a rebuild under way.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SimulatedRebuildPoint {
    /// Bytes done.
    pub done_bytes: u64,
    /// How fast at that moment.
    pub bytes_per_second: f64,
    /// When, from the start.
    pub at_ns: u64,
    /// When it will end if the speed goes on to change with the place as it has done so far.
    pub forecast_ns: u64,
}

/// A disk that answered in real time, and how well it kept to its model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ServedDisk {
    /// The model.
    pub model: &'static str,
    /// Size of the disk.
    pub size_bytes: u64,
    /// Requests that were answered.
    pub answers: u64,
    /// Of them those that took longer than the model says by more than 0.1 ms and more than a tenth of it, the way of their data included.
    pub late_answers: u64,
    /// The most by which an answer was late.
    pub latest_ns: u64,
    /// How late answers were in the mean.
    pub mean_late_ns: u64,
    /// Bytes that were read.
    pub read_bytes: u64,
    /// Bytes that were written.
    pub written_bytes: u64,
}

/// Power cuts of a disk that was written to, and what was left of what had been promised.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PowerCuts {
    /// The model of the disk.
    pub disk: &'static str,
    /// Its size.
    pub size_bytes: u64,
    /// Whether it answers flushes and does nothing else.
    pub ignores_flush: bool,
    /// The filesystem between the records and the disk; `null` of a bare disk.
    pub filesystem: Option<&'static str>,
    /// What it was mounted with; `null` where nothing was asked for.
    pub mount_options: Option<String>,
    /// What was promised one by one: `record`, `experiment` in a store of etalon's own, or `row` of a database.
    pub written: &'static str,
    /// After what each record was taken for durable: `fsync`, `dsync` (`O_DSYNC`) or `none` (the write alone).
    pub durability: &'static str,
    /// Size of each record; `null` of an experiment and of a row.
    pub record_bytes: Option<u64>,
    /// Decides the moments and what each cut leaves.
    pub seed: u64,
    /// Power cuts.
    pub cuts: u64,
    /// Those of them before which something had been promised; the others can show nothing.
    pub cuts_with_promises: u64,
    /// Those of them after which something promised was not there, or not whole.
    pub cuts_with_losses: u64,
    /// Cuts after which the filesystem could not be mounted, or the database not be opened.
    pub unmountable_cuts: u64,
    /// The share of `cuts_with_losses` in `cuts_with_promises` is in the long run at most this, by Clopper and Pearson, at the one-sided `level`.
    pub loss_share_at_most: f64,
    /// The confidence level of that bound.
    pub level: f64,
    /// What had been promised before a cut, summed over the cuts.
    pub promised: u64,
    /// Those of them that were not there afterwards, or not whole.
    pub lost: u64,
    /// Of the lost ones those of which a part was left.
    pub torn: u64,
    /// Each cut that lost something promised.
    pub broken_promises: Vec<BrokenPromise>,
}

/// A power cut that lost what had been promised.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BrokenPromise {
    /// Which cut, from 1 on.
    pub cut: u64,
    /// When the power failed, in time of writing from the first write on.
    pub at_ns: u64,
    /// What had been promised by then.
    pub promised: u64,
    /// Those of them that were not there afterwards, or not whole.
    pub lost: u64,
    /// Of the lost ones those of which a part was left.
    pub torn: u64,
    /// The first of the lost ones, counted from 0.
    pub first_lost: u64,
    /// When that had been promised, in time of writing from the first write on.
    pub first_promised_at_ns: u64,
    /// What the check `not-durable` says of it.
    pub finding: Finding,
}
