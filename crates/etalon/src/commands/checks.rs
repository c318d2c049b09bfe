//! `etalon checks`.

use etalon_judge::CHECKS;

use crate::exit::Exit;
use crate::output;

pub(crate) fn run() -> anyhow::Result<Exit> {
    let width = CHECKS
        .iter()
        .map(|check| check.code.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for check in CHECKS {
        text.push_str(&format!(
            "{:width$}  {} {}\n",
            check.code, check.about, check.advice
        ));
    }
    output::print(&text)?;
    Ok(Exit::Done)
}
