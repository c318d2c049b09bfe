//! Servers between a target and its disks.

use etalon_model::ServedPath;
use etalon_model::stack::{
    Disk, FsDetail, Layer, LayerKind, Link, ServedHere, StackTree, Transport,
};

/// Each server beneath `tree`, from the top down.
pub(super) fn paths(tree: &StackTree) -> Vec<ServedPath> {
    let filesystems = tree.trees().into_iter().filter_map(of_filesystem);
    let disks = tree.layers().into_iter().filter_map(of_disk);
    filesystems.chain(disks).collect()
}

fn of_filesystem(tree: &StackTree) -> Option<ServedPath> {
    let (mount, fs) = (tree.mount.as_ref()?, tree.filesystem.as_ref()?);
    let FsDetail::Network {
        version,
        served_here,
        ..
    } = &fs.detail
    else {
        return None;
    };
    let protocol = match mount.fs_type.as_str() {
        "nfs" | "nfs4" => "NFS",
        "cifs" | "smb3" | "smbfs" => "SMB",
        other => other,
    };
    let protocol = match version {
        Some(version) => format!("{protocol} {version}"),
        None => protocol.to_owned(),
    };
    let what = format!("{} ({protocol})", mount.source);
    Some(path(what, true, served_here.as_deref()))
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::TargetKind;
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
}
