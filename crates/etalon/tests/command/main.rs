//! The whole program, started as a user starts it.
//!
//! Every test gives it a store and a journal of its own, and a filesystem of its own where one can
//! be made; what needs root says so on standard error and passes when it is not there.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "in a helper of a test, a failure is a failed test, and times are for the reader"
)]

mod absent;
mod accessible;
mod accounts;
mod bad_words;
mod block_devices;
mod checks_told;
mod coloured;
mod common;
mod compared;
mod completed;
mod continued;
mod disks;
mod documents;
mod eighty_columns;
mod environments;
mod every_kind;
mod everyday;
mod examples_run;
mod exchanged;
mod exit_codes;
mod experiments;
mod failing_disks;
mod filesystems;
mod filled;
mod golden;
mod hdparm;
mod hidden;
mod hostile_names;
mod identities;
mod imported;
mod iozone;
mod killed;
mod lab;
mod lab_guests;
mod lab_here;
mod lab_powercuts;
mod languages;
mod latency;
mod left_over;
mod limits;
mod locks;
#[path = "../../../stack/tests/machine/mod.rs"]
mod machine;
mod manners;
mod one_figure;
mod plans;
mod private;
mod records;
mod reported;
mod schemas;
mod served;
mod servers;
mod servers_standing;
mod signals;
mod slow_devices;
mod snapshots;
mod spilled;
mod stopped;
mod stores;
mod surfaces;
mod tasks;
mod tasks_ended;
mod together;
mod tools_kept;
mod toy_kind;
mod unequal;
mod words;
