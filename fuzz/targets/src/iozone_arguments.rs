//! The command line of `etalon iozone`, its words separated by zero bytes, and the grid it asks for.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use etalon_tools::iozone::{IozoneGrid, Options};

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let words = bytes.split(|byte| *byte == 0);
    let words: Vec<OsString> = words.map(|word| OsStr::from_bytes(word).into()).collect();
    let options = match Options::parse(&words) {
        Ok(options) => options,
        Err(error) => return drop(error.to_string()),
    };
    let grid = IozoneGrid::new(&options).expect("checked when the line was read");
    for row in &grid.rows {
        assert!(row.size.get() > 0 && row.record.get() > 0);
    }
    assert!(!options.operations().is_empty());
    for op in options.operations() {
        let _ = options.durable(op);
    }
    let _ = (options.workers(), options.repeat);
    let _ = (options.mapping(), options.queue(), options.fill());
}
