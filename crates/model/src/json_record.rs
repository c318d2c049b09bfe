//! The records as JSON text, as a store keeps them.

use crate::{Cell, Choice, EnvironmentRecord, Run, TargetRecord};

/// A record that is kept as JSON text.
///
/// serde's readers and writers are generic, and each crate that names one gets its own copy of the code for every type
/// within. Here they are named once; the crates above take this copy.
///
/// ```
/// use etalon_model::{JsonRecord, TargetRecord};
/// let target = TargetRecord { path: "/srv".to_owned(), ..TargetRecord::default() };
/// assert_eq!(TargetRecord::from_json(&target.to_json()?)?, target);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub trait JsonRecord: Sized {
    /// The record that a text holds.
    ///
    /// # Errors
    /// The text is no JSON, or not of this record.
    fn from_json(text: &str) -> serde_json::Result<Self>;

    /// The record as text in one line, without spaces.
    ///
    /// # Errors
    /// A key of a map is no text; the records here have none such.
    fn to_json(&self) -> serde_json::Result<String>;
}

macro_rules! json_records {
    ($($record:ty),*) => {$(
        impl JsonRecord for $record {
            fn from_json(text: &str) -> serde_json::Result<Self> {
                serde_json::from_str(text)
            }

            fn to_json(&self) -> serde_json::Result<String> {
                serde_json::to_string(self)
            }
        }
    )*};
}

json_records!(Run, Cell, TargetRecord, EnvironmentRecord, Vec<Choice>);
