//! The command lines of `etalon hdparm` and `etalon fdtree`, lists of operations on names, and the
//! parameters of real work; words separated by zero bytes.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use etalon_tools::fdtree::FdtreeLine;
use etalon_tools::hdparm::HdparmOptions;
use etalon_work::{Distribution, REGISTRY, Values};
use etalon_workload::metadata::MetadataOperation;

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let words = bytes.split(|byte| *byte == 0);
    let words: Vec<OsString> = words.map(|word| OsStr::from_bytes(word).into()).collect();
    let _ = HdparmOptions::parse(&words).map_err(|error| error.to_string());
    if let Ok(FdtreeLine::Run(options)) = FdtreeLine::parse(&words) {
        let shape = options.tree.shape;
        assert_eq!(shape.check(), Ok(()));
        assert!(i64::try_from(shape.total_bytes().get()).is_ok());
    }
    let texts: Vec<String> = words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    for text in &texts {
        let _ = MetadataOperation::parse_list(text).map_err(|error| error.to_string());
        let _ = text.parse::<Distribution>();
    }
    let given = texts.iter().filter_map(|text| text.split_once('='));
    let given: Vec<(String, String)> = given.map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
    for work in REGISTRY {
        let parsed = Values::parse(work.parameters(), &given);
        let _ = parsed.map(|values| values.resolved(work.parameters()));
    }
}
