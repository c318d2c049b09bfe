//! The disks of a guest beneath which the power fails.

use std::path::Path;
use std::sync::Arc;

use etalon_lab::disk::CutOrder;
use etalon_lab::powercut::CutError;
use etalon_lab::serve::{Content, ModelServer, Socket};
use etalon_units::Bytes;

use super::super::guest::socket;
use super::super::model::Model;

/// The disks of the guest.
pub(super) struct Disks {
    /// Which loses its power.
    written: Arc<Content>,
    /// What a cut has left.
    left: Arc<Content>,
    /// Where the guest gives the records back.
    given: Arc<Content>,
    given_bytes: u64,
}

impl Disks {
    pub(super) fn new(model: &Model, given_bytes: u64, seed: u64) -> Result<Disks, CutError> {
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

    /// What was written reaches the medium, as where a disk has had nothing to do for a while.
    pub(super) fn settle(&self) -> Result<(), CutError> {
        Ok(self.written.settle()?)
    }

    /// The power fails: what is left is on the disk for it, and the guest goes on with the other. How many bytes are lost.
    pub(super) fn cut(&self, order: CutOrder) -> Result<u64, CutError> {
        Ok(self.written.cut_into(order, &self.left)?)
    }

    /// What the guest has given back, so many bytes, which are taken away.
    pub(super) fn take(&self, bytes: u64) -> Result<Vec<u8>, CutError> {
        let given = self.given.read(0, bytes.min(self.given_bytes))?;
        self.given.discard(0, self.given_bytes)?;
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lab::serve::FlushPromise;

    const MUCH: u64 = 16 << 20;

    fn disk(has_room: fn() -> bool) -> Content {
        Content::new(2 * MUCH).unwrap().while_room(has_room)
    }

    fn disks(written: Content) -> Disks {
        Disks {
            written: Arc::new(written.losing_power(FlushPromise::Kept)),
            left: Arc::new(disk(|| false)),
            given: Arc::new(disk(|| true)),
            given_bytes: 2 * MUCH,
        }
    }

    #[test]
    fn what_finds_no_memory_says_so_and_what_to_do() {
        let wanted = "the content of a disk cannot be kept in memory: no storage space; \
            free some memory, or take a smaller --disk";
        let content = vec![1; usize::try_from(MUCH).unwrap()];
        let copied = disks(disk(|| true));
        copied.written.write(0, &content).unwrap();
        copied.settle().unwrap();
        let error = copied.cut(CutOrder::LosesAll).unwrap_err();
        assert_eq!(error.to_string(), wanted);
        let settled = disks(disk(|| false));
        settled.written.write(0, &content).unwrap();
        assert_eq!(settled.settle().unwrap_err().to_string(), wanted);
    }
}
