//! Whether a device has a volatile write cache by its own account: what `queue/write_cache` says can be
//! written by anybody, and the kernel then sends no flush (block/blk-sysfs.c).

use std::path::Path;

use etalon_model::stack::Transport;

use crate::ask::{self, Question};
use crate::context::Context;
use crate::sysfs;

/// Bit of the features of virtio-blk: the device takes flushes (VIRTIO 1.2, 5.2.3).
const VIRTIO_FLUSH: usize = 9;
/// Volatile write cache, byte 525 of NVMe's Identify Controller (NVM Express Base 2.0, 5.17.2.1).
const NVME_CACHE: usize = 525;

/// What the disk with the class directory `directory` says; `None` where it does not tell.
pub(super) fn of_disk(
    context: &Context<'_>,
    directory: &Path,
    transport: Transport,
) -> Option<bool> {
    match transport {
        Transport::Virtio => of_virtio(context, directory),
        Transport::Nvme => of_nvme(context, directory),
        _ => of_scsi(context, directory),
    }
}

/// A loop device flushes where its file can be synced and written to (drivers/block/loop.c), which any
/// file of a filesystem can.
pub(super) fn of_loop(has_file: bool, read_only: bool) -> Option<bool> {
    has_file.then_some(!read_only)
}

/// The driver's own file asks the device for its mode (drivers/block/virtio_blk.c, `cache_type`); without
/// it the device has a cache if it takes flushes.
fn of_virtio(context: &Context<'_>, directory: &Path) -> Option<bool> {
    let mode = context.attr(directory.join("cache_type"));
    let by_mode = mode.as_deref().map(|mode| mode == "write back");
    by_mode.or_else(|| {
        let features = context.attr(directory.join("device/features"))?;
        let bit = features.as_bytes().get(VIRTIO_FLUSH)?;
        Some(*bit == b'1')
    })
}

fn of_nvme(context: &Context<'_>, directory: &Path) -> Option<bool> {
    let name = directory.file_name()?.to_str()?;
    let devno = sysfs::devno_of(context, name)?;
    let page = ask::ask(context.roots, name, devno, Question::NvmeController).ok()?;
    Some(page.get(NVME_CACHE)? & 1 == 1)
}

/// The caching mode page as the kernel read it from the disk (drivers/scsi/sd.c, `cache_type`). Who
/// writes `temporary ...` there changes what the kernel believes and not the disk, and reads back the
/// belief: only `write back` is proof.
fn of_scsi(context: &Context<'_>, directory: &Path) -> Option<bool> {
    let disks = directory.join("device/scsi_disk");
    let first = context.names(&disks).into_iter().next()?;
    let mode = context.attr(disks.join(first).join("cache_type"))?;
    mode.starts_with("write back").then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roots::Roots;
    use etalon_testbed::put;

    fn told(transport: Transport, files: &[(&str, &[u8])]) -> Option<bool> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            put(root.path(), path, text);
        }
        let mut roots = Roots::under(root.path());
        roots.answers = Some(root.path().join("answers"));
        let context = Context::new(&roots);
        of_disk(&context, &roots.sysfs.join("block/disk"), transport)
    }

    #[test]
    fn virtio_tells_by_its_features_and_its_configuration() {
        let features = |flush: u8| {
            let mut bits = [b'0'; 64];
            bits[VIRTIO_FLUSH] = flush;
            bits
        };
        let of = |files: &[(&str, &[u8])]| told(Transport::Virtio, files);
        let place = "sys/block/disk/device/features";
        assert_eq!(of(&[(place, &features(b'1'))]), Some(true));
        assert_eq!(of(&[(place, &features(b'0'))]), Some(false));
        let mode = "sys/block/disk/cache_type";
        let both = [
            (place, &features(b'1')[..]),
            (mode, b"write through\n".as_slice()),
        ];
        assert_eq!(of(&both), Some(false));
        assert_eq!(of(&[(mode, b"write back\n")]), Some(true));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn scsi_tells_by_its_caching_page() {
        let place = "sys/block/disk/device/scsi_disk/0:0:0:0/cache_type";
        let of = |mode: &[u8]| told(Transport::Ata, &[(place, mode)]);
        assert_eq!(of(b"write back\n"), Some(true));
        assert_eq!(of(b"write back, no read (daft)\n"), Some(true));
        assert_eq!(of(b"write through\n"), None);
        assert_eq!(told(Transport::Scsi, &[]), None);
    }

    #[test]
    fn nvme_tells_by_its_controller() {
        let mut page = vec![0; 4096];
        let of = |page: &[u8]| {
            let files = [
                ("sys/class/block/disk/dev", b"259:0\n".as_slice()),
                ("sys/block/disk/dev", b"259:0\n".as_slice()),
                ("answers/disk/nvme-identify", page),
            ];
            told(Transport::Nvme, &files)
        };
        assert_eq!(of(&page), Some(false));
        page[NVME_CACHE] = 1;
        assert_eq!(of(&page), Some(true));
    }

    #[test]
    fn a_loop_over_a_file_that_can_be_written_has_one() {
        assert_eq!(of_loop(true, false), Some(true));
        assert_eq!(of_loop(true, true), Some(false));
        assert_eq!(of_loop(false, false), None);
    }
}
