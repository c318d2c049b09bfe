//! Cells of a table that a spreadsheet would run as a formula.

use std::io::Write;

use crate::ExportError;

/// With one of these a formula begins, in one spreadsheet or another (OWASP, CSV injection).
const BEGINS: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// Writes a table of comma-separated values again, with an apostrophe before each cell that is no
/// number and would be run: spreadsheets take what follows one for text.
pub(crate) fn write_as_text(table: &[u8], out: impl Write) -> Result<(), ExportError> {
    let mut cells = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(table);
    let mut safe = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(out);
    for row in cells.records() {
        for cell in &row? {
            if is_run(cell) {
                safe.write_field(format!("'{cell}"))?;
            } else {
                safe.write_field(cell)?;
            }
        }
        safe.write_record(None::<&[u8]>)?;
    }
    Ok(safe.flush()?)
}

fn is_run(cell: &str) -> bool {
    cell.starts_with(BEGINS) && cell.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn safe(cells: &[&str]) -> String {
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(cells).unwrap();
        let mut out = Vec::new();
        write_as_text(&table.into_inner().unwrap(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_would_run_is_text_and_numbers_stay_numbers() {
        let cells = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"];
        let mut reader = csv::ReaderBuilder::new();
        let text = safe(&cells);
        let mut reader = reader.has_headers(false).from_reader(text.as_bytes());
        let row = reader.records().next().unwrap().unwrap();
        for (cell, written) in cells.iter().zip(&row) {
            assert_eq!(written, format!("'{cell}"));
        }
        let plain = ["-5", "+1e3", "-0.25", "", "a=b", "4 KiB - 8 KiB", "12"];
        assert_eq!(safe(&plain), plain.join(",") + "\r\n");
    }
}
