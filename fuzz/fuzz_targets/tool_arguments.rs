//! The command lines of `etalon hdparm` and `etalon fdtree`, lists of operations on names, and the

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::tool_arguments::check(bytes));
