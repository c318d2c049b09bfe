//! fio's JSON documents in a page, one after another as `fio >> FILE` leaves them, and what is broken between them.

use serde_json::Value;

use crate::Page;

/// What each document has.
const VERSION: &str = "\"fio version\"";
/// What each job of one has.
const JOB: &str = "\"jobname\"";

/// A document that is whole.
#[derive(Debug)]
pub(super) struct FioDocument {
    pub(super) value: Value,
    /// The line of its version, from 1.
    pub(super) line: usize,
    /// The lines on which its jobs are named.
    pub(super) jobs: Vec<usize>,
}

/// The documents of a page.
#[derive(Debug, Default)]
pub(super) struct FioDocuments {
    pub(super) whole: Vec<FioDocument>,
    /// The lines at which others break off.
    pub(super) broken: Vec<usize>,
}

/// The documents of a page, in their order.
pub(super) fn documents(page: &Page) -> FioDocuments {
    let lines: Vec<&str> = page.lines.iter().map(|line| line.text.as_str()).collect();
    let text = lines.join("\n");
    let mut found = FioDocuments::default();
    let mut gap = Gap::after(0, 1);
    let (mut at, mut line) = (0, 1);
    while let Some(begin) = text[at..].find('{').map(|next| at + next) {
        line += newlines(&text[at..begin]);
        at = begin + 1;
        match first_value(&text[begin..]) {
            Ok((value, length)) => {
                at = begin + length;
                let next = line + newlines(&text[begin..at]);
                if value.get("fio version").is_some() {
                    found.broken.extend(gap.broken_line(&text[..begin]));
                    found.whole.push(document(value, &text[begin..at], line));
                    gap = Gap::after(at, next);
                }
                line = next;
            }
            Err(error) => gap.errors.push(line + error - 1),
        }
    }
    found.broken.extend(gap.broken_line(&text));
    found
}

/// The value that a text begins with and how long it is, or the line, from 1, at which it is none.
fn first_value(text: &str) -> Result<(Value, usize), usize> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    match values.next() {
        Some(Ok(value)) => Ok((value, values.byte_offset())),
        Some(Err(error)) => Err(error.line()),
        None => Err(1),
    }
}

fn document(value: Value, text: &str, first: usize) -> FioDocument {
    let lines = |mark| {
        let all = text.lines().enumerate();
        all.flat_map(move |(at, line)| line.matches(mark).map(move |_| first + at))
    };
    FioDocument {
        value,
        line: lines(VERSION).next().unwrap_or(first),
        jobs: lines(JOB).collect(),
    }
}

fn newlines(text: &str) -> usize {
    text.matches('\n').count()
}

/// What stands before the first document, between two and behind the last one.
#[derive(Debug)]
struct Gap {
    begin: usize,
    /// The line that it begins on, from 1.
    line: usize,
    /// The lines at which what begins in it is no JSON.
    errors: Vec<usize>,
}

impl Gap {
    fn after(begin: usize, line: usize) -> Gap {
        Gap {
            begin,
            line,
            errors: Vec::new(),
        }
    }

    /// Where a document in it breaks off, if a part of one stands in it; it is the end of `text`.
    fn broken_line(&self, text: &str) -> Option<usize> {
        let own = text[self.begin..].trim_end();
        let marks = [VERSION, JOB].into_iter();
        let mark = marks.filter_map(|mark| own.find(mark)).min()?;
        let first = self.line + newlines(&own[..mark]);
        let last = self.line + newlines(own);
        let mut errors = self.errors.iter();
        let error = errors.find(|line| **line >= first);
        Some(error.map_or(first, |line| (*line).min(last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "{\n \"fio version\": \"fio-3.33\",\n \"jobs\": [\n  {\"jobname\": \"a\"},\n  {\"jobname\": \"b\"}]\n}\n";

    /// Lines of the jobs of each document, and where others break off.
    fn told(text: &str) -> (Vec<Vec<usize>>, Vec<usize>) {
        let found = documents(&Page::read(text));
        let jobs = found.whole.into_iter().map(|one| one.jobs);
        (jobs.collect(), found.broken)
    }

    #[test]
    fn every_document_is_found_whatever_stands_around_it() {
        let twice = (vec![vec![4, 5], vec![10, 11]], Vec::new());
        assert_eq!(told(&WHOLE.repeat(2)), twice);
        let around = format!("$ awk '{{print}}' {{\n{WHOLE}{{\"a\": {{}}}}\n}}{WHOLE}");
        assert_eq!(told(&around), (vec![vec![5, 6], vec![12, 13]], Vec::new()));
        let versions = documents(&Page::read(&around)).whole;
        assert_eq!(versions[1].line, 10);
    }

    #[test]
    fn what_breaks_off_is_named_between_whole_ones_and_behind_them() {
        let (begin, _) = WHOLE.split_once("},").unwrap();
        assert_eq!(
            told(&format!("{WHOLE}{begin}")),
            (vec![vec![4, 5]], vec![10])
        );
        let between = format!("{begin}\n{WHOLE}");
        assert_eq!(told(&between), (vec![vec![8, 9]], vec![4]));
        let mended = WHOLE.replace("\"a\"}", "a}");
        assert_eq!(told(&format!("{mended}{WHOLE}")).1, [4]);
        // A job that was cut out of its document.
        assert_eq!(told("{\"jobname\": \"a\"}\n").1, [1]);
    }
}
