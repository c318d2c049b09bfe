//! Proofs by simulation with fixed seeds: what each method claims of its intervals and decisions is counted.

mod common;
mod common_spread;
mod comparison;
mod components;
mod dependence;
mod headline;
mod interaction;
mod intervals;
mod levels;
mod planning;
mod prediction;
mod run;
mod steady;
mod stopping;
