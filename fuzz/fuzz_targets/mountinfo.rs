//! `/proc/self/mountinfo` and, behind a first zero byte, `/proc/swaps`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::mountinfo::check(bytes));
