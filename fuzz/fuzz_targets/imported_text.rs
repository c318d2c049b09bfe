//! A text that `etalon import` takes.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::imported_text::check(bytes));
