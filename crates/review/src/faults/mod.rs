//! One file a kind of fault, named after its code.

pub(crate) mod faster_than_device;
pub(crate) mod idle_half;
pub(crate) mod mixed_settings;
pub(crate) mod no_description;
pub(crate) mod no_fsync;
pub(crate) mod no_lvm;
pub(crate) mod no_spread;
pub(crate) mod no_trim;
pub(crate) mod one_run;
pub(crate) mod other_command;
pub(crate) mod repeated_figure;
pub(crate) mod share_of_total;
pub(crate) mod smaller_than_memory;
pub(crate) mod unlike_rows;
pub(crate) mod wild_runs;
pub(crate) mod winner_within_noise;
pub(crate) mod wrong_base;
pub(crate) mod wrong_mean;
pub(crate) mod wrong_place;
pub(crate) mod wrong_rate;
pub(crate) mod wrong_size;
pub(crate) mod wrong_unit;

#[cfg(test)]
mod tests;
