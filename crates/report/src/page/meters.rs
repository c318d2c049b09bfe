//! The machine's meters beside the figures: how busy the processors were, power and heat.

use etalon_language::{figure, say};
use etalon_model::stack::SensorReading;
use etalon_model::{MachineMeters, Run};
use etalon_units::Percent;

use crate::figures::ABSENT;
use crate::median::median;

/// One figure of the meters, with its unit.
#[derive(Clone, Copy)]
pub(super) struct Meter {
    read: fn(&MachineMeters) -> Option<f64>,
    show: fn(f64) -> String,
}

pub(super) const CPU: Meter = Meter {
    read: |meters| meters.cpu_busy.map(Percent::fraction),
    show: |share| figure(Percent::from_fraction(share)),
};

/// Of the first meter that the machine has.
pub(super) const POWER: Meter = Meter {
    read: |meters| meters.power_watts.first().map(|reading| reading.value),
    show: watts,
};

/// Of the hottest sensor.
pub(super) const HEAT: Meter = Meter {
    read: |meters| {
        let values = meters.temperatures_celsius.iter().map(|r| r.value);
        values.reduce(f64::max)
    },
    show: degrees,
};

fn watts(value: f64) -> String {
    figure(format!("{value:.1} W"))
}

fn degrees(value: f64) -> String {
    format!("{value:.0} °C")
}

/// The median over these runs.
pub(super) fn shown(runs: &[&Run], meter: Meter) -> String {
    let meters = runs.iter().filter_map(|run| {
        let machine = run.circumstances.machine.as_ref()?;
        (meter.read)(machine.meters.as_ref()?)
    });
    median(meters).map_or_else(|| ABSENT.to_owned(), meter.show)
}

/// `Before the first run: processors 3.1 % busy, package-0 12.1 W, nvme Composite 38 °C.`
pub(super) fn idle(runs: &[Run]) -> Option<String> {
    let meters = runs.first()?.circumstances.idle_meters.as_ref()?;
    let busy = meters
        .cpu_busy
        .map(|share| say!("page-processors-busy", share = share));
    let mut parts: Vec<String> = busy.into_iter().collect();
    let named = |reading: &SensorReading, show: fn(f64) -> String| {
        format!("{} {}", reading.name, show(reading.value))
    };
    parts.extend(meters.power_watts.iter().map(|r| named(r, watts)));
    parts.extend(
        meters
            .temperatures_celsius
            .iter()
            .map(|r| named(r, degrees)),
    );
    (!parts.is_empty()).then(|| say!("page-idle", meters = parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use etalon_model::MachineActivity;

    use super::*;
    use crate::samples;

    fn metered(busy: f64, watts: f64, degrees: &[f64]) -> MachineMeters {
        let reading = |(name, value): (&str, f64)| SensorReading {
            name: name.to_owned(),
            value,
        };
        MachineMeters {
            cpu_busy: Some(Percent::from_fraction(busy)),
            power_watts: vec![reading(("package-0", watts))],
            temperatures_celsius: degrees.iter().map(|&d| reading(("nvme", d))).collect(),
        }
    }

    fn run(meters: Option<MachineMeters>) -> Run {
        let (_, mut run) = samples::step();
        run.circumstances.idle_meters = meters.as_ref().map(|_| metered(0.03, 9.0, &[35.4]));
        run.circumstances.machine = Some(MachineActivity {
            meters,
            ..MachineActivity::default()
        });
        run
    }

    #[test]
    fn load_stands_in_the_columns_and_idle_in_a_sentence() {
        let runs = [
            run(Some(metered(0.5, 20.0, &[41.0, 52.0]))),
            run(Some(metered(0.7, 24.04, &[60.0]))),
            run(Some(metered(0.6, 22.0, &[55.0]))),
        ];
        let all: Vec<&Run> = runs.iter().collect();
        let shown = [CPU, POWER, HEAT].map(|meter| shown(&all, meter));
        assert_eq!(shown, ["60 %", "22.0 W", "55 °C"]);
        let of_two = [CPU, POWER, HEAT].map(|meter| super::shown(&all[..2], meter));
        assert_eq!(of_two, ["60 %", "22.0 W", "56 °C"]);
        let said = idle(&runs).unwrap();
        let expected = "Before the first run: processors 3.0 % busy, package-0 9.0 W, nvme 35 °C.";
        assert_eq!(said, expected);
    }

    #[test]
    fn a_machine_without_meters_has_neither() {
        let runs = [run(None)];
        assert_eq!(shown(&[&runs[0]], POWER), ABSENT);
        assert_eq!(idle(&runs), None);
    }
}
