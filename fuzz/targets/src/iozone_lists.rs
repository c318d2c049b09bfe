//! The lists of accesses that `etalon iozone -X` and `-Y` read.

use etalon_tools::iozone::parse_list;

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    match parse_list(&String::from_utf8_lossy(bytes)) {
        Ok(list) => {
            assert!(!list.is_empty());
            for access in list {
                assert!(access.length > 0 && access.end() <= i64::MAX as u64);
            }
        }
        Err(error) => assert!(error.to_string().len() < 400),
    }
}
