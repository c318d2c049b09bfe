//! What sysbench's test of files is: as it prints that itself before it runs, or else as its command asks for it.

use super::Command;
use crate::quantity::{option_size, size};
use crate::{Line, Page};

/// What is known of a test; none where neither line tells.
#[derive(Debug, Clone, Default)]
pub(super) struct SysbenchTest {
    pub(super) random: Option<bool>,
    pub(super) direct: Option<bool>,
    /// Whether what is written is made durable within the time.
    pub(super) durable: Option<bool>,
    /// All files together.
    pub(super) file_bytes: Option<f64>,
    pub(super) block_bytes: Option<f64>,
    /// The line of the command, from 1.
    pub(super) command_line: Option<usize>,
}

impl SysbenchTest {
    /// Takes a line in: a command begins another test, and what is printed is truer than what was asked for.
    pub(super) fn add(&mut self, page: &Page, line: &Line) {
        if let Some(command) = Command::last_in(line, "sysbench") {
            *self = SysbenchTest::asked(&command);
        }
        let text = line.plain.trim();
        let told = || page.numbers(line).first().and_then(size);
        if let Some(flags) = text.strip_prefix("extra file open flags:") {
            self.direct = Some(flags.contains("direct"));
            self.durable = Some(flags.contains("sync"));
        } else if text.contains("calling fsync()") {
            self.durable = Some(true);
        } else if text.ends_with("total file size") {
            self.file_bytes = told();
        } else if text.starts_with("block size ") {
            self.block_bytes = told();
        } else if let Some(what) = text
            .strip_prefix("doing ")
            .filter(|_| text.ends_with("test"))
        {
            self.random = Some(what.contains("random"));
        }
    }

    fn asked(command: &Command) -> SysbenchTest {
        let bytes = |name: &str| option_size(command.operand(name)?, 1.0);
        let mode = command.operand("--file-test-mode");
        let flag = |name: &str| command.lists("--file-extra-flags", name);
        let is = |name: &str, value: &str| command.operand(name) == Some(value);
        // sysbench calls fsync every 100 requests and at the end unless told otherwise.
        let is_bare = is("--file-fsync-freq", "0") && is("--file-fsync-end", "off");
        let is_synced = is("--file-fsync-all", "on") || flag("sync") || flag("dsync");
        SysbenchTest {
            random: mode.map(|mode| mode.starts_with("rnd")),
            direct: Some(flag("direct")),
            durable: Some(is_synced || !is_bare),
            file_bytes: bytes("--file-total-size"),
            block_bytes: bytes("--file-block-size"),
            command_line: Some(command.line),
        }
    }
}
