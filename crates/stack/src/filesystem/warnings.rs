//! What is wrong with a filesystem.

use etalon_model::stack::{Filesystem, FsDetail, NEARLY_FULL_PERCENT, Warning};

pub(crate) fn warnings(fs: &Filesystem) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if matches!(fs.detail, FsDetail::Memory { .. }) {
        warnings.push(Warning::InMemory);
    }
    warnings.extend(btrfs_warnings(&fs.detail));
    let used = fs.space.and_then(|space| space.used());
    if let Some(used) = used.filter(|u| u.fraction() * 100.0 > NEARLY_FULL_PERCENT) {
        warnings.push(Warning::NearlyFull { used });
    }
    warnings
}

/// What is wrong with a btrfs as an array of its own.
fn btrfs_warnings(detail: &FsDetail) -> Vec<Warning> {
    let FsDetail::Btrfs {
        devices,
        missing_devices,
        operation,
        ..
    } = detail
    else {
        return Vec::new();
    };
    let missing = *missing_devices;
    let degraded = (missing > 0).then_some(Warning::DegradedArray {
        missing,
        of: devices.saturating_add(missing),
    });
    let busy = operation.clone().filter(|operation| operation != "none");
    let busy = busy.map(|action| Warning::ArrayBusy { action });
    degraded.into_iter().chain(busy).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::Space;
    use etalon_units::Bytes;

    fn filesystem_with(used_percent: u64) -> Filesystem {
        let space = Space {
            total: Bytes(1000),
            free: Bytes(1000 - used_percent * 10),
            available: Bytes(1000 - used_percent * 10),
            inodes_total: 0,
            inodes_free: 0,
            read_only: false,
        };
        Filesystem {
            fs_type: "ext4".to_owned(),
            label: None,
            uuid: None,
            space: Some(space),
            direct_io: None,
            detail: FsDetail::Other,
            beneath: None,
        }
    }

    #[test]
    fn a_filesystem_is_nearly_full_above_ninety_percent() {
        let is_full = |percent| {
            let found = warnings(&filesystem_with(percent));
            found
                .iter()
                .any(|w| matches!(w, Warning::NearlyFull { .. }))
        };
        assert!(!is_full(90));
        assert!(is_full(91));
    }

    #[test]
    fn a_btrfs_with_a_missing_device_is_degraded_and_a_balance_is_work() {
        let detail = |missing_devices, operation: &str| FsDetail::Btrfs {
            devices: 1,
            missing_devices,
            node_size: None,
            sector_size: None,
            checksum: None,
            features: Vec::new(),
            allocation: Vec::new(),
            operation: Some(operation.to_owned()),
            usage: None,
        };
        assert_eq!(btrfs_warnings(&detail(0, "none")), []);
        let busy = Warning::ArrayBusy {
            action: "balance".to_owned(),
        };
        let degraded = Warning::DegradedArray { missing: 1, of: 2 };
        assert_eq!(btrfs_warnings(&detail(1, "balance")), [degraded, busy]);
    }
}
