//! What moved during a recording: a line for each part of the machine.

use etalon_language::say;
use etalon_model::stack::{CpuShares, DiskRates, MemoryState, Recording, Sample};
use etalon_units::Nanos;

use super::recorded_time::{ends, since};

const MIB: f64 = 1_048_576.0;
/// More points than these are not seen.
const MOST_POINTS: usize = 200;
/// More lines than these are not told apart: of traffic, which has two for each device, and of queues.
const MOST_TRAFFIC: usize = 12;
const MOST_QUEUES: usize = 6;

/// Figures of one part of the machine.
pub(super) struct Lane {
    pub(super) name: String,
    /// Moments and figures.
    pub(super) line: Vec<(f64, f64)>,
    /// Between what figures those lie of which a point is the mean.
    pub(super) band: Vec<(f64, f64, f64)>,
}

/// The lines of one picture, and how many there are besides.
pub(super) struct Lanes {
    pub(super) drawn: Vec<Lane>,
    pub(super) left: usize,
}

impl Lane {
    /// Of more points than can be seen neighbours are one, their mean.
    fn of(name: &str, points: &[(f64, f64)]) -> Lane {
        let each = points.len().div_ceil(MOST_POINTS).max(1);
        let line = points.chunks(each).map(middle_of);
        let band = points.chunks(each).filter(|_| each > 1).map(|group| {
            let ys = || group.iter().map(|(_, y)| *y);
            let (low, high) = (ys().fold(f64::INFINITY, f64::min), ys().fold(0.0, f64::max));
            (middle_of(group).0, low, high)
        });
        Lane {
            name: name.to_owned(),
            line: line.collect(),
            band: band.collect(),
        }
    }

    /// All that is drawn of it.
    pub(super) fn figures(&self) -> impl Iterator<Item = f64> {
        let line = self.line.iter().map(|(_, y)| *y);
        line.chain(self.band.iter().flat_map(|(_, low, high)| [*low, *high]))
    }

    fn is_idle(&self) -> bool {
        self.figures().all(|figure| figure <= 0.0)
    }
}

fn middle_of(group: &[(f64, f64)]) -> (f64, f64) {
    let mean = |of: fn(&(f64, f64)) -> f64| group.iter().map(of).sum::<f64>() / group.len() as f64;
    (mean(|(x, _)| *x), mean(|(_, y)| *y))
}

impl Lanes {
    fn all(drawn: Vec<Lane>) -> Lanes {
        Lanes { drawn, left: 0 }
    }

    /// As many as can be told apart: first those in which something happened.
    fn first(mut lanes: Vec<Lane>, most: usize) -> Lanes {
        let left = lanes.len().saturating_sub(most);
        if left > 0 {
            lanes.sort_by_key(Lane::is_idle);
            lanes.truncate(most);
        }
        Lanes { drawn: lanes, left }
    }

    pub(super) fn cpu(recording: &Recording) -> Lanes {
        let lane = |name: &str, of: fn(&CpuShares) -> f64| {
            of_samples(recording, name, move |s| Some(of(s.cpu.as_ref()?) * 100.0))
        };
        Lanes::all(vec![
            lane(&say!("lane-user"), |cpu| cpu.user.fraction()),
            lane(&say!("lane-system"), |cpu| cpu.system.fraction()),
            lane(&say!("lane-interrupts"), |cpu| cpu.interrupts.fraction()),
            lane("iowait", |cpu| cpu.iowait.fraction()),
            lane("steal", |cpu| cpu.steal.fraction()),
        ])
    }

    pub(super) fn memory(recording: &Recording) -> Lanes {
        let lane = |name: &str, of: fn(&MemoryState) -> f64| {
            of_samples(recording, name, move |s| Some(of(s.memory.as_ref()?) / MIB))
        };
        Lanes::all(vec![
            lane(&say!("lane-page-cache"), |memory| memory.cached.as_f64()),
            lane(&say!("lane-dirty"), |memory| memory.dirty.as_f64()),
            lane(&say!("lane-writeback"), |memory| memory.writeback.as_f64()),
        ])
    }

    pub(super) fn traffic(recording: &Recording) -> Lanes {
        let read = |name: &str| say!("lane-read", device = name);
        let written = |name: &str| say!("lane-written", device = name);
        let mut lanes = of_layers(recording, |rates| rates.read_rate.0 / MIB, read);
        let writes = |rates: &DiskRates| rates.write_rate.0 / MIB;
        lanes.extend(of_layers(recording, writes, written));
        Lanes::first(lanes, MOST_TRAFFIC)
    }

    pub(super) fn queue(recording: &Recording) -> Lanes {
        let lanes = of_layers(recording, |rates| rates.queue, str::to_owned);
        Lanes::first(lanes, MOST_QUEUES)
    }
}

/// The middle of an interval that ended at that moment, since the beginning of the recording.
fn middle(begin: Nanos, at: Nanos, span: Nanos) -> f64 {
    (since(begin, at) - span.as_secs_f64() / 2.0).max(0.0)
}

fn of_samples(recording: &Recording, name: &str, of: impl Fn(&Sample) -> Option<f64>) -> Lane {
    let (begin, _) = ends(recording);
    let place = |sample: &Sample| middle(begin, sample.at, sample.span);
    let samples = recording.samples.iter();
    let points = samples.filter_map(|sample| Some((place(sample), of(sample)?)));
    Lane::of(name, &points.collect::<Vec<_>>())
}

/// A figure of each layer at the short interval, called by its device.
fn of_layers(
    recording: &Recording,
    of: fn(&DiskRates) -> f64,
    called: fn(&str) -> String,
) -> Vec<Lane> {
    let (begin, _) = ends(recording);
    let mut layers: Vec<(&str, Vec<(f64, f64)>)> = Vec::new();
    for tick in &recording.ticks {
        for disk in &tick.disks {
            let Some(delta) = &disk.delta else { continue };
            let rates = DiskRates::of(delta, tick.span);
            let point = (middle(begin, tick.at, tick.span), of(&rates));
            match layers.iter_mut().find(|(name, _)| *name == disk.name) {
                Some((_, points)) => points.push(point),
                None => layers.push((&disk.name, vec![point])),
            }
        }
    }
    let lanes = layers.iter();
    lanes
        .map(|(name, points)| Lane::of(&called(name), points))
        .collect()
}

#[cfg(test)]
mod tests {
    use etalon_units::Percent;

    use super::*;
    use crate::html::tests::{experiment, recorded};

    #[test]
    fn what_lies_between_points_that_are_seen_is_in_their_means_and_bands() {
        let peak = |n: usize| if n == 777 { 500.0 } else { 1.0 };
        let points: Vec<(f64, f64)> = (0..2000).map(|n| (n as f64, peak(n))).collect();
        let lane = Lane::of("sda", &points);
        assert_eq!((lane.line.len(), lane.band.len()), (200, 200));
        assert_eq!(
            (lane.line[77], lane.band[77]),
            ((774.5, 50.9), (774.5, 1.0, 500.0))
        );
        let few = Lane::of("sda", &points[..200]);
        assert_eq!((few.line.as_slice(), few.band.len()), (&points[..200], 0));
    }

    #[test]
    fn lines_at_rest_are_left_out_first() {
        let lane = |name: &str, figure: f64| Lane::of(name, &[(0.0, figure), (1.0, 0.0)]);
        let all = || {
            vec![
                lane("a", 0.0),
                lane("b", 1.0),
                lane("c", 0.0),
                lane("d", 2.0),
            ]
        };
        let names =
            |lanes: &Lanes| -> String { lanes.drawn.iter().map(|lane| &lane.name[..]).collect() };
        for (most, drawn, left) in [(4, "abcd", 0), (3, "bda", 1), (1, "b", 3)] {
            let lanes = Lanes::first(all(), most);
            assert_eq!((names(&lanes).as_str(), lanes.left), (drawn, left));
        }
    }

    #[test]
    fn every_share_of_a_busy_processor_has_a_line() {
        let mut experiment = experiment();
        recorded(&mut experiment);
        let recording = experiment.runs[0].circumstances.recording.as_mut().unwrap();
        let percent = Percent::from_fraction;
        recording.samples[0].cpu = Some(CpuShares {
            user: percent(0.05),
            system: percent(0.2),
            interrupts: percent(0.35),
            idle: percent(0.4),
            ..CpuShares::default()
        });
        let lanes = Lanes::cpu(recording).drawn;
        let busy: f64 = lanes.iter().map(|lane| lane.line[0].1).sum();
        assert!((busy - 60.0).abs() < 1e-9, "{busy}");
    }
}
