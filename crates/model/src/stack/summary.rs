//! A stack in one line.

use std::fmt::Write;

use super::{Disk, Layer, LayerKind, StackTree};

impl StackTree {
    /// The stack in one line, for a table's caption:
    /// `/ ext4 (rw,relatime) on vda: virtio disk "model", 256 GiB, non-rotational, scheduler none`.
    ///
    /// Control characters in names are replaced, so that it is safe to print.
    pub fn one_line(&self) -> String {
        self.words(true).replace(char::is_control, "\u{fffd}")
    }

    /// The same without what can be set: `ext4 on vda: virtio disk "model", 256 GiB`.
    pub fn short_line(&self) -> String {
        let line = self.words(false).replace(char::is_control, "\u{fffd}");
        line.trim_start_matches([' ', ',']).to_owned()
    }

    fn words(&self, whole: bool) -> String {
        let mut line = match (&self.mount, &self.filesystem) {
            (Some(_), Some(fs)) if !whole => fs.fs_type.clone(),
            (Some(mount), Some(fs)) => {
                let options = mount.options.join(",");
                format!("{} {} ({options})", mount.point, fs.fs_type)
            }
            _ if whole => self.resolved.clone(),
            _ => String::new(),
        };
        if let Some(beneath) = self.filesystem.as_ref().and_then(|fs| fs.beneath.as_ref()) {
            let _ = write!(line, " over {}", beneath.words(whole));
            return line;
        }
        match (&self.no_block, self.devices.is_empty()) {
            (Some(reason), _) => {
                let _ = write!(line, ", {reason}");
            }
            (None, true) => line.push_str(" on a device that could not be found"),
            (None, false) => {}
        }
        if !self.devices.is_empty() {
            let _ = write!(line, " on {}", chain_of(&self.devices));
        }
        let leaves = self.leaves();
        for (index, leaf) in leaves.iter().enumerate() {
            line.push_str(if index == 0 { ": " } else { "; " });
            if leaves.len() > 1 {
                let _ = write!(line, "{} ", leaf.name);
            }
            line.push_str(&if whole { leaf.describe() } else { leaf.brief() });
        }
        line
    }
}

/// `LVM vg/lv on md0 (raid1) on sda1 and sdb1 on sda, sdb`: each level's distinct devices.
fn chain_of(top: &[Layer]) -> String {
    let mut levels: Vec<String> = Vec::new();
    let mut level: Vec<&Layer> = top.iter().collect();
    // Deeper than any real stack; guards against records made by hand.
    for _ in 0..32 {
        if level.is_empty() {
            break;
        }
        let mut names: Vec<String> = Vec::new();
        let mut next: Vec<&Layer> = Vec::new();
        for layer in level {
            let name = layer.short_name();
            if !names.contains(&name) {
                names.push(name);
            }
            next.extend(&layer.below);
            if let Some(stack) = layer.file_stack() {
                next.extend(&stack.devices);
            }
        }
        levels.push(names.join(", "));
        level = next;
    }
    levels.join(" on ")
}

impl Layer {
    /// The name with what it is, in a word or two: `LVM vg0/home`, `md0 (raid1)`, `sda1`.
    pub fn short_name(&self) -> String {
        match &self.kind {
            LayerKind::Lvm(lv) if lv.layer.is_empty() => format!("LVM {}/{}", lv.vg, lv.lv),
            LayerKind::Lvm(lv) => format!("LVM {}/{}-{}", lv.vg, lv.lv, lv.layer),
            LayerKind::Crypt(crypt) => format!("{} {}", crypt.format, crypt.name),
            LayerKind::Multipath(path) => format!("multipath {}", path.name),
            LayerKind::Mapper(mapper) => format!("device-mapper {}", mapper.name),
            LayerKind::Md(md) => format!("{} ({})", self.name, md.level),
            LayerKind::Loop(device) => match &device.file {
                Some(file) => format!("{} (file {file})", self.name),
                None => self.name.clone(),
            },
            LayerKind::Disk(disk) if disk.served_here.is_some() => {
                let transport = disk.transport.name();
                format!("{} ({transport} from this very machine)", self.name)
            }
            _ => self.name.clone(),
        }
    }

    /// What the device is, with its size and queue: `virtio disk "model", 256 GiB, ...`.
    pub fn describe(&self) -> String {
        let mut parts = vec![self.brief()];
        if let Some(queue) = &self.queue {
            match queue.rotational {
                Some(true) => parts.push("rotational".to_owned()),
                Some(false) => parts.push("non-rotational".to_owned()),
                None => {}
            }
            if let Some(scheduler) = &queue.scheduler {
                parts.push(format!("scheduler {scheduler}"));
            }
        }
        parts.join(", ")
    }

    /// What the device is, with its size.
    fn brief(&self) -> String {
        let what: &str = match &self.kind {
            LayerKind::Disk(disk) => &disk_words(disk),
            LayerKind::Partition(_) => "partition",
            LayerKind::Lvm(_) => "logical volume",
            LayerKind::Crypt(_) => "encrypted device",
            LayerKind::Multipath(_) => "multipath device",
            LayerKind::Mapper(_) => "device-mapper device",
            LayerKind::Md(_) => "software RAID",
            LayerKind::Bcache(_) => "bcache device",
            LayerKind::Loop(_) => "loop device",
            LayerKind::Zram(_) => "compressed memory (zram)",
            LayerKind::Unknown { why } => &format!("device not examined ({why})"),
        };
        format!("{what}, {}", self.size)
    }
}

fn disk_words(disk: &Disk) -> String {
    let mut words = format!("{} disk", disk.transport.name());
    let names = [&disk.vendor, &disk.model];
    let names: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
    if !names.is_empty() {
        let _ = write!(words, " \"{}\"", names.join(" "));
    }
    words
}
