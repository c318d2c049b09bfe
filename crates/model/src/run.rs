//! One execution of a cell.

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Circumstances, DeviceTraffic, Ended, EnvironmentRecord, Finding, Measurement, Workload,
};

/// The store's number for a run or an experiment.
pub type RunId = i64;

/// One execution of a cell, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    #[serde(rename = "elapsed_ns", alias = "elapsed")]
    pub elapsed: Nanos,
    /// What was done.
    pub workload: Workload,
    /// What the engine saw.
    pub measurement: Measurement,
    /// What the block devices directly beneath the target moved meanwhile; `None` where there is
    /// none.
    pub device: Option<DeviceTraffic>,
    /// What the disks at the bottom of the stack moved; `None` where they are the same devices, or
    /// not known.
    #[serde(default)]
    pub leaves: Option<DeviceTraffic>,
    /// What surrounded it.
    #[serde(default)]
    pub circumstances: Circumstances,
    /// What the checks made of it.
    pub findings: Vec<Finding>,
}

impl Run {
    /// Whether it was cut short by a wish to stop; it is kept, and is in no figure.
    pub fn is_cut(&self) -> bool {
        self.measurement.ended == Ended::Interrupted
    }

    /// Share of the bytes read that the devices really served, above 1 with readahead; `None`
    /// when nothing was read or no device is known. Of the top and the bottom of the stack the
    /// lower share counts: a cache between them serves what the bottom did not.
    pub fn device_read_share(&self) -> Option<f64> {
        let m = &self.measurement;
        let read_only = m.reads.bytes > Bytes::ZERO && m.writes.bytes == Bytes::ZERO;
        read_only.then(|| self.least_share(|traffic| traffic.read_bytes))?
    }

    /// Share of the bytes written that the devices really took, above 1 with journals and mirrors;
    /// `None` when nothing was written or no device is known.
    pub fn device_write_share(&self) -> Option<f64> {
        let m = &self.measurement;
        let write_only = m.writes.bytes > Bytes::ZERO && m.reads.bytes == Bytes::ZERO;
        write_only.then(|| self.least_share(|traffic| traffic.written_bytes))?
    }

    /// The environment that it was made in, where that was kept.
    pub fn environment(&self) -> Option<&EnvironmentRecord> {
        self.circumstances.environment.as_ref()?.record.as_deref()
    }

    /// Bytes that the disks write for each byte of data by the layout of the stack; 1 where that is
    /// not known.
    pub fn expected_write_copies(&self) -> f64 {
        let beneath = self.circumstances.beneath.as_ref();
        beneath.map_or(1.0, |beneath| beneath.write_copies.max(1.0))
    }

    fn least_share(&self, bytes: fn(&DeviceTraffic) -> Bytes) -> Option<f64> {
        let own = self.measurement.bytes_with_warm_up.as_f64();
        let levels = self.device.iter().chain(&self.leaves);
        levels
            .map(|traffic| bytes(traffic).as_f64() / own.max(1.0))
            .min_by(f64::total_cmp)
    }
}

/// What was measured and what lies beneath it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TargetRecord {
    /// The path as it was resolved.
    pub path: String,
    /// What lies beneath, in one line.
    pub beneath: String,
    /// The leaf devices, by kernel name; empty where there is no block device.
    pub devices: Vec<String>,
}
