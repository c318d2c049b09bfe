//! The report: one HTML file that opens anywhere, without a network.
//!
//! [`HtmlReport`] puts it together from a [`Subject`] for each experiment: the question and its answer,
//! the table, what differs from others, the storage stack, pictures, every run, findings with their
//! evidence, the environment, and how to repeat it. Whatever came from outside is written by
//! [`etalon_picture::escape`].

mod compare;
mod environment;
mod findings;
mod frame;
mod grid;
mod head;
mod heat;
mod measure;
mod packed;
mod pictures;
mod repeat;
mod results;
mod runs;
mod stack;
mod subject;
mod tag;

use etalon_language::say;
use etalon_model::ExperimentKind;

use crate::comparison::ComparedRow;

pub use frame::{Frame, report_script, report_style};
pub use pictures::Picture;
pub use repeat::repeat_line;
pub use subject::{DETAILED, LatencyGist, RunSeries, Subject};

/// A browser that opens the file fetches nothing and sends nothing.
const OFFLINE_POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">";

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
    /// The page, as a file that needs no other.
    pub fn page(&self) -> String {
        let head = format!("{OFFLINE_POLICY}<style>\n{}</style>", report_style());
        let frame = Frame {
            head: &head,
            bar: &format!("<span><b>etalon</b> {}</span>", say!("report-word")),
            end: &format!("<script>\n{}</script>\n", *packed::SCRIPT),
        };
        self.framed(&frame, &say!("report-kept"))
    }

    /// The page as a server gives it, whose style sheet ([`report_style`]) and script ([`report_script`]) are files
    /// beside it.
    pub fn served_page(&self, frame: &Frame<'_>) -> String {
        self.framed(frame, "")
    }

    fn framed(&self, frame: &Frame<'_>, kept: &str) -> String {
        let title = say!("report-title", question = head::question(self));
        let body = format!(
            "{}{}</main>\n{}",
            head::section(self),
            self.sections().concat(),
            self.footer(kept)
        );
        frame.page(&title, &body)
    }

    fn sections(&self) -> [String; 9] {
        let pictures = self.pictures();
        [
            results::section(&self.subjects[0]),
            compare::section(self),
            stack::section(&self.subjects[0]),
            pictures::section(self, &pictures),
            runs::dots(&self.subjects[0]),
            findings::section(&self.subjects[0]),
            environment::section(self.subjects),
            repeat::section(self),
            runs::table(self.subjects),
        ]
    }

    /// What an experiment is called: by what differs between several, else by its number.
    fn name(&self, n: usize) -> String {
        let names = (self.names.len() == self.subjects.len()).then_some(self.names);
        let number = || self.subjects[n].header().id.to_string();
        let id = || say!("experiment-number", number = number());
        names
            .and_then(|names| names.get(n).cloned())
            .unwrap_or_else(id)
    }

    /// Every picture that these experiments have something for.
    pub fn pictures(&self) -> Vec<Picture> {
        pictures::of(self)
    }

    fn footer(&self, kept: &str) -> String {
        let begun = &self.subjects[0].header().begun;
        let made = &begun.tool_version;
        let by = match begun.kind {
            ExperimentKind::Imported => say!("report-footer-imported", version = made),
            _ => say!("report-footer-measured", version = made),
        };
        let said = [&by, kept, &say!("report-footer-figures")];
        let said = said.into_iter().filter(|said| !said.is_empty());
        let said: Vec<&str> = said.collect();
        format!("<footer>{}</footer>\n", tag::text(&said.join(" ")))
    }
}

#[cfg(test)]
mod tests;
