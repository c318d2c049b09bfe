//! The first MiB of a device: superblocks, LUKS headers, LVM labels and every other mark.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::superblocks::check(bytes));
