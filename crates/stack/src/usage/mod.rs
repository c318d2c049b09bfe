//! Who uses a block device, so that nothing is written to it by accident.

mod behind;
mod file;
mod neighbours;
mod paths;
mod served;
mod unseen;
mod writers;

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use etalon_model::stack::{DevNo, DeviceUse, ExclusiveOpen, User};

use crate::context::Context;
use crate::error::StackError;
use crate::identity::shared_names;
use crate::loops::{self, AttachedLoop};
use crate::roots::Roots;
use crate::served::{Export, exports};
use crate::signature::{Signature, signatures};
use crate::{layers, swaps, sysfs, text};

pub use file::file_use;
use writers::Writers;

/// Everyone who uses the block device `node`, and every mark on it.
///
/// The device, its partitions, the disk around it and other paths to that disk are examined. What cannot be found
/// out counts as a use ([`User::NotKnown`]): a device is free only when that is certain.
///
/// # Errors
/// When `node` is not a block device that the kernel shows.
pub fn device_use(node: &Path, roots: &Roots) -> Result<DeviceUse, StackError> {
    let context = Context::new(roots);
    let devno = devno_of_node(&context, node)?;
    let path = roots.sysfs.join("dev/block").join(devno.to_string());
    let directory = context.follow(path).ok_or_else(|| StackError::NoDevice {
        devno,
        sysfs: roots.sysfs.clone(),
    })?;
    let name = file_name(&directory);
    let writers = Writers::of(roots);
    let exports = exports(&context);
    let mut survey = Survey {
        context: &context,
        loops: loops::attached(&context),
        writers: &writers,
        exports: &exports,
        path: Vec::new(),
        users: Vec::new(),
    };
    survey.all_of(&directory, &name);
    survey.served_unseen();
    survey.written_unseen();
    survey.marks(node, &name);
    survey.users.sort();
    survey.users.dedup();
    let users = survey.users;
    Ok(DeviceUse {
        node: text::clean(&node.to_string_lossy()),
        devno,
        serial: layers::serial(&context, &directory, devno),
        by_id: layers::by_id(&context, devno),
        shared: shared_names(&context, &directory),
        users,
        exclusive: open_exclusively(&context, node),
        name: name.replace('!', "/"),
    })
}

fn file_name(directory: &Path) -> String {
    directory
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The names of a disk's partitions.
fn parts(context: &Context<'_>, disk: &Path) -> Vec<String> {
    let names = context.names(disk).into_iter();
    names
        .filter(|name| disk.join(name).join("partition").exists())
        .collect()
}

fn devno_of_node(context: &Context<'_>, node: &Path) -> Result<DevNo, StackError> {
    let not_a_device = || StackError::NotABlockDevice {
        path: node.to_owned(),
    };
    if !context.roots.is_host() {
        let name = sysfs::name_of_node(context, &node.to_string_lossy());
        let devno = name.and_then(|name| sysfs::devno_of(context, &name));
        return devno.ok_or_else(not_a_device);
    }
    let metadata = std::fs::metadata(node).map_err(|source| StackError::Target {
        path: node.to_owned(),
        source,
    })?;
    match metadata.file_type().is_block_device() {
        true => Ok(sysfs::devno(metadata.rdev())),
        false => Err(not_a_device()),
    }
}

struct Survey<'a> {
    context: &'a Context<'a>,
    /// Every attached loop device.
    loops: Vec<AttachedLoop>,
    /// Every device that another process may write to.
    writers: &'a Writers<'a>,
    /// All that the kernel's targets serve.
    exports: &'a [Export],
    /// The loop devices through which this device was reached: they are the way, no other users.
    path: Vec<DevNo>,
    users: Vec<User>,
}

impl Survey<'_> {
    /// The device, its partitions, the disk around it and what else has bytes of it there, other paths to that
    /// disk, and what lies behind it.
    fn all_of(&mut self, directory: &Path, name: &str) {
        self.device(directory, name);
        self.partitions(directory, name);
        self.surroundings(directory, name);
        self.neighbours(directory);
        self.other_paths(directory);
        if let Some(devno) = self.context.value(directory.join("dev")) {
            self.behind(directory, devno);
        }
    }

    /// Mounts, swap, holders, targets and btrfs membership of one device.
    fn device(&mut self, directory: &Path, name: &str) {
        let device = format!("/dev/{}", name.replace('!', "/"));
        for holder in self.context.names(directory.join("holders")) {
            self.users.push(User::Holder {
                device: device.clone(),
                holder,
            });
        }
        if self.context.flag(directory.join("ro")).unwrap_or(false) {
            self.users.push(User::ReadOnly);
        }
        let devno: Option<DevNo> = self.context.value(directory.join("dev"));
        self.mounts(&device, name, devno);
        if let Some(devno) = devno {
            self.loops_above(&device, devno);
            self.written_by(&device, devno);
            self.served_by(&device, directory, devno);
        }
        self.swaps(&device, name);
        self.btrfs(&device, name);
    }

    fn mounts(&mut self, device: &str, name: &str, devno: Option<DevNo>) {
        let mounts = match self.context.mounts() {
            Ok(mounts) => mounts,
            Err(error) => {
                self.not_known("where it is mounted", &error);
                return;
            }
        };
        for mount in mounts {
            let by_source = || sysfs::name_of_node(self.context, &mount.source);
            if Some(mount.devno) == devno || by_source().as_deref() == Some(name) {
                self.users.push(User::Mounted {
                    device: device.to_owned(),
                    point: mount.point.clone(),
                });
            }
        }
    }

    fn swaps(&mut self, device: &str, name: &str) {
        let path = self.context.roots.procfs.join("swaps");
        let listed = match text::read_text(&path) {
            Ok(listed) => listed,
            Err(error) => {
                self.not_known("whether it is swap space", &error);
                return;
            }
        };
        let nodes = listed
            .lines()
            .skip(1)
            .filter_map(|l| l.split_whitespace().next());
        if nodes.clone().count() > swaps::MOST_AREAS {
            let why = "/proc/swaps has more areas than the kernel keeps";
            self.not_known("whether it is swap space", &why);
        }
        for node in nodes.take(swaps::MOST_AREAS) {
            let node = crate::mountinfo::unescape(node);
            if sysfs::name_of_node(self.context, &node).as_deref() == Some(name) {
                self.users.push(User::Swap {
                    device: device.to_owned(),
                });
            }
        }
    }

    fn btrfs(&mut self, device: &str, name: &str) {
        let all = self.context.roots.sysfs.join("fs/btrfs");
        for uuid in self.context.names(&all) {
            let members = self.context.names(all.join(&uuid).join("devices"));
            if members.iter().any(|member| member == name) {
                self.users.push(User::BtrfsMember {
                    device: device.to_owned(),
                    uuid,
                });
            }
        }
    }

    fn partitions(&mut self, directory: &Path, name: &str) {
        let names = parts(self.context, directory);
        for partition in &names {
            self.device(&directory.join(partition), partition);
        }
        if !names.is_empty() {
            self.users.push(User::Partitions { names });
        }
        let _ = name;
    }

    /// A partition is not free while its whole disk is mounted, held or swap.
    fn surroundings(&mut self, directory: &Path, name: &str) {
        if !directory.join("partition").exists() {
            return;
        }
        let Some(disk) = directory.parent() else {
            return;
        };
        let mut around = self.of_others();
        let parent = file_name(disk);
        around.device(disk, &parent);
        around.users.retain(|user| *user != User::ReadOnly);
        if !around.users.is_empty() {
            self.users.push(User::Parent {
                device: format!("/dev/{name}"),
                parent: format!("/dev/{parent}"),
            });
            self.users.append(&mut around.users);
        }
    }

    /// For other devices whose users are this one's too.
    fn of_others(&self) -> Self {
        Survey {
            context: self.context,
            loops: self.loops.clone(),
            writers: self.writers,
            exports: self.exports,
            path: self.path.clone(),
            users: Vec::new(),
        }
    }

    fn marks(&mut self, node: &Path, name: &str) {
        let device = format!("/dev/{}", name.replace('!', "/"));
        let found = node_path(self.context, node)
            .and_then(|path| open(&path, 0))
            .and_then(|mut file| signatures(&mut file));
        match found {
            Ok(found) => self
                .users
                .extend(found.into_iter().map(|mark| user_of(mark, &device))),
            Err(error) => self.not_known("what is written on it", &error),
        }
    }

    fn not_known(&mut self, what: &str, why: &dyn std::fmt::Display) {
        self.users.push(User::NotKnown {
            what: what.to_owned(),
            why: why.to_string(),
        });
    }
}

fn user_of(mark: Signature, device: &str) -> User {
    match mark.is_table {
        true => User::PartitionTable {
            kind: mark.kind.to_owned(),
        },
        false => User::Signature {
            device: device.to_owned(),
            kind: mark.kind.to_owned(),
            offset: mark.offset,
        },
    }
}

/// Where a node of the (possibly copied) machine stands on this one.
fn node_path(context: &Context<'_>, node: &Path) -> std::io::Result<PathBuf> {
    if context.roots.is_host() {
        return Ok(node.to_owned());
    }
    let below = context.roots.device_node(&node.to_string_lossy());
    below.ok_or_else(|| std::io::ErrorKind::NotFound.into())
}

fn open(path: &Path, flags: i32) -> std::io::Result<File> {
    OpenOptions::new()
        .read(true)
        .custom_flags(flags | libc::O_NONBLOCK)
        .open(path)
}

/// open(2): `O_EXCL` without `O_CREAT` on a block device fails with `EBUSY` while it is in use.
fn open_exclusively(context: &Context<'_>, node: &Path) -> ExclusiveOpen {
    let opened = node_path(context, node).and_then(|path| open(&path, libc::O_EXCL));
    match opened {
        Ok(_) => ExclusiveOpen::Granted,
        Err(error) if error.raw_os_error() == Some(libc::EBUSY) => ExclusiveOpen::Busy,
        Err(error) => ExclusiveOpen::Failed {
            why: error.to_string(),
        },
    }
}
