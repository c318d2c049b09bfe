//! Exports of the kernel's NFS server, from `/proc/fs/nfs/exports` (fs/nfsd/export.c, `svc_export_show`).

use std::path::{Path, PathBuf};

use etalon_model::stack::{Mount, ServedHere};

use crate::context::Context;
use crate::mountinfo::unescape;

/// A directory that is exported to some clients.
#[derive(Debug, PartialEq, Eq)]
struct Export {
    path: PathBuf,
    options: Vec<String>,
}

impl Export {
    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|own| own == option)
    }

    /// The server makes these directories above its exports by itself; nothing is stored there.
    fn is_pseudo(&self) -> bool {
        self.has("v4root")
    }
}

/// The port of NFS (RFC 7530).
const PORT: u16 = 2049;

/// The port of the server that `mount` is from; the usual one is not always among the options.
pub(super) fn port(mount: &Mount) -> u16 {
    let told = mount
        .super_option("port")
        .and_then(|port| port.parse().ok());
    told.filter(|port| *port != 0).unwrap_or(PORT)
}

/// Whether the server takes connections on this port, by lines such as `tcp 2049`; where its files are not shown, as in a
/// container, it is taken to have the usual port.
pub(super) fn listens(context: &Context<'_>, port: u16) -> bool {
    let list = context.roots.procfs.join("fs/nfsd/portlist");
    match list.exists() {
        true => context.attr_lines(list).iter().any(|line| {
            let told = line.split_whitespace().nth(1);
            told.and_then(|told| told.parse().ok()) == Some(port)
        }),
        false => port == PORT,
    }
}

/// What the server serves as `asked` to a mount; none where no export is in force.
pub(super) fn export(context: &Context<'_>, mount: &Mount, asked: &str) -> Option<ServedHere> {
    let lines = context.attr_lines(context.roots.procfs.join("fs/nfs/exports"));
    let exports: Vec<Export> = lines.iter().filter_map(|line| parse(line)).collect();
    let is_4 = mount.fs_type == "nfs4" || mount.super_option("vers").is_some_and(of_4);
    let (source, export) = behind(&exports, asked, is_4)?;
    Some(ServedHere {
        server: Some("nfsd".to_owned()),
        source: Some(source.to_string_lossy().into_owned()),
        buffered: Some(true),
        // nfsd(7) answers a COMMIT before the disk has anything, of an export that is async (exports(5)).
        syncs: Some(!export.has("async")),
        options: export.options.clone(),
        beneath: None,
    })
}

fn of_4(version: &str) -> bool {
    version.starts_with('4')
}

/// `/srv<tab>192.168.3.0/24(rw,root_squash,sync,wdelay,...)`, and what it resolves to behind a hash.
fn parse(line: &str) -> Option<Export> {
    let (path, rest) = line.split_once('\t').filter(|_| !line.starts_with('#'))?;
    let (_, options) = rest.split_once('(')?;
    let (options, _) = options.split_once(')')?;
    Some(Export {
        path: unescape(path).into(),
        options: options.split(',').map(str::to_owned).collect(),
    })
}

/// The directory that is mounted as `asked`, and the export that holds it. Names of NFS 4 begin at the export with
/// `fsid=0`, where there is one.
fn behind<'e>(exports: &'e [Export], asked: &str, is_4: bool) -> Option<(PathBuf, &'e Export)> {
    let real = || exports.iter().filter(|export| !export.is_pseudo());
    let root = real().find(|export| is_4 && export.has("fsid=0"));
    let below = asked.trim_matches('/');
    let place = match (root, below) {
        (None, _) => Path::new("/").join(below),
        (Some(root), "") => root.path.clone(),
        (Some(root), below) => root.path.join(below),
    };
    let holders = real().filter(|export| place.starts_with(&export.path));
    let holder = holders.max_by_key(|export| export.path.components().count())?;
    Some((place, holder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exports(text: &str) -> Vec<Export> {
        text.lines().filter_map(parse).collect()
    }

    fn found(text: &str, asked: &str, is_4: bool) -> Option<(String, bool)> {
        let exports = exports(text);
        let (place, export) = behind(&exports, asked, is_4)?;
        Some((place.to_string_lossy().into_owned(), export.has("async")))
    }

    const PLAIN: &str = "# Version 1.1\n# Path Client(Flags) # IPs\n\
        /\t*(ro,no_root_squash,sync,no_wdelay,v4root,fsid=0,uuid=1:2)\n\
        /srv/my\\040data\t*(rw,root_squash,sync,wdelay)\n\
        /srv\t192.168.3.0/24(rw,root_squash,async,wdelay)\t# 192.168.3.10\n";
    const ROOTED: &str = "/srv/all\there(rw,sync,fsid=0)\n/srv/all/fast\there(rw,async)\n";

    #[test]
    fn the_narrowest_export_holds_what_is_mounted() {
        let one = |path: &str, is_async| Some((path.to_owned(), is_async));
        assert_eq!(found(PLAIN, "/srv", true), one("/srv", true));
        assert_eq!(found(PLAIN, "/srv/x", false), one("/srv/x", true));
        let inner = one("/srv/my data", false);
        assert_eq!(found(PLAIN, "/srv/my data", true), inner);
        assert_eq!(found(PLAIN, "/home", true), None);
        assert_eq!(found("", "/", true), None);
    }

    #[test]
    fn names_of_nfs_4_begin_at_its_root() {
        let one = |path: &str, is_async| Some((path.to_owned(), is_async));
        assert_eq!(found(ROOTED, "/", true), one("/srv/all", false));
        assert_eq!(found(ROOTED, "/fast", true), one("/srv/all/fast", true));
        assert_eq!(found(ROOTED, "/srv/all", false), one("/srv/all", false));
    }
}
