//! The table: as many columns as the width has room for.

use std::iter;

use etalon_units::visible;

use super::Look;
use super::columns::{Column, DETAIL, METER, TableRow};
use crate::ascii::to_ascii;
use crate::figures::ABSENT;
use crate::grid::{GAP, Grid, Side};
use crate::paint::Paint;
use crate::width;
use crate::wrap::Wrap;

/// Before each line of a card but the first.
const INDENT: &str = "  ";

/// A column with its text.
pub(crate) struct Filled {
    pub(crate) heading: String,
    pub(crate) rank: u8,
    pub(crate) cells: Vec<String>,
    /// Of the widest cell, in columns of a terminal: found once, as each line asks for it.
    width: usize,
    side: Side,
    is_mark: bool,
}

/// The columns that say something of these rows, or all of them where that was asked for.
pub(crate) fn filled(rows: &[TableRow<'_>], columns: &[Column], look: Look) -> Vec<Filled> {
    let text = |text: String| match look.ascii {
        true => to_ascii(&visible(&text)),
        false => visible(&text).into_owned(),
    };
    let fill = |(at, column): (usize, &Column)| {
        let heading = text((column.heading)());
        let cells: Vec<String> = rows.iter().map(|row| text((column.show)(row))).collect();
        let texts = cells.iter().chain([&heading]);
        Filled {
            rank: column.rank,
            width: texts.map(|text| width::columns(text)).max().unwrap_or(0),
            side: column.side,
            is_mark: at > 0 && heading.is_empty(),
            heading,
            cells,
        }
    };
    let absent = text(ABSENT.to_owned());
    let says = |filled: &Filled| {
        let is_wanted = look.details && filled.rank != METER;
        is_wanted || filled.rank == 0 || filled.cells.iter().any(|c| *c != absent)
    };
    let is_asked_for = |column: &Column| look.details || column.rank < DETAIL;
    let columns = columns.iter().enumerate();
    let columns = columns.filter(|(_, column)| is_asked_for(column));
    columns.map(fill).filter(says).collect()
}

/// The columns of the highest ranks that fit the width together; none where not even the
/// indispensable ones do.
pub(crate) fn fitting(columns: &[Filled], width: usize) -> Option<Vec<&Filled>> {
    let up_to = |rank: u8| -> Vec<&Filled> { columns.iter().filter(|c| c.rank <= rank).collect() };
    let fits = |rank: &u8| breadth(&up_to(*rank)) <= width;
    (0..DETAIL).rev().find(fits).map(up_to)
}

/// All columns, in as many tables as the width asks for, each with the names in front.
pub(crate) fn in_parts(columns: &[Filled], width: usize) -> Vec<Vec<&Filled>> {
    let mut parts: Vec<Vec<&Filled>> = Vec::new();
    let Some((name, rest)) = columns.split_first() else {
        return parts;
    };
    for column in rest {
        if let Some(part) = parts.last_mut() {
            part.push(column);
            if breadth(part) <= width {
                continue;
            }
            part.pop();
        }
        parts.push(vec![name, column]);
    }
    parts
}

fn breadth(columns: &[&Filled]) -> usize {
    let widths: usize = columns.iter().map(|column| column.width + GAP.len()).sum();
    widths.saturating_sub(GAP.len())
}

/// A heading and one line a row.
pub(crate) fn table(columns: &[&Filled], paint: Paint) -> String {
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let heading = columns.iter().map(|column| column.heading.clone());
    let line = |row: usize| {
        let cells = columns.iter().map(|column| column.cells[row].clone());
        cells.collect()
    };
    let grid = Grid {
        sides: columns.iter().map(|column| column.side).collect(),
        lines: iter::once(heading.collect())
            .chain((0..rows).map(line))
            .collect(),
    };
    grid.painted(|at, text| match columns[at].is_mark {
        true => paint.mark(&text),
        false => text,
    })
}

/// The rows as blocks of `heading: value` lines, for what is too narrow for any table.
pub(crate) fn cards(columns: &[Filled], width: usize) -> String {
    let wrap = Wrap(Some(width.saturating_sub(INDENT.len())));
    let Some((name, rest)) = columns.split_first() else {
        return String::new();
    };
    let mut text = String::new();
    for (row, name) in name.cells.iter().enumerate() {
        text.push_str(&format!("{name}\n"));
        for column in rest.iter().filter(|column| !column.heading.is_empty()) {
            let line = format!("{}: {}", column.heading, column.cells[row]);
            text.push_str(&format!("{INDENT}{}", wrap.broken(&line, "    ")));
        }
    }
    text
}
