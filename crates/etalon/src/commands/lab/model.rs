//! A disk model with the size of one disk, as options name it.

use etalon_lab::catalogue::{Class, class};
use etalon_lab::serve::{Content, Export, ModelServer, ServeError, Socket};
use etalon_units::Bytes;

/// Largest disk of a model that keeps a map of its pages in memory.
const LARGEST_FLASH: u64 = 64 << 30;
/// Largest of all: sizes are multiplied by counts of disks.
const LARGEST: u64 = 1 << 50;
/// Smallest: every zone has a cylinder, and the places of the requests fit.
const SMALLEST: u64 = 256 << 20;
/// Sizes of disks are counted in sectors.
const SECTOR_BYTES: u64 = 512;

/// One disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    pub(super) class: &'static Class,
    pub(super) size: Bytes,
}

impl Model {
    /// The model of this name at this size, which must fit it.
    pub(super) fn of(name: &str, size: Bytes) -> Result<Model, String> {
        let class = class(name).map_err(|error| error.to_string())?;
        let largest = match class.name.starts_with("ssd") {
            true => LARGEST_FLASH,
            false => LARGEST,
        };
        match (SMALLEST..=largest).contains(&size.0) && size.0.is_multiple_of(SECTOR_BYTES) {
            true => Ok(Model { class, size }),
            false => Err(format!(
                "size {size}: give {} to {} for {}, a multiple of 512 bytes",
                Bytes(SMALLEST),
                Bytes(largest),
                class.name
            )),
        }
    }

    /// A fresh disk of noise behind the socket; the seed decides the noise and the times that are drawn.
    /// Cylinders are whole, so that the model may be a little larger.
    pub(super) fn served(&self, socket: Socket, seed: u64) -> Result<ModelServer, ServeError> {
        let Bytes(bytes) = self.size;
        let export = Export {
            name: self.class.name.to_owned(),
            bytes,
            rotational: self.class.turns(),
        };
        let content = Content::with_noise(bytes, seed).map_err(ServeError::Start)?;
        let disk = self.class.disk(bytes, seed);
        ModelServer::start(socket, export, disk, content)
    }
}
