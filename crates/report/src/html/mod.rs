//! The report: one HTML file that opens anywhere, without a network.
//!
//! [`HtmlReport`] puts it together from a [`Subject`] for each experiment: the question and its answer,
//! the table, what differs from others, the storage stack, pictures, every run, findings with their
//! evidence, the environment, and how to repeat it. Whatever came from outside is written by
//! [`etalon_picture::escape`].

mod compare;
mod environment;
mod findings;
mod head;
mod measure;
mod pictures;
mod repeat;
mod results;
mod runs;
mod stack;
mod subject;
mod tag;

use etalon_model::ExperimentKind;
use etalon_picture::style_sheet;

use crate::comparison::ComparedRow;

pub use pictures::Picture;
pub use repeat::repeat_line;
pub use subject::{DETAILED, LatencyGist, RunGist, RunSeries, Subject};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
const SIGNS: &str = include_str!("signs.svg");

/// A whole report. The first subject is what was asked about; others are held against it.
#[derive(Debug, Clone, Copy)]
pub struct HtmlReport<'a> {
    /// The experiments.
    pub subjects: &'a [Subject],
    /// What a plan asks; `None` where the question follows from what was measured.
    pub question: Option<&'a str>,
    /// The same workloads under the conditions of all subjects, or of all levels of a plan; empty for a single one.
    pub rows: &'a [ComparedRow<'a>],
    /// What the arms of `rows` are called by what differs between them.
    pub names: &'a [String],
    /// Sentences on what differs, or why nothing could be compared.
    pub notes: &'a [String],
    /// The command that makes this report again.
    pub command: &'a str,
}

impl HtmlReport<'_> {
    /// The page.
    pub fn page(&self) -> String {
        let pictures = self.pictures();
        let sections = [
            results::section(&self.subjects[0]),
            compare::section(self),
            stack::section(&self.subjects[0]),
            pictures::section(self, &pictures),
            runs::dots(&self.subjects[0]),
            findings::section(&self.subjects[0]),
            environment::section(self.subjects),
            repeat::section(self),
            runs::table(self.subjects),
        ];
        let title = format!("{} – etalon report", head::question(self));
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\">\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\
             <title>{}</title>\n<style>\n{}{STYLE}</style></head>\n<body>\n{SIGNS}{}{}</main>\n{}\
             <script>\n{SCRIPT}</script>\n</body></html>\n",
            tag::text(&title),
            style_sheet(),
            head::section(self),
            sections.concat(),
            self.footer(),
        )
    }

    /// What an experiment is called: by what differs between several, else by its number.
    fn name(&self, n: usize) -> String {
        let names = (self.names.len() == self.subjects.len()).then_some(self.names);
        let id = || format!("experiment {}", self.subjects[n].header().id);
        names
            .and_then(|names| names.get(n).cloned())
            .unwrap_or_else(id)
    }

    /// Every picture that these experiments have something for.
    pub fn pictures(&self) -> Vec<Picture> {
        pictures::of(self)
    }

    fn footer(&self) -> String {
        let begun = &self.subjects[0].header().begun;
        let made = &begun.tool_version;
        let by = match begun.kind {
            ExperimentKind::Imported => "Measured by others, and read",
            _ => "Measured",
        };
        format!(
            "<footer>{by} by etalon {}. One file without network access: it can be kept and sent as it is. \
             Every figure stands with its interval, its count and its verdict.</footer>\n",
            tag::text(made)
        )
    }
}

#[cfg(test)]
mod tests;
