//! A disk model with the size of one disk, as options name it.

use std::sync::Arc;

use etalon_lab::catalogue::{Class, class};
use etalon_lab::disk::{Disk, Fault, FaultyDisk};
use etalon_lab::serve::{Content, Export, FlushPromise, ModelServer, ServeError, Socket};
use etalon_units::Bytes;

/// Largest disk of a model that keeps a map of its pages in memory.
const LARGEST_FLASH: u64 = 64 << 30;
/// Largest of all: sizes are multiplied by counts of disks.
const LARGEST: u64 = 1 << 50;
/// Smallest: every zone has a cylinder, and the places of the requests fit.
pub(super) const SMALLEST: u64 = 256 << 20;
/// Sizes of disks are counted in sectors.
const SECTOR_BYTES: u64 = 512;
/// The size of a disk whose option names none.
const USUAL_SIZE: Bytes = Bytes::gib(8);
/// The word for a disk that answers flushes and does nothing else.
const LIE: &str = "ignores-flush";

/// One disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    pub(super) class: &'static Class,
    pub(super) size: Bytes,
    pub(super) promise: FlushPromise,
}

impl Model {
    /// What is taken where no disk is named.
    pub(super) fn usual() -> Result<Model, String> {
        Model::of("hdd-7200", USUAL_SIZE)
    }

    /// `MODEL[:SIZE][:ignores-flush]`.
    pub(super) fn parsed(text: &str) -> Result<Model, String> {
        let (text, promise) = match text
            .strip_suffix(LIE)
            .and_then(|text| text.strip_suffix(':'))
        {
            Some(honest) => (honest, FlushPromise::Ignored),
            None => (text, FlushPromise::Kept),
        };
        let (name, size) = match text.split_once(':') {
            None => (text, Ok(USUAL_SIZE)),
            Some((name, size)) => (name, size.parse()),
        };
        let size = size.map_err(|error: etalon_units::ParseBytesError| {
            format!("{error}; what else may follow a model is {LIE}")
        })?;
        Ok(Model {
            promise,
            ..Model::of(name, size)?
        })
    }

    /// Its name, as records and options have it.
    pub(super) fn name(&self) -> String {
        match self.promise {
            FlushPromise::Kept => self.class.name.to_owned(),
            FlushPromise::Ignored => format!("{}:{LIE}", self.class.name),
        }
    }

    pub(super) fn ignores_flush(&self) -> bool {
        self.promise == FlushPromise::Ignored
    }

    /// The model of this name at this size, which must fit it.
    pub(super) fn of(name: &str, size: Bytes) -> Result<Model, String> {
        let class = class(name).map_err(|error| error.to_string())?;
        let largest = match class.name.starts_with("ssd") {
            true => LARGEST_FLASH,
            false => LARGEST,
        };
        match (SMALLEST..=largest).contains(&size.0) && size.0.is_multiple_of(SECTOR_BYTES) {
            true => Ok(Model {
                class,
                size,
                promise: FlushPromise::Kept,
            }),
            false => Err(format!(
                "size {size}: give {} to {} for {}, a multiple of 512 bytes",
                Bytes(SMALLEST),
                Bytes(largest),
                class.name
            )),
        }
    }

    /// A fresh disk of noise behind the socket; the seed decides the noise and the times that are drawn.
    pub(super) fn served(&self, socket: Socket, seed: u64) -> Result<ModelServer, ServeError> {
        let content = Content::with_noise(self.size.0, seed).map_err(ServeError::Start)?;
        self.serving(socket, seed, content)
    }

    /// A disk that holds what it held before. Cylinders are whole, so that the model may be a little larger.
    pub(super) fn serving(
        &self,
        socket: Socket,
        seed: u64,
        content: impl Into<Arc<Content>>,
    ) -> Result<ModelServer, ServeError> {
        let Bytes(bytes) = self.size;
        let export = Export {
            name: self.class.name.to_owned(),
            bytes,
            rotational: self.class.turns(),
        };
        let disk = self.class.disk(bytes, seed);
        let disk: Box<dyn Disk> = match self.promise {
            FlushPromise::Kept => disk,
            FlushPromise::Ignored => Box::new(FaultyDisk::new(disk, vec![Fault::IgnoresFlush])),
        };
        ModelServer::start(socket, export, disk, content)
    }
}
