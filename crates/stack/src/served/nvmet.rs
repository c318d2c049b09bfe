//! The kernel's target of NVMe over fabrics, from configfs (drivers/nvme/target/configfs.c).

use std::path::Path;

use etalon_model::stack::ServedHere;

use super::exports::{self, Export, below, is_enabled, listed, name_of};
use super::is_plain;
use crate::context::Context;

/// The host of `traddr=127.0.0.1,trsvcid=4420,src_addr=127.0.0.1`.
pub(super) fn host_of(address: &str) -> &str {
    let mut pairs = address.split(',').filter_map(|pair| pair.split_once('='));
    let host = pairs.find(|(key, _)| *key == "traddr");
    host.map_or("", |(_, host)| host)
}

/// The device or file behind the namespace at `directory`; none where no target of this kernel has it.
pub(super) fn namespace(context: &Context<'_>, directory: &Path) -> Option<ServedHere> {
    let subsystem = context.attr(directory.join("device/subsysnqn"))?;
    let number: u32 = context.value(directory.join("nsid"))?;
    let all = context.roots.sysfs.join("kernel/config/nvmet/subsystems");
    let subsystem = is_plain(&subsystem).then(|| all.join(subsystem))?;
    let place = subsystem.join("namespaces").join(number.to_string());
    let source = context.attr(place.join("device_path"))?;
    Some(ServedHere {
        server: Some("nvmet".to_owned()),
        source: Some(source),
        // A block device with this set is used as a file (drivers/nvme/target/io-cmd-bdev.c).
        buffered: context.flag(place.join("buffered_io")),
        // A flush goes to the device or file; the target has no way to leave it out.
        syncs: Some(true),
        ..ServedHere::default()
    })
}

/// What is served, each namespace by itself and each controller that is passed through.
pub(super) fn exports(context: &Context<'_>) -> Result<Vec<Export>, String> {
    let subsystems = listed(context, "nvmet/subsystems", "nvmet")?;
    let all = subsystems.iter().flat_map(|subsystem| {
        let name = format!("subsystem {}", name_of(subsystem));
        let namespaces = below(context, &subsystem.join("namespaces")).into_iter();
        let namespaces = namespaces.map(|place| {
            let unit = format!("{name}, namespace {}", name_of(&place));
            (unit, place)
        });
        let mut places: Vec<_> = namespaces.collect();
        places.push((
            format!("{name}, passed through"),
            subsystem.join("passthru"),
        ));
        places
    });
    let served = all.filter(|(_, place)| place.exists() && is_enabled(context, place));
    let exports = served.map(|(unit, place)| export(context, unit, &place));
    Ok(exports.collect())
}

fn export(context: &Context<'_>, unit: String, place: &Path) -> Export {
    let path = context.attr(place.join("device_path"));
    Export {
        server: "nvmet",
        unit,
        source: exports::source(context, path.as_deref()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_its_host() {
        assert_eq!(host_of("traddr=127.0.0.1,trsvcid=4420"), "127.0.0.1");
        assert_eq!(host_of("trsvcid=4420,traddr=fe80::1"), "fe80::1");
        assert_eq!(host_of(""), "");
    }
}
