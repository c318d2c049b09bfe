//! Clock, heat and power, where the machine has meters for them.

use std::path::PathBuf;

use etalon_model::stack::SensorReading;
use etalon_units::Nanos;

use super::reread::Reread;
use crate::context::Context;
use crate::roots::Roots;

/// A meter that counts energy; power is the difference over time.
struct EnergyMeter {
    name: String,
    file: Reread,
    /// Where the count starts anew, in microjoules.
    wraps_at: Option<u64>,
    before: Option<(u64, Nanos)>,
}

/// The machine's meters, kept open.
pub(super) struct Sensors {
    clocks: Vec<Reread>,
    throttles: Vec<Reread>,
    throttled_before: Option<u64>,
    temperatures: Vec<(String, Reread)>,
    powers: Vec<(String, Reread)>,
    energies: Vec<EnergyMeter>,
}

impl Sensors {
    pub(super) fn open(roots: &Roots) -> Sensors {
        let context = Context::new(roots);
        let mut sensors = Sensors {
            clocks: Vec::new(),
            throttles: Vec::new(),
            throttled_before: None,
            temperatures: Vec::new(),
            powers: Vec::new(),
            energies: Vec::new(),
        };
        sensors.open_cpus(&context);
        sensors.open_hwmon(&context);
        sensors.open_zones(&context);
        sensors.open_rapl(&context);
        sensors.open_supplies(&context);
        sensors
    }

    fn open_cpus(&mut self, context: &Context<'_>) {
        let all = context.roots.sysfs.join("devices/system/cpu");
        let is_cpu = |name: &String| {
            let number = name.strip_prefix("cpu");
            number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        };
        for name in context.names(&all).into_iter().filter(is_cpu) {
            let cpu = all.join(name);
            self.clocks
                .extend(Reread::open(&cpu.join("cpufreq/scaling_cur_freq")));
            self.throttles.extend(Reread::open(
                &cpu.join("thermal_throttle/core_throttle_count"),
            ));
        }
    }

    /// hwmon counts temperatures in thousandths of a degree, power in microwatts
    /// (the kernel's hwmon/sysfs-interface.rst).
    fn open_hwmon(&mut self, context: &Context<'_>) {
        let all = context.roots.sysfs.join("class/hwmon");
        for chip in context.names(&all) {
            let directory = all.join(chip);
            let chip = context.attr(directory.join("name")).unwrap_or_default();
            for file in context.names(&directory) {
                let Some(sensor) = file
                    .strip_suffix("_input")
                    .or(file.strip_suffix("_average"))
                else {
                    continue;
                };
                let label = context.attr(directory.join(format!("{sensor}_label")));
                let name = format!("{chip} {}", label.as_deref().unwrap_or(sensor));
                let opened = Reread::open(&directory.join(&file)).map(|f| (name, f));
                if sensor.starts_with("temp") {
                    self.temperatures.extend(opened);
                } else if sensor.starts_with("power") {
                    self.powers.extend(opened);
                }
            }
        }
    }

    fn open_zones(&mut self, context: &Context<'_>) {
        let all = context.roots.sysfs.join("class/thermal");
        let zones = context
            .names(&all)
            .into_iter()
            .filter(|n| n.starts_with("thermal_zone"));
        for zone in zones {
            let directory = all.join(&zone);
            let name = context.attr(directory.join("type")).unwrap_or(zone);
            self.temperatures
                .extend(Reread::open(&directory.join("temp")).map(|f| (name, f)));
        }
    }

    /// RAPL counts microjoules (the kernel's power/powercap.rst); root only on most machines.
    fn open_rapl(&mut self, context: &Context<'_>) {
        let all = context.roots.sysfs.join("class/powercap");
        for zone in context.names(&all) {
            let directory: PathBuf = all.join(&zone);
            let Some(file) = Reread::open(&directory.join("energy_uj")) else {
                continue;
            };
            self.energies.push(EnergyMeter {
                name: context.attr(directory.join("name")).unwrap_or(zone),
                wraps_at: context.value(directory.join("max_energy_range_uj")),
                before: None,
                file,
            });
        }
    }

    fn open_supplies(&mut self, context: &Context<'_>) {
        let all = context.roots.sysfs.join("class/power_supply");
        for supply in context.names(&all) {
            let opened = Reread::open(&all.join(&supply).join("power_now"));
            self.powers.extend(opened.map(|f| (supply, f)));
        }
    }

    /// Mean clock of the CPUs; the kernel counts kHz.
    pub(super) fn cpu_mhz(&mut self) -> Option<f64> {
        let clocks: Vec<f64> = self
            .clocks
            .iter_mut()
            .filter_map(|clock| clock.number::<u64>())
            .map(|khz| khz as f64)
            .collect();
        (!clocks.is_empty()).then(|| clocks.iter().sum::<f64>() / clocks.len() as f64 / 1000.0)
    }

    /// How often CPUs were throttled for heat since the last look.
    pub(super) fn throttled(&mut self) -> Option<u64> {
        if self.throttles.is_empty() {
            return None;
        }
        let counts = self.throttles.iter_mut().filter_map(Reread::number::<u64>);
        let now = counts.fold(0_u64, u64::saturating_add);
        let before = self.throttled_before.replace(now)?;
        Some(now.saturating_sub(before))
    }

    /// Degrees Celsius.
    pub(super) fn temperatures(&mut self) -> Vec<SensorReading> {
        readings(&mut self.temperatures, 1e3)
    }

    /// Watts.
    pub(super) fn power(&mut self, at: Nanos) -> Vec<SensorReading> {
        let mut found = readings(&mut self.powers, 1e6);
        found.extend(self.energies.iter_mut().filter_map(|meter| meter.watts(at)));
        found
    }
}

fn readings(files: &mut [(String, Reread)], per_unit: f64) -> Vec<SensorReading> {
    let read = files.iter_mut().filter_map(|(name, file)| {
        let value: f64 = file.number()?;
        value.is_finite().then(|| SensorReading {
            name: name.clone(),
            value: value / per_unit,
        })
    });
    read.collect()
}

impl EnergyMeter {
    fn watts(&mut self, at: Nanos) -> Option<SensorReading> {
        let now: u64 = self.file.number()?;
        let (before, then) = self.before.replace((now, at))?;
        let joules = energy_between(before, now, self.wraps_at)? as f64 / 1e6;
        let seconds = at.saturating_sub(then).as_secs_f64();
        (seconds > 0.0).then(|| SensorReading {
            name: self.name.clone(),
            value: joules / seconds,
        })
    }
}

/// Microjoules between two counts; none when the count went down and its range is not known.
fn energy_between(before: u64, now: u64, wraps_at: Option<u64>) -> Option<u64> {
    now.checked_sub(before)
        .or_else(|| wraps_at?.checked_sub(before)?.checked_add(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_testbed::put;

    #[test]
    fn energy_counts_wrap() {
        assert_eq!(energy_between(10, 25, None), Some(15));
        assert_eq!(energy_between(90, 5, Some(100)), Some(15));
        assert_eq!(energy_between(90, 5, None), None);
    }

    #[test]
    fn meters_are_found_and_scaled() {
        let machine = tempfile::tempdir().unwrap();
        let sysfs = machine.path().join("sys");
        let write = |path: &str, text: &str| put(&sysfs, path, text);
        write("class/hwmon/hwmon0/name", "nvme\n");
        write("class/hwmon/hwmon0/temp1_input", "41850\n");
        write("class/hwmon/hwmon0/temp1_label", "Composite\n");
        write("class/powercap/intel-rapl:0/name", "package-0\n");
        write("class/powercap/intel-rapl:0/energy_uj", "5000000\n");
        write(
            "devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
            "2000000\n",
        );
        write(
            "devices/system/cpu/cpu1/cpufreq/scaling_cur_freq",
            "3000000\n",
        );
        write("devices/system/cpu/cpufreq/nothing", "1\n");
        let mut sensors = Sensors::open(&Roots::under(machine.path()));
        assert_eq!(sensors.cpu_mhz(), Some(2500.0));
        let temperature = sensors.temperatures();
        assert_eq!(
            (temperature[0].name.as_str(), temperature[0].value),
            ("nvme Composite", 41.85)
        );
        assert!(sensors.power(Nanos::secs(1)).is_empty());
        write("class/powercap/intel-rapl:0/energy_uj", "35000000\n");
        assert_eq!(sensors.power(Nanos::secs(3))[0].value, 15.0);
        assert_eq!(sensors.throttled(), None);
    }
}
