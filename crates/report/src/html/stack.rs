//! The storage stack as it was first seen.

use etalon_language::say;
use etalon_picture::Tree;

use super::Subject;
use super::tag::{both, note, section as wrapped};
use crate::stack::boxes;

pub(super) fn section(subject: &Subject) -> String {
    let Some(first) = subject.environments.first() else {
        return wrapped(
            "stack",
            &say!("report-stack"),
            &note(&say!("report-not-kept")),
        );
    };
    let tree = Tree {
        boxes: boxes(&first.stack),
    };
    let label = say!("report-stack-drawing", path = first.stack.resolved);
    let body = format!(
        "{}<figure>{}</figure>\n",
        note(&say!("report-stack-note")),
        both(&tree.draw(1104.0), &tree.draw(350.0), &label)
    );
    let heading = say!("report-stack-of", path = first.stack.resolved);
    wrapped("stack", &heading, &(body + &missing(subject)))
}

/// What could not be read.
fn missing(subject: &Subject) -> String {
    let missing = subject.environments[0].stack.missing.iter();
    let said: Vec<String> = missing.map(|m| format!("{}: {}", m.what, m.why)).collect();
    match said.is_empty() {
        true => String::new(),
        false => note(&say!("report-not-known-of", what = said.join("; "))),
    }
}
