//! One file, the rows of one size at a time.

use std::io::Write;

use super::batch::Batch;
use super::session::{IozoneSession, complete};
use super::{IozoneError, header, latency_files, report, row_text};

/// Measures and prints all rows.
pub(crate) fn run(
    session: &mut IozoneSession<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), IozoneError> {
    header::table_head(out, session.options)?;
    out.flush()?;
    let mut placed = session.place(1)?;
    let mut done = Ok(());
    let rows = session.grid.rows.clone();
    for rows in rows.chunk_by(|one, next| one.size == next.size) {
        let size = rows[0].size;
        if let Err(error) = session.room(rows[0], &placed) {
            if session.grid.rows.len() == 1 {
                return Err(error.into());
            }
            writeln!(
                err,
                "etalon iozone: rows from {size} on are left out: {error}"
            )?;
            break;
        }
        let (batch, ended) = session.batch(rows, &mut placed)?;
        print(session, batch, out)?;
        done = ended;
        if done.is_err() || session.is_over() {
            break;
        }
    }
    // A file that stays, as on a device that failed, takes no figure away.
    let removed = placed.remove();
    complete(out, session, done.is_ok())?;
    if session.options.report {
        report::table(out, &session.cells, &session.grid, session.options)?;
    }
    done?;
    Ok(removed?)
}

fn print(
    session: &mut IozoneSession<'_>,
    batch: Batch,
    out: &mut dyn Write,
) -> Result<(), IozoneError> {
    for (row, cells) in session.judge(batch, None) {
        row_text::write(out, row, session.options, &cells)?;
        if session.options.settings.latencies {
            latency_files::write(&mut session.files.logs, &cells)?;
        }
    }
    out.flush()?;
    Ok(())
}
