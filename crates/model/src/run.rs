//! One execution of a cell.

use etalon_units::Nanos;
use serde::{Deserialize, Serialize};

use crate::{DeviceTraffic, Finding, Measurement, Workload};

/// The store's number for a run or an experiment.
pub type RunId = i64;

/// One execution of a cell, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The cell's name within its experiment, for example `random read 4 KiB, depth 32`.
    pub cell: String,
    /// Which block of the experiment it belongs to, from 0.
    pub block: u32,
    /// Its place in the order of all runs of the experiment, from 0.
    pub position: u32,
    /// When it started, in nanoseconds since 1970-01-01 UTC.
    pub started_unix_ns: i64,
    /// How long it took, preparation and clean-up included.
    pub elapsed: Nanos,
    /// What was done.
    pub workload: Workload,
    /// What the engine saw.
    pub measurement: Measurement,
    /// What the devices beneath the target moved meanwhile; `None` where there is no block device.
    pub device: Option<DeviceTraffic>,
    /// What the checks made of it.
    pub findings: Vec<Finding>,
}

impl Run {
    /// Share of the bytes read that the devices really served, above 1 with readahead; `None`
    /// when nothing was read or no device is known.
    pub fn device_read_share(&self) -> Option<f64> {
        let device = self.device.as_ref()?;
        let m = &self.measurement;
        (m.reads.bytes.get() > 0 && m.writes.bytes.get() == 0)
            .then(|| share(device.read_bytes.as_f64(), m.bytes_with_warm_up.as_f64()))
    }

    /// Share of the bytes written that the devices really took; `None` when nothing was written
    /// or no device is known.
    pub fn device_write_share(&self) -> Option<f64> {
        let device = self.device.as_ref()?;
        let m = &self.measurement;
        (m.writes.bytes.get() > 0 && m.reads.bytes.get() == 0)
            .then(|| share(device.written_bytes.as_f64(), m.bytes_with_warm_up.as_f64()))
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// What was measured and what lies beneath it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetRecord {
    /// The path as it was resolved.
    pub path: String,
    /// What lies beneath, in one line.
    pub beneath: String,
    /// The leaf devices, by kernel name; empty where there is no block device.
    pub devices: Vec<String>,
}
