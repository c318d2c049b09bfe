//! The guest of the laboratory in which a run was made.

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A virtual machine with disks that answer as a model says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabGuest {
    /// How its processor ran: `kvm`, at the speed of this machine's, or `tcg`, emulated.
    pub accelerator: String,
    /// Its kernel's release.
    pub kernel: String,
    /// Its disks in their order: vda, vdb and so on.
    pub disks: Vec<LabDisk>,
    /// The network that the guest reached its own disk over; none where it used it as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<LabNetwork>,
}

/// A network within a guest, whose server and client are both that guest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabNetwork {
    /// What is spoken over it, as `etalon lab list` has it.
    pub protocol: String,
    /// What was added to the way of each packet; a round trip takes it twice.
    #[serde(rename = "delay_ns")]
    pub delay: Nanos,
}

/// A modelled disk of a guest, and how well it kept to its model from the guest's start to the run's end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabDisk {
    /// The model, as `etalon lab list` has it.
    pub model: String,
    /// Its size.
    #[serde(rename = "size_bytes")]
    pub size: Bytes,
    /// Requests that were answered.
    pub answers: u64,
    /// Of them those that left more than 0.1 ms and more than a tenth of their own time after the model's time.
    pub late_answers: u64,
    /// The most by which an answer was late.
    #[serde(rename = "latest_ns")]
    pub latest: Nanos,
}

impl LabGuest {
    /// Share of the late answers of all its disks; 0 without any.
    #[expect(clippy::cast_precision_loss, reason = "below 2^53 answers")]
    pub fn late_share(&self) -> f64 {
        let sum = |of: fn(&LabDisk) -> u64| self.disks.iter().map(of).sum::<u64>() as f64;
        sum(|disk| disk.late_answers) / sum(|disk| disk.answers).max(1.0)
    }
}
