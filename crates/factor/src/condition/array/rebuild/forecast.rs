//! How long a rebuild still takes.

use std::path::Path;
use std::time::Duration;

use etalon_model::stack::{Layer, LayerKind};
use etalon_stack::{Roots, Stack};

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
    /// The whole of disks of one speed.
    pub(super) const EVEN: Extent = Extent {
        turns: false,
        from: 0.0,
        to: 1.0,
    };

    /// Where the first member of an array lies; the whole of disks that do not turn, where that cannot be found out.
    pub(super) fn of(node: &Path) -> Extent {
        let tree = Stack::of(node, &Roots::default()).ok();
        let array = tree.as_ref().and_then(|tree| tree.devices.first());
        let array = array.filter(|array| matches!(array.kind, LayerKind::Md(_)));
        array.map_or(Extent::EVEN, Extent::of_array)
    }

    fn of_array(array: &Layer) -> Extent {
        let queue = array.queue.as_ref();
        let part = array.below.iter().find_map(|member| match &member.kind {
            LayerKind::Partition(part) => Some((part.starts_at?, part.ends_at?)),
            _ => None,
        });
        Extent {
            turns: queue.and_then(|queue| queue.rotational) == Some(true),
            from: part.map_or(Extent::EVEN.from, |(start, _)| start.fraction()),
            to: part.map_or(Extent::EVEN.to, |(_, end)| end.fraction()),
        }
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

#[cfg(test)]
mod tests {
    use etalon_model::stack::{DevNo, Partition, Queue};
    use etalon_units::{Bytes, Percent};

    use super::*;

    const WHOLE: Extent = Extent {
        turns: true,
        ..Extent::EVEN
    };

    fn seconds(extent: Extent, done: f64, elapsed: f64) -> f64 {
        let left = extent.left(done, Duration::from_secs_f64(elapsed));
        left.unwrap().as_secs_f64()
    }

    #[test]
    fn flash_goes_on_as_it_began() {
        let flash = Extent::EVEN;
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

    fn layer(name: &str, kind: LayerKind, queue: Option<Queue>, below: Vec<Layer>) -> Layer {
        Layer {
            name: name.to_owned(),
            devno: DevNo { major: 8, minor: 0 },
            node: format!("/dev/{name}"),
            uuid: None,
            size: Bytes(2000),
            read_only: false,
            queue,
            kind,
            warnings: Vec::new(),
            below,
        }
    }

    #[test]
    fn members_that_are_partitions_begin_inside() {
        let other = || LayerKind::Unknown { why: String::new() };
        let part = LayerKind::Partition(Partition {
            number: 2,
            label: None,
            offset: Bytes(1000),
            starts_at: Some(Percent::from_fraction(0.25)),
            ends_at: Some(Percent::from_fraction(0.75)),
            misaligned_by: Bytes::ZERO,
        });
        let queue = Queue {
            rotational: Some(true),
            ..Queue::default()
        };
        let member = layer("sdb2", part, None, Vec::new());
        let found = Extent::of_array(&layer("md0", other(), Some(queue), vec![member]));
        assert_eq!((found.turns, found.from, found.to), (true, 0.25, 0.75));
        let silent = Extent::of_array(&layer("md1", other(), None, Vec::new()));
        assert_eq!((silent.turns, silent.from, silent.to), (false, 0.0, 1.0));
        assert_eq!(Extent::of("/nowhere/md2".as_ref()), Extent::EVEN);
    }
}
