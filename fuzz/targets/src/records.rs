//! What etalon reads back from files that others may have changed: histograms, the journal, stacks
//! and runs as they are stored.
//!
//! The first byte chooses the kind of record; the others are its text or bytes.

use etalon_factor::{Entry, ProcessStamp, Token};
use etalon_model::stack::{Recording, StackTree};
use etalon_model::{LatencyHistogram, Run};
use etalon_report::render_text;

fn histogram(bytes: &[u8]) {
    let Ok(mut found) = LatencyHistogram::from_bytes(bytes) else {
        return;
    };
    let _ = (found.mean(), found.max(), found.tail_quantile(0.999));
    let median = found.quantile(0.5);
    assert_eq!(median.is_some(), found.count() > 0);
    found.merge(&LatencyHistogram::new());
    assert!(LatencyHistogram::from_bytes(&found.to_bytes()).is_ok());
}

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    match kind % 6 {
        0 => histogram(bytes),
        1 => {
            let _ = Entry::parse(bytes).map_err(|error| error.to_string());
        }
        2 => {
            let _ = text.parse::<ProcessStamp>();
            let _ = text.parse::<Token>();
        }
        3 => {
            if let Ok(tree) = serde_json::from_slice::<StackTree>(bytes) {
                let _ = (tree.one_line(), render_text(&tree), tree.all_warnings());
            }
        }
        4 => {
            if let Ok(run) = serde_json::from_slice::<Run>(bytes) {
                let _ = serde_json::to_string(&run);
            }
        }
        _ => {
            let _ = serde_json::from_slice::<Recording>(bytes);
        }
    }
}
