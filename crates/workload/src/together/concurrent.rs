//! Several workloads at once as something that can be measured.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use etalon_model::ConcurrentRuns;

use super::{Ready, StreamResult, TogetherError, TogetherRecord, run_prepared};
use crate::PartWitness;
use crate::measurable::{EndedPart, Measurable, PartReport, PassReport};

/// Why workloads were not measured together.
#[derive(Debug, thiserror::Error)]
pub enum ConcurrentError {
    /// They could not be begun together.
    #[error(transparent)]
    Together(#[from] TogetherError),
    /// One of them failed.
    #[error("'{name}': {message}")]
    Stream {
        /// Its name.
        name: String,
        /// Why.
        message: String,
    },
}

/// Workloads that are laid out, each on a target of its own number.
pub struct ConcurrentIo<'a> {
    streams: Vec<(String, Ready)>,
    stop: &'a Arc<AtomicBool>,
    record: Option<TogetherRecord>,
}

impl<'a> ConcurrentIo<'a> {
    /// The workloads by the names of their cells, in the order of their targets.
    pub fn new(streams: Vec<(String, Ready)>, stop: &'a Arc<AtomicBool>) -> ConcurrentIo<'a> {
        ConcurrentIo {
            streams,
            stop,
            record: None,
        }
    }
}

impl Measurable for ConcurrentIo<'_> {
    type Error = ConcurrentError;

    fn files(&self, target: usize) -> Vec<PathBuf> {
        let stream = self.streams.get(target);
        stream.map_or_else(Vec::new, |(_, ready)| ready.files())
    }

    fn parts(&self) -> Vec<(String, usize)> {
        let names = self.streams.iter().map(|(name, _)| name.clone());
        names.zip(0..).collect()
    }

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), ConcurrentError> {
        let streams = self.streams.iter();
        let named: Vec<(&str, &Ready)> = streams
            .map(|(name, ready)| (name.as_str(), ready))
            .collect();
        for (name, _) in &named {
            witness.begins(name);
        }
        let record = run_prepared(&named, self.stop);
        for (name, _) in &named {
            witness.ended(name);
        }
        let record = record?;
        for stream in &record.streams {
            if let StreamResult::Failed { message } = &stream.result {
                return Err(ConcurrentError::Stream {
                    name: stream.name.clone(),
                    message: message.clone(),
                });
            }
        }
        self.record = Some(record);
        Ok(())
    }

    fn report(&mut self, _ended: &[EndedPart]) -> PassReport {
        let Some(record) = self.record.take() else {
            return PassReport::default();
        };
        let streams = record.streams.iter().enumerate().zip(&self.streams);
        let parts = streams.filter_map(|((target, stream), (name, ready))| {
            let StreamResult::Measured(measurement) = &stream.result else {
                return None;
            };
            let workload = ready.workload()?;
            Some(PartReport {
                target,
                concurrent: concurrent_runs(&record, target),
                ..PartReport::alone(name, workload, (**measurement).clone())
            })
        });
        PassReport {
            parts: parts.collect(),
            ..PassReport::default()
        }
    }
}

/// Who else was there, and for how long; `None` for a workload alone.
fn concurrent_runs(record: &TogetherRecord, at: usize) -> Option<ConcurrentRuns> {
    let own = &record.streams[at];
    let others = record.streams.iter().filter(|s| s.name != own.name);
    let others: Vec<String> = others.map(|stream| stream.name.clone()).collect();
    (!others.is_empty()).then(|| ConcurrentRuns {
        others,
        span: own.end.saturating_sub(own.begin),
        shared: record.overlap,
    })
}
