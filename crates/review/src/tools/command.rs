//! A command that stands in a page.

use crate::{Line, Page};

/// A command of a program, as words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Command {
    /// Its line, from 1.
    pub(crate) line: usize,
    words: Vec<String>,
}

impl Command {
    /// The nearest command of `program` on line `at` (an index) or at most `most` lines before it.
    pub(crate) fn near(page: &Page, at: usize, most: usize, program: &str) -> Option<Command> {
        let own = page.lines.get(at).into_iter();
        own.chain(page.before(at, most))
            .find_map(|line| Command::last_in(line, program))
    }

    /// The last command of `program` on a line.
    pub(crate) fn last_in(line: &Line, program: &str) -> Option<Command> {
        Command::all_in(line, program).into_iter().next_back()
    }

    /// Every command of `program`.
    pub(crate) fn all(page: &Page, program: &str) -> Vec<Command> {
        page.lines
            .iter()
            .flat_map(|line| Command::all_in(line, program))
            .collect()
    }

    /// Whether a line holds a command of `program`.
    pub(crate) fn stands_in(line: &Line, program: &str) -> bool {
        !Command::all_in(line, program).is_empty()
    }

    /// The commands of `program` that a line holds, in their order: one between two semicolons, bars or ampersands.
    pub(crate) fn all_in(line: &Line, program: &str) -> Vec<Command> {
        let parts = line.text.split([';', '|', '&']);
        parts
            .filter_map(|part| Command::in_part(line.number, part, program))
            .collect()
    }

    /// The program's name, and an option or operand after it; sysbench has the name of its test between them.
    fn in_part(line: usize, part: &str, program: &str) -> Option<Command> {
        let words: Vec<&str> = part.split_whitespace().collect();
        let is_program = |word: &&str| {
            let word = word.trim_start_matches(['$', '#', '"', '\'', '(']);
            word == program || word.ends_with(&format!("/{program}"))
        };
        let at = words.iter().position(is_program)?;
        let rest: Vec<String> = words[at + 1..]
            .iter()
            .map(|word| (*word).to_owned())
            .collect();
        let is_test = |word: &&String| program == "sysbench" && *word == "fileio";
        let first = rest.iter().find(|word| !is_test(word))?;
        (first.starts_with('-') || first.contains('=')).then_some(Command { line, words: rest })
    }

    /// The words after the program's name.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    /// The value of `name=value`.
    pub(crate) fn operand(&self, name: &str) -> Option<&str> {
        self.words
            .iter()
            .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    /// The value after an option: `-s 4g` or `-s4g`.
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        let at = self.words.iter().position(|word| word.starts_with(name))?;
        let joined = &self.words[at][name.len()..];
        if joined.is_empty() {
            self.words.get(at + 1).map(String::as_str)
        } else {
            Some(joined)
        }
    }

    /// Whether an operand's comma list has a word.
    pub(crate) fn lists(&self, name: &str, word: &str) -> bool {
        self.operand(name)
            .is_some_and(|list| list.split(',').any(|entry| entry == word))
    }
}
