//! A comparison for a person: the answer first, then a line for each row, then what differs.

mod answer;
mod by_chance;
mod details;
mod differing;
mod figures;
mod gate;
mod groups;
mod mending;
mod refused;
mod table;

use etalon_language::say;
use std::fmt;

use etalon_model::{Cell, Comparison, EnvironmentDifference, Gate};
use etalon_units::Percent;

use crate::ascii::to_ascii;
use crate::environment::DifferencesPage;
use crate::page::{Look, READABLE_WIDTH, USUAL_WIDTH};
use crate::paint::{Paint, Painted};
use crate::role::display_name;
use crate::wrap::Wrap;

pub(crate) use by_chance::by_chance;
pub(crate) use differing::named_facts;
pub(crate) use figures::ratio as ratio_text;
pub(crate) use groups::Groups;
pub use mending::{Mending, Trouble};

/// What is faster, in sentences; the first of the names is the base.
pub(crate) fn answer_of(rows: &[ComparedRow<'_>], names: &[String]) -> Vec<String> {
    answer::answer(rows, &Groups::new(names, names, 0))
}

/// One row: the same workload in every arm.
#[derive(Debug, Clone, Copy)]
pub struct ComparedRow<'a> {
    /// What was found.
    pub comparison: &'a Comparison,
    /// The baseline's cell, for what it is called and what it counts.
    pub cell: &'a Cell,
}

impl ComparedRow<'_> {
    /// Whether it was made in a guest, whose disks are gone, so that nothing goes on with it.
    fn is_of_guest(&self) -> bool {
        let mut findings = self.cell.findings.iter();
        findings.any(|finding| finding.code == "lab-guest")
    }

    /// Whether the arms did one thing under other conditions, not two things.
    fn is_one_workload(&self) -> bool {
        self.comparison.name == self.cell.name
    }
}

/// Which rows, and which arms of them, are not compared and why, in sentences, with the command that would compare them
/// where the arms were typed.
pub fn not_compared(rows: &[ComparedRow<'_>], typed: &[String], names: &[String]) -> Vec<String> {
    refused::sentences(rows, &Groups::new(typed, names, 0), None)
}

/// A sentence for the rows that not every arm has; nothing for none.
pub fn missing_rows(missing: &[String]) -> Vec<String> {
    let names: Vec<String> = missing.iter().map(|name| display_name(name)).collect();
    match names.is_empty() {
        true => Vec::new(),
        false => vec![say!("compare-missing", rows = names.join("; "))],
    }
}

/// In what machine and storage stack differ.
#[derive(Debug, Clone, Copy)]
pub struct Differing<'a> {
    /// What the devices of each arm are called, the same where they are the same.
    pub devices: &'a [String],
    /// Every fact that differs.
    pub facts: &'a [EnvironmentDifference],
    /// Those of them that nobody said are compared.
    pub undeclared: &'a [EnvironmentDifference],
    /// Whether a fact only says which thing it is: an identity, not a setting.
    pub is_identity: fn(&str) -> bool,
    /// The arms without any environment.
    pub unknown: &'a [String],
    /// Arms with what whoever measured them could not read, and another could.
    pub unread: &'a [(String, Vec<String>)],
}

/// Everything that a person reads of a comparison; `Display` gives it with a line end after it.
#[derive(Debug, Clone)]
pub struct ComparisonPage<'a> {
    /// The rows, in the order of the table.
    pub rows: &'a [ComparedRow<'a>],
    /// What the arms were called on the command line; none where they are parts of one experiment.
    pub typed: &'a [String],
    /// What they are called by what differs between them.
    pub names: &'a [String],
    /// Index of the arm that ratios refer to.
    pub baseline: usize,
    /// What `--by` declares, as it was typed, for commands.
    pub by: &'a [String],
    /// Rows that not every arm has.
    pub missing: &'a [String],
    /// What differs between machines and stacks; `None` where all arms are of one experiment.
    pub differing: Option<Differing<'a>>,
    /// What the gate of a script says; `None` where none was asked for.
    pub gate: Option<&'a Gate>,
    /// The command that measures one arm with the sizes and depths of another; `None` where that changes nothing.
    pub like: Option<&'a str>,
    /// What would make arms comparable whose own figures stand in the way.
    pub mending: &'a [Mending],
    /// The option of the store as it was typed, with a space before it, for commands; may be empty.
    pub store: &'a str,
    /// How the page is to look.
    pub look: Look,
}

impl fmt::Display for ComparisonPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.look.speak(|| self.text()))
    }
}

impl ComparisonPage<'_> {
    fn text(&self) -> String {
        let groups = Groups::new(self.typed, self.names, self.baseline);
        let groups = groups.of_store(self.store).declaring(self.by);
        let parts = [
            self.paragraphs(&[groups.heading()]),
            self.gate_sentences(),
            self.answer(&groups),
            self.paragraphs(&self.not_compared(&groups)),
            table::table(self.rows, &groups, self.width()),
            self.notes(),
            self.details(),
            self.differences(&groups),
        ];
        let told: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let text = told.join("\n");
        match self.look.ascii {
            true => to_ascii(&text),
            false => text,
        }
    }

    /// The page for a terminal.
    pub fn painted(&self) -> Painted {
        Painted::page(self)
    }

    fn paint(&self) -> Paint {
        Paint(self.look.colour)
    }

    fn gate_sentences(&self) -> String {
        let said = self.gate.map(gate::sentences).unwrap_or_default();
        let paragraphs = said.into_iter().map(|text| self.paragraphs(&[text]));
        paragraphs.map(|text| self.paint().verdict(&text)).collect()
    }

    fn answer(&self, groups: &Groups) -> String {
        let text = self.paragraphs(&answer::answer(self.rows, groups));
        self.paint().bold(&text, &answer::main_figures(self.rows))
    }

    fn width(&self) -> usize {
        self.look.width.unwrap_or(USUAL_WIDTH)
    }

    fn paragraphs(&self, texts: &[String]) -> String {
        let wrap = Wrap(Some(self.width().min(READABLE_WIDTH)));
        texts.iter().map(|text| wrap.broken(text, "  ")).collect()
    }

    /// What was not compared, next to the answer of the other rows, which must not hide it.
    fn not_compared(&self, groups: &Groups) -> Vec<String> {
        let mut told = missing_rows(self.missing);
        told.extend(refused::sentences(self.rows, groups, self.like));
        let mending = self.mending.iter();
        told.extend(mending.map(|mending| mending.sentence(groups)));
        told
    }

    /// What the design and so many runs cannot tell.
    fn notes(&self) -> String {
        let mark = self.differing.and_then(|differing| differing.mark());
        let mark = self.paragraphs(&Vec::from_iter(mark));
        self.paint().remark(&mark) + &self.paragraphs(&self.limits())
    }

    fn limits(&self) -> Vec<String> {
        let compared = self.rows.iter().map(|row| row.comparison);
        let compared = compared.filter(|comparison| !comparison.arms.is_empty());
        let compared: Vec<&Comparison> = compared.collect();
        let mut notes = Vec::new();
        notes.extend(table::note(self.rows));
        if compared
            .iter()
            .any(|comparison| comparison.lacks_an_interval())
        {
            notes.push(self.no_interval());
        }
        notes.extend(by_chance(self.rows));
        notes.extend(of_memory(&compared));
        if compared.iter().any(|comparison| !comparison.in_blocks) {
            notes.push(say!("compare-not-in-blocks"));
        }
        notes
    }

    /// That there are too few runs, and how there come to be more.
    fn no_interval(&self) -> String {
        let is_of_guest = self.rows.iter().any(ComparedRow::is_of_guest);
        match (is_of_guest, self.typed.is_empty()) {
            (true, _) => say!("compare-no-interval-in-guest"),
            (false, true) => say!("compare-no-interval-of-one"),
            (false, false) => say!("compare-no-interval"),
        }
    }

    fn differences(&self, groups: &Groups) -> String {
        match (&self.differing, self.look.details) {
            (None, _) => self.paragraphs(&differing::workloads(self.rows)),
            (Some(differing), false) => {
                self.paragraphs(&differing.summary(self.rows, &groups.asked(&[])))
            }
            (Some(differing), true) => {
                let facts = DifferencesPage {
                    labels: self.names,
                    differences: differing.facts,
                    unknown: differing.unknown,
                    unread: differing.unread,
                    width: Some(self.width()),
                };
                self.paragraphs(&differing::workloads(self.rows)) + &facts.to_string()
            }
        }
    }

    fn details(&self) -> String {
        if !self.look.details {
            return String::new();
        }
        let rows = self
            .rows
            .iter()
            .filter(|row| !row.comparison.arms.is_empty());
        let tables: Vec<String> = rows.map(|row| details::of(row, self.width())).collect();
        match tables.is_empty() {
            true => String::new(),
            false => tables.join("\n") + "\n" + &self.paragraphs(&details::legend()),
        }
    }
}

/// Which rows memory decides, and what that does to their ratios: one sentence for each spread.
fn of_memory(compared: &[&Comparison]) -> Vec<String> {
    let mut by_spread: Vec<(f64, Vec<String>)> = Vec::new();
    for one in compared {
        let Some(spread) = one.session_spread else {
            continue;
        };
        let name = display_name(&one.name);
        match by_spread.iter_mut().find(|(known, _)| *known == spread) {
            Some((_, names)) => names.push(name),
            None => by_spread.push((spread, vec![name])),
        }
    }
    let is_all = |names: &[String]| names.len() == compared.len();
    let told = by_spread.iter().map(|(spread, names)| {
        let spread = Percent::from_fraction(*spread);
        match is_all(names) {
            true => say!("compare-memory-all", spread = spread),
            false => say!("compare-memory", rows = names.join(", "), spread = spread),
        }
    });
    told.collect()
}

#[cfg(test)]
mod tests;
