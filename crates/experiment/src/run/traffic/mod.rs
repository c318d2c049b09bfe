//! What the devices moved during a run, at the top and at the bottom of the stack.

use std::collections::BTreeSet;

use etalon_model::stack::{CounterDelta, LayerDelta, StackTree};
use etalon_model::{DeviceTraffic, Run};

/// The traffic of the devices directly beneath the target, and of the disks at the bottom where
/// they are others; `None` where there is no device or one of them was not counted.
pub(crate) fn traffic(
    tree: &StackTree,
    delta: &CounterDelta,
) -> (Option<DeviceTraffic>, Option<DeviceTraffic>) {
    let is_top = |layer: &&LayerDelta| {
        tree.top_devices()
            .iter()
            .any(|top| top.devno == layer.devno)
    };
    let top: Vec<&LayerDelta> = delta.layers.iter().filter(is_top).collect();
    let leaves: Vec<&LayerDelta> = delta.layers.iter().filter(|layer| layer.is_leaf).collect();
    let same = leaves.iter().all(is_top);
    (sum(&top), if same { None } else { sum(&leaves) })
}

fn sum(layers: &[&LayerDelta]) -> Option<DeviceTraffic> {
    if layers.is_empty() {
        return None;
    }
    let mut total = DeviceTraffic {
        flushes: Some(0),
        ..DeviceTraffic::default()
    };
    for layer in layers {
        let delta = layer.delta.as_ref()?;
        total.devices.push(layer.name.clone());
        total.read_bytes.0 += delta.read_bytes.get();
        total.written_bytes.0 += delta.write_bytes.get();
        total.read_requests += delta.read_ios;
        total.write_requests += delta.write_ios;
        total.flushes = total.flushes.zip(delta.flush_ios).map(|(a, b)| a + b);
    }
    Some(total)
}

/// Leaves each of several runs that were made at the same time its part of what the devices that
/// they share moved: of the bytes read as many as it read itself, of all that the runs read from
/// those devices, and of the bytes written alike. Counters know no owners; a shortage or surplus
/// falls on all alike. Flushes stay whole: a share of one says nothing.
pub(crate) fn apportion(runs: &mut [Run]) {
    let names: Vec<BTreeSet<String>> = runs.iter().map(devices_of).collect();
    let own: Vec<(f64, f64)> = runs.iter().map(own_bytes).collect();
    let parts = |devices: &[String], at: usize| {
        let shares = |index: &usize| devices.iter().any(|name| names[*index].contains(name));
        let sharers: Vec<usize> = (0..own.len()).filter(shares).collect();
        let total = |of: fn((f64, f64)) -> f64| sharers.iter().map(|&i| of(own[i])).sum::<f64>();
        let both = |(read, written)| read + written;
        let by_all = part(both(own[at]), total(both), 1.0);
        (
            part(own[at].0, total(|own| own.0), by_all),
            part(own[at].1, total(|own| own.1), by_all),
        )
    };
    for (at, run) in runs.iter_mut().enumerate() {
        for level in [&mut run.device, &mut run.leaves].into_iter().flatten() {
            let (read, written) = parts(&level.devices, at);
            let scaled = |count: u64, part: f64| (count as f64 * part).round() as u64;
            level.read_bytes.0 = scaled(level.read_bytes.0, read);
            level.read_requests = scaled(level.read_requests, read);
            level.written_bytes.0 = scaled(level.written_bytes.0, written);
            level.write_requests = scaled(level.write_requests, written);
        }
    }
}

fn part(own: f64, all: f64, otherwise: f64) -> f64 {
    if all > 0.0 { own / all } else { otherwise }
}

fn devices_of(run: &Run) -> BTreeSet<String> {
    let levels = run.device.iter().chain(&run.leaves);
    levels.flat_map(|level| level.devices.clone()).collect()
}

/// Bytes read and written, warm-up included.
fn own_bytes(run: &Run) -> (f64, f64) {
    let m = &run.measurement;
    let all = m.bytes_with_warm_up.as_f64();
    let read = part(m.reads.bytes.as_f64(), m.bytes().as_f64(), 0.0);
    (all * read, all * (1.0 - read))
}

#[cfg(test)]
mod tests;
