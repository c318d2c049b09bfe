//! Servers between a target and its disks.

use etalon_model::stack::{
    Disk, FsDetail, Layer, LayerKind, Link, Mount, ServedHere, StackTree, Transport,
};
use etalon_model::{ServedPath, ServerKind};
use etalon_stack::is_remote_fuse;

/// Each server beneath `tree`, from the top down.
pub(super) fn paths(tree: &StackTree) -> Vec<ServedPath> {
    let filesystems = tree.trees().into_iter().filter_map(of_filesystem);
    let disks = tree.layers().into_iter().filter_map(of_disk);
    filesystems.chain(disks).collect()
}

fn of_filesystem(tree: &StackTree) -> Option<ServedPath> {
    let (mount, fs) = (tree.mount.as_ref()?, tree.filesystem.as_ref()?);
    match &fs.detail {
        FsDetail::Network {
            version,
            served_here,
            by_host,
            ..
        } => Some(ServedPath {
            kind: kind(mount, *by_host),
            ..path(
                words(mount, version.as_deref()),
                true,
                served_here.as_deref(),
            )
        }),
        FsDetail::Fuse { .. } if is_remote_fuse(&mount.fs_type) => {
            Some(path(words(mount, None), true, None))
        }
        _ => None,
    }
}

fn kind(mount: &Mount, by_host: bool) -> ServerKind {
    match mount.fs_type.as_str() {
        _ if by_host => ServerKind::Host,
        "nfs" | "nfs4" => ServerKind::Nfs,
        _ => ServerKind::Other,
    }
}

/// What is served, with the protocol; by its place where the source has no name.
fn words(mount: &Mount, version: Option<&str>) -> String {
    let protocol = match mount.fs_type.as_str() {
        "nfs" | "nfs4" => "NFS",
        "cifs" | "smb3" | "smbfs" => "SMB",
        other => other,
    };
    let what = match mount.source.as_str() {
        "none" | "" => &mount.point,
        source => source,
    };
    match version {
        Some(version) => format!("{what} ({protocol} {version})"),
        None => format!("{what} ({protocol})"),
    }
}

fn of_disk(layer: &Layer) -> Option<ServedPath> {
    let LayerKind::Disk(disk) = &layer.kind else {
        return None;
    };
    let what = format!("{} ({})", layer.name, protocol(disk)?);
    Some(path(what, false, disk.served_here.as_deref()))
}

/// What is spoken with the target of a disk; none of a disk without one.
fn protocol(disk: &Disk) -> Option<String> {
    let over_fabrics = disk.links.iter().find_map(|link| match link {
        Link::Nvme { transport, .. } => transport.as_deref().filter(|name| *name != "pcie"),
        _ => None,
    });
    match (disk.transport, over_fabrics) {
        (_, Some(name)) => Some(format!("NVMe over {name}")),
        (Transport::Iscsi | Transport::Network, _) => Some(disk.transport.name().to_owned()),
        _ => None,
    }
}

fn path(what: String, files: bool, here: Option<&ServedHere>) -> ServedPath {
    ServedPath {
        what,
        files,
        here: here.is_some(),
        buffered: here.and_then(|here| here.buffered),
        syncs: here.and_then(|here| here.syncs),
        kind: ServerKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::TargetKind;
    use etalon_stack::{Roots, Stack};
    use serde_json::{from_value, json};

    /// A disk with this link, by this transport.
    fn disk(transport: &str, link: serde_json::Value) -> StackTree {
        let layer = json!({
            "name": "disk", "devno": "8:0", "node": "/dev/disk", "size_bytes": 0, "read_only": false,
            "queue": null, "warnings": [], "below": [],
            "kind": {
                "type": "disk", "transport": transport, "removable": false, "by_id": [],
                "links": [link],
            },
        });
        StackTree {
            devices: vec![from_value(layer).unwrap()],
            ..StackTree::of_nothing("/dev/disk", TargetKind::BlockDevice)
        }
    }

    #[test]
    fn disks_of_other_machines_are_told_from_those_of_this_one() {
        let told = |transport: &str, link| {
            let paths = paths(&disk(transport, link));
            paths.first().map(|path| path.what.clone())
        };
        let nvme = |over: &str| json!({"bus": "nvme", "controller": "nvme0", "transport": over});
        let over = told("nvme", nvme("tcp"));
        assert_eq!(over.as_deref(), Some("disk (NVMe over tcp)"));
        assert_eq!(told("nvme", nvme("pcie")), None);
        let iscsi = told("iscsi", json!({"bus": "iscsi"}));
        assert_eq!(iscsi.as_deref(), Some("disk (iSCSI)"));
    }

    /// What is said of the server of `/m`, mounted so.
    fn mounted(line: &str) -> Option<ServedPath> {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join("proc/self");
        std::fs::create_dir_all(&own).unwrap();
        let info = format!("1 0 8:2 / / rw - ext4 /dev/sda2 rw\n2 1 0:40 / /m rw - {line}\n");
        std::fs::write(own.join("mountinfo"), info).unwrap();
        let tree = Stack::of("/m".as_ref(), &Roots::under(root.path())).unwrap();
        paths(&tree).pop()
    }

    #[test]
    fn whoever_may_keep_files_in_memory_is_told_by_its_kind() {
        for (line, what, kind) in [
            (
                "nfs4 nas:/x rw,vers=4.2",
                "nas:/x (NFS 4.2)",
                ServerKind::Nfs,
            ),
            (
                "cifs //nas/x rw,vers=3.1.1",
                "//nas/x (SMB 3.1.1)",
                ServerKind::Other,
            ),
            (
                "beegfs beegfs_nodev rw",
                "beegfs_nodev (beegfs)",
                ServerKind::Other,
            ),
            (
                "fuse.glusterfs nas:/x rw",
                "nas:/x (fuse.glusterfs)",
                ServerKind::Other,
            ),
            (
                "fuse.sshfs u@nas:/x rw",
                "u@nas:/x (fuse.sshfs)",
                ServerKind::Other,
            ),
            ("virtiofs myfs rw", "myfs (virtiofs)", ServerKind::Host),
            ("9p none rw,trans=fd", "/m (9p)", ServerKind::Host),
        ] {
            let found = mounted(line).unwrap();
            let expected = path(what.to_owned(), true, None);
            assert_eq!(found, ServedPath { kind, ..expected }, "{line}");
        }
        for line in [
            "fuse.ntfs-3g /dev/sdb1 rw",
            "tmpfs tmpfs rw",
            "fuse.lxcfs lxcfs rw",
        ] {
            assert_eq!(mounted(line), None, "{line}");
        }
    }
}
