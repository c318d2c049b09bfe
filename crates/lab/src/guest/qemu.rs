//! QEMU's command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Accelerator, DiskImage, GuestError, PORT, RootImage, SERIAL, find_program};

/// Of a modelled disk. A request has two segments less (virtio-blk's `seg_max`), each a page where memory is scattered: with
/// QEMU's 256 one of 1 MiB came as two, of which the second, due at once, had to wait until the first was sent.
const QUEUE_SIZE: u32 = 512;
const PROGRAM: &str = "qemu-system-x86_64";
/// What every kernel is booted with: a panic ends the guest.
/// `no_timer_check`: where an emulated processor gets none of the host's for a while, the kernel would take its timer for broken
/// and panic (Documentation/admin-guide/kernel-parameters.txt).
const COMMAND_LINE: &str = "console=ttyS0 panic=-1 quiet no_timer_check rdinit=/init";

/// Where QEMU translates: what is loaded at another address each time (the kernel's admin-guide/sysctl/kernel.rst,
/// `randomize_va_space`) is translated anew at each start, since translations are kept by their virtual addresses
/// (`tb_lookup_cmp` in its accel/tcg/cpu-exec.c; later versions than Debian 12's keep them for any address, `CF_PCREL`).
/// And the ciphers' tests of themselves (crypto/testmgr.c) were a seventh of what a start took.
const TRANSLATED: &str = "norandmaps cryptomgr.notests=1";

/// A disk of a guest, whatever lies behind it. Where a write finds no room, QEMU by itself stops the guest until somebody lets
/// it go on (qemu-system(1), `werror`), and nobody is there who would: so the guest is told of every error.
pub(super) const BLOCK_DEVICE: &str = "virtio-blk-pci,werror=report,rerror=report";

/// A path as the value of an option, within which a comma is written twice (qemu-system(1), on `-device`).
pub(super) fn option_path(path: &Path) -> String {
    path.to_string_lossy().replace(',', ",,")
}

/// A disk of a guest: the first is vda, the second vdb, and so on. Names are within the guest's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuestDisk {
    /// A raw file.
    File(String),
    /// A served model.
    Served {
        /// Its socket.
        socket: String,
        /// How the guest is to call it, in letters, digits and `-`.
        model: String,
        /// Whether its medium turns.
        turns: bool,
    },
    /// A raw file whose disk has a serial number.
    Numbered(String),
    /// An image whose speed is measured.
    Image(DiskImage),
    /// An image that is the root filesystem, and only read.
    Root(RootImage),
}

/// A cable to another guest: a stream of packets over a Unix socket, at which the one with the server's end listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuestCable {
    /// The socket within the guest's directory.
    pub socket: String,
    /// Whether this is the server's end.
    pub is_servers: bool,
}

impl GuestCable {
    /// The link and the card on QEMU's command line. Each card has an address of its own, and nothing to boot from.
    fn options(&self) -> [String; 2] {
        let (listens, number) = match self.is_servers {
            true => ("on", 1),
            false => ("off", 2),
        };
        let socket = &self.socket;
        [
            format!("stream,id=cable,server={listens},addr.type=unix,addr.path={socket}"),
            format!("virtio-net-pci,netdev=cable,mac=52:54:00:07:00:0{number},romfile="),
        ]
    }
}

/// What a command line is made of.
pub(super) struct QemuMachine<'a> {
    pub(super) accelerator: Accelerator,
    pub(super) kernel: &'a Path,
    pub(super) memory_mib: u64,
    pub(super) processors: u32,
    pub(super) disks: &'a [GuestDisk],
    /// Serial lines: what QEMU calls their other ends.
    pub(super) serial: &'a [&'a str],
    /// Further words of the kernel's command line.
    pub(super) parameters: &'a [String],
    /// Whether what the guest writes to its port goes to the file of that name.
    pub(super) has_port: bool,
    pub(super) cable: Option<&'a GuestCable>,
    /// An initial memory filesystem; none boots into a panic.
    pub(super) initrd: Option<&'a str>,
}

impl QemuMachine<'_> {
    /// The program and its arguments.
    pub(super) fn words(&self) -> Result<Vec<OsString>, GuestError> {
        let program = find_program(PROGRAM, &[]).ok_or_else(|| GuestError::MissingProgram {
            program: PROGRAM.to_owned(),
        })?;
        let mut words: Vec<OsString> = vec![program.into()];
        let mut add = |more: &[&str]| words.extend(more.iter().map(OsString::from));
        add(&["-accel", self.accelerator.name(), "-M", "q35"]);
        add(&["-cpu", self.accelerator.processor()]);
        add(&["-m", &self.memory_mib.to_string()]);
        add(&["-smp", &self.processors.to_string()]);
        add(&["-nodefaults", "-display", "none", "-no-reboot"]);
        add(&["-append", &self.command_line()]);
        if let Some(initrd) = self.initrd {
            add(&["-initrd", initrd]);
        }
        for line in self.serial {
            add(&["-serial", line]);
        }
        if self.has_port {
            let chardev = format!("file,id=port,path={PORT}");
            let device = format!("virtserialport,chardev=port,name={PORT}");
            add(&["-device", "virtio-serial-pci", "-chardev", &chardev]);
            add(&["-device", &device]);
        }
        if let Some(cable) = self.cable {
            let [link, card] = cable.options();
            add(&["-netdev", &link, "-device", &card]);
        }
        for (number, disk) in self.disks.iter().enumerate() {
            let [node, device] = disk.options(number);
            add(&["-blockdev", &node, "-device", &device]);
        }
        let kernel: PathBuf = self.kernel.to_owned();
        words.extend(["-kernel".into(), kernel.into()]);
        Ok(words)
    }

    /// The kernel's.
    fn command_line(&self) -> String {
        let mut words = vec![COMMAND_LINE];
        if self.accelerator == Accelerator::Tcg {
            words.push(TRANSLATED);
        }
        words.extend(self.parameters.iter().map(String::as_str));
        words.join(" ")
    }
}

impl GuestDisk {
    /// How the kernel of a guest calls its disk of this number, from 0 on.
    #[must_use]
    pub fn name(number: usize) -> String {
        let letter = char::from(b"abcdefghijklmnopqrstuvwxyz"[number % 26]);
        format!("vd{letter}")
    }

    /// A model as the guest's first program reads it: its name there, whether it turns, and what it is. virtio-blk says neither.
    pub(super) fn described(&self, number: usize) -> Option<String> {
        match self {
            GuestDisk::Served { model, turns, .. } => {
                let name = GuestDisk::name(number);
                Some(format!("{name} {} {model}\n", u8::from(*turns)))
            }
            GuestDisk::File(_)
            | GuestDisk::Numbered(_)
            | GuestDisk::Image(_)
            | GuestDisk::Root(_) => None,
        }
    }

    /// Of a file nothing needs to outlive the guest, so that its writes are not made durable; a model sees
    /// every flush.
    fn options(&self, number: usize) -> [String; 2] {
        let node = match self {
            GuestDisk::Image(image) => return image.options(number),
            GuestDisk::Root(image) => return image.options(number),
            GuestDisk::File(name) | GuestDisk::Numbered(name) => {
                format!("driver=file,cache.no-flush=on,filename={name}")
            }
            GuestDisk::Served { socket, .. } => {
                format!("driver=nbd,discard=unmap,server.type=unix,server.path={socket}")
            }
        };
        let serial = match self {
            GuestDisk::Numbered(_) => format!(",serial={SERIAL}"),
            _ => String::new(),
        };
        [
            format!("{node},node-name=disk{number}"),
            format!("{BLOCK_DEVICE},queue-size={QUEUE_SIZE},drive=disk{number}{serial}"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_factor::condition::{GuestImage, ImageCache, ImageFormat};
    use etalon_units::Bytes;

    #[test]
    fn disks_come_in_their_order_and_one_may_have_a_serial() {
        let served = GuestDisk::Served {
            socket: "disk-0".to_owned(),
            model: "sd".to_owned(),
            turns: false,
        };
        assert_eq!(served.described(1).unwrap(), "vdb 0 sd\n");
        let [node, device] = served.options(0);
        assert!(
            node.contains("driver=nbd") && node.ends_with("server.path=disk-0,node-name=disk0")
        );
        assert_eq!(
            device,
            "virtio-blk-pci,werror=report,rerror=report,queue-size=512,drive=disk0"
        );
        let [node, device] = GuestDisk::Numbered("numbered".to_owned()).options(7);
        assert!(node.contains("filename=numbered"));
        assert!(device.ends_with(",serial=etalon-results"));
        // What virtio-blk takes of a serial number.
        assert!(SERIAL.len() <= 20);
    }

    #[test]
    fn a_guest_is_told_of_the_errors_of_every_disk() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("disk");
        std::fs::write(&path, b"").unwrap();
        let image = GuestImage {
            format: ImageFormat::Raw,
            cache: ImageCache::None,
            size: Bytes::mib(256),
        };
        let served = GuestDisk::Served {
            socket: "disk-0".to_owned(),
            model: "sd".to_owned(),
            turns: false,
        };
        for disk in [
            GuestDisk::File("disk".to_owned()),
            GuestDisk::Numbered("disk".to_owned()),
            served,
            GuestDisk::Root(RootImage::at(&path).unwrap()),
            GuestDisk::Image(DiskImage { path, image }),
        ] {
            let [_, device] = disk.options(0);
            assert!(device.contains(",werror=report,rerror=report,"), "{device}");
        }
    }
}
