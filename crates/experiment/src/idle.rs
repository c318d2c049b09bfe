//! Waiting until nothing else keeps the disks beneath a target or the processors busy.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use etalon_factor::TargetLockError;
use etalon_model::stack::{
    CpuShares, DevNo, DiskActivity, DiskRates, ProcessActivity, Sample, StackTree, Warning,
};
use etalon_stack::{Monitor, MonitorOptions, Roots};
use etalon_units::{ByteRate, Nanos, Percent};

use crate::unquiet::Unquiet;
use crate::witness::tell;
use crate::{Event, ExperimentError, Site, Witness};

/// How long disks and processors must be quiet without a break, in seconds.
pub const QUIET_SECONDS: u64 = 5;
const QUIET_FOR: Nanos = Nanos::secs(QUIET_SECONDS);

/// Between two looks.
const LOOK: Nanos = Nanos::secs(1);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// A disk that moves more than this, or is busy for more of the time, would share itself with a measurement. Below lie
/// logs and the journals of filesystems.
const QUIET_RATE: ByteRate = ByteRate(1_048_576.0);
const QUIET_DISK: Percent = Percent::from_fraction(0.05);
/// Below lies what an idle system with a desktop does.
const QUIET_PROCESSORS: Percent = Percent::from_fraction(0.2);

/// Waits until the disks beneath `sites` and the processors were quiet for [`QUIET_SECONDS`], at most `limit`.
///
/// # Errors
/// [`ExperimentError::NotQuiet`] at the limit, and [`TargetLockError::Interrupted`] once `stop` is set.
pub(crate) fn wait_until_quiet(
    sites: &[&Site],
    limit: Nanos,
    stop: &AtomicBool,
    witness: &mut dyn Witness,
) -> Result<(), ExperimentError> {
    let unseen = unseen(sites.iter().map(|site| &site.tree));
    if !unseen.is_empty() {
        tell(witness, Event::Unseen { disks: &unseen })?;
    }
    let mut machine = MachineCounters::watched(sites, stop)?;
    wait(&mut machine, limit, &mut |found| {
        tell(witness, Event::Unquiet { found })
    })
}

/// Disks whose counters stand still whatever they do; each once.
fn unseen<'t>(trees: impl Iterator<Item = &'t StackTree>) -> Vec<String> {
    let layers = trees.flat_map(StackTree::layers);
    let unseen = layers.filter(|layer| layer.warnings.contains(&Warning::NoCounters));
    let mut names: Vec<String> = unseen.map(|layer| layer.name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// Gives what was unquiet, look after look.
trait Looks {
    /// The time since the last look and what was unquiet in it; `None` where the user has asked to stop.
    fn next(&mut self) -> Option<(Nanos, Vec<Unquiet>)>;
}

fn wait(
    looks: &mut impl Looks,
    limit: Nanos,
    told: &mut impl FnMut(&[Unquiet]) -> Result<(), ExperimentError>,
) -> Result<(), ExperimentError> {
    told(&[])?;
    let (mut spent, mut quiet) = (Nanos::ZERO, Nanos::ZERO);
    let mut last: Vec<Unquiet> = Vec::new();
    while let Some((span, found)) = looks.next() {
        spent = Nanos(spent.get() + span.get());
        quiet = match found.is_empty() {
            true => Nanos(quiet.get() + span.get()),
            false => Nanos::ZERO,
        };
        if quiet >= QUIET_FOR {
            return Ok(());
        }
        if !found.is_empty() {
            // Rates change with every look; what it is does not.
            if !last
                .iter()
                .map(Unquiet::name)
                .eq(found.iter().map(Unquiet::name))
            {
                told(&found)?;
            }
            last = found;
        }
        if spent >= limit {
            return Err(ExperimentError::NotQuiet { limit, found: last });
        }
    }
    Err(TargetLockError::Interrupted.into())
}

/// The machine's own counters.
struct MachineCounters<'a> {
    /// A monitor of each target, with the devices at the bottom of its stack.
    monitors: Vec<(Monitor, Vec<DevNo>)>,
    seen: Option<Nanos>,
    stop: &'a AtomicBool,
}

impl<'a> MachineCounters<'a> {
    fn watched(
        sites: &[&Site],
        stop: &'a AtomicBool,
    ) -> Result<MachineCounters<'a>, ExperimentError> {
        let mut monitors = Vec::new();
        for site in sites {
            let options = MonitorOptions {
                disks_every: LOOK,
                machine_every: LOOK,
                processes: true,
            };
            let layers = site.tree.layers().into_iter();
            let leaves = layers
                .filter(|layer| layer.is_leaf())
                .map(|layer| layer.devno);
            let monitor = Monitor::start(&site.tree, &Roots::default(), options)?;
            monitors.push((monitor, leaves.collect()));
        }
        Ok(MachineCounters {
            monitors,
            seen: None,
            stop,
        })
    }

    /// The first target's newest sample, once.
    fn sample(&mut self) -> Option<Sample> {
        let (first, _) = self.monitors.first()?;
        let sample = first
            .latest()
            .filter(|sample| self.seen != Some(sample.at))?;
        self.seen = Some(sample.at);
        // From the first look there is nothing to count from.
        (sample.span > Nanos::ZERO).then_some(sample)
    }
}

impl Looks for MachineCounters<'_> {
    fn next(&mut self) -> Option<(Nanos, Vec<Unquiet>)> {
        while !self.stop.load(Ordering::Relaxed) {
            let Some(sample) = self.sample() else {
                sleep(POLL_INTERVAL);
                continue;
            };
            let mut found: Vec<Unquiet> = Vec::new();
            for (monitor, leaves) in &self.monitors {
                let by = sample.processes.first();
                let latest = monitor.latest();
                let disks = latest.map(|seen| disks(&seen.disks, seen.span, leaves, by));
                for disk in disks.unwrap_or_default() {
                    if !found.iter().any(|known| known.name() == disk.name()) {
                        found.push(disk);
                    }
                }
            }
            found.extend(sample.cpu.and_then(|cpu| processors(&cpu)));
            return Some((sample.span, found));
        }
        None
    }
}

/// The devices of `leaves` that do more than an idle system does; `by` names who moves the most.
fn disks(
    seen: &[DiskActivity],
    span: Nanos,
    leaves: &[DevNo],
    by: Option<&ProcessActivity>,
) -> Vec<Unquiet> {
    let at_the_bottom = seen.iter().filter(|disk| leaves.contains(&disk.devno));
    let busy = at_the_bottom.filter_map(|disk| {
        let rates = DiskRates::of(disk.delta.as_ref()?, span);
        let rate = ByteRate(rates.read_rate.0 + rates.write_rate.0 + rates.discard_rate.0);
        let is_busy = rate.0 > QUIET_RATE.0 || rates.utilisation > QUIET_DISK;
        is_busy.then(|| Unquiet::Disk {
            name: disk.name.clone(),
            rate,
            busy: rates.utilisation,
            by: by.map(in_short),
        })
    });
    busy.collect()
}

fn in_short(process: &ProcessActivity) -> String {
    format!("{} (process {})", process.name, process.pid)
}

fn processors(cpu: &CpuShares) -> Option<Unquiet> {
    let idle = cpu.idle.fraction() + cpu.iowait.fraction();
    let busy = Percent::from_fraction((1.0 - idle).max(0.0));
    (busy > QUIET_PROCESSORS).then_some(Unquiet::Processors {
        busy,
        stolen: cpu.steal,
    })
}

#[cfg(test)]
mod tests {
    use etalon_model::stack::{BlockDelta, Layer, LayerKind, TargetKind};
    use etalon_units::Bytes;

    use super::*;

    /// Looks of a second each: what is unquiet in them.
    struct Scripted(std::vec::IntoIter<Vec<Unquiet>>);

    impl Looks for Scripted {
        fn next(&mut self) -> Option<(Nanos, Vec<Unquiet>)> {
            self.0.next().map(|found| (LOOK, found))
        }
    }

    fn disk(name: &str, rate: f64) -> Unquiet {
        Unquiet::Disk {
            name: name.to_owned(),
            rate: ByteRate(rate),
            busy: Percent::from_fraction(0.5),
            by: None,
        }
    }

    /// How it ends after these looks, what was told, and how many looks were left.
    fn waited(
        looks: Vec<Vec<Unquiet>>,
        limit: u64,
    ) -> (Result<(), ExperimentError>, Vec<String>, usize) {
        let (mut looks, mut told) = (Scripted(looks.into_iter()), Vec::new());
        let ended = wait(&mut looks, Nanos::secs(limit), &mut |found| {
            told.push(
                found
                    .iter()
                    .map(Unquiet::name)
                    .collect::<Vec<_>>()
                    .join(" "),
            );
            Ok(())
        });
        (ended, told, looks.0.len())
    }

    #[test]
    fn five_seconds_without_a_break_are_quiet() {
        let (ended, told, left) = waited(vec![vec![]; 9], 60);
        assert!(ended.is_ok());
        assert_eq!((told, left), (vec![String::new()], 4));
        let mut looks = vec![vec![]; 13];
        looks[3] = vec![disk("sda", 2e6)];
        looks[4] = vec![disk("sda", 9e6)];
        looks[6] = vec![disk("sda", 9e6), disk("sdb", 9e6)];
        let (ended, told, left) = waited(looks, 60);
        assert!(ended.is_ok());
        assert_eq!(
            (told, left),
            (["", "sda", "sda sdb"].map(str::to_owned).to_vec(), 1)
        );
    }

    #[test]
    fn at_the_limit_it_is_told_what_was_not_quiet() {
        let mut looks = vec![vec![disk("sda", 40e6)]; 8];
        looks.extend(vec![vec![]; 2]);
        let (ended, ..) = waited(looks, 10);
        let error = ended.unwrap_err().to_string();
        for part in [
            "after 10.0 s",
            "sda moves 38.1 MiB/s",
            "50 %",
            "--wait=quiet:4h",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }

    #[test]
    fn a_signal_ends_the_wait() {
        let (ended, ..) = waited(vec![vec![disk("sda", 4e7)]; 3], 60);
        let error = ended.unwrap_err().to_string();
        assert!(error.contains("interrupted while waiting"), "{error}");
    }

    #[test]
    fn logs_are_quiet_and_copies_are_not() {
        let devno = DevNo { major: 8, minor: 0 };
        let found = |kib: u64, io_ticks_ms, leaves: &[DevNo]| {
            let delta = BlockDelta {
                write_bytes: Bytes::kib(kib),
                io_ticks_ms,
                ..BlockDelta::default()
            };
            let seen = DiskActivity {
                devno,
                name: "sda".to_owned(),
                delta: Some(delta),
            };
            disks(&[seen], LOOK, leaves, None).len()
        };
        assert_eq!(found(64, 20, &[devno]), 0);
        assert_eq!(found(4096, 20, &[devno]), 1);
        assert_eq!(found(64, 300, &[devno]), 1);
        assert_eq!(found(4096, 900, &[]), 0);
    }

    #[test]
    fn disks_whose_counters_stand_still_are_named_once() {
        let layer = |name: &str, minor, warnings| Layer {
            name: name.to_owned(),
            devno: DevNo { major: 8, minor },
            node: format!("/dev/{name}"),
            uuid: None,
            size: Bytes::ZERO,
            read_only: false,
            queue: None,
            kind: LayerKind::Unknown { why: String::new() },
            warnings,
            below: Vec::new(),
        };
        let tree = StackTree {
            devices: vec![
                layer("sdb", 16, vec![Warning::NoCounters]),
                layer("sda", 0, vec![Warning::InMemory, Warning::NoCounters]),
                layer("sdc", 32, Vec::new()),
            ],
            ..StackTree::of_nothing("/srv", TargetKind::File)
        };
        assert_eq!(unseen([&tree, &tree].into_iter()), ["sda", "sdb"]);
    }

    #[test]
    fn waiting_for_a_disk_is_no_work_and_stolen_time_is() {
        let cpu = |idle, iowait, steal| CpuShares {
            idle: Percent::from_fraction(idle),
            iowait: Percent::from_fraction(iowait),
            steal: Percent::from_fraction(steal),
            ..CpuShares::default()
        };
        assert_eq!(processors(&cpu(0.3, 0.65, 0.0)), None);
        let stolen = processors(&cpu(0.5, 0.0, 0.4)).unwrap().to_string();
        assert!(
            stolen.contains("50 %") && stolen.contains("40 %"),
            "{stolen}"
        );
    }
}
