//! Other partitions of a disk that have bytes of one: slices of BSD within a partition, the slice of Sun that is
//! the whole disk. The kernel gives each of them for exclusive use, whoever has the other.

use std::ops::Range;
use std::path::Path;

use etalon_model::stack::User;

use super::paths::sectors;
use super::{Survey, file_name, parts};

impl Survey<'_> {
    /// Whoever uses a partition with bytes of the one at `directory`, and all of those but what is around it.
    pub(super) fn neighbours(&mut self, directory: &Path) {
        let is_part = directory.join("partition").exists();
        let Some(disk) = directory.parent().filter(|_| is_part) else {
            return;
        };
        // The kernel tells the sectors of every partition.
        let Some(own) = sectors(self.context, directory) else {
            return;
        };
        let mut names = parts(self.context, disk);
        names.retain(|name| *name != file_name(directory));
        names.retain(|name| self.shares(&disk.join(name), name, &own));
        if !names.is_empty() {
            self.users.push(User::Partitions { names });
        }
    }

    /// Whether the other partition lies on some of these sectors, and not around them all. Its users are told in
    /// any case.
    fn shares(&mut self, other: &Path, name: &str, own: &Range<u64>) -> bool {
        let its = sectors(self.context, other);
        let Some(its) = its.filter(|its| own.start < its.end && its.start < own.end) else {
            return false;
        };
        self.used_by(other, name);
        its == *own || own.start < its.start || its.end < own.end
    }

    /// What is read-only by another name may be written by this one.
    fn used_by(&mut self, other: &Path, name: &str) {
        let mut around = self.of_others();
        around.device(other, name);
        around.users.retain(|user| *user != User::ReadOnly);
        self.users.append(&mut around.users);
    }
}
