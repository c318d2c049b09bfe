//! Limits that were set on this process and on the devices that it uses, and what came of them.

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stack::DevNo;

/// What a limit of a control group counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LimitedQuantity {
    /// Bytes read in a second.
    ReadBytes,
    /// Bytes written in a second.
    WriteBytes,
    /// Requests to read in a second.
    ReadRequests,
    /// Requests to write in a second.
    WriteRequests,
}

/// What a control group allows on a device, in a second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceLimit {
    /// The device.
    pub device: DevNo,
    /// What is counted.
    pub quantity: LimitedQuantity,
    /// The most of it in a second.
    pub per_second: u64,
    /// The file that holds the limit (`io.max`, `blkio.throttle.read_bps_device`).
    pub file: String,
    /// What the group that has the limit moved under it during the run, others in that group included; none where the kernel
    /// does not tell, and in what older versions kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<GroupTraffic>,
}

impl DeviceLimit {
    /// Whether both are the same limit, whatever was moved under them.
    pub fn is_same(&self, other: &DeviceLimit) -> bool {
        let of = |limit: &DeviceLimit| (limit.device, limit.quantity, limit.per_second);
        of(self) == of(other) && self.file == other.file
    }
}

/// What a control group moved on a device in the direction that is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupTraffic {
    /// Bytes.
    pub bytes: Bytes,
    /// The requests that they came in.
    pub requests: u64,
}

impl GroupTraffic {
    /// What was moved since `earlier`; totals that went down count as nothing.
    #[must_use]
    pub fn since(self, earlier: GroupTraffic) -> GroupTraffic {
        GroupTraffic {
            bytes: Bytes(self.bytes.get().saturating_sub(earlier.bytes.get())),
            requests: self.requests.saturating_sub(earlier.requests),
        }
    }
}

/// What the quotas of processor time did to the groups of this process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessorQuota {
    /// Processors that the tightest group may use.
    #[serde(with = "crate::float")]
    #[schemars(with = "Option<f64>")]
    pub processors: f64,
    /// Periods in which a group ran, of the one that was stopped most.
    pub periods: u64,
    /// Of them those in which it had used up its time and was stopped.
    pub throttled_periods: u64,
    /// How long its threads stood still for that, all together.
    #[serde(rename = "throttled_ns")]
    pub throttled: Nanos,
}

impl ProcessorQuota {
    /// What happened since `earlier`; totals that went down count as nothing.
    #[must_use]
    pub fn since(self, earlier: Option<ProcessorQuota>) -> ProcessorQuota {
        let before = earlier.unwrap_or_default();
        ProcessorQuota {
            processors: self.processors,
            periods: self.periods.saturating_sub(before.periods),
            throttled_periods: self
                .throttled_periods
                .saturating_sub(before.throttled_periods),
            throttled: self.throttled.saturating_sub(before.throttled),
        }
    }
}

/// The limits that held around a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Limits {
    /// Those on devices, of every group that holds this process.
    pub devices: Vec<DeviceLimit>,
    /// Those on processor time; `None` without any.
    pub processor: Option<ProcessorQuota>,
}
