//! Several files at once, for one number of workers after the other.

use std::io::Write;

use super::session::{IozoneSession, complete};
use super::{IozoneError, group_text, latency_files, report, time_stamps};

/// Measures and prints every number of workers, at the first row of the grid.
pub(crate) fn run(
    session: &mut IozoneSession<'_>,
    workers: &[usize],
    out: &mut dyn Write,
) -> Result<(), IozoneError> {
    group_text::first(out, session.options, workers)?;
    let (mut removed, mut done) = (Ok(()), Ok(()));
    for &count in workers {
        let mut placed = session.place(count)?;
        for row in session.grid.rows.clone() {
            let row = row.of_each(count, session.options);
            session.room(row, &placed)?;
            group_text::head(out, session.options, row)?;
            out.flush()?;
            let (batch, ended) = session.batch(&[row], &mut placed)?;
            done = ended;
            for (_, cells) in session.judge(batch, Some(count)) {
                for cell in &cells {
                    group_text::block(out, cell, session.options)?;
                }
                if session.options.settings.latencies {
                    latency_files::write(&mut session.files.logs, &cells)?;
                }
                if session.options.time_stamps {
                    time_stamps::write(&mut session.files.logs, &cells)?;
                }
            }
            writeln!(out, "\n")?;
            if done.is_err() || session.is_over() {
                break;
            }
        }
        if session.options.keep {
            session.made.extend(placed.made());
        }
        // Files that stay, as on a device that failed, take no figure away.
        removed = placed.remove();
        if removed.is_err() || done.is_err() || session.is_over() {
            break;
        }
    }
    writeln!(out)?;
    if session.options.report {
        report::groups(out, &session.cells, &session.grid, session.options)?;
        writeln!(out)?;
    }
    complete(out, session, done.is_ok())?;
    done?;
    Ok(removed?)
}
