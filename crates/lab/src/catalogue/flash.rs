//! Flash with garbage collection.

use super::{ASSUMED, Class, figure};
use crate::disk::Disk;
use crate::disk::ssd::{Ssd, SsdFigures};

const AGRAWAL: &str = "Agrawal et al., Design tradeoffs for SSD performance, ATC 2008";
const SATA_LINK: &str = "SATA 3: 6 Gb/s with 8b/10b coding";
const PCIE_LINK: &str = "PCIe 3.0 x4: 8 GT/s with 128b/130b coding, less headers";
const GB: u64 = 1_000_000_000;
const SPARE: &str = "7.4 %: a GiB of flash for a GB of disk";

/// A SATA disk; the other differs from it.
fn sata(bytes: u64) -> SsdFigures {
    SsdFigures {
        bytes,
        spare_bytes: bytes / 1000 * 74,
        pages_per_block: 256,
        dies: 8,
        read_ns: 60_000,
        program_ns: 600_000,
        slc_program_ns: 200_000,
        program_bytes: 32 << 10,
        erase_ns: 1_500_000,
        slc_bytes: bytes / 50,
        fold_rate: 200_000_000,
        command_ns: 20_000,
        interface_rate: 600_000_000,
        buffer_bytes: 8 << 20,
    }
}

fn nvme(bytes: u64) -> SsdFigures {
    SsdFigures {
        dies: 32,
        command_ns: 8_000,
        interface_rate: 3 * GB + GB / 2,
        buffer_bytes: 32 << 20,
        ..sata(bytes)
    }
}

pub(super) const SATA: Class = Class {
    name: "ssd-sata",
    about: "SATA flash, three bits in a cell, with a fast part that fills",
    make: |bytes, _| Box::new(Ssd::written(sata(bytes))) as Box<dyn Disk>,
    figures: &[
        figure("interface", "600 MB/s", SATA_LINK),
        figure("erase", "1.5 ms", AGRAWAL),
        figure("program, one bit in a cell", "0.2 ms a unit", AGRAWAL),
        figure("program, three bits", "0.6 ms a unit", ASSUMED),
        figure("unit, full or not", "32 KiB", ASSUMED),
        figure("block", "1 MiB", ASSUMED),
        figure("read", "0.06 ms", ASSUMED),
        figure("dies", "8", ASSUMED),
        figure("spare", SPARE, ASSUMED),
        figure("fast part", "a fiftieth of the disk", ASSUMED),
        figure("buffer", "8 MiB", ASSUMED),
        figure("command", "0.02 ms", ASSUMED),
    ],
};

pub(super) const NVME: Class = Class {
    name: "ssd-nvme",
    about: "NVMe flash: the same with more dies and a faster link",
    make: |bytes, _| Box::new(Ssd::written(nvme(bytes))) as Box<dyn Disk>,
    figures: &[
        figure("interface", "3.5 GB/s", PCIE_LINK),
        figure("erase", "1.5 ms", AGRAWAL),
        figure("program, one bit in a cell", "0.2 ms a unit", AGRAWAL),
        figure("program, three bits", "0.6 ms a unit", ASSUMED),
        figure("unit, full or not", "32 KiB", ASSUMED),
        figure("block", "1 MiB", ASSUMED),
        figure("dies", "32", ASSUMED),
        figure("spare", SPARE, ASSUMED),
        figure("buffer", "32 MiB", ASSUMED),
        figure("command", "0.008 ms", ASSUMED),
    ],
};
