//! The jobs that a command or a job file of fio tells of, each with options of its own over those of all jobs.

use super::fio_options::FioOptions;
use crate::Line;

/// What names of sections begin with whose options are those of all jobs behind them (fio's HOWTO, "Job file format").
const GLOBAL: &str = "global";

/// The options of jobs. Those before the first name are of all of them.
#[derive(Debug, Clone, Default)]
pub(super) struct FioSections {
    global: FioOptions,
    /// Each job by its name, in the order in which they begin.
    jobs: Vec<(String, FioOptions)>,
    /// Whether the options that come are of the last job.
    in_job: bool,
}

impl FioSections {
    /// The jobs of a command, none of whose options are told yet: it goes through the page cache unless one says otherwise.
    pub(super) fn of_command() -> FioSections {
        let mut sections = FioSections::default();
        sections.set("direct", "0");
        sections
    }

    /// A section begins: `[name]` in a job file, `--name` in a command.
    pub(super) fn begin(&mut self, name: &str) {
        self.in_job = !name.starts_with(GLOBAL);
        if self.in_job {
            self.jobs.push((name.to_owned(), self.global.clone()));
        }
    }

    /// Takes an option of the section in.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let last = self.jobs.last_mut().filter(|_| self.in_job);
        last.map_or(&mut self.global, |(_, options)| options)
            .set(name, value);
    }

    /// The options of a job, or of the only one where no name is known; nothing where it may be one of several.
    pub(super) fn of(&self, name: Option<&str>) -> FioOptions {
        if self.jobs.is_empty() {
            return self.global.clone();
        }
        let is_meant = |own: &&(String, FioOptions)| name.is_none_or(|name| own.0 == name);
        let mut meant = self.jobs.iter().filter(is_meant);
        match (meant.next(), meant.next()) {
            (Some((_, options)), None) => options.clone(),
            _ => FioOptions::default(),
        }
    }
}

/// The name of a section that a line of a job file begins.
pub(super) fn section(text: &str) -> Option<&str> {
    let name = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let is_name = name.contains(char::is_alphanumeric) && !name.contains(['[', ']', '"', ',']);
    is_name.then_some(name)
}

/// The options that a line of a command or a job file names, with their values: `--bs=4k`, `--bs 4k`, `bs = 4k`. Signs of
/// the sentence that they stand in are no part of them.
pub(super) fn options(line: &Line) -> Vec<(String, String)> {
    let text = line.text.replace(" =", "=").replace("= ", "=");
    let words: Vec<&str> = text.split_whitespace().map(bare).collect();
    let next = |at: usize| words.get(at + 1).filter(|next| !next.starts_with('-'));
    let option = |(at, word): (usize, &&str)| {
        let name = word.trim_start_matches('-');
        let pair = name.split_once('=').or_else(|| {
            let is_name = word.starts_with("--") && !name.is_empty();
            Some((name, *next(at).filter(|_| is_name)?))
        });
        pair.map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    words.iter().enumerate().filter_map(option).collect()
}

fn bare(word: &str) -> &str {
    let word = word.trim_start_matches(['\'', '"', '(']);
    word.trim_end_matches(['\'', '"', ')', ',', ';', '.', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Figure, Page, Tool};

    /// Whether the job of this name bypasses the page cache, and the size of its file in bytes.
    fn told(sections: &FioSections, name: Option<&str>) -> (Option<bool>, Option<f64>) {
        let options = sections.of(name);
        let figure = options.described(Figure::new(Tool::Fio, 1, Action::Read, "a"));
        (figure.direct, figure.file_bytes)
    }

    #[test]
    fn a_job_has_its_own_options_over_those_of_all() {
        let mut sections = FioSections::default();
        for line in [
            "[global]",
            "direct=1",
            "[a]",
            "[b]",
            "direct=0",
            "size=4096",
        ] {
            match section(line) {
                Some(name) => sections.begin(name),
                None => sections.set(&options_of(line)[0].0, &options_of(line)[0].1),
            }
        }
        assert_eq!(told(&sections, Some("a")), (Some(true), None));
        assert_eq!(told(&sections, Some("b")), (Some(false), Some(4096.0)));
        // It may be either, and nobody knows a third.
        assert_eq!(told(&sections, None), (None, None));
        assert_eq!(told(&sections, Some("c")), (None, None));
        sections.begin("b");
        assert_eq!(told(&sections, Some("b")), (None, None));
    }

    fn options_of(text: &str) -> Vec<(String, String)> {
        options(&Page::read(text).lines[0])
    }

    #[test]
    fn options_are_read_as_commands_job_files_and_sentences_write_them() {
        for text in [
            "fio --direct=1 --bs=4k",
            "fio -direct=1 -bs=4k",
            "fio --direct 1 --bs 4k --group_reporting --thread",
            "direct = 1 bs =4k",
            "with 'direct=1', (bs=4k).",
        ] {
            let own = [("direct", "1"), ("bs", "4k")];
            let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
            assert_eq!(options_of(text), own, "{text}");
        }
    }

    #[test]
    fn a_section_is_a_name_in_brackets_alone_on_its_line() {
        assert_eq!(section("  [seq read]  "), Some("seq read"));
        for other in [
            "[]",
            "[...]",
            "[1, 2]",
            "[a] b",
            "a",
            "[root@host ~]#",
            "[\"a\"]",
        ] {
            assert_eq!(section(other), None, "{other}");
        }
    }
}
