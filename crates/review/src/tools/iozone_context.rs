//! What the lines above a row of iozone tell of it: the command, and the head of the table.

use super::Command;
use super::iozone_options::IozoneOptions;
use crate::Line;
use crate::quantity::option_size;

/// Bytes that sizes without a letter count, in commands as in the table.
const KB: f64 = 1024.0;

/// What the lines of a page up to one of them tell.
#[derive(Debug, Default)]
pub(super) struct IozoneContext {
    /// The line of the last command, from 1, and what that asks for.
    pub(super) command: Option<(usize, IozoneOptions)>,
    /// Whether the last line of words is the head of a table.
    in_table: bool,
}

impl IozoneContext {
    /// Takes a line in.
    pub(super) fn add(&mut self, line: &Line) {
        if let Some(command) = Command::last_in(line, "iozone") {
            self.command = Some((command.line, IozoneOptions::of(&command)));
        }
        if line.text.contains(char::is_alphabetic) {
            self.in_table = line.says(&["reclen"]);
        }
    }

    /// What the last command asks for.
    pub(super) fn options(&self) -> Option<&IozoneOptions> {
        self.command.as_ref().map(|(_, options)| options)
    }

    /// Whether the numbers of a line are a row: sizes of a file and of a record that is no larger, and rates. What has no
    /// head above it has sizes that are powers of two, as `-a` chooses them, or those of the command.
    pub(super) fn is_row(&self, cells: &[u64]) -> bool {
        let [file, record, rates @ ..] = cells else {
            return false;
        };
        let by_itself = file.is_power_of_two() && record.is_power_of_two() && *file >= 64;
        (by_itself || self.in_table || self.asks_for(*file, *record))
            && (1..=*file).contains(record)
            && (1..=13).contains(&rates.len())
            && rates.iter().any(|rate| *rate > 100)
    }

    /// Whether the command names these sizes, in kB.
    fn asks_for(&self, file: u64, record: u64) -> bool {
        let names = |letter: char, size: u64| -> Option<bool> {
            let values = self.options()?.values(letter);
            let bytes = |value: &&str| option_size(value, KB) == Some(size as f64 * KB);
            (!values.is_empty()).then(|| values.iter().any(bytes))
        };
        names('s', file) == Some(true) && names('r', record) != Some(false)
    }
}
