//! The disks of a guest beneath which the power fails.

use std::path::Path;
use std::sync::Arc;

use etalon_lab::serve::{Content, ModelServer, Socket};
use etalon_units::Bytes;

use super::super::guest::socket;
use super::super::model::Model;

/// The disks of the guest.
pub(super) struct Disks {
    /// Which loses its power.
    pub(super) written: Arc<Content>,
    /// What a cut has left.
    pub(super) left: Arc<Content>,
    /// Where the guest gives the records back.
    given: Arc<Content>,
    given_bytes: u64,
}

impl Disks {
    pub(super) fn new(model: &Model, given_bytes: u64, seed: u64) -> anyhow::Result<Disks> {
        let written = Content::with_noise(model.size.0, seed)?;
        Ok(Disks {
            left: Arc::new(written.twin()?),
            written: Arc::new(written.losing_power(model.promise())),
            given: Arc::new(Content::new(given_bytes)?),
            given_bytes,
        })
    }

    /// Serves them in the order of their names.
    pub(super) fn serve(
        &self,
        model: &Model,
        seed: u64,
        directory: &Path,
    ) -> anyhow::Result<Vec<ModelServer>> {
        let quick = |size| Model::of("flat", Bytes(size)).map_err(anyhow::Error::msg);
        let [left, given] = [quick(model.size.0)?, quick(self.given_bytes)?];
        let disks = [
            (*model, &self.written),
            (left, &self.left),
            (given, &self.given),
        ];
        let served = disks.iter().enumerate().map(|(number, (model, content))| {
            let socket = Socket::bind(&directory.join(socket(number)))?;
            Ok(model.serving(socket, seed, Arc::clone(content))?)
        });
        served.collect()
    }

    /// What the guest has given back, so many bytes, which are taken away.
    pub(super) fn take(&self, bytes: u64) -> anyhow::Result<Vec<u8>> {
        let given = self.given.read(0, bytes.min(self.given_bytes))?;
        self.given.discard(0, self.given_bytes)?;
        Ok(given)
    }
}
