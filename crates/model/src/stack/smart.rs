//! What a disk tells of its own health.

use etalon_units::Percent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The health of a disk by its own account (SMART); each protocol tells a part of it, and what a
/// disk does not tell is none.
///
/// Counts are those of the disk's life. Sources: NVM Express Base Specification, SMART / Health
/// Information log page (02h); ACS-3, SMART feature set, with the attributes as vendors have
/// agreed on them; SPC-4, log pages 2Fh (informational exceptions) and 0Dh (temperature).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Smart {
    /// The disk's own verdict: false means that it expects to fail, or has failed in part.
    pub passed: Option<bool>,
    /// What the disk complains of, in words; empty when it does not.
    pub alarms: Vec<String>,
    /// Temperature in degrees Celsius.
    pub temperature_celsius: Option<f64>,
    /// Spare blocks still available, as a share of those at first (NVMe).
    pub available_spare: Option<Percent>,
    /// Share of spare blocks below which the disk warns (NVMe).
    pub spare_threshold: Option<Percent>,
    /// Share of the rated endurance that is used up; may exceed 100 % (NVMe).
    pub endurance_used: Option<Percent>,
    /// Unrecovered errors of the medium (NVMe).
    pub media_errors: Option<u64>,
    /// Times that power went away without notice (NVMe).
    pub unsafe_shutdowns: Option<u64>,
    /// Hours with power on (NVMe; ATA attribute 9).
    pub power_on_hours: Option<u64>,
    /// Sectors replaced by spare ones (ATA attribute 5).
    pub reallocated_sectors: Option<u64>,
    /// Errors that could not be corrected and were reported to the machine (ATA attribute 187).
    pub reported_uncorrectable: Option<u64>,
    /// Sectors that could not be read and wait to be replaced (ATA attribute 197 of a disk that turns).
    pub pending_sectors: Option<u64>,
    /// Sectors found unreadable by the disk's own scan (ATA attribute 198 of a disk that turns).
    pub offline_uncorrectable: Option<u64>,
    /// ATA attribute 197 of a disk of flash: each maker counts something else in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute_197: Option<u64>,
    /// ATA attribute 198 of a disk of flash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute_198: Option<u64>,
    /// Transfers with a wrong checksum, which a bad cable causes (ATA attribute 199).
    pub crc_errors: Option<u64>,
}
