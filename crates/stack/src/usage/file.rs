//! Who relies on the content of a regular file: a loop device, swap, a mounted image, a target that serves it.

use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt as _;

use etalon_model::stack::{FileUser, Mount};

use crate::context::Context;
use crate::error::StackError;
use crate::loops::{self, AttachedLoop, FileId};
use crate::mountinfo::unescape;
use crate::roots::Roots;
use crate::served::{Source, exports};
use crate::{swaps, sysfs, text};

/// Everyone who relies on the content of the open file: found by device and inode, so that the name
/// by which it was reached does not matter.
///
/// # Errors
/// When the file or the mounts cannot be read.
pub fn file_use(file: &File, roots: &Roots) -> Result<Vec<FileUser>, StackError> {
    let found = file.metadata().map_err(|source| StackError::Target {
        path: "the open file".into(),
        source,
    })?;
    let context = Context::new(roots);
    users(&context, id_of(&found), &loops::attached(&context))
}

/// Everyone who relies on the file, of loop devices those among `attached`.
pub(super) fn users(
    context: &Context<'_>,
    file: FileId,
    attached: &[AttachedLoop],
) -> Result<Vec<FileUser>, StackError> {
    let mut users = by_loops(file, attached);
    users.extend(by_swap(context, file)?);
    users.extend(by_mounts(context, file)?);
    users.extend(by_targets(context, file));
    Ok(users)
}

/// A target whose own file cannot be found has none that was found here.
fn by_targets(context: &Context<'_>, file: FileId) -> Vec<FileUser> {
    let all = exports(context).into_iter();
    let served = all.filter(|one| one.source == Ok(Source::File(file)));
    let users = served.map(|one| FileUser::Served {
        server: one.server.to_owned(),
        unit: one.unit,
    });
    users.collect()
}

fn by_loops(file: FileId, attached: &[AttachedLoop]) -> Vec<FileUser> {
    let shows = |one: &&AttachedLoop| {
        let behind = one.behind.as_ref();
        behind.is_some_and(|behind| behind.device.is_none() && behind.file == file)
    };
    let users = attached.iter().filter(shows).map(|one| FileUser::Loop {
        shown_by: one.node.display().to_string(),
    });
    users.collect()
}

fn by_swap(context: &Context<'_>, file: FileId) -> Result<Vec<FileUser>, StackError> {
    let listed = text::read_text(&context.roots.procfs.join("swaps"))?;
    let lines = listed.lines().skip(1).take(swaps::MOST_AREAS);
    let names = lines.filter_map(|line| line.split_whitespace().next());
    let users = names.map(unescape).filter(|name| leads_to(name, file));
    Ok(users.map(|name| FileUser::Swap { name }).collect())
}

/// An image is mounted without a loop device where the filesystem reads files itself (erofs, FUSE);
/// its name is then the source of the mount.
fn by_mounts(context: &Context<'_>, file: FileId) -> Result<Vec<FileUser>, StackError> {
    // The source of an autofs is the list of what it mounts.
    let of_image = |mount: &&Mount| {
        mount.fs_type != "autofs" && mount.source.starts_with('/') && leads_to(&mount.source, file)
    };
    let mounts = context.mounts()?.iter().filter(of_image);
    let users = mounts.map(|mount| FileUser::Mounted {
        point: mount.point.clone(),
    });
    Ok(users.collect())
}

fn leads_to(name: &str, file: FileId) -> bool {
    std::fs::metadata(name).is_ok_and(|found| found.is_file() && id_of(&found) == file)
}

fn id_of(found: &Metadata) -> FileId {
    (sysfs::devno(found.dev()), found.ino())
}
