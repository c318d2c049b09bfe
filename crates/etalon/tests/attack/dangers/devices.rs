//! Devices that somebody uses.

use std::any::Any;
use std::path::{Path, PathBuf};

use super::Danger;
use crate::common::{Loop, Mount, SwapOn, absent, tool, try_tool};
use crate::ways::Scene;

/// Devices, and what keeps them as they are.
pub(crate) struct Devices {
    pub(crate) all: Vec<Danger>,
    // Dropped in this order: what uses a device goes before it.
    held: Vec<Box<dyn Any>>,
}

impl Devices {
    pub(crate) fn new(scene: &Scene) -> Devices {
        let mut devices = Devices {
            all: Vec::new(),
            held: Vec::new(),
        };
        let place = scene.ground.directory("devices");
        for kind in ["ext4", "xfs", "btrfs"] {
            devices.mounted(&place, kind);
        }
        devices.beneath_a_mounted_loop(&place);
        devices.offset_in_anothers_file(&place);
        devices.overlapping(&place);
        devices.the_same_file_again(&place);
        devices.swap(&place);
        devices.read_only(&place);
        devices.mounted_elsewhere(&place);
        devices.beneath_a_mapping(&place);
        devices.second_of_a_mounted_btrfs(&place);
        devices.with_a_mounted_partition(&place);
        devices
    }

    fn keep(&mut self, danger: Danger, held: Vec<Box<dyn Any>>) {
        self.all.push(danger);
        self.held.extend(held);
    }

    fn mounted(&mut self, place: &Path, kind: &str) {
        let image = image(place, kind, 64);
        if let Err(why) = make(kind, &image) {
            return absent(&format!("a mounted {kind}"), &why);
        }
        let disk = Loop::over(&image);
        // An XFS that may write goes on writing to its log for a minute.
        let options = match kind {
            "xfs" => "ro",
            // What btrfs has left to write by itself it writes after this many seconds.
            "btrfs" => "noatime,commit=900",
            _ => "noatime",
        };
        let mount = Mount::of_device(disk.name(), options);
        tool("sync", &["-f", mount.path().to_str().unwrap()]);
        let danger = Danger::device(&format!("a mounted {kind}"), &disk.device, &image);
        self.keep(danger, vec![Box::new(mount), Box::new(disk)]);
    }

    fn beneath_a_mounted_loop(&mut self, place: &Path) {
        let file = image(place, "lower", 16);
        let lower = Loop::over(&file);
        // Away from the beginning, so that the lower one shows no mark where marks are looked for.
        let upper = Loop::with(&lower.device, &["--offset", "4194304"]);
        make("ext4", &upper.device).unwrap();
        let mount = Mount::of_device(upper.name(), "noatime");
        tool("sync", &["-f", mount.path().to_str().unwrap()]);
        let danger = Danger::device("a loop under a mounted loop", &lower.device, &file);
        self.keep(
            danger,
            vec![Box::new(mount), Box::new(upper), Box::new(lower)],
        );
    }

    fn offset_in_anothers_file(&mut self, place: &Path) {
        let file = image(place, "offset", 16);
        let used = Loop::with(&file, &["--offset", "4194304"]);
        make("ext4", &used.device).unwrap();
        let mount = Mount::of_device(used.name(), "noatime");
        tool("sync", &["-f", mount.path().to_str().unwrap()]);
        let whole = Loop::over(&file);
        let danger = Danger::device("a loop around a mounted range", &whole.device, &file);
        let inside = Loop::with(&file, &["--offset", "6291456"]);
        let within = Danger::device("a loop at an offset inside", &inside.device, &file);
        self.keep(
            danger,
            vec![Box::new(mount), Box::new(used), Box::new(whole)],
        );
        self.keep(within, vec![Box::new(inside)]);
    }

    fn overlapping(&mut self, place: &Path) {
        let file = image(place, "overlapping", 16);
        let used = Loop::with(&file, &["--offset", "1048576", "--sizelimit", "8388608"]);
        make("ext4", &used.device).unwrap();
        let mount = Mount::of_device(used.name(), "noatime");
        tool("sync", &["-f", mount.path().to_str().unwrap()]);
        let other = Loop::with(&file, &["--offset", "8388608", "--sizelimit", "4194304"]);
        let danger = Danger::device("a loop that overlaps a mounted one", &other.device, &file);
        self.keep(
            danger,
            vec![Box::new(mount), Box::new(used), Box::new(other)],
        );
    }

    fn the_same_file_again(&mut self, place: &Path) {
        let file = image(place, "same", 16);
        let used = Loop::with(&file, &["--offset", "1048576"]);
        make("ext4", &used.device).unwrap();
        let mount = Mount::of_device(used.name(), "noatime");
        tool("sync", &["-f", mount.path().to_str().unwrap()]);
        let twin = place.join("same-by-another-name");
        std::fs::hard_link(&file, &twin).unwrap();
        let other = Loop::with(&twin, &["--offset", "2097152"]);
        let danger = Danger::device("a loop over the file's other name", &other.device, &file);
        self.keep(
            danger,
            vec![Box::new(mount), Box::new(used), Box::new(other)],
        );
    }

    fn swap(&mut self, place: &Path) {
        let file = place.join("swap");
        std::fs::write(&file, SwapOn::bytes_of_device()).unwrap();
        let disk = Loop::over(&file);
        match SwapOn::at(&disk.device) {
            Ok(on) => {
                let danger = Danger::device("swap in use", &disk.device, &file);
                self.keep(danger, vec![Box::new(on), Box::new(disk)]);
            }
            Err(why) => absent("swap in use", &why),
        }
    }

    fn read_only(&mut self, place: &Path) {
        let file = image(place, "read-only", 8);
        let disk = Loop::with(&file, &["--read-only"]);
        let danger = Danger::device("a read-only loop", &disk.device, &file);
        self.keep(danger, vec![Box::new(disk)]);
    }

    /// Mounted where this test does not see it, and then without a mark.
    fn mounted_elsewhere(&mut self, place: &Path) {
        let file = image(place, "elsewhere", 16);
        make("ext4", &file).unwrap();
        let disk = Loop::over(&file);
        match Elsewhere::mount(&disk.device, place) {
            Some(elsewhere) => {
                let danger = Danger::device("mounted in another namespace", &disk.device, &file);
                self.keep(danger, vec![Box::new(elsewhere), Box::new(disk)]);
            }
            None => absent("mounted in another namespace", "unshare cannot do it here"),
        }
    }

    fn beneath_a_mapping(&mut self, place: &Path) {
        let file = image(place, "mapped", 16);
        let disk = Loop::over(&file);
        let name = format!("etalon-attack-{}", std::process::id());
        let table = format!("0 16384 linear {} 2048", disk.name());
        match try_tool("dmsetup", &["create", &name, "--table", &table]) {
            Ok(_) => {
                let danger = Danger::device("beneath a mapping", &disk.device, &file);
                self.keep(danger, vec![Box::new(Mapping(name)), Box::new(disk)]);
            }
            Err(why) => absent("a device beneath a mapping", &why),
        }
    }

    fn second_of_a_mounted_btrfs(&mut self, place: &Path) {
        let (one, two) = (image(place, "first", 128), image(place, "second", 128));
        let disks = (Loop::over(&one), Loop::over(&two));
        let words = ["-q", "-d", "raid1", disks.0.name(), disks.1.name()];
        if let Err(why) = try_tool("mkfs.btrfs", &words) {
            return absent("a btrfs of two devices", &why);
        }
        let scanned = try_tool("btrfs", &["device", "scan", disks.1.name()]);
        if let Err(why) = scanned {
            return absent("a btrfs of two devices", &why);
        }
        let mount = Mount::of_device(disks.0.name(), "noatime,commit=900");
        tool("sync", &["-f", mount.path().to_str().unwrap()]);
        let what = "the second device of a mounted btrfs";
        let danger = Danger::device(what, &disks.1.device, &two);
        self.keep(
            danger,
            vec![Box::new(mount), Box::new(disks.1), Box::new(disks.0)],
        );
    }

    /// The kernel knows the partition; no table is written, so that no mark gives it away.
    fn with_a_mounted_partition(&mut self, place: &Path) {
        let file = image(place, "partitioned", 16);
        let disk = Loop::with(&file, &["--partscan"]);
        if let Err(why) = try_tool("addpart", &[disk.name(), "1", "8192", "16384"]) {
            return absent("a device with a mounted partition", &why);
        }
        let partition = format!("{}p1", disk.name());
        // The filesystem begins far behind what is looked at for marks.
        let made = make("ext4", Path::new(&partition));
        if let Err(why) = made {
            return absent("a device with a mounted partition", &why);
        }
        let mount = Mount::of_device(&partition, "noatime");
        tool("sync", &["-f", mount.path().to_str().unwrap()]);
        let whole = Danger::device("a disk with a mounted partition", &disk.device, &file);
        let part = Danger::device("a mounted partition", Path::new(&partition), &file);
        let removed = Partition(disk.name().to_owned());
        self.keep(
            whole,
            vec![Box::new(mount), Box::new(removed), Box::new(disk)],
        );
        self.keep(part, Vec::new());
    }

    /// As a virtual machine or a database has a raw disk.
    pub(crate) fn open_for_writing(&mut self, scene: &Scene) {
        let file = image(&scene.ground.directory("devices"), "open", 8);
        let disk = Loop::over(&file);
        let opened = std::fs::OpenOptions::new().write(true).open(&disk.device);
        let danger = Danger::device("open for writing elsewhere", &disk.device, &file);
        self.keep(danger, vec![Box::new(opened.unwrap()), Box::new(disk)]);
    }
}

struct Partition(String);

impl Drop for Partition {
    fn drop(&mut self) {
        let _ = try_tool("delpart", &[&self.0, "1"]);
    }
}

struct Mapping(String);

impl Drop for Mapping {
    fn drop(&mut self) {
        let _ = try_tool("dmsetup", &["remove", &self.0]);
    }
}

/// A process with a mount that only it sees; both go when its standard input closes.
struct Elsewhere(std::process::Child);

impl Elsewhere {
    fn mount(device: &Path, place: &Path) -> Option<Elsewhere> {
        use std::io::{BufRead as _, BufReader};
        use std::process::{Command, Stdio};
        let point = place.join("point");
        std::fs::create_dir(&point).unwrap();
        let script =
            "mount -o noatime \"$1\" \"$2\" && sync -f \"$2\" && echo mounted && read rest";
        let mut child = Command::new("unshare")
            .args([
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-c",
                script,
                "sh",
            ])
            .args([device, &point])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take()?)
            .read_line(&mut line)
            .ok()?;
        (line == "mounted\n").then_some(Elsewhere(child))
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// A new image without data.
pub(crate) fn image(place: &Path, name: &str, mib: u64) -> PathBuf {
    let path = place.join(format!("{name}.img"));
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(mib << 20).unwrap();
    path
}

/// A filesystem in an image, as small as it may be.
pub(crate) fn make(kind: &str, image: &Path) -> Result<(), String> {
    let image = image.to_str().unwrap();
    let words: &[&str] = match kind {
        "ext4" => &[
            "-q",
            "-F",
            "-b",
            "4096",
            "-E",
            "lazy_itable_init=0,lazy_journal_init=0",
        ],
        "xfs" => &["-q", "--unsupported"],
        _ => &["-q", "--mixed"],
    };
    try_tool(&format!("mkfs.{kind}"), &[words, &[image]].concat()).map(|_| ())
}
