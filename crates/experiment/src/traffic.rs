//! What the devices moved during a run, at the top and at the bottom of the stack.

use etalon_model::DeviceTraffic;
use etalon_model::stack::{CounterDelta, LayerDelta, StackTree};

/// The traffic of the devices directly beneath the target, and of the disks at the bottom where
/// they are others; `None` where there is no device or one of them was not counted.
pub(crate) fn traffic(
    tree: &StackTree,
    delta: &CounterDelta,
) -> (Option<DeviceTraffic>, Option<DeviceTraffic>) {
    let is_top = |layer: &&LayerDelta| tree.devices.iter().any(|top| top.devno == layer.devno);
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
