//! What etalon reads back from files that others may have changed: histograms, the journal, stacks

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::records::check(bytes));
