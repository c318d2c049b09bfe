//! Which disk it is.

use crate::stack::Disk;

/// Whether a world-wide name tells a disk from others: not zeros alone, and of `nvme.VENDOR-SERIAL-MODEL-NAMESPACE`
/// (drivers/nvme/host/sysfs.c) none without a serial number.
pub fn tells_apart(wwid: &str) -> bool {
    let (kind, number) = kind_of_name(wwid);
    let telling = match kind {
        "nvme" => number.split('-').nth(1).unwrap_or_default(),
        _ => number,
    };
    telling
        .bytes()
        .any(|byte| byte.is_ascii_alphanumeric() && byte != b'0')
}

/// `naa` and so on, and the number behind it.
fn kind_of_name(wwid: &str) -> (&str, &str) {
    wwid.split_once('.').unwrap_or(("", wwid))
}

impl Disk {
    /// Whether it is the same disk; none where too little is known of either.
    ///
    /// A new kernel may name a disk in another way: names of two kinds say nothing.
    pub fn is_same(&self, other: &Disk) -> Option<bool> {
        let names = self.world_wide().zip(other.world_wide());
        let names = names.filter(|(a, b)| kind_of_name(a).0 == kind_of_name(b).0);
        let by_name = names.map(|(a, b)| a == b);
        let serials = self.own_serial().zip(other.own_serial());
        let by_serial = serials.map(|(a, b)| a == b && self.model == other.model);
        match (by_name, by_serial) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), _) => Some(true),
            // The namespaces of one controller have its serial number in common.
            (None, Some(true)) if self.world_wide().is_some() || other.world_wide().is_some() => {
                None
            }
            (None, by_serial) => by_serial,
        }
    }

    /// Its names in all the world, else those by which udev tells it from the others of its machine.
    pub fn identity(&self) -> Option<String> {
        let serial = self.own_serial().map(|serial| format!("serial {serial}"));
        let names: Vec<String> = match (self.world_wide(), serial) {
            (None, None) => self.own_links(),
            (name, serial) => name.map(str::to_owned).into_iter().chain(serial).collect(),
        };
        (!names.is_empty()).then(|| names.join(", "))
    }

    pub(super) fn world_wide(&self) -> Option<&str> {
        self.wwid.as_deref().filter(|wwid| tells_apart(wwid))
    }

    /// The serial number, where no other disk has it: that of a box or a controller is the same for all of its disks.
    fn own_serial(&self) -> Option<&str> {
        let serial = self.serial.as_ref();
        serial
            .filter(|serial| !self.shared_names.contains(serial))
            .map(String::as_str)
    }

    fn own_links(&self) -> Vec<String> {
        let links = self.by_id.iter();
        links
            .filter(|link| !self.shared_names.contains(link))
            .cloned()
            .collect()
    }
}
