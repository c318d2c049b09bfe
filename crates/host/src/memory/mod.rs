//! How much memory there is.

mod room;

pub use room::Room;

use etalon_units::Bytes;

/// The memory of the machine itself.
pub fn of_machine() -> Room {
    let info = rustix::system::sysinfo();
    let total = Bytes((info.totalram as u64).saturating_mul(u64::from(info.mem_unit)));
    Room {
        total,
        available: machine_available().unwrap_or(Bytes(total.get() / 2)),
        group: None,
    }
}

/// All memory that this process may take: that of the machine (`sysinfo(2)`), or what a control group allows of it.
pub fn total() -> Bytes {
    least(|room| room.total)
}

/// What can be had without swapping, on this machine and within the control groups of this process: `MemAvailable` of
/// proc_meminfo(5), half of the memory where it is not said, or what the tightest of the groups leaves.
pub fn available() -> Bytes {
    least(|room| room.available)
}

/// The machine, or the control group, that leaves the least with a tenth of it kept free.
pub fn tightest() -> Room {
    let groups = room::of_groups().into_iter();
    groups.fold(of_machine(), |least, room| {
        match room.allowance() < least.allowance() {
            true => room,
            false => least,
        }
    })
}

fn least(amount: impl Fn(&Room) -> Bytes) -> Bytes {
    let groups = room::of_groups();
    let amounts = groups.iter().map(&amount);
    amounts.fold(amount(&of_machine()), Bytes::min)
}

fn machine_available() -> Option<Bytes> {
    available_of(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// What was written to files and has not reached a device: `Dirty` and `Writeback` of proc_meminfo(5), of the whole
/// machine; none where they are not said.
pub fn unwritten() -> Option<Bytes> {
    unwritten_of(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// The huge pages of the machine's usual size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HugePages {
    /// All that the kernel keeps.
    pub total: u64,
    /// Those that nothing uses and nothing has reserved.
    pub free: u64,
    /// Size of one; zero where the kernel has none.
    pub size: Bytes,
}

/// The huge pages that `/proc/meminfo` tells of; none where it does not.
pub fn huge_pages() -> HugePages {
    let said = std::fs::read_to_string("/proc/meminfo");
    said.map_or_else(|_| HugePages::default(), |text| huge_pages_of(&text))
}

fn huge_pages_of(meminfo: &str) -> HugePages {
    let number = |name: &str| {
        let mut lines = meminfo.lines();
        let line = lines.find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let count = |name| number(name).unwrap_or(0);
    HugePages {
        total: count("HugePages_Total:"),
        free: count("HugePages_Free:").saturating_sub(count("HugePages_Rsvd:")),
        size: Bytes::kib(count("Hugepagesize:")),
    }
}

fn available_of(meminfo: &str) -> Option<Bytes> {
    kibibytes(meminfo, "MemAvailable:")
}

fn unwritten_of(meminfo: &str) -> Option<Bytes> {
    let (dirty, under_way) = (
        kibibytes(meminfo, "Dirty:")?,
        kibibytes(meminfo, "Writeback:")?,
    );
    Some(Bytes(dirty.get().saturating_add(under_way.get())))
}

fn kibibytes(meminfo: &str, name: &str) -> Option<Bytes> {
    let mut lines = meminfo.lines();
    let line = lines.find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(Bytes::kib(kibibytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_pages_that_are_reserved_are_not_free() {
        let text = "HugePages_Total:      16\nHugePages_Free:       10\nHugePages_Rsvd:        3\n\
                    HugePages_Surp:        0\nHugepagesize:       2048 kB\n";
        let found = huge_pages_of(text);
        assert_eq!((found.total, found.free), (16, 7));
        assert_eq!(found.size, Bytes::mib(2));
        assert_eq!(huge_pages_of("MemTotal: 1 kB\n"), HugePages::default());
    }

    #[test]
    fn what_is_dirty_and_what_is_on_its_way_are_both_unwritten() {
        let text = "Dirty:              1024 kB\nWriteback:          1024 kB\nWritebackTmp:         8 kB\n";
        assert_eq!(unwritten_of(text), Some(Bytes::mib(2)));
        assert_eq!(unwritten_of("Dirty: 8 kB\n"), None);
    }

    #[test]
    fn the_line_is_found_and_its_absence_is_no_zero() {
        let text = "MemTotal:       100 kB\nMemAvailable:    2048 kB\n";
        assert_eq!(available_of(text), Some(Bytes::mib(2)));
        assert_eq!(available_of("MemTotal: 100 kB\n"), None);
        assert!(available() <= total());
    }
}
