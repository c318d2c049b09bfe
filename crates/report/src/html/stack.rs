//! The storage stack as it was first seen.

use etalon_picture::Tree;

use super::Subject;
use super::tag::{both, note, section as wrapped};
use crate::environment::NOT_KEPT;
use crate::stack::boxes;

pub(super) fn section(subject: &Subject) -> String {
    let Some(first) = subject.environments.first() else {
        return wrapped("stack", "Storage stack", &note(NOT_KEPT));
    };
    let tree = Tree {
        boxes: boxes(&first.stack),
    };
    let label = format!(
        "Storage stack of {}, from the mount to the disks",
        first.stack.resolved
    );
    let body = format!(
        "{}<figure>{}</figure>\n",
        note(
            "Each box is a layer that the data passes, from the mount point down to the disks. Warnings stand at their layer."
        ),
        both(&tree.draw(1104.0), &tree.draw(350.0), &label)
    );
    let heading = format!("Storage stack of {}", first.stack.resolved);
    wrapped("stack", &heading, &(body + &missing(subject)))
}

/// What could not be read.
fn missing(subject: &Subject) -> String {
    let missing = subject.environments[0].stack.missing.iter();
    let said: Vec<String> = missing.map(|m| format!("{}: {}", m.what, m.why)).collect();
    match said.is_empty() {
        true => String::new(),
        false => note(&format!("Not known: {}.", said.join("; "))),
    }
}
