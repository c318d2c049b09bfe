//! The storage stack of a path: mounts, filesystems, volumes, arrays, disks, links, and their counters.
//!
//! [`Stack::of`] draws the tree from a target to its disks.
//! [`snapshot`] reads the counters of every layer of a tree, and [`Monitor`] samples them and the
//! machine in a thread of its own; [`manifest()`] lists the environment that runs of one cell must
//! share. [`device_use`] and [`file_use`] tell who uses a device or a file before anybody writes to
//! it, [`residency()`] how much of a file the page cache holds, and [`CacheLook`] how much of many.
//! All read below [`Roots`], so that a copy of another machine's `/sys` and `/proc` serves as well
//! as the real ones. The records themselves stand in `etalon_model::stack`.
//!
//! ```
//! use etalon_stack::{Roots, Stack, snapshot};
//!
//! let tree = Stack::of("/".as_ref(), &Roots::default())?;
//! let before = snapshot(&tree, &Roots::default());
//! let since = snapshot(&tree, &Roots::default()).since(&before);
//! assert_eq!(since.layers.len(), tree.layers().len());
//! # Ok::<(), etalon_stack::StackError>(())
//! ```

mod ask;
mod bits;
mod conditions;
mod context;
mod counters;
mod error;
mod extents;
mod facts;
mod filesystem;
mod group_io;
mod groups;
mod held;
mod identity;
pub mod in_memory;
mod known_device;
mod layers;
mod limits;
mod links;
mod loops;
mod manifest;
mod mdstat;
mod mincore;
mod mincore_told;
mod monitor;
mod mountinfo;
mod oom;
mod overlay;
mod passthrough;
mod priority;
mod protocol;
mod queue;
mod quotas;
mod residency;
mod roots;
#[cfg(test)]
mod samples;
mod served;
mod signature;
mod smart;
mod swaps;
mod sysfs;
mod target;
mod text;
mod tree;
mod udev;
mod usage;
mod usb_bos;

pub use ask::answers;
pub use conditions::conditions;
pub use counters::{process_io, read_block_counters, snapshot};
pub use error::StackError;
pub use extents::{Extents, extents};
pub use facts::{direct_io, space};
pub use filesystem::is_remote_fuse;
pub use held::CacheLook;
pub use limits::{LimitCounts, limit_counts};
pub use manifest::{hash_of_facts, manifest};
pub use mdstat::md_progress;
pub use monitor::{Monitor, MonitorError, MonitorOptions};
pub use mountinfo::parse_mountinfo;
pub use oom::own_oom_kills;
pub use passthrough::{Behind, behind};
pub use priority::io_class;
pub use residency::{Residency, residency};
pub use roots::Roots;
pub use signature::{Signature, signatures};
pub use tree::Stack;
pub use usage::{device_use, file_use};
