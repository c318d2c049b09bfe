//! The terminal page of an experiment: the answer first, then the table, then a few remarks.

mod answer;
mod beside;
mod by_role;
mod columns;
mod findings;
mod layout;
mod levels;
mod memory;
mod meters;
mod precision;
mod ranges;
mod remarks;
mod wide;
mod words;

use etalon_language::{Language, figure, in_ascii, say};
use std::collections::HashMap;
use std::fmt;

use etalon_model::{
    Cell, Choice, Experiment, ExperimentKind, Parameter, Run, RunId, RunsByCell, TargetRecord,
    TaskWorkload,
};
use etalon_units::Nanos;

use crate::ascii::to_ascii;
use crate::beside_facts::BesideFacts;
use crate::choices::choice_in_words;
use crate::digest::PageDigest;
use crate::paint::{Paint, Painted};
use crate::storage::storage;
use crate::wrap::Wrap;
pub(crate) use crate::wrap::{READABLE_WIDTH, USUAL_WIDTH};
use columns::{TableRow, columns, rows};
use findings::sentences;
use layout::{cards, filled, fitting, in_parts, table};
use precision::PrecisionFacts;
use remarks::{Remark, remarks, remarks_beside};

pub(crate) use answer::{answer, main_figures, memory};
pub(crate) use by_role::is_told;
pub(crate) use findings::message;
pub(crate) use remarks::leading;
pub(crate) use words::words;

/// More remarks than these are not read.
pub(crate) const MOST_REMARKS: usize = 5;

/// How a page is to look.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// Columns of the terminal; `None` where there is none.
    pub width: Option<usize>,
    /// Every column and every choice.
    pub details: bool,
    /// Every finding, with its code and its figures.
    pub findings: bool,
    /// Nothing but ASCII.
    pub ascii: bool,
    /// With colours, which [`Page::painted`] brings to a terminal.
    pub colour: bool,
    /// The language that pages are in.
    pub language: Language,
}

/// The answer of an experiment, a sentence each, as its page begins.
pub fn answer_in_words(experiment: &Experiment) -> Vec<String> {
    answer(experiment.header.begun.kind, &experiment.cells)
}

/// What changes what a person does, grouped by cause as below the table of the page, the most important first.
pub fn findings_in_words(experiment: &Experiment) -> Vec<String> {
    let found = remarks(&experiment.header.begun.target, &experiment.cells);
    found.into_iter().map(|remark| remark.text).collect()
}

impl Look {
    /// Puts text together in the language of the page, and in ASCII where it is in that.
    pub fn speak<T>(&self, work: impl FnOnce() -> T) -> T {
        self.language.speak(|| in_ascii(self.ascii, work))
    }
}

/// Everything that a person reads at the end of an experiment.
///
/// `Display` gives the page; it ends with a newline.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// Which command made it.
    pub kind: ExperimentKind,
    /// Its number, where it is shown again.
    pub experiment: Option<RunId>,
    /// What was measured.
    pub target: &'a TargetRecord,
    /// What was chosen, and why.
    pub choices: &'a [Choice],
    /// What else is to be said at the end, a paragraph each.
    pub notes: &'a [String],
    /// The judged cells.
    pub cells: &'a [Cell],
    /// Their runs, for what no cell holds; may be empty.
    pub runs: &'a [Run],
    /// What was gathered of the runs where these were not read.
    pub digest: Option<&'a PageDigest>,
    /// How long it took.
    pub elapsed: Nanos,
    /// The option of the store as it was typed, with a space before it, for the commands that are advised; empty without it.
    pub store: &'a str,
    /// How the page is to look.
    pub look: Look,
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.look.speak(|| self.text()))
    }
}

impl Page<'_> {
    fn text(&self) -> String {
        let remarks = self.remarks();
        let parts = [
            self.heading(),
            self.answer(),
            self.table(&remarks),
            self.below(&remarks),
            self.among_its_class(),
            self.paragraphs(&levels::levels(self.runs, self.look.details)),
            self.beside(),
            self.idle(),
            self.choices(),
            self.paragraphs(self.notes),
        ];
        let told: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        told.join("\n")
    }

    fn beside(&self) -> String {
        let told = match self.digest {
            Some(digest) => beside::beside(&digest.beside),
            None => beside::beside(&BesideFacts::of(self.runs)),
        };
        self.paragraphs(&told)
    }

    /// The page for a terminal.
    pub fn painted(&self) -> Painted {
        Painted::page(self)
    }

    fn paint(&self) -> Paint {
        Paint(self.look.colour)
    }

    fn width(&self) -> usize {
        self.look.width.unwrap_or(USUAL_WIDTH)
    }

    /// One paragraph, broken to the width; nothing for nothing.
    fn paragraph(&self, text: &str) -> String {
        match text {
            "" => String::new(),
            _ => self.broken(text, "  "),
        }
    }

    fn broken(&self, text: &str, indent: &str) -> String {
        let wrap = Wrap(Some(self.width().min(READABLE_WIDTH)));
        match self.look.ascii {
            true => wrap.broken(&to_ascii(text), indent),
            false => wrap.broken(text, indent),
        }
    }

    /// What was measured, how long it took, and what all parts of a task have in common.
    fn heading(&self) -> String {
        // How long others took is not known.
        let is_own = self.kind != ExperimentKind::Imported;
        let elapsed = is_own.then(|| figure(self.elapsed));
        let number = self.experiment.map(|id| id.to_string());
        let number = number.map(|number| say!("experiment-number", number = number));
        let when: Vec<String> = elapsed.into_iter().chain(number).collect();
        let storage = match self.look.details {
            true => self.target.beneath.clone(),
            false => storage(self.target),
        };
        let mut text = self.paragraph(&say!(
            "page-heading",
            path = self.target.path,
            storage = storage,
            when = when.join(", "),
        ));
        // Tasks beside I/O are rows of a quick check, not what was asked for.
        let tasks = self.cells.iter().map(|cell| cell.workload.task());
        let tasks: Vec<&TaskWorkload> = tasks.collect::<Option<_>>().unwrap_or_default();
        // Of what others measured, the storage's place says already which program it was.
        let tasks = in_words(&tasks).filter(|_| is_own);
        text.push_str(&self.paragraph(&tasks.unwrap_or_default()));
        text
    }

    fn answer(&self) -> String {
        let told = answer(self.kind, self.cells).into_iter();
        let text: String = told
            .map(|said| self.paint().spoiled(&self.paragraph(&said)))
            .collect();
        self.paint().bold(&text, &main_figures(self.cells))
    }

    fn remarks(&self) -> Vec<Remark> {
        let session = PrecisionFacts {
            kind: self.kind,
            target: self.target,
            runs: self.runs,
            digest: self.digest,
            elapsed: self.elapsed,
            store: self.store,
            choices: self.choices,
        };
        let mut all = remarks_beside(wide::told(self.cells), self.target, self.cells);
        let invalid = all.iter().take_while(|remark| remark.mark == "✗").count();
        let own = session.remarks(self.cells);
        // What a figure is, and that it says little, belongs to its row, whatever else is remarked.
        let memory = memory::remark(self.target, self.store, self.cells);
        let wide = wide::remark(self.cells);
        let most = MOST_REMARKS - usize::from(memory.is_some()) - usize::from(wide.is_some());
        let kept = invalid.min(most);
        all.splice(kept..invalid, wide.into_iter().chain(own));
        all.truncate(MOST_REMARKS - usize::from(memory.is_some()));
        all.extend(memory);
        all
    }

    fn table(&self, remarks: &[Remark]) -> String {
        if self.cells.is_empty() {
            return String::new();
        }
        let mut marks = HashMap::new();
        for remark in remarks {
            for cell in &remark.cells {
                marks.entry(cell.as_str()).or_insert(remark.mark);
            }
        }
        for cell in remarks.iter().flat_map(|remark| &remark.lesser) {
            marks.entry(cell.as_str()).or_insert("!");
        }
        let rows = rows(self.cells, &RunsByCell::of(self.runs), &marks);
        let columns = filled(&rows, columns(self.cells), self.look);
        let fitting = fitting(&columns, self.width());
        match (fitting, self.look.details) {
            (None, _) => self.cards(&rows),
            (Some(fitting), false) => table(&fitting, self.paint()),
            (Some(_), true) => {
                let parts = in_parts(&columns, self.look.width.unwrap_or(usize::MAX));
                let parts: Vec<String> =
                    parts.iter().map(|part| table(part, self.paint())).collect();
                parts.join("\n")
            }
        }
    }

    /// Every column, for what is too narrow for a table.
    fn cards(&self, rows: &[TableRow<'_>]) -> String {
        let all = Look {
            details: true,
            ..self.look
        };
        cards(&filled(rows, columns(self.cells), all), self.width())
    }

    /// The remarks, or every finding where that was asked for.
    fn below(&self, remarks: &[Remark]) -> String {
        if self.look.findings {
            return self.paragraphs(&sentences(self.cells));
        }
        let line = |remark: &Remark| {
            let text = self.paragraph(&format!("{} {}", remark.mark, remark.text));
            self.paint().remark(&text)
        };
        remarks.iter().map(line).collect()
    }

    /// Where the figures of a quick check lie among storage of this class.
    fn among_its_class(&self) -> String {
        let is_quick = self.kind == ExperimentKind::Quick;
        let class = self.target.class.filter(|_| is_quick);
        let told = class.and_then(|class| ranges::sentence(class.kind, self.cells));
        self.paragraph(&told.unwrap_or_default())
    }

    /// What the machine's meters said before the first run.
    fn idle(&self) -> String {
        let idle = self.look.details.then(|| meters::idle(self.runs));
        self.paragraph(&idle.flatten().unwrap_or_default())
    }

    /// What was chosen, and before it which rows lack runs; how long each run lasts changes nothing that a
    /// person does.
    fn choices(&self) -> String {
        let is_detail = |choice: &Choice| matches!(choice, Choice::RunLength { .. });
        let mut told: Vec<&Choice> = self.choices.iter().collect();
        told.sort_by_key(|choice| choice.dropped_rows().is_empty());
        told.into_iter()
            .filter(|choice| self.look.details || !is_detail(choice))
            .map(|choice| self.paragraph(&choice_in_words(choice)))
            .collect()
    }

    fn paragraphs(&self, texts: &[String]) -> String {
        texts.iter().map(|text| self.paragraph(text)).collect()
    }
}

/// `archive: format zstd, level 3`: what all cells of a task have in common; `None` without a task.
fn in_words(tasks: &[&TaskWorkload]) -> Option<String> {
    let first = tasks.first()?;
    let is_common = |name: &str, value: &Parameter| {
        let mut all = tasks.iter().map(|task| task.parameters.get(name));
        all.all(|other| other == Some(value))
    };
    let set = first.parameters.iter();
    let words: Vec<String> = set
        .filter(|(name, value)| is_common(name, value))
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    Some(match words.is_empty() {
        true => format!("{}.", first.work),
        false => format!("{}: {}.", first.work, words.join(", ")),
    })
}

#[cfg(test)]
mod tests;
