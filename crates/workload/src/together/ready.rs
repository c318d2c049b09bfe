//! A workload that is laid out and waits for the common start.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use etalon_engine::{Control, Prepared};
use etalon_model::{Measurement, Workload};

use crate::metadata::{PreparedNames, measurement_of_one, workload_of};

/// A workload that is laid out.
#[derive(Debug)]
pub enum Ready {
    /// I/O of the engine.
    Io(Box<Prepared>),
    /// One operation on names.
    Names(Box<PreparedNames>),
}

impl Ready {
    /// The I/O; `None` for an operation on names.
    pub fn io(&self) -> Option<&Prepared> {
        match self {
            Ready::Io(prepared) => Some(prepared),
            Ready::Names(_) => None,
        }
    }

    /// The files that are read or written; names stand for none.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.io()
            .map_or_else(Vec::new, |io| io.plan().files().to_vec())
    }

    /// What is done.
    pub(super) fn workload(&self) -> Option<Workload> {
        match self {
            Ready::Io(io) => Some(io.plan().workload().clone().into()),
            Ready::Names(names) => {
                let workload = names.workload();
                let operation = workload.operations.first();
                operation.map(|operation| workload_of(workload, *operation))
            }
        }
    }

    /// Does it; `halt` ends it within a second, with what was measured until then.
    pub(super) fn carry_out(&self, halt: &Arc<AtomicBool>) -> Result<Measurement, String> {
        match self {
            Ready::Io(prepared) => {
                let control = Control {
                    stop: Arc::clone(halt),
                    ..Control::default()
                };
                etalon_engine::run(prepared, &control).map_err(|error| error.to_string())
            }
            Ready::Names(names) => {
                let record = names.run(halt, &()).map_err(|error| error.to_string())?;
                measurement_of_one(&record)
            }
        }
    }
}
