//! What a plan's levels were during a run, and what was learnt of them.

use std::fmt;

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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LevelFact {
    /// What it is, such as `mkfs`.
    pub name: String,
    /// The figure with its unit, or words.
    #[schemars(with = "String")]
    pub value: FactValue,
}

/// What was learnt; a text in records: `0.050 s`, `off`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum FactValue {
    /// A figure.
    Figure {
        /// In that unit.
        value: f64,
        /// How many decimals are told.
        decimals: usize,
        /// Its unit.
        unit: String,
    },
    /// Words.
    Words(String),
}

impl LevelFact {
    /// A span of time, told in seconds.
    pub fn seconds(name: &str, span: impl Into<Nanos>, decimals: usize) -> LevelFact {
        LevelFact::figure(name, span.into().as_secs_f64(), decimals, "s")
    }

    /// A figure with so many decimals.
    pub fn figure(name: &str, value: f64, decimals: usize, unit: &str) -> LevelFact {
        LevelFact {
            name: name.to_owned(),
            value: FactValue::Figure {
                value,
                decimals,
                unit: unit.to_owned(),
            },
        }
    }

    /// What is no figure.
    pub fn words(name: &str, words: impl Into<String>) -> LevelFact {
        LevelFact {
            name: name.to_owned(),
            value: FactValue::Words(words.into()),
        }
    }
}

impl From<String> for FactValue {
    /// Out of a record: a figure is what is told as it stands there.
    fn from(text: String) -> FactValue {
        let figure = text.split_once(' ').and_then(|(number, unit)| {
            Some(FactValue::Figure {
                value: number.parse().ok()?,
                decimals: number.split_once('.').map_or(0, |(_, behind)| behind.len()),
                unit: unit.to_owned(),
            })
        });
        // What goes on with another figure is a sentence.
        let is_whole = |figure: &FactValue| match figure {
            FactValue::Figure { unit, .. } => !unit.contains(|c: char| c.is_ascii_digit()),
            FactValue::Words(_) => false,
        };
        let figure = figure.filter(|figure| is_whole(figure) && figure.to_string() == text);
        figure.unwrap_or(FactValue::Words(text))
    }
}

impl From<FactValue> for String {
    fn from(value: FactValue) -> String {
        value.to_string()
    }
}

impl fmt::Display for FactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FactValue::Figure {
                value,
                decimals,
                unit,
            } => write!(f, "{value:.decimals$} {unit}"),
            FactValue::Words(words) => f.write_str(words),
        }
    }
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
    /// Time left at the speed so far, which on rotating disks falls towards the inside; none where it is over, or where that
    /// is not known.
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
    pub fn learnt(&self) -> Vec<LevelFact> {
        let rebuild = self.rebuild.iter().flat_map(RebuildRecord::learnt);
        self.facts.iter().cloned().chain(rebuild).collect()
    }
}

impl RebuildRecord {
    fn learnt(&self) -> impl Iterator<Item = LevelFact> {
        let done = self.done.fraction() * 100.0;
        let first = match self.is_over {
            true => LevelFact::seconds("rebuilt in", self.elapsed, 1),
            false => LevelFact::figure("rebuilt at the end of a run", done, 1, "%"),
        };
        let left = |left| LevelFact::seconds("time left of the rebuild", left, 1);
        let speed = |speed| LevelFact::figure("rebuild speed", speed / 1024.0, 0, "KiB/s");
        let rest = [self.left.map(left), self.bytes_per_second.map(speed)];
        [Some(first)].into_iter().chain(rest).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rebuild_is_told_as_far_as_it_came() {
        let mut level = LevelRecord {
            facts: vec![LevelFact::figure("created in", 0.2, 1, "s")],
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
                .map(|fact| format!("{} {}", fact.name, fact.value))
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

    #[test]
    fn a_fact_is_a_text_in_records_and_a_figure_in_memory() {
        for (text, is_figure) in [
            ("0.050 s", true),
            ("412 MiB/s", true),
            ("13.2 k op/s", true),
            ("off", false),
            ("1e3 s", false),
            ("10 GiB from 0 B", false),
            ("/dev/loop1 /dev/loop2", false),
        ] {
            let value = FactValue::from(text.to_owned());
            assert_eq!(
                matches!(value, FactValue::Figure { .. }),
                is_figure,
                "{text}"
            );
            assert_eq!(value.to_string(), text);
        }
    }
}
