//! What has changed on a machine since runs were made.

use std::fmt;

use etalon_model::stack::ManifestChange;

/// Changes listed in full.
const MAX_LISTED_CHANGES: usize = 3;

/// In what the machine differs from that of the runs which stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes(pub Vec<ManifestChange>);

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> = self
            .0
            .iter()
            .take(MAX_LISTED_CHANGES)
            .map(ToString::to_string)
            .collect();
        f.write_str(&told.join("; "))?;
        match self.0.len().saturating_sub(MAX_LISTED_CHANGES) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
