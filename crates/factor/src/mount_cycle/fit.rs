//! Whether what the kernel tells of a mount is all that mounting it again takes.

use std::path::PathBuf;

use etalon_host::filesystem::is_memory;
use etalon_model::stack::Mount;

use super::UnfitMount;
use crate::condition::mount_options_of;
use crate::former_mount::FormerMount;

/// Filesystems of a server whose options are all shown. Others hold back a password.
const NETWORK: [&str; 2] = ["nfs", "nfs4"];

/// Shown by the kernel and known to no mount(8): where its users are mapped from is not told.
const NOT_TAKEN: &str = "idmapped";

/// The mount, as far as its line in the list of mounts tells it.
pub(super) fn former(mount: &Mount) -> Result<FormerMount, UnfitMount> {
    let kind = mount.fs_type.clone();
    if is_memory(&kind) || kind == "proc" {
        return Err(UnfitMount::Volatile { kind });
    }
    if !is_told(mount) {
        let source_name = mount.source.clone();
        return Err(UnfitMount::NotTold { kind, source_name });
    }
    if !is_whole(mount) {
        let root = mount.root.clone();
        return Err(UnfitMount::Bound { root });
    }
    let is_read_only = |options: &[String]| options.iter().any(|option| option == "ro");
    if is_read_only(&mount.options) != is_read_only(&mount.super_options) {
        return Err(UnfitMount::HalfReadOnly);
    }
    if mount.has_option(NOT_TAKEN) {
        let option = NOT_TAKEN.to_owned();
        return Err(UnfitMount::Option { option });
    }
    Ok(FormerMount {
        point: PathBuf::from(&mount.point),
        source: mount.source.clone(),
        kind,
        before: mount_options_of(mount),
        diskseq: None,
    })
}

pub(super) fn is_of_network(mount: &Mount) -> bool {
    NETWORK.contains(&mount.fs_type.as_str())
}

/// A process serves what FUSE mounts, and it ends with the mount.
fn is_told(mount: &Mount) -> bool {
    let may_be_device = mount.source.starts_with("/dev/");
    is_of_network(mount) || (may_be_device && !mount.fs_type.starts_with("fuse"))
}

/// A subvolume of btrfs is a whole of its own, which its options name.
fn is_whole(mount: &Mount) -> bool {
    match mount.fs_type.as_str() {
        "btrfs" => mount.super_option("subvol") == Some(&mount.root),
        _ => mount.root == "/",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use etalon_stack::parse_mountinfo;

    /// The options, or why it is unfit.
    fn judged(line: &str) -> Result<String, String> {
        let mounts = parse_mountinfo(line, Path::new("mountinfo")).unwrap();
        let former = former(&mounts[0]).map_err(|unfit| unfit.to_string())?;
        Ok(former.before)
    }

    #[test]
    fn all_options_are_kept_and_rw_is_said_once() {
        for (line, options) in [
            (
                "1 2 8:1 / /mnt rw,relatime shared:1 - ext4 /dev/sda1 rw,data=journal,commit=60",
                "rw,relatime,data=journal,commit=60",
            ),
            (
                "1 2 0:41 /@data /mnt ro,noatime - btrfs /dev/sdb ro,compress=zstd:3,subvolid=256,subvol=/@data",
                "ro,noatime,compress=zstd:3,subvolid=256,subvol=/@data",
            ),
            (
                "1 2 0:52 / /mnt rw,relatime - nfs4 host:/media rw,vers=4.2,hard,addr=192.168.3.101",
                "rw,relatime,vers=4.2,hard,addr=192.168.3.101",
            ),
        ] {
            assert_eq!(judged(line).as_deref(), Ok(options));
        }
    }

    #[test]
    fn what_would_come_back_as_something_else_is_refused() {
        for (line, why) in [
            ("1 2 8:1 /sub /mnt rw - ext4 /dev/sda1 rw", "only '/sub'"),
            (
                "1 2 0:41 /@data/in /mnt rw - btrfs /dev/sdb rw,subvolid=256,subvol=/@data",
                "only '/@data/in'",
            ),
            (
                "1 2 0:41 /a,b /mnt rw - btrfs /dev/sdb rw,subvol=/a,b",
                "only '/a,b'",
            ),
            (
                "1 2 0:55 / /mnt rw - cifs //nas/share rw,username=u",
                "a cifs of '//nas/share'",
            ),
            (
                "1 2 0:55 / /mnt rw - zfs pool/data rw",
                "a zfs of 'pool/data'",
            ),
            ("1 2 8:1 / /mnt rw - fuseblk /dev/sda1 rw", "a fuseblk"),
            (
                "1 2 0:30 / /mnt rw - tmpfs tmpfs rw",
                "do not outlive an unmount",
            ),
            (
                "1 2 8:1 / /mnt rw - ext4 /dev/sda1 ro,errors=remount-ro",
                "not both read-only",
            ),
            (
                "1 2 8:1 / /mnt rw,idmapped - ext4 /dev/sda1 rw",
                "mounted with 'idmapped'",
            ),
        ] {
            let said = judged(line).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }
}
