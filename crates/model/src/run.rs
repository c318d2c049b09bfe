//! One execution of a cell.

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Circumstances, DeviceTraffic, Ended, EnvironmentRecord, Finding, Measurement, Severity,
    Workload, optional, stack::DeviceClass,
};

/// Standard deviations of a random mixture within which its parts are held to lie.
const CHANCE: f64 = 4.0;

/// The store's number for a run or an experiment.
pub type RunId = i64;

/// One execution of a cell, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = optional::elapsed)]
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
    #[serde(default, rename = "elapsed_ns", alias = "elapsed")]
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
    /// The first run of a cell, of which nothing is known but what was measured.
    pub fn of(cell: &str, workload: impl Into<Workload>, measurement: Measurement) -> Run {
        Run {
            cell: cell.to_owned(),
            block: 0,
            position: 0,
            started_unix_ns: 0,
            elapsed: measurement.duration,
            workload: workload.into(),
            measurement,
            device: None,
            leaves: None,
            circumstances: Circumstances::default(),
            findings: Vec::new(),
        }
    }

    /// The bytes that its accesses spread over; `None` where they are not known.
    pub fn working_set(&self) -> Option<Bytes> {
        let io = self.workload.io()?;
        let files = self.circumstances.files.map(|files| files.size);
        let known = [io.range, files.unwrap_or_default(), io.file_size];
        known.into_iter().find(|size| *size > Bytes::ZERO)
    }

    /// The block that it shares with those runs of its experiment that were made shortly before and after it; `None` where
    /// another program measured and nobody told.
    pub fn known_block(&self) -> Option<u32> {
        let published = self.circumstances.published.as_ref();
        let is_told = published.is_none_or(|published| published.tells_block);
        is_told.then_some(self.block)
    }

    /// Whether it was cut short by a wish to stop; it is kept, and is in no figure.
    pub fn is_cut(&self) -> bool {
        self.measurement.ended == Ended::Interrupted
    }

    /// Whether it did not come to its end, and nobody wished that.
    pub fn has_failed(&self) -> bool {
        !matches!(self.measurement.ended, Ended::Complete | Ended::Interrupted)
    }

    /// Whether a check calls it invalid; it is kept, and is in no figure of a cell that has valid runs.
    pub fn is_invalid(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|finding| finding.severity == Severity::Invalid)
    }

    /// Share of the bytes read that the devices really served, above 1 with readahead; `None` when
    /// nothing was read, where real work wrote as well (it may read what it has just written), or
    /// when no device is known. Of the top and the bottom of the stack the lower share counts: a
    /// cache between them serves what the bottom did not.
    pub fn device_read_share(&self) -> Option<f64> {
        self.least_share(self.own_read()?, |level| level.traffic.read_bytes.as_f64())
    }

    /// Share of the bytes written that the devices really took, above 1 with journals and mirrors;
    /// `None` when nothing was written, where real work read as well, or when no device is known.
    pub fn device_write_share(&self) -> Option<f64> {
        let own = self.own_written()?;
        self.least_share(own, |level| level.traffic.written_bytes.as_f64())
    }

    /// The same with the copies of each level of the stack taken for one: of an array of mirrors the
    /// device takes each byte once, and its disks take it once each.
    pub fn kept_write_share(&self) -> Option<f64> {
        let own = self.own_written()?;
        self.least_share(own, |level| {
            level.traffic.written_bytes.as_f64() / level.copies
        })
    }

    /// Bytes that it read, warm-up included: what the devices must have served. `None` where that
    /// is no question, as for [`Run::device_read_share`].
    pub fn own_read(&self) -> Option<Bytes> {
        self.own_bytes(self.measurement.reads.bytes)
    }

    /// Bytes that it wrote, warm-up included: what the devices must have taken.
    pub fn own_written(&self) -> Option<Bytes> {
        self.own_bytes(self.measurement.writes.bytes)
    }

    /// Whether it both read and wrote data.
    pub fn is_mixture(&self) -> bool {
        let m = &self.measurement;
        m.reads.bytes > Bytes::ZERO && m.writes.bytes > Bytes::ZERO
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

    /// Bytes of one of its two kinds with those of its warm-up. Of what a mixture of reads and
    /// writes moved before it was measured only the sum is known: it is divided as the rest was, less
    /// what chance may have done, so that nothing is missed in the devices that may not have been asked of them.
    fn own_bytes(&self, measured: Bytes) -> Option<Bytes> {
        let m = &self.measurement;
        if measured == Bytes::ZERO {
            return None;
        }
        if !self.is_mixture() {
            return Some(m.bytes_with_warm_up);
        }
        let io = self.workload.io()?;
        let both = m.reads.bytes.as_f64() + m.writes.bytes.as_f64();
        let operations = m.reads.operations + m.writes.operations;
        let before = m.bytes_with_warm_up.as_f64() - both;
        let share = measured.as_f64() / both;
        let mean = both / operations.max(1) as f64;
        let largest = io.block_size.largest().as_f64();
        // Of n draws n p are reads, give or take sqrt(n p (1 - p)).
        let variance = before.max(0.0) * mean.max(largest) * share * (1.0 - share);
        let least = before * share - CHANCE * variance.sqrt();
        Some(Bytes(measured.get() + least.max(0.0) as u64))
    }

    fn least_share(&self, own: Bytes, bytes: impl Fn(&StackLevel) -> f64) -> Option<f64> {
        let levels = self.levels().into_iter().flatten();
        levels
            .map(|level| bytes(&level) / own.as_f64().max(1.0))
            .min_by(f64::total_cmp)
    }

    /// The top and the bottom of the stack, where they are known and differ.
    fn levels(&self) -> [Option<StackLevel<'_>>; 2] {
        let level = |traffic, copies| StackLevel { traffic, copies };
        let all = self.expected_write_copies();
        let top = self.device.as_ref();
        [
            top.map(|traffic| level(traffic, self.top_write_copies())),
            self.leaves.as_ref().map(|traffic| level(traffic, all)),
        ]
    }

    /// Bytes that the devices directly beneath take for each byte. Older records do not tell: there the copies
    /// are those of the bottom, where both are the same devices.
    fn top_write_copies(&self) -> f64 {
        let beneath = self.circumstances.beneath.as_ref();
        let told = beneath.and_then(|beneath| beneath.top_write_copies);
        told.unwrap_or_else(|| match &self.leaves {
            None => self.expected_write_copies(),
            Some(_) => 1.0,
        })
    }
}

/// What the devices of one level of a stack moved, and how often they take each byte that is written.
struct StackLevel<'a> {
    traffic: &'a DeviceTraffic,
    copies: f64,
}

/// What was measured and the storage stack beneath it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TargetRecord {
    /// The path as it was resolved.
    pub path: String,
    /// The storage stack, in one line.
    pub beneath: String,
    /// The same without the mount's point and options and the settings of queues, for captions; absent in older stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<String>,
    /// The leaf devices, by kernel name; empty where there is no block device.
    pub devices: Vec<String>,
    /// The class of the one disk beneath; absent where the stack does not prove one, as of virtual disks, loop devices,
    /// arrays and memory, and in older stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<DeviceClass>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IoWorkload, OpTotals, TaskFigure, TaskWorkload};
    use etalon_units::Nanos;

    /// 1000 blocks of 4 KiB in all of which so many were read, and as many more before it was measured.
    fn mixture(reads: u64, before: u64) -> Run {
        let totals = |operations| OpTotals {
            operations,
            bytes: Bytes(operations << 12),
            ..OpTotals::default()
        };
        let mut measured = Measurement::of_nothing(Nanos::secs(1));
        measured.reads = totals(reads);
        measured.writes = totals(1000 - reads);
        measured.bytes_with_warm_up = Bytes((1000 + before) << 12);
        Run::of("mixture", IoWorkload::default(), measured)
    }

    #[test]
    fn what_a_warm_up_of_a_mixture_read_is_known_within_chance() {
        let read = |run: &Run| run.own_read().unwrap().get() >> 12;
        assert_eq!(read(&mixture(500, 0)), 500);
        assert_eq!(mixture(500, 0).own_written(), Some(Bytes(500 << 12)));
        // Of 400 blocks 200 were read, give or take 10; four times that are 40.
        assert_eq!(read(&mixture(500, 400)), 500 + 200 - 40);
        assert_eq!(read(&mixture(1000, 400)), 1400);
        assert_eq!(mixture(1000, 400).own_written(), None);
        assert_eq!(read(&mixture(1, 3)), 1);
    }

    #[test]
    fn real_work_that_reads_and_writes_may_read_what_it_wrote() {
        let mut run = mixture(500, 0);
        run.workload =
            TaskWorkload::of_texts("archive", "unpack", TaskFigure::Throughput, [].into()).into();
        assert_eq!((run.own_read(), run.own_written()), (None, None));
    }
}
