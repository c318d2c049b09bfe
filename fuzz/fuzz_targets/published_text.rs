//! A published text that `etalon review` reads.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::published_text::check(bytes));
