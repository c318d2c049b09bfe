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
    /// The file of this machine that was its first disk; none where that is a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<LabImage>,
    /// The disk image whose programs and libraries it ran with; none where those were of the machine that it ran on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The network that the guest reached its own disk over; none where it used it as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<LabNetwork>,
}

/// A disk of a guest that is a file of the machine that it ran on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabImage {
    /// How the file holds the disk: `raw` or `qcow2`.
    pub format: String,
    /// The cache mode of the hypervisor: `none`, `writeback` and so on.
    pub cache: String,
    /// The size of the disk.
    #[serde(rename = "size_bytes")]
    pub size: Bytes,
    /// What the file lies on, as a sentence for people: its filesystem and the devices beneath.
    pub beneath: String,
}

/// A network that a guest reached its disk over, whose server is that guest as well or another one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabNetwork {
    /// What is spoken over it, as `etalon lab list` has it.
    pub protocol: String,
    /// What was added to the way of each packet; a round trip takes it twice.
    #[serde(rename = "delay_ns")]
    pub delay: Nanos,
    /// Whether the server was a guest of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub apart: bool,
}

/// A modelled disk of a guest, and how well it kept to its model from the end of the run before, or the guest's start, to
/// this one's end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabDisk {
    /// The model, as `etalon lab list` has it.
    pub model: String,
    /// Its size.
    #[serde(rename = "size_bytes")]
    pub size: Bytes,
    /// Requests that were answered.
    pub answers: u64,
    /// Of them those that took longer than the model says by more than 0.1 ms and more than a tenth of it, the way of their data included.
    pub late_answers: u64,
    /// The most by which an answer was late, since the guest's start.
    #[serde(rename = "latest_ns")]
    pub latest: Nanos,
}

impl LabGuest {
    /// The same with the answers that its disks have given since they had given these.
    #[must_use]
    pub fn since(mut self, before: &LabGuest) -> LabGuest {
        for (disk, earlier) in self.disks.iter_mut().zip(&before.disks) {
            disk.answers = disk.answers.saturating_sub(earlier.answers);
            disk.late_answers = disk.late_answers.saturating_sub(earlier.late_answers);
        }
        self
    }

    /// Share of the late answers of all its disks; 0 without any.
    #[expect(clippy::cast_precision_loss, reason = "below 2^53 answers")]
    pub fn late_share(&self) -> f64 {
        let sum = |of: fn(&LabDisk) -> u64| self.disks.iter().map(of).sum::<u64>() as f64;
        sum(|disk| disk.late_answers) / sum(|disk| disk.answers).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_the_answers_that_came_since_the_one_before() {
        let after = |answers, late_answers| LabGuest {
            disks: vec![LabDisk {
                answers,
                late_answers,
                ..LabDisk::default()
            }],
            ..LabGuest::default()
        };
        // What was late while the guest booted is none of a run's.
        let run = after(1_000, 50).since(&after(900, 50));
        assert_eq!(run, after(100, 0));
        assert_eq!(after(5, 1).since(&LabGuest::default()), after(5, 1));
    }
}
