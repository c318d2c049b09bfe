//! Sizes, times, percentages, device numbers and the names of operations and settings.

use etalon_model::stack::DevNo;
use etalon_model::{Backend, CacheMode, Operation};
use etalon_units::{Bytes, Nanos, Percent};

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // What is understood can be printed; what is not is quoted.
    match text.parse::<Bytes>() {
        Ok(bytes) => drop(bytes.to_string()),
        Err(error) => assert!(error.to_string().contains(text)),
    }
    match text.parse::<Nanos>() {
        Ok(nanos) => drop(nanos.to_string()),
        Err(error) => assert!(error.to_string().contains(text)),
    }
    match text.parse::<Percent>() {
        Ok(percent) => {
            assert!(percent.fraction() >= 0.0 && percent.fraction().is_finite());
            drop(percent.to_string());
        }
        Err(error) => assert!(error.to_string().contains(text)),
    }
    if let Ok(devno) = text.parse::<DevNo>() {
        assert_eq!(devno.to_string().parse(), Ok(devno));
    }
    let _ = text.parse::<Operation>();
    let _ = text.parse::<Backend>();
    let _ = text.parse::<CacheMode>();
}
