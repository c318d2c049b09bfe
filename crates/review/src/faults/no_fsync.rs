//! `no-fsync`

use etalon_language::say;

use crate::{Fault, FaultCheck, Figure, Material, Tool};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "no-fsync",
    about: "A write ended while its data was still in memory.",
    advice: "Count the fsync: conv=fsync with dd, -e with iozone, end_fsync=1 with fio.",
    find,
};

/// Writes whose command neither syncs nor bypasses the page cache.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let bare = material.figures.iter().filter(|f| is_bare(f));
    let mut commands: Vec<Option<usize>> = Vec::new();
    let mut faults = Vec::new();
    for figure in bare {
        let command = figure.command_line.or(Some(figure.line));
        if !commands.contains(&command) {
            commands.push(command);
            faults.push(CHECK.at(
                figure.line,
                say!(
                    "fault-no-fsync",
                    label = figure.label,
                    quoted = figure.quoted,
                ),
            ));
        }
    }
    faults
}

fn is_bare(figure: &Figure) -> bool {
    let told = figure.durable == Some(false)
        || (figure.tool == Tool::Fio && figure.durable.is_none() && figure.direct == Some(false));
    let nowhere = figure
        .place
        .as_deref()
        .is_some_and(|place| place.starts_with("/dev/null"));
    figure.action.writes() && told && figure.direct != Some(true) && !nowhere
}
