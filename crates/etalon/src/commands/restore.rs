//! `etalon restore`, and the same before every measurement.

use etalon_factor::{Journal, RestoreReport, restore};

use crate::exit::Exit;
use crate::output;

pub(crate) fn run() -> anyhow::Result<Exit> {
    let report = restore(&Journal::open()?)?;
    output::print(&format!("{report}\n"))?;
    Ok(if report.is_clean() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// Puts back what a killed run left, and mentions it only where there was something.
pub(crate) fn before_a_run() {
    let report = Journal::open().and_then(|journal| restore(&journal));
    match report {
        Ok(report) if report == RestoreReport::default() => {}
        Ok(report) => output::note(&report.to_string()),
        Err(error) => output::note(&format!(
            "etalon: what an earlier run left could not be looked for: {error}"
        )),
    }
}
