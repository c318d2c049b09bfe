//! The command line of `etalon iozone`, its words separated by zero bytes, and the grid it asks for.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::iozone_arguments::check(bytes));
