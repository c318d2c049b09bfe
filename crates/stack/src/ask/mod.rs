//! Questions that a disk or the device-mapper answers by an ioctl, and no file does.
//!
//! Each [`Question`] gives bytes; what they mean is told elsewhere, so that a copied machine can
//! hold the answers as files: `answers/DEVICE/FILE` below its roots.

mod ioctl;
mod mapper;

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use etalon_model::stack::{DevNo, Disk, Layer, LayerKind, Transport};

use crate::context::Context;
use crate::protocol::{self, Protocol};
use crate::roots::Roots;
use crate::sysfs;

/// Everything that is ever asked; nothing here changes a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// NVMe: the SMART / Health Information log page (02h), 512 bytes.
    NvmeHealth,
    /// NVMe: Identify Controller, 4096 bytes.
    NvmeController,
    /// ATA: CHECK POWER MODE, which wakes no disk; the answer is sense data with the registers.
    AtaPowerMode,
    /// ATA: SMART RETURN STATUS; the answer is sense data with the registers.
    AtaSmartStatus,
    /// ATA: SMART READ DATA, 512 bytes.
    AtaSmartData,
    /// SCSI: LOG SENSE of the informational exceptions page (2Fh).
    ScsiExceptions,
    /// SCSI: LOG SENSE of the temperature page (0Dh).
    ScsiTemperature,
    /// Device-mapper: the table as text, without keys.
    MapperTable,
    /// Device-mapper: the state of each target as text.
    MapperStatus,
}

impl Question {
    /// The name of the file that holds its answer in a copied machine.
    fn file_name(self) -> &'static str {
        match self {
            Question::NvmeHealth => "nvme-log-02",
            Question::NvmeController => "nvme-identify",
            Question::AtaPowerMode => "ata-power-mode",
            Question::AtaSmartStatus => "ata-smart-status",
            Question::AtaSmartData => "ata-smart-data",
            Question::ScsiExceptions => "scsi-log-2f",
            Question::ScsiTemperature => "scsi-log-0d",
            Question::MapperTable => "dm-table",
            Question::MapperStatus => "dm-status",
        }
    }
}

/// Asks the device called `name`; of a copied machine the answer that it holds.
pub(crate) fn ask(
    roots: &Roots,
    name: &str,
    devno: DevNo,
    question: Question,
) -> io::Result<Vec<u8>> {
    match &roots.answers {
        Some(answers) => {
            let file = answers
                .join(name.replace('/', "!"))
                .join(question.file_name());
            crate::text::read_bytes(&file)
        }
        None => ask_device(roots, name, devno, question),
    }
}

/// The raw answers of one device of the running machine, each with the name of the file that
/// holds it in a copy: for reports of errors and for tests. Keys are left out of them.
pub fn answers(layer: &Layer) -> Vec<(&'static str, Vec<u8>)> {
    let roots = Roots::default();
    let answered = questions_to(&roots, layer).iter().filter_map(|question| {
        let answer = ask_device(&roots, &layer.name, layer.devno, *question).ok()?;
        Some((question.file_name(), answer))
    });
    answered.collect()
}

fn questions_to(roots: &Roots, layer: &Layer) -> &'static [Question] {
    let context = Context::new(roots);
    let protocol = |disk: &Disk| {
        let directory = sysfs::class_directory(&context, &layer.name.replace('/', "!"))?;
        protocol::protocol(&context, &directory, disk.transport)
    };
    match &layer.kind {
        LayerKind::Disk(disk) => match protocol(disk) {
            Some(Protocol::Nvme) => &[Question::NvmeHealth, Question::NvmeController],
            Some(Protocol::Ata) if matches!(disk.transport, Transport::Ata | Transport::Usb) => &[
                Question::AtaPowerMode,
                Question::AtaSmartStatus,
                Question::AtaSmartData,
            ],
            Some(Protocol::Ata) => &[
                Question::AtaPowerMode,
                Question::AtaSmartStatus,
                Question::AtaSmartData,
                Question::ScsiExceptions,
                Question::ScsiTemperature,
            ],
            Some(Protocol::Scsi) => &[Question::ScsiExceptions, Question::ScsiTemperature],
            None => &[],
        },
        LayerKind::Lvm(_)
        | LayerKind::Crypt(_)
        | LayerKind::Multipath(_)
        | LayerKind::Mapper(_) => &[Question::MapperTable, Question::MapperStatus],
        _ => &[],
    }
}

fn ask_device(roots: &Roots, name: &str, devno: DevNo, question: Question) -> io::Result<Vec<u8>> {
    /// Length of ATA's and NVMe's pages.
    const PAGE: usize = 512;
    let disk = || open(&roots.dev.join(name));
    let control = roots.dev.join("mapper/control");
    match question {
        Question::NvmeHealth => {
            // The number of double words less one, and the log page's number.
            const HEALTH: u32 = ((PAGE as u32 / 4 - 1) << 16) | 0x02;
            let mut page = vec![0; PAGE];
            ioctl::nvme_log(&disk()?, [HEALTH, 0, 0, 0, 0, 0], &mut page)?;
            Ok(page)
        }
        Question::NvmeController => {
            let mut page = vec![0; 4096];
            ioctl::nvme_controller(&disk()?, &mut page)?;
            Ok(page)
        }
        Question::AtaPowerMode => ata_registers(&disk()?, &ATA_POWER_MODE),
        Question::AtaSmartStatus => ata_registers(&disk()?, &ATA_SMART_STATUS),
        Question::AtaSmartData => read(&disk()?, &ATA_SMART_DATA, PAGE),
        Question::ScsiExceptions => read(&disk()?, &log_sense(0x2f), LOG_LENGTH.into()),
        Question::ScsiTemperature => read(&disk()?, &log_sense(0x0d), LOG_LENGTH.into()),
        Question::MapperTable => mapper::ask(&control, devno, mapper::Part::Table),
        Question::MapperStatus => mapper::ask(&control, devno, mapper::Part::Status),
    }
}

/// What a loop device says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoopStatus {
    /// The filesystem of the file behind it, and the file's number there.
    pub(crate) file: (DevNo, u64),
    /// The device behind it, when that is no regular file.
    pub(crate) device: Option<DevNo>,
    /// Where in it the loop begins, in bytes.
    pub(crate) offset: u64,
}

/// Asks the loop device `devno` at `node` what lies behind it (`LOOP_GET_STATUS64`, loop(4)).
pub(crate) fn loop_status(node: &Path, devno: DevNo) -> io::Result<LoopStatus> {
    let file = open(node)?;
    let found = rustix::fs::fstat(&file)?;
    if sysfs::devno(found.st_rdev) != devno {
        return Err(io::ErrorKind::NotFound.into());
    }
    let info = ioctl::loop_status(&file)?;
    Ok(LoopStatus {
        file: (kernel_devno(info.device), info.inode),
        device: (info.special != 0).then(|| kernel_devno(info.special)),
        offset: info.offset,
    })
}

/// As `new_encode_dev` writes it (include/linux/kdev_t.h).
fn kernel_devno(raw: u64) -> DevNo {
    DevNo {
        major: (raw >> 8 & 0xfff) as u32,
        minor: (raw & 0xff | raw >> 12 & 0xfff00) as u32,
    }
}

fn open(node: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(node)
}

/// ATA PASS-THROUGH (16) (SAT-4): operation code 85h; protocol 3 (no data) with CK_COND, so that
/// the registers come back, or 4 (PIO in) with one block by the sector count; then pairs of bytes
/// for features, count and the three of the address; device, command, control.
const ATA_POWER_MODE: [u8; 16] = ata(3 << 1, CHECK_CONDITION, 0, 0, 0xe5);
/// SMART takes C2h and 4Fh in its address as a password (ACS-3).
const ATA_SMART_STATUS: [u8; 16] = ata(3 << 1, CHECK_CONDITION, 0xda, 0, 0xb0);
const ATA_SMART_DATA: [u8; 16] = ata(4 << 1, ONE_BLOCK_IN, 0xd0, 1, 0xb0);
const CHECK_CONDITION: u8 = 1 << 5;
/// T_DIR in, BYT_BLOK blocks, T_LENGTH in the sector count.
const ONE_BLOCK_IN: u8 = 1 << 3 | 1 << 2 | 2;

const fn ata(protocol: u8, how: u8, feature: u8, count: u8, command: u8) -> [u8; 16] {
    let (middle, high) = match command {
        0xb0 => (0x4f, 0xc2),
        _ => (0, 0),
    };
    [
        0x85, protocol, how, 0, feature, 0, count, 0, 0, 0, middle, 0, high, 0, command, 0,
    ]
}

const LOG_LENGTH: u16 = 512;

/// LOG SENSE of cumulative values (SPC-4).
fn log_sense(page: u8) -> [u8; 10] {
    const CUMULATIVE: u8 = 1 << 6;
    let [high, low] = LOG_LENGTH.to_be_bytes();
    [0x4d, 0, CUMULATIVE | page, 0, 0, 0, 0, high, low, 0]
}

/// The sense data of a command without data, which holds the ATA registers.
fn ata_registers(device: &File, command: &[u8]) -> io::Result<Vec<u8>> {
    let end = ioctl::scsi(device, command, &mut [])?;
    match end.sense.is_empty() {
        true => Err(io::Error::other("the adapter returned no ATA registers")),
        false => Ok(end.sense),
    }
}

fn read(device: &File, command: &[u8], length: usize) -> io::Result<Vec<u8>> {
    let mut data = vec![0; length];
    let end = ioctl::scsi(device, command, &mut data)?;
    if end.status != 0 || end.host_status != 0 {
        return Err(refusal(&end));
    }
    data.truncate(end.received);
    Ok(data)
}

/// Sense keys by SPC-4: 5 is an illegal request, 0Bh an aborted command, as ATA disks put it.
fn refusal(end: &ioctl::ScsiEnd) -> io::Error {
    let key = match end.sense.first().map(|code| code & 0x7f) {
        Some(0x70 | 0x71) => end.sense.get(2),
        Some(0x72 | 0x73) => end.sense.get(1),
        _ => None,
    };
    match key.map(|key| key & 0x0f) {
        Some(0x05 | 0x0b) => io::Error::new(
            io::ErrorKind::Unsupported,
            "the disk does not know the command",
        ),
        _ => io::Error::other(format!(
            "the command failed with SCSI status {:#x}, host status {:#x}",
            end.status, end.host_status
        )),
    }
}
