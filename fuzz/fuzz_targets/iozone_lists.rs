//! The lists of accesses that `etalon iozone -X` and `-Y` read.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::iozone_lists::check(bytes));
