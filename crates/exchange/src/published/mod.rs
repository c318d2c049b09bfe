//! What other programs printed, as runs: from the figures that `etalon-review` reads of a text, or from our own table.
//!
//! [`read_published`] gives a run for each figure. Each says who measured it; what the text does not tell is absent. What
//! etalon itself called invalid comes as invalid.
//! Figures of one kind are runs of one cell, in the order of the text.

mod error;
mod lines;
mod name;
mod run;
mod table;

use etalon_model::Run;
use etalon_review::{Page, tools};

pub use error::PublishedError;

/// More figures than these are no measurement that people published.
pub const MOST_FIGURES: usize = 100_000;

/// The runs of a text: what dd, hdparm, iozone, fio, bonnie++, sysbench, fdtree, elbencho, the Phoronix Test Suite, sar or
/// iostat printed, English or French, or the CSV table that etalon writes. `now_unix_ns` stands for when they were made,
/// which texts do not tell.
///
/// # Errors
/// [`PublishedError`] with the line that cannot be read; nothing is read of such a text.
pub fn read_published(text: &str, now_unix_ns: i64) -> Result<Vec<Run>, PublishedError> {
    if table::is_own(text) {
        return table::runs(text, now_unix_ns);
    }
    let page = Page::read(text);
    let figures = tools::figures(&page);
    if let Some(line) = tools::unread(&page, &figures).first() {
        return Err(PublishedError::unread(&page, line));
    }
    if figures.is_empty() {
        return Err(PublishedError::nothing(&page));
    }
    if let Some(one) = figures.get(MOST_FIGURES) {
        return Err(PublishedError::TooMany { line: one.line });
    }
    let names = name::names(&figures);
    let named = figures.iter().zip(names).enumerate();
    let runs = named.map(|(position, (figure, name))| run::of(&page, figure, name, position));
    let runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    Ok(run::numbered(runs.into_iter(), now_unix_ns))
}

#[cfg(test)]
mod tests;
