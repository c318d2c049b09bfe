//! A disk of a guest that is a file of this machine.

use etalon_lab::guest::DiskImage;
use etalon_model::LabImage;

/// An image that a guest gets, with what its record tells of it.
pub(super) struct MadeImage {
    pub(super) disk: DiskImage,
    pub(super) record: LabImage,
}
