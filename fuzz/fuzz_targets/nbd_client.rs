//! What a client sends to a served disk model.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| etalon_fuzz_targets::nbd_client::check(bytes));
