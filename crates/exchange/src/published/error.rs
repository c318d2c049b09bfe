//! Why a text could not be taken.

use etalon_review::tools::UnreadLine;
use etalon_review::{Figure, Page};
use etalon_units::visible;

/// More letters of a line are not quoted.
const QUOTED: usize = 60;

/// Why a text could not be taken; each names the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishedError {
    /// A line looks like one of a program's and holds no figure.
    #[error(
        "line {line}: this looks like {program}'s, and no figure can be read of '{text}'; complete it or cut it out"
    )]
    Unread {
        /// Its number, from 1.
        line: usize,
        /// The program.
        program: &'static str,
        /// The line, cut to what can be shown.
        text: String,
    },
    /// No line is a program's.
    #[error(
        "no line holds a figure of dd, hdparm, iozone, fio, bonnie++, sysbench, fdtree, elbencho, the Phoronix Test Suite, sar or iostat, and it is no export of etalon; line {line} is '{text}'"
    )]
    Nothing {
        /// The first line that is not empty, from 1.
        line: usize,
        /// That line, cut to what can be shown.
        text: String,
    },
    /// A row of our own table is not as it was written.
    #[error("line {line}: the table's column '{column}' is '{text}'; export the experiment again")]
    Row {
        /// Its number, from 1.
        line: usize,
        /// The column.
        column: &'static str,
        /// What stands there, cut to what can be shown.
        text: String,
    },
    /// A row of our own table has more or fewer columns than its head.
    #[error(
        "line {line}: {found} columns, where the head of the table has {wanted}; export the experiment again"
    )]
    Columns {
        /// The line at which it begins, from 1.
        line: usize,
        /// Its columns.
        found: u64,
        /// Those of the head.
        wanted: u64,
    },
    /// etalon's own verdict is not as it was written.
    #[error(
        "line {line}: '{text}' is marked invalid, but none of etalon's findings says why; export the experiment again"
    )]
    Causeless {
        /// The line of its figure, from 1.
        line: usize,
        /// What the cell is called, cut to what can be shown.
        text: String,
    },
    /// There are too many figures.
    #[error(
        "line {line}: more than {} figures stand before it; cut the text into parts",
        super::MOST_FIGURES
    )]
    TooMany {
        /// The line of the first one too many, from 1.
        line: usize,
    },
}

impl PublishedError {
    pub(super) fn unread(page: &Page, unread: &UnreadLine) -> PublishedError {
        let text = page
            .lines
            .get(unread.line - 1)
            .map_or("", |line| line.text.as_str());
        PublishedError::Unread {
            line: unread.line,
            program: unread.tool.name(),
            text: short(text),
        }
    }

    pub(super) fn causeless(figure: &Figure) -> PublishedError {
        PublishedError::Causeless {
            line: figure.line,
            text: short(&figure.label),
        }
    }

    pub(super) fn nothing(page: &Page) -> PublishedError {
        let first = page.lines.iter().find(|line| !line.text.trim().is_empty());
        PublishedError::Nothing {
            line: first.map_or(1, |line| line.number),
            text: first.map(|line| short(&line.text)).unwrap_or_default(),
        }
    }
}

/// The begin of a line, fit for a terminal.
pub(super) fn short(text: &str) -> String {
    let text = text.trim();
    let begin: String = text.chars().take(QUOTED).collect();
    let more = if begin.len() < text.len() { "…" } else { "" };
    format!("{}{more}", visible(&begin))
}
