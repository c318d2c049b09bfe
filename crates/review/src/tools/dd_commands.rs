//! Which command of dd each of its results is of.

use super::Command;
use crate::{Line, Page};

/// Lines between a command and what it prints.
const NEAR: usize = 8;
/// Words of a shell's loops, whose commands print more often than they stand there.
const LOOPS: [&str; 4] = ["for ", "while ", "until ", "repeat "];

/// Commands one after another, and the results behind the last of them.
#[derive(Debug, Default)]
pub(super) struct DdCommands {
    commands: Vec<Command>,
    in_loop: bool,
    /// The lines of results, from 1.
    results: Vec<usize>,
}

impl DdCommands {
    /// The command of each result of a page, if one stands above it; `is_result` tells the lines of results.
    pub(super) fn of_results(
        page: &Page,
        is_result: impl Fn(&Line) -> bool,
    ) -> Vec<(usize, Option<Command>)> {
        let mut found = Vec::new();
        let mut group = DdCommands::default();
        for line in &page.lines {
            let commands = Command::all_in(line, "dd");
            if !(commands.is_empty() || group.results.is_empty()) {
                found.extend(std::mem::take(&mut group).paired());
            }
            group.in_loop |= line.says(&LOOPS) && !commands.is_empty();
            group.commands.extend(commands);
            group.results.extend(is_result(line).then_some(line.number));
        }
        found.extend(group.paired());
        found
    }

    /// As many results as commands are of one each, in their order. Else the first is of the last command, if that is near,
    /// and the others are of runs that no command tells of.
    fn paired(self) -> Vec<(usize, Option<Command>)> {
        let first = self.results.first().copied().unwrap_or_default();
        let is_near = |command: &Command| command.line + NEAR >= first;
        let last = self.commands.last().filter(|last| is_near(last));
        let are_pairs = self.commands.len() == self.results.len() && !self.in_loop;
        let commands = match (last, are_pairs) {
            (None, _) => Vec::new(),
            (Some(_), true) => self.commands,
            (Some(last), false) => vec![last.clone()],
        };
        let commands = commands.into_iter().map(Some);
        let results = self.results.into_iter();
        results
            .zip(commands.chain(std::iter::repeat(None)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the line of each result, and the size of the command's blocks.
    fn told(text: &str) -> Vec<(usize, Option<String>)> {
        let page = Page::read(text);
        let found = DdCommands::of_results(&page, |line| line.says(&["copied"]));
        let size = |command: Command| command.operand("bs").map(str::to_owned);
        let found = found.into_iter();
        found
            .map(|(line, command)| (line, command.and_then(size)))
            .collect()
    }

    #[test]
    fn results_are_of_the_commands_above_them_in_their_order() {
        let of = |sizes: [Option<&str>; 2], first: usize| {
            let sizes = sizes.map(|size| size.map(str::to_owned));
            (first..).zip(sizes).collect::<Vec<_>>()
        };
        for (commands, sizes) in [
            ("dd bs=1\ndd bs=2", [Some("1"), Some("2")]),
            ("dd bs=1; sync && dd bs=2", [Some("1"), Some("2")]),
            ("dd bs=1", [Some("1"), None]),
            ("dd bs=1\ndd bs=2\ndd bs=3", [Some("3"), None]),
            ("dd bs=1\nfor i in 1 2; do dd bs=2; done", [Some("2"), None]),
            ("", [None, None]),
            ("dd bs=1\n\n\n\n\n\n\n\n\n", [None, None]),
        ] {
            let first = commands.split('\n').count() + 1;
            let text = format!("{commands}\ncopied\ncopied\n");
            assert_eq!(told(&text), of(sizes, first), "{commands}");
        }
        let apart = "dd bs=1\ncopied\ndd bs=2 copied\n";
        assert_eq!(told(apart), of([Some("1"), Some("2")], 2));
    }
}
