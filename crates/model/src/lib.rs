//! The plain records that cross rooms, and the version of their schema.
//!
//! A [`Workload`] says what is done to a target, a [`Measurement`] what the engine saw, a
//! [`Finding`] what a check made of it, a [`Verdict`] how far it can be trusted, a [`Run`] ties
//! them together, a [`Cell`] gathers the runs of one workload and an [`Experiment`] holds the cells
//! and runs that one command made. Nothing here knows how any of it is obtained or shown; every
//! room above may depend on this one.

mod applies;
mod block_sizes;
mod cell;
mod choice;
mod circumstances;
mod comparison;
mod counted_runs;
mod coverage;
mod environment;
mod experiment;
mod fake_device;
mod figure;
mod finding;
mod float;
mod gate;
mod histogram;
mod interaction;
mod json_record;
mod lab;
mod label_spread;
mod level;
mod limits;
mod measurement;
mod operation;
mod optional;
mod pass_time;
mod passport;
mod plan;
mod process;
mod published;
mod run;
mod run_headline;
mod runs_by_cell;
mod said;
mod served_path;
mod service;
pub mod stack;
mod summary;
mod task;
mod think;
mod unit;
mod verdict;
mod work;
mod workload;

pub use applies::conditional_keys;
pub use block_sizes::{BlockRange, BlockShare, BlockSizes, BlockSizesError};
pub use cell::{Cell, Estimate, Headline, Interval, LONGEST_PROPOSED, Precision};
pub use choice::{CacheTreatment, Choice, SizeLimit};
pub use circumstances::{
    Aftermath, BackgroundWork, BeneathFacts, CacheHeld, CacheLayer, CacheMember, Circumstances,
    ConcurrentRuns, ContentSample, DiskFacts, FileFacts, IdleTraffic, MachineActivity,
    MachineMeters, RequestQueue, RereadProbe, Siblings,
};
pub use comparison::{
    Chance, Comparison, ComparisonArm, ComparisonVerdict, Standing, WorkloadDifference,
};
pub use counted_runs::CountedRuns;
pub use coverage::{CheckCoverage, CheckState};
pub use environment::{EnvironmentDifference, EnvironmentMark, EnvironmentRecord};
pub use experiment::{
    Experiment, ExperimentHeader, ExperimentKind, ExperimentState, NewExperiment,
};
pub use fake_device::{FakeDevice, FakeKind};
pub use finding::{AffectedRuns, Evidence, Finding, Severity};
pub use gate::{Gate, GateOutcome, GateRow};
pub use histogram::{DecodeHistogramError, LatencyHistogram};
pub use interaction::{FactorInteraction, InteractionLevel};
pub use json_record::JsonRecord;
pub use lab::{LabDisk, LabGuest, LabImage, LabNetwork};
pub use label_spread::{LabelFigure, LabelSpread, SpreadComponents};
pub use level::{FactValue, LevelFact, LevelRecord, RebuildPoint, RebuildRecord};
pub use limits::{DeviceLimit, GroupTraffic, LimitedQuantity, Limits, ProcessorQuota};
pub use measurement::{
    DeviceTraffic, Ended, Fallback, JobTotals, Measurement, OpTotals, SeriesPoint, VerifyReport,
};
pub use operation::{Operation, Order, UnknownOperation};
pub use pass_time::{PassTime, TotalTime};
pub use passport::{Passport, PassportChange};
pub use plan::{Plan, PlanFactor, PlanPrecondition, PlanWorkload};
pub use process::ProcessSettings;
pub use published::PublishedFigure;
pub use run::{Run, RunId, TargetRecord};
pub use run_headline::RunHeadline;
pub use runs_by_cell::RunsByCell;
pub use said::{SaidPart, Sentence};
pub use served_path::{ServedPath, ServerKind};
pub use service::{NetworkFacts, ServiceFacts};
pub use summary::{CellSummary, ExperimentSummary};
pub use task::{Parameter, TaskFigure, TaskWorkload};
pub use think::Think;
pub use unit::Unit;
pub use verdict::Verdict;
pub use work::Workload;
pub use workload::{
    Arrival, Backend, CacheMode, Distribution, End, FileLayout, FsyncPolicy, IoWorkload, SyncMode,
    UnknownName,
};

/// The version of every serialised record; it grows with the first meaningful change and never
/// shrinks. The fields are described in `docs/schema.md`.
pub const SCHEMA_VERSION: u32 = 3;
