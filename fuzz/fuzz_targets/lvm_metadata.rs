//! The metadata text that LVM keeps on a physical volume, behind a sound label and header.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::lvm_metadata::check(bytes));
