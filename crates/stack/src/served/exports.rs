//! What the targets of this kernel serve. They open a device or file without a holder, a mount or a process that
//! shows it, and all but the other backstores of LIO not for exclusive use either: nvmet
//! (drivers/nvme/target/io-cmd-bdev.c), FILEIO of LIO, gadgets of USB, Xen's blkback and the server of RNBD.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use etalon_model::stack::DevNo;

use super::is_plain;
use crate::context::{Context, reason};
use crate::loops::FileId;
use crate::sysfs;

/// A device or file that a target has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Export {
    /// Such as `nvmet` or `LIO`.
    pub(crate) server: &'static str,
    /// What it is part of there.
    pub(crate) unit: String,
    /// What is served, or why that is not known.
    pub(crate) source: Result<Source, String>,
}

/// What a target serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Device(DevNo),
    File(FileId),
    /// A controller as it is, with every namespace of the subsystem of this name.
    Subsystem(String),
    /// Nothing that etalon would write.
    Other,
}

/// The directories in that of a target in configfs; none where its `module` is not loaded.
pub(super) fn listed(
    context: &Context<'_>,
    directory: &str,
    module: &str,
) -> Result<Vec<PathBuf>, String> {
    let sysfs = &context.roots.sysfs;
    let all = sysfs.join("kernel/config").join(directory);
    match fs::read_dir(&all) {
        Ok(_) => Ok(below(context, &all)),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(reason(&error)),
        Err(_) if sysfs.join("module").join(module).exists() => Err(format!(
            "the module {module} is loaded and configfs is not mounted \
             (mount -t configfs configfs /sys/kernel/config shows it)"
        )),
        Err(_) => Ok(Vec::new()),
    }
}

/// What lies in a directory, with its path.
pub(super) fn below(context: &Context<'_>, directory: &Path) -> Vec<PathBuf> {
    let names = context.names(directory).into_iter();
    names.map(|name| directory.join(name)).collect()
}

/// The last part of a path, which is a name in configfs.
pub(super) fn name_of(directory: &Path) -> String {
    let name = directory.file_name().unwrap_or_default();
    crate::text::clean(&name.to_string_lossy())
}

/// Whether what stands at `directory` is served; what does not tell counts.
pub(super) fn is_enabled(context: &Context<'_>, directory: &Path) -> bool {
    context.flag(directory.join("enable")) != Some(false)
}

/// What `path`, which the target was given, leads to now.
pub(super) fn source(context: &Context<'_>, path: Option<&str>) -> Result<Source, String> {
    let path = path.ok_or("the target does not tell its path")?;
    let found = match path.strip_prefix("/dev/") {
        // The nodes of a copied machine are not those of this one.
        Some(name) if !context.roots.is_host() => of_copied_node(context, path, name),
        _ if path.starts_with('/') => of_path(context, Path::new(path)),
        _ => Err(io::Error::other("it is no absolute path")),
    };
    found.map_err(|error| format!("'{path}' leads to nothing here: {}", reason(&error)))
}

fn of_path(context: &Context<'_>, path: &Path) -> io::Result<Source> {
    let found = fs::metadata(path)?;
    let kind = found.file_type();
    if kind.is_block_device() {
        return Ok(Source::Device(sysfs::devno(found.rdev())));
    }
    if kind.is_file() {
        return Ok(Source::File((sysfs::devno(found.dev()), found.ino())));
    }
    let real = fs::canonicalize(path)?;
    let subsystem = subsystem(context, &name_of(&real));
    Ok(subsystem.map_or(Source::Other, Source::Subsystem))
}

fn of_copied_node(context: &Context<'_>, path: &str, name: &str) -> io::Result<Source> {
    let number = || sysfs::devno_of(context, &sysfs::name_of_node(context, path)?);
    let device = number().map(Source::Device);
    let found = device.or_else(|| subsystem(context, name).map(Source::Subsystem));
    found.ok_or_else(|| ErrorKind::NotFound.into())
}

/// The subsystem that the controller `name`, such as `nvme0`, belongs to.
fn subsystem(context: &Context<'_>, name: &str) -> Option<String> {
    let class = context.roots.sysfs.join("class/nvme");
    context.attr(is_plain(name).then(|| class.join(name))?.join("subsysnqn"))
}
