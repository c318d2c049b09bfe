//! The command line of `etalon dd`, its words separated by zero bytes.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use etalon_tools::dd::{self, DdOptions};

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let words = bytes.split(|byte| *byte == 0);
    let words: Vec<OsString> = words.map(|word| OsStr::from_bytes(word).into()).collect();
    let options = match DdOptions::parse(&words) {
        Ok(options) => options,
        Err(error) => return drop(error.to_string()),
    };
    let mut copies = Vec::new();
    for operands in &options.groups {
        let mut warnings = Vec::new();
        match dd::parse(operands, &mut warnings) {
            Ok(settings) => copies.push(settings),
            Err(error) => return drop(error.to_string()),
        }
    }
    for settings in &copies {
        assert!(settings.input_block > 0 && settings.output_block > 0);
        assert!(settings.skip.bytes < settings.input_block);
        assert!(settings.seek.bytes < settings.output_block);
        let _ = settings.skip.in_bytes(settings.input_block);
        let _ = settings.seek.in_bytes(settings.output_block);
    }
    let _ = options.fits(&copies);
}
