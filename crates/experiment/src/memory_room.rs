//! How much memory files may take that lie in it.

use etalon_host::memory::{self, Room};
use etalon_model::stack::StackTree;
use etalon_stack::in_memory::{holds_files, takes_memory};
use etalon_units::Bytes;

/// Of three files, each takes at most one part in so many of the available memory: that leaves more than half of it to
/// everybody else, and to what the kernel keeps beside the files.
const SHARE: u64 = 8;

/// The most that one of three files takes of so much memory.
pub(crate) fn of_one_file(memory: Bytes) -> Bytes {
    Bytes(memory.get() / SHARE)
}

/// The same of what is available now; `None` where files on `tree` take no memory.
pub(crate) fn of_one_file_on(tree: &StackTree) -> Option<Bytes> {
    takes_memory(tree).then(|| of_one_file(memory::available()))
}

/// The memory that new files on `tree` take, whatever their size; `None` where they are not themselves in memory.
pub(crate) fn of_files_on(tree: &StackTree) -> Option<Room> {
    holds_files(tree).then(memory::tightest)
}
