//! `smaller-than-memory`

mod cold;

use etalon_language::say;

use crate::quantity::bytes_in_words;
use crate::setting::memory_at;
use crate::{Fault, FaultCheck, Figure, Material, Tool};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "smaller-than-memory",
    about: "A file smaller than the memory was read through the page cache.",
    advice: "Bypass the page cache (O_DIRECT), or use a file of at least twice the memory.",
    find,
};

/// Reads that memory can have served, once for each size.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let mut told: Vec<u64> = Vec::new();
    let mut faults = Vec::new();
    for (at, figure) in material.figures.iter().enumerate() {
        let Some(memory) = memory_at(material.page, figure.line) else {
            continue;
        };
        let Some(size) = figure.size().filter(|size| cached(figure, *size, memory)) else {
            continue;
        };
        if told.contains(&(size as u64)) || cold::is_cold(material, at) {
            continue;
        }
        told.push(size as u64);
        let (size, memory) = (bytes_in_words(size), bytes_in_words(memory));
        faults.push(CHECK.at(
            figure.line,
            say!(
                "fault-smaller-than-memory",
                label = figure.label,
                size = size,
                quoted = figure.quoted,
                memory = memory,
            ),
        ));
    }
    faults
}

/// hdparm drops the cache of its device before it reads.
fn cached(figure: &Figure, size: f64, memory: f64) -> bool {
    figure.action.reads()
        && figure.direct != Some(true)
        && figure.tool != Tool::Hdparm
        && size < memory
}
