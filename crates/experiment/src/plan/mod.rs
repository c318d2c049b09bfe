//! Plans: one thing varied, in random complete blocks, and put back.
//!
//! [`PlanText::parse`] reads a plan and says where it is wrong; [`PlanRequest`] is the plan with its
//! workloads and levels resolved, which [`arrange`] makes cells of, [`describe`] tells without doing
//! anything, and [`carry_out`] measures through the one loop of [`crate::run`].

mod arrange;
mod commands;
mod complete;
mod course;
mod describe;
mod machine;
mod pilot;
mod place;
mod placed;
mod precondition;
mod real_work;
mod request;
mod rounds;
mod session;
mod setting;
mod standing;
mod task;
#[cfg(test)]
mod tests;
mod text;
mod value;

pub use arrange::{Arrangement, PlanCell, Plot, arrange};
pub use complete::USUAL_BLOCKS;
pub use describe::{PlanDescription, RunTime, describe};
pub use pilot::pilots;
pub use place::{PlanError, TextPlace};
pub use placed::{PlacedOption, TextWorkload};
pub use request::{ChosenFactor, NamedWorkload, PlanRequest, Precondition};
pub use session::{carry_out, judge_parts};
pub use task::{PlannedTask, PlannedWork};
pub use text::{MOST_BLOCKS, PlanText};
