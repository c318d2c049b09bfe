//! The command line of `etalon dd`, its words separated by zero bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::dd_operands::check(bytes));
