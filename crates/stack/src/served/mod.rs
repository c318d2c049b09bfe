//! What this very machine serves to itself over a network, and from what: exports of the kernel's NFS server, targets of
//! NVMe over fabrics and of iSCSI; and all that these targets serve to anybody.

mod blkback;
mod exports;
mod forwarded;
mod gadget;
mod lio;
mod local;
mod nfsd;
mod nvmet;
mod rnbd;

use std::path::{Path, PathBuf};

use etalon_model::stack::{Filesystem, FsDetail, Link, Mount, ServedHere};

use crate::context::Context;

pub(crate) use exports::{Export, Source};

/// The server's side of a mount whose server at `address` is found on this machine. An address of its own is no proof: a
/// proxy may wait there for another server (amazon-efs-utils, aznfs, `ssh -L`, IPVS).
pub(crate) fn of_mount(
    context: &Context<'_>,
    mount: &Mount,
    (address, export): (&str, &str),
) -> Option<Box<ServedHere>> {
    let is_nfs = matches!(mount.fs_type.as_str(), "nfs" | "nfs4");
    if !is_nfs || !is_reached_here(context, address) {
        return None;
    }
    let port = nfsd::port(mount);
    let is_here = nfsd::listens(context, port) && !forwarded::is_sent_on(context, address, port);
    let found = is_here.then(|| nfsd::export(context, mount, export));
    found.flatten().map(Box::new)
}

/// Whether the way to a server at `address` ends at this machine, whoever answers there.
pub(crate) fn is_reached_here(context: &Context<'_>, address: &str) -> bool {
    local::is_here(context, address)
}

/// The target's side of the disk at `directory`, which is reached by `links`; none where no target of this machine has it,
/// also where the way to it leads by an address of this machine.
pub(crate) fn of_disk(
    context: &Context<'_>,
    directory: &Path,
    links: &[Link],
) -> Option<Box<ServedHere>> {
    let found = links.iter().find_map(|link| match link {
        Link::Nvme {
            transport: Some(transport),
            address: Some(address),
            ..
        } if transport != "pcie" => {
            let here = is_reached_here(context, nvmet::host_of(address));
            here.then(|| nvmet::namespace(context, directory)).flatten()
        }
        Link::Iscsi {
            target: Some(target),
            portal: Some(portal),
            ..
        } => {
            let here = is_reached_here(context, local::host_of(portal));
            here.then(|| lio::unit(context, directory, target))
                .flatten()
        }
        _ => None,
    });
    found.map(Box::new)
}

/// Everything that the kernel's targets serve; an entry without a unit stands for a target that cannot be looked at.
pub(crate) fn exports(context: &Context<'_>) -> Vec<Export> {
    let mut all = of_target("nvmet", nvmet::exports(context));
    all.extend(of_target("LIO", lio::exports(context)));
    all.extend(of_target(gadget::SERVER, gadget::exports(context)));
    all.extend(blkback::exports(context));
    all.extend(rnbd::exports(context));
    all
}

fn of_target(server: &'static str, found: Result<Vec<Export>, String>) -> Vec<Export> {
    found.unwrap_or_else(|why| {
        vec![Export {
            server,
            unit: String::new(),
            source: Err(why),
        }]
    })
}

/// The directory or file of this machine behind one on a mount that it serves to itself.
pub(crate) fn place_beneath(mount: &Mount, detail: &FsDetail, resolved: &Path) -> Option<PathBuf> {
    let FsDetail::Network {
        served_here: Some(served),
        ..
    } = detail
    else {
        return None;
    };
    let source = PathBuf::from(served.source.as_ref()?);
    let inside = resolved.strip_prefix(&mount.point).ok()?;
    match inside.as_os_str().is_empty() {
        true => Some(source),
        false => Some(source.join(inside)),
    }
}

/// Whether the disks of a filesystem that this machine serves to itself were found.
pub(crate) fn is_followed(fs: &Filesystem) -> bool {
    matches!(fs.detail, FsDetail::Network { .. }) && fs.beneath.is_some()
}

/// Whether `name` stays in the directory that it is joined to.
fn is_plain(name: &str) -> bool {
    !name.contains('/') && !matches!(name, "" | "." | "..")
}
