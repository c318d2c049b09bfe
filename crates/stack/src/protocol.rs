//! How a disk is asked for its health.

use std::path::Path;

use etalon_model::stack::Transport;

use crate::context::Context;

/// How a disk is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// By NVMe's admin queue.
    Nvme,
    /// By ATA commands inside SCSI ones.
    Ata,
    /// By SCSI's log pages.
    Scsi,
}

/// How the disk of `directory` is asked; none for those that have no health of their own.
///
/// A USB bridge is asked in ATA only when it says that it understands, by the vendor's name or the
/// page that SAT-3 demands (ATA Information VPD page): some others stop at commands unknown to them.
pub(crate) fn protocol(
    context: &Context<'_>,
    directory: &Path,
    transport: Transport,
) -> Option<Protocol> {
    let device = directory.join("device");
    let is_ata = || {
        let vendor = context.attr(device.join("vendor"));
        vendor.as_deref() == Some("ATA") || device.join("vpd_pg89").exists()
    };
    match transport {
        Transport::Nvme => Some(Protocol::Nvme),
        Transport::Ata => Some(Protocol::Ata),
        Transport::Sas
        | Transport::Scsi
        | Transport::FibreChannel
        | Transport::Iscsi
        | Transport::Usb
            if is_ata() =>
        {
            Some(Protocol::Ata)
        }
        Transport::Sas | Transport::Scsi | Transport::FibreChannel | Transport::Iscsi => {
            Some(Protocol::Scsi)
        }
        _ => None,
    }
}
