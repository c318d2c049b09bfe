//! Which parameters of an I/O workload mean something in it; the others are missing in its record.

use schemars::Schema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::operation::Order;
use crate::{Backend, End, IoWorkload};

/// A key of the record that some workloads have no use for.
struct Conditional {
    key: &'static str,
    /// Whether it means something in this workload.
    applies: fn(&IoWorkload) -> bool,
    /// Gives the field its default.
    reset: fn(&mut IoWorkload, &IoWorkload),
}

macro_rules! conditional {
    ($key:literal, $field:ident, $applies:expr) => {
        Conditional {
            key: $key,
            applies: $applies,
            reset: |io, default| io.$field.clone_from(&default.$field),
        }
    };
}

const CONDITIONAL: [Conditional; 12] = [
    conditional!("stride", stride, |io| io.operation.order()
        == Order::Strided),
    conditional!("read_percent", read_percent, |io| io.operation.is_mixed()),
    conditional!("layout", layout, |io| io.jobs > 1),
    // A depth that was asked for and not kept stays: the finding `depth-one` is about it.
    conditional!("queue_depth", queue_depth, |io| keeps_several(io)
        || io.queue_depth > 1),
    conditional!("batch", batch, keeps_several),
    conditional!("sync", sync, |io| io.operation.writes()),
    conditional!("fsync", fsync, |io| io.operation.writes()),
    conditional!("warm_up_ns", warm_up, |io| matches!(io.end, End::Time(_))),
    conditional!("distribution", distribution, |io| io.operation.order()
        == Order::Random),
    conditional!("poll", poll, |io| io.backend == Backend::IoUring),
    conditional!("sqpoll", sqpoll, |io| io.backend == Backend::IoUring),
    conditional!("fake", fake, |io| io.backend == Backend::Fake),
];

/// Only these keep more than one operation in flight per job.
fn keeps_several(io: &IoWorkload) -> bool {
    let one_at_a_time = [Backend::Sync, Backend::Mmap, Backend::Stdio];
    !one_at_a_time.contains(&io.backend)
}

/// The keys of an I/O workload's record that are missing where they mean nothing.
pub fn conditional_keys() -> impl Iterator<Item = &'static str> {
    CONDITIONAL.iter().map(|conditional| conditional.key)
}

impl IoWorkload {
    /// Whether what its record calls `key` means something in this workload.
    pub fn uses(&self, key: &str) -> bool {
        let mut all = CONDITIONAL.iter();
        let own = all.find(|conditional| conditional.key == key);
        own.is_none_or(|conditional| (conditional.applies)(self))
    }

    fn record(&self) -> serde_json::Result<Value> {
        match Self::serialize(self, serde_json::value::Serializer)? {
            Value::Object(mut record) => {
                record.retain(|key, _| self.uses(key));
                Ok(Value::Object(record))
            }
            other => Ok(other),
        }
    }
}

impl Serialize for IoWorkload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = self.record().map_err(serde::ser::Error::custom)?;
        record.serialize(serializer)
    }
}

/// What means nothing has its default, whatever an older record holds there: two records of the same
/// work are equal.
impl<'de> Deserialize<'de> for IoWorkload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut told = Self::deserialize(deserializer)?;
        let default = IoWorkload::default();
        for conditional in &CONDITIONAL {
            if !(conditional.applies)(&told) {
                (conditional.reset)(&mut told, &default);
            }
        }
        Ok(told)
    }
}

/// Takes the conditional keys from those that a schema requires.
pub(crate) fn may_be_missing(schema: &mut Schema) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        let is_conditional = |name: &Value| conditional_keys().any(|key| name == key);
        required.retain(|name| !is_conditional(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Distribution, FakeDevice, FileLayout, FsyncPolicy, Operation, SyncMode};
    use etalon_units::Nanos;

    fn keys(io: &IoWorkload) -> Vec<&'static str> {
        let record = serde_json::to_value(io).unwrap();
        conditional_keys()
            .filter(|key| record.get(key).is_some())
            .collect()
    }

    #[test]
    fn a_pure_read_one_at_a_time_has_no_key_of_a_queue_a_mix_or_a_write() {
        let read = IoWorkload {
            operation: Operation::Read,
            ..IoWorkload::default()
        };
        assert_eq!(keys(&read), ["warm_up_ns"]);
        let mixed = IoWorkload {
            operation: Operation::RandRw,
            backend: Backend::IoUring,
            jobs: 2,
            ..IoWorkload::default()
        };
        let of_mixed = conditional_keys().filter(|key| !["stride", "fake"].contains(key));
        assert_eq!(keys(&mixed), of_mixed.collect::<Vec<_>>());
    }

    #[test]
    fn a_record_reads_back_as_work_that_has_the_same_record() {
        for operation in Operation::ALL {
            for (backend, _) in Backend::ALL {
                let io = IoWorkload {
                    operation,
                    backend,
                    fsync: FsyncPolicy::End,
                    stride: 7,
                    queue_depth: 32,
                    ..IoWorkload::default()
                };
                let record = serde_json::to_value(&io).unwrap();
                let back: IoWorkload = serde_json::from_value(record.clone()).unwrap();
                assert_eq!(serde_json::to_value(&back).unwrap(), record);
                assert_eq!(back.queue_depth, 32, "{record}");
                assert_eq!(back.stride == 7, io.uses("stride"));
                assert_eq!(back.fsync == io.fsync, io.uses("fsync"));
            }
        }
    }

    fn unlike_the_default() -> IoWorkload {
        IoWorkload {
            stride: 7,
            read_percent: 70,
            layout: FileLayout::Shared,
            batch: 4,
            sync: SyncMode::DSync,
            fsync: FsyncPolicy::End,
            end: End::Pass,
            warm_up: Nanos::secs(1),
            distribution: Distribution::Uniform,
            poll: true,
            sqpoll: true,
            fake: FakeDevice {
                servers: 3,
                ..FakeDevice::default()
            },
            ..IoWorkload::default()
        }
    }

    #[test]
    fn what_is_reset_is_what_a_record_leaves_out() {
        for operation in Operation::ALL {
            for (backend, _) in Backend::ALL {
                for (jobs, queue_depth) in [(1, 1), (1, 8), (4, 1)] {
                    let io = IoWorkload {
                        operation,
                        backend,
                        jobs,
                        queue_depth,
                        ..unlike_the_default()
                    };
                    let whole = IoWorkload::serialize(&io, serde_json::value::Serializer);
                    let reset = serde_json::from_value::<IoWorkload>(whole.unwrap()).unwrap();
                    let left_out = IoWorkload::deserialize(io.record().unwrap()).unwrap();
                    assert_eq!(reset, left_out);
                }
            }
        }
    }

    #[test]
    fn what_an_older_record_holds_of_other_work_is_no_difference() {
        let old = r#"{"operation": "read", "stride": 17, "read_percent": 70, "queue_depth": 1}"#;
        let new = r#"{"operation": "read"}"#;
        let read = |text| serde_json::from_str::<IoWorkload>(text).unwrap();
        assert_eq!(read(old), read(new));
    }

    #[test]
    fn every_conditional_key_is_one_of_the_record_and_not_required() {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let schema = settings
            .into_generator()
            .into_root_schema_for::<IoWorkload>();
        let required = schema.get("required").unwrap().as_array().unwrap();
        for key in conditional_keys() {
            assert!(
                schema.get("properties").unwrap().get(key).is_some(),
                "{key}"
            );
            assert!(!required.iter().any(|name| name == key), "{key}");
        }
        assert!(required.iter().any(|name| name == "operation"));
    }
}
