//! How busy, how hot and how hungry the machine was.

use etalon_model::MachineMeters;
use etalon_model::stack::{CpuShares, Sample, SensorReading};
use etalon_units::Percent;

/// The meters over these samples of the monitor.
pub(super) fn over(samples: &[Sample]) -> MachineMeters {
    MachineMeters {
        cpu_busy: mean(samples, |sample| sample.cpu.as_ref().map(busy)),
        power_watts: by_name(samples, |sample| &sample.power, average),
        temperatures_celsius: by_name(samples, |sample| &sample.temperatures, highest),
    }
}

/// The mean over the samples, each weighted with its length.
pub(super) fn mean(samples: &[Sample], of: impl Fn(&Sample) -> Option<Percent>) -> Option<Percent> {
    let weighted = samples
        .iter()
        .filter_map(|sample| Some((of(sample)?.fraction(), sample.span.as_secs_f64())));
    let (sum, time) = weighted.fold((0.0, 0.0), |(sum, time), (share, span)| {
        (sum + share * span, time + span)
    });
    (time > 0.0).then(|| Percent::from_fraction(sum / time))
}

/// What the hypervisor took for others is no work of this machine's.
fn busy(shares: &CpuShares) -> Percent {
    let parts = [shares.user, shares.system, shares.interrupts];
    Percent::from_fraction(parts.iter().map(|part| part.fraction()).sum())
}

/// One figure for each name, in the order in which they first come.
fn by_name(
    samples: &[Sample],
    of: fn(&Sample) -> &Vec<SensorReading>,
    figure: fn(&[f64]) -> f64,
) -> Vec<SensorReading> {
    let mut names: Vec<&str> = Vec::new();
    for reading in samples.iter().flat_map(of) {
        if !names.contains(&reading.name.as_str()) {
            names.push(&reading.name);
        }
    }
    let values = |name: &str| -> Vec<f64> {
        let all = samples.iter().flat_map(of);
        all.filter(|r| r.name == name).map(|r| r.value).collect()
    };
    let summary = |name: &str| SensorReading {
        name: name.to_owned(),
        value: figure(&values(name)),
    };
    names.into_iter().map(summary).collect()
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn highest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use etalon_units::Nanos;

    use super::*;

    fn reading(name: &str, value: f64) -> SensorReading {
        SensorReading {
            name: name.to_owned(),
            value,
        }
    }

    fn sample(seconds: u64, user: f64, watts: f64, degrees: f64) -> Sample {
        let share = Percent::from_fraction;
        Sample {
            at: Nanos::ZERO,
            span: Nanos::secs(seconds),
            disks: Vec::new(),
            cpu: Some(CpuShares {
                user: share(user),
                system: share(0.1),
                steal: share(0.3),
                ..CpuShares::default()
            }),
            memory: None,
            pressure: None,
            processes: Vec::new(),
            cpu_mhz: None,
            throttled: None,
            temperatures: vec![reading("nvme", degrees)],
            power: vec![reading("package-0", watts), reading("dram", 1.0)],
        }
    }

    #[test]
    fn power_is_averaged_and_heat_is_the_highest() {
        let meters = over(&[sample(1, 0.2, 10.0, 41.0), sample(3, 0.6, 20.0, 39.0)]);
        let busy = meters.cpu_busy.unwrap().fraction();
        assert!((busy - 0.6).abs() < 1e-9, "{busy}");
        let watts = [reading("package-0", 15.0), reading("dram", 1.0)];
        assert_eq!(meters.power_watts, watts);
        assert_eq!(meters.temperatures_celsius, [reading("nvme", 41.0)]);
    }

    #[test]
    fn without_meters_nothing_is_made_up() {
        assert_eq!(over(&[]), MachineMeters::default());
    }
}
