//! The four ioctl(2) calls that ask a disk, the device-mapper or a loop device, and no others.
//!
//! This file lifts the ban on unsafe code, because no safe wrapper offers `NVME_IOCTL_ADMIN_CMD`
//! (include/uapi/linux/nvme_ioctl.h), `SG_IO` (include/scsi/sg.h), `DM_TABLE_STATUS`
//! (include/uapi/linux/dm-ioctl.h) or `LOOP_GET_STATUS64` (include/uapi/linux/loop.h). Each gets one
//! structure laid out as the kernel's, with pointers to and lengths of slices that outlive the call;
//! the kernel writes no more than those lengths, and keeps no pointer after it returns. All four only
//! ask: no caller can choose a command that changes anything, since the commands are those of
//! [`super::Question`] and of [`super::loop_status`].
#![expect(
    unsafe_code,
    reason = "these ioctls have no safe wrapper; see the paragraph above"
)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// Size of `struct dm_ioctl` (include/uapi/linux/dm-ioctl.h).
pub(super) const HEADER: usize = 312;

const NVME_IOCTL_ADMIN_CMD: u64 = iowr(b'N', 0x41, size_of::<NvmeAdmin>());
const SG_IO: u64 = 0x2285;
/// `DM_TABLE_STATUS_CMD` is the thirteenth of its list.
const DM_TABLE_STATUS: u64 = iowr(0xfd, 12, HEADER);
const LOOP_GET_STATUS64: u64 = 0x4c05;

/// `_IOWR` (include/uapi/asm-generic/ioctl.h).
const fn iowr(kind: u8, number: u64, size: usize) -> u64 {
    3 << 30 | (size as u64) << 16 | (kind as u64) << 8 | number
}

/// `struct nvme_passthru_cmd`.
#[repr(C)]
#[derive(Default)]
struct NvmeAdmin {
    opcode: u8,
    flags: u8,
    reserved: u16,
    namespace: u32,
    words_2_and_3: [u32; 2],
    metadata: u64,
    address: u64,
    metadata_length: u32,
    length: u32,
    words_10_to_15: [u32; 6],
    timeout_ms: u32,
    result: u32,
}

/// `Get Log Page` of NVMe into `page`; `words` are the command's double words 10 to 15.
pub(super) fn nvme_log(device: &File, words: [u32; 6], page: &mut [u8]) -> io::Result<()> {
    const GET_LOG_PAGE: u8 = 0x02;
    const ALL_NAMESPACES: u32 = 0xffff_ffff;
    nvme(device, (GET_LOG_PAGE, ALL_NAMESPACES), words, page)
}

/// `Identify` of NVMe with CNS 01h, the controller, into `page`.
pub(super) fn nvme_controller(device: &File, page: &mut [u8]) -> io::Result<()> {
    const IDENTIFY: u8 = 0x06;
    const CONTROLLER: u32 = 0x01;
    nvme(device, (IDENTIFY, 0), [CONTROLLER, 0, 0, 0, 0, 0], page)
}

/// An admin command of NVMe that reads into `page`.
fn nvme(
    device: &File,
    (opcode, namespace): (u8, u32),
    words: [u32; 6],
    page: &mut [u8],
) -> io::Result<()> {
    let mut command = NvmeAdmin {
        opcode,
        namespace,
        address: page.as_mut_ptr() as u64,
        length: page.len() as u32,
        words_10_to_15: words,
        ..NvmeAdmin::default()
    };
    // SAFETY: `command` is laid out as the kernel's structure and names `page` with its length;
    // both live across the call.
    let status = unsafe {
        libc::ioctl(
            device.as_raw_fd(),
            NVME_IOCTL_ADMIN_CMD as _,
            &raw mut command,
        )
    };
    match status {
        0 => Ok(()),
        status if status < 0 => Err(io::Error::last_os_error()),
        status => Err(io::Error::other(format!(
            "the disk refuses the page with NVMe status {status:#x}"
        ))),
    }
}

/// `struct sg_io_hdr`.
#[repr(C)]
struct SgIo {
    interface_id: i32,
    direction: i32,
    command_length: u8,
    sense_limit: u8,
    vector_count: u16,
    data_length: u32,
    data: *mut u8,
    command: *const u8,
    sense: *mut u8,
    timeout_ms: u32,
    flags: u32,
    pack_id: i32,
    user: *mut u8,
    status: u8,
    masked_status: u8,
    message_status: u8,
    sense_length: u8,
    host_status: u16,
    driver_status: u16,
    residual: i32,
    duration_ms: u32,
    info: u32,
}

/// How a SCSI command ended.
pub(super) struct ScsiEnd {
    /// SCSI status: 0 good, 2 check condition (SAM-5).
    pub(super) status: u8,
    /// What the host adapter says; 0 when the command got through.
    pub(super) host_status: u16,
    /// Sense data.
    pub(super) sense: Vec<u8>,
    /// Bytes of the data that were filled.
    pub(super) received: usize,
}

/// Sends a SCSI command that reads into `data`, which may be empty.
pub(super) fn scsi(device: &File, command: &[u8], data: &mut [u8]) -> io::Result<ScsiEnd> {
    const DXFER_NONE: i32 = -1;
    const DXFER_FROM_DEVICE: i32 = -3;
    /// A command that runs out of time makes the kernel reset the link: rather wait as long as
    /// its own commands may (`SD_TIMEOUT` is 30 s).
    const TIMEOUT_MS: u32 = 30_000;
    let mut sense = [0_u8; 64];
    let mut header = SgIo {
        interface_id: i32::from(b'S'),
        direction: match data.is_empty() {
            true => DXFER_NONE,
            false => DXFER_FROM_DEVICE,
        },
        command_length: command.len() as u8,
        sense_limit: sense.len() as u8,
        vector_count: 0,
        data_length: data.len() as u32,
        data: data.as_mut_ptr(),
        command: command.as_ptr(),
        sense: sense.as_mut_ptr(),
        timeout_ms: TIMEOUT_MS,
        flags: 0,
        pack_id: 0,
        user: std::ptr::null_mut(),
        status: 0,
        masked_status: 0,
        message_status: 0,
        sense_length: 0,
        host_status: 0,
        driver_status: 0,
        residual: 0,
        duration_ms: 0,
        info: 0,
    };
    // SAFETY: `header` is laid out as the kernel's structure and names command, data and sense
    // with their lengths; all live across the call, and the command is only read.
    let status = unsafe { libc::ioctl(device.as_raw_fd(), SG_IO as _, &raw mut header) };
    if status != 0 {
        return Err(io::Error::last_os_error());
    }
    let sense_length = usize::from(header.sense_length).min(sense.len());
    let missing = usize::try_from(header.residual).unwrap_or(0);
    Ok(ScsiEnd {
        status: header.status,
        host_status: header.host_status,
        sense: sense[..sense_length].to_vec(),
        received: data.len().saturating_sub(missing),
    })
}

/// Asks the device-mapper for the table or the status that the header in `buffer` names.
pub(super) fn mapper_status(control: &File, buffer: &mut [u64]) -> io::Result<()> {
    let declared = buffer.get(1).map(|word| {
        let [_, _, _, _, size @ ..] = word.to_ne_bytes();
        u32::from_ne_bytes(size) as usize
    });
    let fits = |size: usize| (HEADER..=size_of_val(buffer)).contains(&size);
    if !declared.is_some_and(fits) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: `buffer` begins with the kernel's header, aligned as that is, and its `data_size`
    // (bytes 12 to 15) was just found to lie within the buffer.
    let status = unsafe {
        libc::ioctl(
            control.as_raw_fd(),
            DM_TABLE_STATUS as _,
            buffer.as_mut_ptr(),
        )
    };
    match status {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The beginning of `struct loop_info64`, and room for its rest: names, a key and two numbers.
#[repr(C)]
pub(super) struct LoopInfo {
    /// `st_dev` of the file behind it, as the kernel writes device numbers.
    pub(super) device: u64,
    /// `st_ino` of that file.
    pub(super) inode: u64,
    /// `st_rdev` of that file, 0 for a regular one.
    pub(super) special: u64,
    /// Where in the file the device begins, in bytes.
    pub(super) offset: u64,
    rest: [u64; 25],
}

/// What lies behind a loop device; `ENXIO` when nothing is attached to it.
pub(super) fn loop_status(device: &File) -> io::Result<LoopInfo> {
    let mut info = LoopInfo {
        device: 0,
        inode: 0,
        special: 0,
        offset: 0,
        rest: [0; 25],
    };
    // SAFETY: `info` is as long as the kernel's structure (232 bytes), aligned as that is, and lives
    // across the call; any bits are valid in it.
    let status = unsafe { libc::ioctl(device.as_raw_fd(), LOOP_GET_STATUS64 as _, &raw mut info) };
    match status {
        0 => Ok(info),
        _ => Err(io::Error::last_os_error()),
    }
}

/// `struct loop_info64` of include/uapi/linux/loop.h.
const _: () = assert!(size_of::<LoopInfo>() == 232);
