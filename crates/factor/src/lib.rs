//! What etalon changes on a machine, and how it is put back.
//!
//! Every change is written to a [`Journal`] before it is made and struck out once it is undone, so
//! that after a kill or a power cut [`restore`] knows what to undo; it is called at each start and by
//! `etalon restore`. The changes are a [`Scratch`] directory, in which the test files live, a
//! [`Named`] file or tree of a tool, a [`CacheLimit`], a control group with a limit on memory, a
//! [`Server`], a process that goes on until it is told to end, a [`MountCycle`], in which a filesystem is unmounted for a
//! moment, and what a plan varies: the factors of
//! [`condition`].
//! An [`OwnDirectory`] lies within the first and needs no entry of its own: it goes with that one.
//! A [`TargetLock`] lets two etalons on one target notice each other, and a [`ProcessStamp`] tells
//! whether the process that made a change still lives.
//!
//! The [`guard`] opens everything that etalon writes, and refuses what must not be written.

mod absent;
mod block_node;
mod cache_limit;
pub mod condition;
mod entered;
mod entry;
mod error;
mod filesystem_mark;
mod former_mount;
mod ground;
mod group;
pub mod guard;
mod identity;
mod journal;
mod left;
mod lock;
mod made;
mod manual_steps;
mod mount_cycle;
mod mounted_in;
mod named;
mod need;
mod one_mount;
mod own;
mod own_directory;
mod owner;
mod path_text;
mod process;
mod read_ahead;
mod remove;
mod restore;
mod saved_value;
mod scratch;
mod server;
mod server_end;
mod shared_memory;
mod shell;
mod shown;
mod started;
mod steps;
mod terminal;
mod token;
mod trusted;

pub use cache_limit::{CacheLimit, CacheLimitError, Inside};
pub use entered::Entered;
pub use entry::{Change, Entry, ParseEntryError};
pub use filesystem_mark::FilesystemMark;
pub use former_mount::FormerMount;
pub use group::LeftLimitError;
pub use identity::Identity;
pub use journal::{Journal, JournalError, ReadEntryError};
pub use left::was_left;
pub use lock::{Busy, Holder, LockedDevices, Strangers, TargetLock, TargetLockError};
pub use mount_cycle::{MountCycle, MountCycleError, UnfitMount};
pub use named::{Hold, Named, NamedError};
pub use own_directory::OwnDirectory;
pub use process::{Liveness, ParseStampError, ProcessStamp};
pub use remove::RemoveError;
pub use restore::{EndedServer, InUse, Kept, KeptReason, RestoreReport, restore, restore_telling};
pub use scratch::{Scratch, ScratchError};
pub use server::{Ending, OrdinaryUser, Server, ServerError, ServerOrder, barred, kill_within};
pub use shell::run_shell;
pub use shown::shown;
pub use token::{NotAToken, Token};
pub use trusted::TrustError;
