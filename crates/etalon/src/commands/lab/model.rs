//! A disk model with the size of one disk, as options name it.

use std::sync::Arc;

use etalon_lab::catalogue::{Class, class};
use etalon_lab::disk::{Disk, FaultyDisk, SECTOR_BYTES};
use etalon_lab::serve::{Content, Export, FlushPromise, ModelServer, ServeError, Socket};
use etalon_units::Bytes;

use super::faults::{FORMS, Faults};

/// Largest disk of a model that keeps a map of its pages in memory.
const LARGEST_FLASH: u64 = 64 << 30;
/// Largest of all: sizes are multiplied by counts of disks.
const LARGEST: u64 = 1 << 50;
/// Smallest: every zone has a cylinder, and the places of the requests fit.
pub(super) const SMALLEST: u64 = 256 << 20;
/// The size of a disk whose option names none.
const USUAL_SIZE: Bytes = Bytes::gib(8);

/// One disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    pub(super) class: &'static Class,
    pub(super) size: Bytes,
    pub(super) faults: Faults,
}

impl Model {
    /// What is taken where no disk is named.
    pub(super) fn usual() -> Result<Model, String> {
        Model::of("hdd-7200", USUAL_SIZE)
    }

    /// `MODEL[:SIZE][:FAULT...]`.
    pub(super) fn parsed(text: &str) -> Result<Model, String> {
        let mut words = text.split(':').peekable();
        let name = words.next().unwrap_or_default();
        let size = words.next_if(|word| !Faults::is_one(word));
        let size = size.map_or(Ok(USUAL_SIZE), str::parse);
        let size = size.map_err(|error: etalon_units::ParseBytesError| {
            format!("{error}; what else may follow a model is {FORMS}")
        })?;
        Model::of(name, size)?.failing(words)
    }

    /// `MODEL[:FAULT...]` at this size.
    pub(super) fn sized(text: &str, size: Bytes) -> Result<Model, String> {
        let mut words = text.split(':');
        Model::of(words.next().unwrap_or_default(), size)?.failing(words)
    }

    fn failing<'a>(mut self, mut faults: impl Iterator<Item = &'a str>) -> Result<Model, String> {
        faults.try_for_each(|word| self.faults.add(word, self.size))?;
        Ok(self)
    }

    /// Its name with its faults, as records and options have it.
    pub(super) fn name(&self) -> String {
        format!("{}{}", self.class.name, self.faults)
    }

    /// What it does of a flush.
    pub(super) fn promise(&self) -> FlushPromise {
        match self.faults.ignores_flush() {
            true => FlushPromise::Ignored,
            false => FlushPromise::Kept,
        }
    }

    pub(super) fn ignores_flush(&self) -> bool {
        self.faults.ignores_flush()
    }

    /// Whether it fails in a way other than that.
    pub(super) fn fails_otherwise(&self) -> bool {
        self.faults.all().count() > usize::from(self.ignores_flush())
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
                faults: Faults::default(),
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
        let faults: Vec<_> = self.faults.all().collect();
        let disk: Box<dyn Disk> = match faults.is_empty() {
            true => disk,
            false => Box::new(FaultyDisk::new(disk, faults)),
        };
        ModelServer::start(socket, export, disk, content)
    }
}
