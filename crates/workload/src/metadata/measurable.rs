//! Operations on names as something that can be measured.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::error::MetadataError;
use super::operation::MetadataOperation;
use super::prepared::{PreparedNames, prepare};
use super::record::MetadataRecord;
use super::report::report;
use super::settings::MetadataWorkload;
use crate::PartWitness;
use crate::measurable::{EndedPart, Measurable, Pass, PassReport};

/// Operations on names at one place; each that is asked for is a part.
#[derive(Debug)]
pub struct Names<'a> {
    workload: MetadataWorkload,
    place: PathBuf,
    stop: &'a AtomicBool,
    cells: Vec<(MetadataOperation, String)>,
    ready: Option<PreparedNames>,
    records: Vec<MetadataRecord>,
}

impl<'a> Names<'a> {
    /// `workload`, whose seed is that of the experiment, in new directories below `place`.
    pub fn new(workload: MetadataWorkload, place: PathBuf, stop: &'a AtomicBool) -> Names<'a> {
        Names {
            workload,
            place,
            stop,
            cells: Vec::new(),
            ready: None,
            records: Vec::new(),
        }
    }

    /// Gives operations cells of other names than their own.
    #[must_use]
    pub fn in_cells(mut self, cells: Vec<(MetadataOperation, String)>) -> Names<'a> {
        self.cells = cells;
        self
    }

    /// The record of each pass that has ended.
    pub fn into_records(self) -> Vec<MetadataRecord> {
        self.records
    }

    fn cell(&self, part: &str) -> Option<&String> {
        let found = self.cells.iter().find(|(op, _)| op.name() == part);
        found.map(|(_, cell)| cell)
    }
}

impl Measurable for Names<'_> {
    type Error = MetadataError;

    /// What the pass before left goes first; it stood until the machine had been looked at.
    fn get_ready(&mut self, pass: Pass) -> Result<(), MetadataError> {
        if let Some(done) = self.ready.take() {
            done.remove()?;
        }
        let workload = MetadataWorkload {
            seed: pass.seed(self.workload.seed),
            ..self.workload.clone()
        };
        self.ready = Some(prepare(&workload, &self.place, self.stop)?);
        Ok(())
    }

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), MetadataError> {
        if let Some(ready) = &self.ready {
            self.records.push(ready.run(self.stop, witness)?);
        }
        Ok(())
    }

    fn report(&mut self, _ended: &[EndedPart]) -> PassReport {
        let mut report = self.records.last().map_or_else(PassReport::default, report);
        for part in &mut report.parts {
            if let Some(cell) = self.cell(&part.part) {
                part.cell.clone_from(cell);
            }
        }
        report
    }
}
