//! Power that fails: records that were promised to be durable, and what a cut leaves of them.
//!
//! [`Records`] knows what each record is and recognises it again; [`DeviceCuts`] writes them to a disk of
//! the catalogue on its virtual clock, cuts its power at drawn moments, and reads what is left.

mod device;
mod drawn;
mod record;

pub use device::{CutError, DeviceCuts, DeviceWriter};
pub use drawn::DrawnCut;
pub use record::{LostRecord, PowerCut, Promised, RecordState, Records};

/// When the writer takes a record for durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A flush after the write has been answered: fsync(2).
    Fsync,
    /// The write itself has, with force unit access: `O_DSYNC` of open(2).
    Dsync,
    /// The write has been answered, and may be in any cache: nothing is promised by anybody.
    None,
}
