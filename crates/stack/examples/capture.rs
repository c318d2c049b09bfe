//! Copies what etalon reads of the stack beneath a path into one text, for a test or a bug report:
//! `cargo run --example capture -- /home > home.machine`.
//!
//! `[directory]` opens a section, `name = content` is a file, `name -> target` a symbolic link,
//! `name/` an empty directory. In contents `\n`, `\t`, `\\`, `\xNN` stand for one byte each and
//! `\z123;` for as many zero bytes. Serial numbers are copied as they are: look before publishing.
#![expect(clippy::print_stdout, reason = "an example is there to print")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use etalon_stack::{Roots, Stack, StackError, answers};

/// Attributes of block devices, of their queues and of the directories around them.
const ATTRIBUTES: &[&str] = &[
    "dev",
    "size",
    "ro",
    "start",
    "partition",
    "alignment_offset",
    "removable",
    "serial",
    "wwid",
    "mm_stat",
    "comp_algorithm",
    "backing_dev",
    "vendor",
    "model",
    "rev",
    "firmware_rev",
    "name",
    "fwrev",
    "state",
    "vpd_pg80",
    "vpd_pg89",
    "vpd_pgb1",
    "class",
    "transport",
    "address",
    "type",
    "speed",
    "version",
    "manufacturer",
    "product",
    "current_link_speed",
    "current_link_width",
    "max_link_speed",
    "max_link_width",
    "device",
    "uevent",
    "subsystem",
    "driver",
];
const QUEUE: &[&str] = &[
    "scheduler",
    "logical_block_size",
    "physical_block_size",
    "minimum_io_size",
    "optimal_io_size",
    "rotational",
    "write_cache",
    "fua",
    "discard_granularity",
    "discard_max_bytes",
    "nr_requests",
    "read_ahead_kb",
    "max_sectors_kb",
    "nomerges",
    "rq_affinity",
    "wbt_lat_usec",
    "iostats",
    "zoned",
    "chunk_sectors",
];
/// Directories of a device that are copied with all they hold.
const WHOLE: &[&str] = &[
    "dm", "md", "loop", "bcache", "slaves", "holders", "mq", "hwmon",
];
/// Directories around a device that are copied with all they hold, by how their names begin.
const AROUND: &[&str] = &[
    "scsi_host",
    "ata_link",
    "iscsi_session",
    "iscsi_connection",
    "fc_host",
    "sas_phy",
    "hwmon",
];
/// Bytes copied from the head of each device: superblocks, LVM metadata, LUKS headers.
const HEAD: u64 = 16 << 10;

#[derive(Default)]
struct Copy {
    /// Section, then name, then what stands behind it.
    sections: BTreeMap<PathBuf, BTreeMap<String, String>>,
}

impl Copy {
    fn put(&mut self, path: &Path, what: String) {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return;
        };
        let section = self.sections.entry(parent.to_owned()).or_default();
        section.insert(name.to_string_lossy().into_owned(), what);
    }

    fn entry(&mut self, path: &Path) {
        let Ok(metadata) = fs::symlink_metadata(path) else {
            return;
        };
        if metadata.is_symlink() {
            let target = fs::read_link(path).unwrap_or_default();
            self.put(path, format!(" -> {}", target.display()));
        } else if metadata.is_file() {
            let mut bytes = Vec::new();
            let read = fs::File::open(path).and_then(|f| f.take(HEAD).read_to_end(&mut bytes));
            if read.is_ok() {
                self.put(path, format!(" = {}", escape(&bytes)));
            }
        }
    }

    fn whole(&mut self, directory: &Path, depth: usize) {
        if directory.is_symlink() {
            self.entry(directory);
            if let Ok(real) = fs::canonicalize(directory) {
                self.whole(&real, depth);
            }
            return;
        }
        let Ok(entries) = fs::read_dir(directory) else {
            return;
        };
        let mut is_empty = true;
        for entry in entries.flatten() {
            is_empty = false;
            let path = entry.path();
            match path.is_dir() && !path.is_symlink() {
                true if depth > 0 => self.whole(&path, depth - 1),
                true => self.put(&path, "/".to_owned()),
                false => self.entry(&path),
            }
        }
        if is_empty {
            self.put(directory, "/".to_owned());
        }
    }

    /// One block device, its disk if it is a partition, and every directory around it.
    fn device(&mut self, name: &str) {
        let class = Path::new("/sys/class/block").join(name.replace('/', "!"));
        self.entry(&class);
        let Ok(directory) = fs::canonicalize(&class) else {
            return;
        };
        let number = fs::read_to_string(directory.join("dev")).unwrap_or_default();
        self.entry(&Path::new("/sys/dev/block").join(number.trim()));
        for attribute in QUEUE {
            self.entry(&directory.join("queue").join(attribute));
        }
        for sub in WHOLE {
            self.whole(&directory.join(sub), 2);
        }
        self.around(&directory);
        if let Ok(device) = fs::canonicalize(directory.join("device")) {
            self.around(&device);
            self.whole_hwmon(&device);
        }
        self.entry(&Path::new("/run/udev/data").join(format!("b{}", number.trim())));
        let mut head = Vec::new();
        let node = Path::new("/dev").join(name);
        let read = fs::File::open(&node).and_then(|f| f.take(HEAD).read_to_end(&mut head));
        if read.is_ok() {
            self.put(&node, format!(" = {}", escape(&head)));
        }
    }

    fn whole_hwmon(&mut self, device: &Path) {
        for entry in fs::read_dir(device).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with("hwmon") {
                self.entry(&entry.path().join("temp1_input"));
                self.whole(&entry.path(), 1);
            }
        }
    }

    fn around(&mut self, from: &Path) {
        for directory in from
            .ancestors()
            .take_while(|d| *d != Path::new("/sys/devices"))
        {
            for attribute in ATTRIBUTES {
                self.entry(&directory.join(attribute));
            }
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if AROUND.contains(&name.as_str()) {
                    self.whole(&entry.path(), 1);
                }
                // A port's link and an interface's driver stand one directory down.
                if name.starts_with("link")
                    || name.contains(':') && entry.path().join("bInterfaceClass").exists()
                {
                    self.entry(&entry.path().join("driver"));
                    self.whole(&entry.path().join("ata_link").join(&name), 0);
                }
                if name.starts_with("nvme") && entry.path().is_symlink() {
                    self.entry(&entry.path());
                }
            }
        }
    }
}

/// Text as it stands; other bytes and runs of zeros by their codes.
fn escape(bytes: &[u8]) -> String {
    let is_text = std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0);
    let mut out = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let zeros = bytes[at..].iter().take_while(|b| **b == 0).count();
        if zeros > 3 {
            let _ = write!(out, "\\z{zeros};");
            at += zeros;
            continue;
        }
        match bytes[at] {
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\\' => out.push_str("\\\\"),
            byte if byte.is_ascii_graphic() || byte == b' ' => out.push(byte as char),
            byte => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
        at += 1;
    }
    match is_text {
        true => out.strip_suffix("\\n").map(str::to_owned).unwrap_or(out),
        false => out,
    }
}

fn main() -> Result<(), StackError> {
    let target = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let tree = Stack::of(Path::new(&target), &Roots::default())?;
    let mut copy = Copy::default();
    for layer in tree.layers() {
        copy.device(&layer.name);
        for (file, answer) in answers(layer) {
            let directory = Path::new("/answers").join(layer.name.replace('/', "!"));
            copy.put(&directory.join(file), format!(" = {}", escape(&answer)));
        }
    }
    let mut whole = vec!["/proc/self/mountinfo", "/proc/swaps"];
    whole.retain(|path| Path::new(path).exists());
    for path in whole {
        copy.entry(Path::new(path));
    }
    for family in ["bcache", "btrfs", "ext4", "f2fs"] {
        let family = Path::new("/sys/fs").join(family);
        for entry in fs::read_dir(&family).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let ours = tree.layers().iter().any(|layer| layer.name == name);
            if ours || name.contains('-') {
                copy.whole(&entry.path(), 3);
            }
        }
    }
    copy.whole(Path::new("/dev/mapper"), 0);
    println!("# {target}");
    for (section, entries) in &copy.sections {
        println!(
            "[{}]",
            section.display().to_string().trim_start_matches('/')
        );
        for (name, what) in entries {
            println!("{name}{what}");
        }
    }
    Ok(())
}
