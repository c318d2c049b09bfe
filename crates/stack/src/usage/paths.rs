//! Other paths to the same disk, where nothing joins them: the second port of a SAS disk, another portal of an iSCSI target, a
//! second controller of NVMe without the kernel's own multipath. Each is a device of its own, which shows no use of the other.

use std::ops::Range;
use std::path::{Path, PathBuf};

use etalon_model::stack::{ExclusiveOpen, User};

use super::{Survey, file_name, open_exclusively, parts};
use crate::context::Context;
use crate::identity::world_wide_name;

/// A device of a path that shows bytes of the one that is asked for.
struct Shown {
    directory: PathBuf,
    name: String,
}

impl Survey<'_> {
    /// Whoever uses the disk by another path uses it by this one; of a partition, whoever uses its bytes.
    pub(super) fn other_paths(&mut self, directory: &Path) {
        let bytes = directory
            .join("partition")
            .exists()
            .then(|| sectors(self.context, directory));
        let disk = match (&bytes, directory.parent()) {
            (Some(_), Some(disk)) => disk,
            _ => directory,
        };
        let Some(wwid) = world_wide_name(self.context, disk) else {
            return;
        };
        let all = self.context.roots.sysfs.join("block");
        for name in self.context.names(&all) {
            let path = self.context.follow(all.join(&name));
            let Some(path) = path.filter(|path| *path != disk) else {
                continue;
            };
            if world_wide_name(self.context, &path).as_ref() == Some(&wwid) {
                self.by_path(
                    &file_name(disk),
                    Shown {
                        directory: path,
                        name,
                    },
                    bytes.as_ref(),
                );
            }
        }
    }

    /// Users of one other path, and that it is one.
    fn by_path(&mut self, disk: &str, path: Shown, bytes: Option<&Option<Range<u64>>>) {
        let mut other = self.of_others();
        let shown = other.shown(&path, bytes);
        other.device(&path.directory, &path.name);
        for one in &shown {
            other.device(&one.directory, &one.name);
        }
        let is_use = |user: &User| !user.is_content() && *user != User::ReadOnly;
        other.users.retain(is_use);
        let nodes = match (bytes, shown.as_slice()) {
            // A disk is held as soon as any of its partitions is.
            (None, _) | (_, []) => std::slice::from_ref(&path),
            (Some(_), shown) => shown,
        };
        if other.users.is_empty() {
            other
                .users
                .extend(nodes.iter().filter_map(|node| held(self.context, node)));
        }
        if !other.users.is_empty() {
            self.users.push(User::OtherPath {
                device: format!("/dev/{}", disk.replace('!', "/")),
                path: node_of(&path),
            });
            self.users.append(&mut other.users);
        }
    }

    /// The partitions on a path that share bytes with what is asked for; all of them, of a whole disk.
    fn shown(&self, path: &Shown, bytes: Option<&Option<Range<u64>>>) -> Vec<Shown> {
        let all = parts(self.context, &path.directory).into_iter();
        let all = all.map(|name| Shown {
            directory: path.directory.join(&name),
            name,
        });
        let wanted = bytes.and_then(Option::as_ref);
        let shares = |one: &Shown| match (wanted, sectors(self.context, &one.directory)) {
            (Some(own), Some(its)) => own.start < its.end && its.start < own.end,
            // What is not known may be.
            _ => true,
        };
        all.filter(shares).collect()
    }
}

/// The sectors of a disk that a partition has.
pub(super) fn sectors(context: &Context<'_>, partition: &Path) -> Option<Range<u64>> {
    let start: u64 = context.value(partition.join("start"))?;
    let count: u64 = context.value(partition.join("size"))?;
    Some(start..start.saturating_add(count))
}

fn node_of(shown: &Shown) -> String {
    format!("/dev/{}", shown.name.replace('!', "/"))
}

/// Somebody who is seen nowhere else, such as a pool of ZFS, holds the device for exclusive use.
fn held(context: &Context<'_>, shown: &Shown) -> Option<User> {
    let node = node_of(shown);
    let is_held = open_exclusively(context, Path::new(&node)) == ExclusiveOpen::Busy;
    is_held.then(|| User::NotKnown {
        what: format!("who uses {node}"),
        why: "the kernel does not open it for exclusive use".to_owned(),
    })
}
