//! A copied machine whose files are removed, cut off, overwritten, made directories, links and

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::machine_tree::check(bytes));
