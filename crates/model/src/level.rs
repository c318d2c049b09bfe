//! What a plan's levels were during a run, and what was learnt of them.

use etalon_units::{Nanos, Percent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A level of a factor that was in force during a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LevelRecord {
    /// The factor, such as `array`.
    pub factor: String,
    /// The level, as cells call it.
    pub level: String,
    /// What was learnt when it was set or before the run, in the order in which it was learnt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<LevelFact>,
    /// The rebuild that the run was to be beside, as it was when the run ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebuild: Option<RebuildRecord>,
}

/// One thing that was learnt of a level.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LevelFact {
    /// What it is, such as `mkfs`.
    pub name: String,
    /// The figure with its unit, or words.
    pub value: String,
}

/// A rebuild of an array (the kernel's Documentation/admin-guide/md.rst, `sync_completed`, `sync_speed`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RebuildRecord {
    /// The array, by its kernel name.
    pub device: String,
    /// Whether it had ended before the run did.
    pub is_over: bool,
    /// Since it began: when it ended, or until the run's end.
    #[serde(rename = "elapsed_ns")]
    pub elapsed: Nanos,
    /// How much was done then.
    pub done: Percent,
    /// What is left of it at the speed so far; none where it is over or that is not known.
    #[serde(rename = "left_ns")]
    pub left: Option<Nanos>,
    /// Median of the kernel's own speeds; none where it told none.
    pub bytes_per_second: Option<f64>,
    /// How far it was at moments since it began, thinned out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<RebuildPoint>,
}

/// How far a rebuild was at a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RebuildPoint {
    /// Since it began.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// How much was done.
    pub done: Percent,
}

impl LevelRecord {
    /// What was learnt, with the figures of the rebuild, each in one unit.
    pub fn learnt(&self) -> Vec<(String, String)> {
        let facts = self.facts.iter();
        let facts = facts.map(|fact| (fact.name.clone(), fact.value.clone()));
        let rebuild = self.rebuild.iter().flat_map(RebuildRecord::learnt);
        facts.chain(rebuild).collect()
    }
}

impl RebuildRecord {
    fn learnt(&self) -> Vec<(String, String)> {
        let seconds = |time: Nanos| format!("{:.1} s", time.as_secs_f64());
        let told = |name: &str, value: String| (name.to_owned(), value);
        let mut all = match self.is_over {
            true => vec![told("rebuilt in", seconds(self.elapsed))],
            false => {
                let done = format!("{:.1} %", self.done.fraction() * 100.0);
                vec![told("rebuilt at the end of a run", done)]
            }
        };
        all.extend(
            self.left
                .map(|left| told("time left of the rebuild", seconds(left))),
        );
        let speed = self
            .bytes_per_second
            .map(|speed| format!("{:.0} KiB/s", speed / 1024.0));
        all.extend(speed.map(|speed| told("rebuild speed", speed)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rebuild_is_told_as_far_as_it_came() {
        let mut level = LevelRecord {
            facts: vec![LevelFact {
                name: "created in".to_owned(),
                value: "0.2 s".to_owned(),
            }],
            rebuild: Some(RebuildRecord {
                elapsed: Nanos::millis(2500),
                done: Percent::from_fraction(0.25),
                left: Some(Nanos::millis(7500)),
                bytes_per_second: Some(2_048_000.0),
                ..RebuildRecord::default()
            }),
            ..LevelRecord::default()
        };
        let texts = |level: &LevelRecord| {
            let learnt = level.learnt().into_iter();
            learnt
                .map(|(name, value)| format!("{name} {value}"))
                .collect::<Vec<_>>()
        };
        let begins = ["created in 0.2 s", "rebuilt at the end of a run 25.0 %"];
        let ends = ["time left of the rebuild 7.5 s", "rebuild speed 2000 KiB/s"];
        assert_eq!(texts(&level), [begins, ends].concat());
        level.rebuild = Some(RebuildRecord {
            elapsed: Nanos::millis(2500),
            is_over: true,
            ..RebuildRecord::default()
        });
        assert_eq!(texts(&level), ["created in 0.2 s", "rebuilt in 2.5 s"]);
    }

    #[test]
    fn what_is_unknown_of_older_records_is_absent() {
        let read: LevelRecord =
            serde_json::from_str(r#"{"factor": "array", "level": "md-1"}"#).unwrap();
        assert!(read.facts.is_empty() && read.rebuild.is_none());
        let text = serde_json::to_string(&read).unwrap();
        assert_eq!(text, r#"{"factor":"array","level":"md-1"}"#);
    }
}
