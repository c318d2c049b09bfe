//! Sizes, times, percentages, device numbers and the names of operations and settings.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::sizes::check(bytes));
