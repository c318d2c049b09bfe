//! How long a rebuild still takes.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// Media rate of the innermost track as a share of the outermost. Both turn alike, so that it is the ratio of their radii:
/// 55 of 113 MB/s in a laptop disk, 120 of 200 in a server's (`etalon lab list --figures`); disks of 3.5 inches lie between.
const INNER_RATE: f64 = 0.5;

/// The part of a disk that the members of an array fill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    turns: bool,
    /// Shares of the disk, from its outer edge.
    from: f64,
    to: f64,
}

impl Extent {
    /// Of the array whose files are in `directory` (the kernel's Documentation/ABI/stable/sysfs-block: `queue/rotational`,
    /// `size`, `partition`, `start`); the whole of disks that do not turn, where the kernel does not tell.
    pub(super) fn of(directory: &Path) -> Extent {
        let turns = number(&directory.join("../queue/rotational")) == Some(1.0);
        let (from, to) = partition(directory).unwrap_or((0.0, 1.0));
        Extent { turns, from, to }
    }

    /// What is left when `done` of it took `elapsed`, and nothing changes but the place.
    pub(super) fn left(&self, done: f64, elapsed: Duration) -> Option<Duration> {
        let passed = self.course(done);
        let left = elapsed.as_secs_f64() * (self.course(1.0) / passed - 1.0);
        (passed > 0.0).then(|| Duration::try_from_secs_f64(left.max(0.0)).unwrap_or(Duration::MAX))
    }

    /// Time to pass over the first `done` of it, where the outermost track would take 1 for the whole disk.
    fn course(&self, done: f64) -> f64 {
        time_to(self.turns, self.from + done * (self.to - self.from))
            - time_to(self.turns, self.from)
    }
}

/// Tracks of one width and density fill a disk as its radius shrinks: the share `x` from the outer edge ends where the radius is
/// `sqrt(1 - c*x)` of the outermost, with c = 1 - inner^2, and so is the rate there; this is the integral of its inverse.
fn time_to(turns: bool, share: f64) -> f64 {
    let c = 1.0 - INNER_RATE * INNER_RATE;
    match turns {
        true => 2.0 / c * (1.0 - (1.0 - c * share).sqrt()),
        false => share,
    }
}

/// Where the first member begins and ends on its disk, if it is a partition.
fn partition(directory: &Path) -> Option<(f64, f64)> {
    let members = fs::read_dir(directory).ok()?;
    let mut members = members.flatten().map(|entry| entry.path().join("block"));
    let member = members.find(|member| member.join("partition").exists())?;
    let disk = number(&member.join("../size"))?;
    let start = number(&member.join("start"))? / disk;
    Some((start, start + number(&member.join("size"))? / disk))
}

fn number(file: &Path) -> Option<f64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const WHOLE: Extent = Extent {
        turns: true,
        from: 0.0,
        to: 1.0,
    };

    fn seconds(extent: Extent, done: f64, elapsed: f64) -> f64 {
        let left = extent.left(done, Duration::from_secs_f64(elapsed));
        left.unwrap().as_secs_f64()
    }

    #[test]
    fn flash_goes_on_as_it_began() {
        let flash = Extent {
            turns: false,
            ..WHOLE
        };
        assert!((seconds(flash, 0.25, 10.0) - 30.0).abs() < 1e-9);
        assert_eq!(flash.left(0.0, Duration::from_secs(1)), None);
        assert_eq!(WHOLE.left(0.0, Duration::from_secs(1)), None);
        assert!(seconds(WHOLE, 1.0, 10.0) < 1e-9);
    }

    /// Sums the times of a million rings, each at its own rate.
    fn by_rings(extent: Extent, inner: f64, done: f64) -> f64 {
        let rings = 1_000_000;
        let took = |to: f64| -> f64 {
            let one = (to * (extent.to - extent.from)) / f64::from(rings);
            let places = (0..rings).map(|ring| extent.from + (f64::from(ring) + 0.5) * one);
            let rates = places.map(|place| (1.0 - (1.0 - inner * inner) * place).sqrt());
            rates.map(|rate| one / rate).sum()
        };
        took(1.0) / took(done) - 1.0
    }

    #[test]
    fn what_is_left_is_that_of_a_disk_in_rings() {
        let last_third = Extent {
            from: 2.0 / 3.0,
            ..WHOLE
        };
        for extent in [WHOLE, last_third] {
            for done in [0.05, 0.37, 0.8] {
                let (told, summed) = (
                    seconds(extent, done, 1.0),
                    by_rings(extent, INNER_RATE, done),
                );
                assert!((told / summed - 1.0).abs() < 1e-6, "{told} {summed}");
            }
        }
    }

    #[test]
    fn the_end_is_right_within_a_tenth_on_disks_of_other_makes() {
        for inner in [0.45, 0.487, 0.6] {
            for done in [0.1, 0.5, 0.9] {
                let (told, is) = (seconds(WHOLE, done, 1.0), by_rings(WHOLE, inner, done));
                assert!(((1.0 + told) / (1.0 + is) - 1.0).abs() < 0.1, "{told} {is}");
            }
        }
    }

    #[test]
    fn members_that_are_partitions_begin_inside() {
        let root = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let file = root.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("md0/queue/rotational", "1\n");
        write("sdb/size", "4000\n");
        write("sdb/sdb2/partition", "2\n");
        write("sdb/sdb2/start", "1000\n");
        write("sdb/sdb2/size", "2000\n");
        write("md0/md/dev-sdb2/state", "in_sync\n");
        let member = root.path().join("md0/md/dev-sdb2/block");
        symlink(root.path().join("sdb/sdb2"), member).unwrap();
        let found = Extent::of(&root.path().join("md0/md"));
        assert_eq!((found.turns, found.from, found.to), (true, 0.25, 0.75));
        write("md1/md/level", "raid1\n");
        let silent = Extent::of(&root.path().join("md1/md"));
        assert_eq!((silent.turns, silent.from, silent.to), (false, 0.0, 1.0));
    }
}
