//! Floats that may not be finite, in JSON.
//!
//! JSON has no infinity and no not-a-number; both are written as `null`. Read back, `null` is
//! not-a-number, so that one such figure never makes a whole record unreadable.

use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(*value)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use crate::{Evidence, Interval};

    #[test]
    fn figures_that_are_not_finite_leave_the_record_readable() {
        let json = serde_json::to_string(&Evidence::new("x", f64::INFINITY)).unwrap();
        assert_eq!(json, r#"{"name":"x","value":null}"#);
        assert!(
            serde_json::from_str::<Evidence>(&json)
                .unwrap()
                .value
                .is_nan()
        );

        let interval = Interval {
            low: f64::NEG_INFINITY,
            high: 2.5,
            level: 0.95,
        };
        let json = serde_json::to_string(&interval).unwrap();
        let back: Interval = serde_json::from_str(&json).unwrap();
        assert!(back.low.is_nan());
        assert_eq!(back.high, 2.5);
    }
}
