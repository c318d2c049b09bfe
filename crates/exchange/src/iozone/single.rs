//! One file, a row of the table at a time.

use std::io::Write;
use std::path::Path;

use super::command::{Session, complete};
use super::{IozoneError, header, latency_files, report, row_text};

/// Measures and prints all rows.
pub(crate) fn run(
    session: &mut Session<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), IozoneError> {
    header::table_head(out, session.options)?;
    out.flush()?;
    let mut placed = session.place(1)?;
    for row in session.grid.rows.clone() {
        if let Err(error) = session.room(row, &placed) {
            if session.grid.rows.len() == 1 {
                return Err(error.into());
            }
            writeln!(
                err,
                "etalon iozone: rows from {} on are left out: {error}",
                row.size
            )?;
            break;
        }
        let series = session.bench.row(row, &mut placed)?;
        let cells = session.judge(row, None, series);
        row_text::write(out, row, session.options, &cells)?;
        if session.options.settings.latencies {
            latency_files::write(Path::new("."), &cells)?;
        }
        if session.is_over() {
            break;
        }
    }
    // A file that stays, as on a device that failed, takes no figure away.
    let removed = placed.remove();
    complete(out, session)?;
    if session.options.report {
        report::table(out, &session.cells, &session.grid, session.options)?;
    }
    Ok(removed?)
}
