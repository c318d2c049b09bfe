//! Why an export could not be written.

use std::io;

/// Why an export could not be written; the text names what to look at.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The JSON document broke off.
    #[error("the JSON document could not be written in full: {0}; the output is incomplete")]
    Json(#[from] serde_json::Error),
    /// The CSV table broke off.
    #[error("the CSV table could not be written in full: {0}; the output is incomplete")]
    Csv(#[from] csv::Error),
    /// The workbook could not be put together.
    #[error("the workbook could not be put together: {0}")]
    Workbook(String),
    /// The last part of the output could not be written.
    #[error("the end of the output could not be written: {0}; the output is incomplete")]
    Flush(#[from] io::Error),
}
