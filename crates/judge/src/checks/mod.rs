//! One file per check; each is a [`Check`](crate::Check) named `CHECK` and one line in the
//! registry.

pub(crate) mod buffers_not_registered;
pub(crate) mod depth_one;
pub(crate) mod direct_refused;
pub(crate) mod failed;
pub(crate) mod few_operations;
pub(crate) mod foreign_io;
pub(crate) mod generator_lag;
pub(crate) mod io_uring_refused;
pub(crate) mod no_device;
pub(crate) mod not_durable;
pub(crate) mod page_cache;
pub(crate) mod regimes;
pub(crate) mod tool_limit;
pub(crate) mod verify;
pub(crate) mod warm_up;
pub(crate) mod write_amplification;
