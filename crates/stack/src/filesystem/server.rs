//! Who serves a filesystem that lies on no device of this machine, by its type and the source of its mount.

use etalon_model::stack::Mount;

/// Where its server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Another machine, over a network.
    Network,
    /// The host of this virtual machine or container, without a network.
    Host,
}

/// Types of the kernel that always have their server in the same place.
const NETWORK: [&str; 14] = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "coda", "lustre", "beegfs", "gpfs",
    "panfs", "pvfs2", "wekafs",
];
/// virtiofs of QEMU and Cloud Hypervisor, the shared folders of VirtualBox, Parallels and VMware, Docker Desktop's, and those
/// of the first WSL.
const HOST: [&str; 7] = [
    "virtiofs",
    "vboxsf",
    "prl_fs",
    "vmhgfs",
    "fakeowner",
    "drvfs",
    "lxfs",
];
/// Processes of FUSE that fetch files from other machines.
const FUSE: [&str; 20] = [
    "alluxio-fuse",
    "blobfuse",
    "blobfuse2",
    "ceph",
    "ceph-fuse",
    "curlftpfs",
    "dfuse",
    "gcsfuse",
    "glusterfs",
    "goofys",
    "juicefs",
    "lizardfs",
    "mfs",
    "moosefs",
    "mountpoint-s3",
    "rclone",
    "s3fs",
    "s3ql",
    "seaweedfs",
    "sshfs",
];

/// Where the server of a mount is; none of a filesystem without one, and of FUSE, which is served by a process.
pub(crate) fn place(mount: &Mount) -> Option<Place> {
    match mount.fs_type.as_str() {
        // The kernel's filesystems/9p.rst: WSL and gVisor hand over open files, QEMU and Xen have a transport of their own.
        "9p" => Some(match mount.super_option("trans") {
            Some("fd" | "virtio" | "xen" | "unix" | "usbg") => Place::Host,
            _ => Place::Network,
        }),
        kind if NETWORK.contains(&kind) => Some(Place::Network),
        kind if HOST.contains(&kind) => Some(Place::Host),
        _ => None,
    }
}

/// Whether a process of FUSE, by a type such as `fuse.sshfs`, has its files from other machines.
pub fn is_remote_fuse(fs_type: &str) -> bool {
    let subtype = fs_type.strip_prefix("fuse.");
    subtype.is_some_and(|subtype| FUSE.contains(&subtype))
}

/// The server and what it exports; without a server where the source does not name one.
pub(super) fn server_and_export(mount: &Mount) -> (String, String) {
    let source = mount.source.as_str();
    match (mount.fs_type.as_str(), place(mount)) {
        (_, Some(Place::Host)) => (String::new(), of_host(mount)),
        ("9p", _) => (source.to_owned(), option(mount, "aname")),
        ("ceph", _) => ceph(mount),
        ("lustre", _) => split(source, ":/"),
        ("nfs" | "nfs4" | "cifs" | "smb3" | "smbfs", _) => of_source(source),
        _ => of_url(source),
    }
}

/// The tag or directory that the host gives, as far as the source tells one.
fn of_host(mount: &Mount) -> String {
    match mount.source.as_str() {
        "none" => String::new(),
        source => source.to_owned(),
    }
}

/// `server:/export` of NFS (the server may be an address in brackets) or `//server/share` of CIFS.
pub(super) fn of_source(source: &str) -> (String, String) {
    let owned = |(server, export): (&str, &str)| (server.to_owned(), export.to_owned());
    if let Some(rest) = source.strip_prefix("//") {
        return owned(rest.split_once('/').unwrap_or((rest, "")));
    }
    if let Some((server, export)) = source.strip_prefix('[').and_then(|s| s.split_once("]:")) {
        return owned((server, export));
    }
    owned(source.split_once(':').unwrap_or(("", source)))
}

/// `monitor:6789,monitor:6789:/path`, or `user@cluster.filesystem=/path` with the monitors in an option, between slashes
/// (mount.ceph(8)).
fn ceph(mount: &Mount) -> (String, String) {
    if let Some((name, path)) = mount.source.split_once("=/") {
        let cluster = name.split_once('@').map_or(name, |(_, cluster)| cluster);
        let told = mount.super_option("mon_addr").map(|all| monitors(all, '/'));
        return (
            told.unwrap_or_else(|| cluster.to_owned()),
            format!("/{path}"),
        );
    }
    let (all, path) = split(&mount.source, ":/");
    (monitors(&all, ','), path)
}

/// The hosts of monitors, which may each have a port.
fn monitors(all: &str, between: char) -> String {
    let hosts = all.split(between).map(|monitor| {
        let bare = monitor.strip_prefix('[').and_then(|m| m.split_once(']'));
        bare.map_or_else(
            || monitor.split(':').next().unwrap_or(monitor),
            |(host, _)| host,
        )
    });
    hosts.collect::<Vec<_>>().join(",")
}

/// `servers:/export`, of which the export keeps its slash; of Lustre the servers are several with a colon between them.
fn split(source: &str, at: &str) -> (String, String) {
    match source.split_once(at) {
        Some((servers, path)) => (servers.to_owned(), format!("/{path}")),
        None => (String::new(), source.to_owned()),
    }
}

/// `tcp://server:3334/export` of OrangeFS and `panfs://server/export`; other sources name no server.
fn of_url(source: &str) -> (String, String) {
    let Some((_, rest)) = source.split_once("://") else {
        return (String::new(), source.to_owned());
    };
    let (server, export) = rest.split_once('/').unwrap_or((rest, ""));
    let host = server.split(':').next().unwrap_or(server);
    (host.to_owned(), format!("/{export}"))
}

fn option(mount: &Mount, key: &str) -> String {
    mount.super_option(key).unwrap_or_default().to_owned()
}
