//! What `etalon lab --json` prints beside the envelope.

use schemars::JsonSchema;
use serde::Serialize;

/// Of `lab list`, `lab check`, `lab simulate` or `lab serve`: the one key that was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabBody {
    /// The disk models.
    Models(Vec<DiskModel>),
    /// What guests need.
    Needs(Vec<LabNeed>),
    /// What was simulated.
    Simulation(Simulation),
    /// A disk that was served.
    Served(ServedDisk),
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
    /// Of them those that left more than 0.1 ms and more than a tenth of their own time after the model's time.
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
