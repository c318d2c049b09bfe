//! From a question to ordered runs, judged as they end.
//!
//! [`Site::look`] finds out what a target is and what lies beneath it. [`quick`] is the check of
//! about a minute, [`measure`](measure()) one workload repeated, [`together`](together()) several at
//! once; [`plan`] varies one thing after the other; [`metadata`] and [`work`] repeat a task whole and judge it part by part. All of them make their
//! runs by [`run`], which brackets each part with the counters of the stack, and has it judged. All tell a [`Witness`] what happens, so that finished runs are kept at once. Nothing here knows
//! how results are stored or shown.

mod changes;
mod claim;
mod earlier;
mod environment;
mod error;
mod eta;
mod forecast;
mod grid;
mod idle;
mod latency;
mod measure;
mod memory_room;
pub mod plan;
mod quick;
pub mod run;
mod shown;
mod site;
mod started;
mod task;
mod together;
mod unquiet;
mod witness;
mod work_place;

pub use changes::Changes;
pub use claim::claim;
pub use environment::environment_of;
pub use error::{ExperimentError, WitnessError};
pub use eta::Eta;
pub use forecast::Forecast;
pub use grid::workload_name;
pub use idle::QUIET_SECONDS;
pub use latency::{BadLatencyTarget, LatencyAnswer, LatencyStep, LatencyTarget, StepPercentile};
pub use measure::{MeasureRequest, measure};
pub use quick::{FileSize, Likeness, QuickRequest, SizeSource, quick};
pub use run::around::{background_work, beneath_facts, machine_activity};
pub use run::order_of_block;
pub use site::{Site, SiteError, SiteKind};
pub use task::{MetadataRequest, Repeat, TaskOutcome, WorkRequest, metadata, work, works};
pub use together::{
    StreamCells, StreamRequest, StreamWorkload, TogetherOutcome, TogetherRequest, together,
};
pub use unquiet::Unquiet;
pub use witness::{Event, Outcome, Witness};
