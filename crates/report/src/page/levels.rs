//! What was learnt of the levels of a plan: times of making, amounts that were trimmed, rebuilds.

use etalon_model::{FactValue, LevelFact, Run};
use etalon_units::visible;

use crate::median::median;

/// A line for each level of which something was learnt, in the order of the runs. A level that was set once for
/// several runs of a block counts once there.
pub(super) fn levels(runs: &[Run], details: bool) -> Vec<String> {
    let mut found: Vec<Known> = Vec::new();
    for run in runs {
        for level in &run.circumstances.levels {
            let name = format!("{} {}", level.factor, level.level);
            let at = found.iter().position(|known| known.name == name);
            let at = at.unwrap_or_else(|| {
                found.push(Known {
                    name,
                    facts: Vec::new(),
                });
                found.len() - 1
            });
            for fact in level.learnt() {
                found[at].add(fact, run.block);
            }
        }
    }
    found
        .iter()
        .filter_map(|known| known.line(details))
        .collect()
}

/// What is known of one level.
struct Known {
    name: String,
    facts: Vec<(String, Vec<(u32, FactValue)>)>,
}

impl Known {
    /// What is told alike of one block was made once.
    fn add(&mut self, fact: LevelFact, block: u32) {
        let LevelFact { name, value } = fact;
        let known = self.facts.iter().position(|(known, _)| *known == name);
        let at = known.unwrap_or_else(|| {
            self.facts.push((name, Vec::new()));
            self.facts.len() - 1
        });
        let values = &mut self.facts[at].1;
        let is_one =
            |(of, known): &(u32, FactValue)| *of == block && known.to_string() == value.to_string();
        if !values.iter().any(is_one) {
            values.push((block, value));
        }
    }

    fn line(&self, details: bool) -> Option<String> {
        let facts = self.facts.iter();
        let told = facts.filter_map(|(name, values)| {
            let values: Vec<&FactValue> = values.iter().map(|(_, value)| value).collect();
            let value = figures(&values).or_else(|| details.then(|| words(&values)).flatten())?;
            Some(format!("{name} {value}"))
        });
        let told: Vec<String> = told.collect();
        (!told.is_empty())
            .then(|| format!("{}: {}.", visible(&self.name), visible(&told.join("; "))))
    }
}

/// `0.41 s (0.40 to 0.46 s, 8 times)`: the median and the extremes; none where the values are no figures of one unit.
fn figures(values: &[&FactValue]) -> Option<String> {
    let figure = |fact: &&FactValue| match fact {
        FactValue::Figure {
            value,
            decimals,
            unit,
        } => Some((*value, *decimals, unit.clone())),
        FactValue::Words(_) => None,
    };
    let mut all: Vec<(f64, usize, String)> = values.iter().map(figure).collect::<Option<_>>()?;
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (all.first()?, all.last()?);
    let unit = &first.2;
    if all.iter().any(|(_, _, other)| other != unit) {
        return None;
    }
    let decimals = all.iter().map(|figure| figure.1).max()?;
    let middle = median(all.iter().map(|figure| figure.0))?;
    let middle = format!("{middle:.decimals$} {unit}");
    let end = |(value, decimals, _): &(f64, usize, String)| format!("{value:.decimals$}");
    Some(match all.len() {
        1 => format!("{middle} (once)"),
        count => format!(
            "{middle} ({} to {} {unit}, {count} times)",
            end(first),
            end(last)
        ),
    })
}

/// What is the same every time.
fn words(values: &[&FactValue]) -> Option<String> {
    let first = values.first()?;
    let is_same = values.iter().all(|value| value == first);
    is_same.then(|| first.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::step;
    use etalon_model::LevelRecord;

    fn made(block: u32, facts: &[(&str, &str)]) -> Run {
        let (_, mut run) = step();
        run.block = block;
        let facts = facts.iter().map(|(name, value)| LevelFact {
            name: (*name).to_owned(),
            value: (*value).to_owned().into(),
        });
        run.circumstances.levels = vec![LevelRecord {
            factor: "filesystem".to_owned(),
            level: "ext4".to_owned(),
            facts: facts.collect(),
            rebuild: None,
        }];
        run
    }

    #[test]
    fn what_was_made_once_for_several_runs_counts_once() {
        let runs = [
            made(0, &[("mkfs", "0.050 s"), ("timer", "off")]),
            made(0, &[("mkfs", "0.050 s"), ("timer", "off")]),
            made(1, &[("mkfs", "0.030 s"), ("timer", "off")]),
            made(2, &[("mkfs", "0.040 s"), ("timer", "off")]),
        ];
        let line = "filesystem ext4: mkfs 0.040 s (0.030 to 0.050 s, 3 times)";
        assert_eq!(levels(&runs, false), [format!("{line}.")]);
        assert_eq!(levels(&runs, true), [format!("{line}; timer off.")]);
        assert_eq!(
            levels(&runs[..1], false),
            ["filesystem ext4: mkfs 0.050 s (once)."]
        );
    }

    #[test]
    fn a_median_of_an_even_count_lies_between_the_middle_two() {
        let times = ["0.050 s", "0.010 s", "0.030 s", "0.016 s"];
        let runs: Vec<Run> = (0..)
            .zip(times)
            .map(|(block, time)| made(block, &[("mkfs", time)]))
            .collect();
        let line = "filesystem ext4: mkfs 0.023 s (0.010 to 0.050 s, 4 times).";
        assert_eq!(levels(&runs, false), [line]);
    }

    #[test]
    fn nothing_of_it_steers_a_terminal() {
        let mut hostile = made(0, &[("mkfs\u{1b}[2J", "1 s\n2")]);
        hostile.circumstances.levels[0].level = "ext4\u{1b}]0;x\u{7}".to_owned();
        let told = levels(&[hostile], true).concat();
        assert!(told.contains("mkfs"), "{told}");
        assert!(!told.contains(char::is_control), "{told:?}");
    }

    #[test]
    fn what_is_no_figure_is_not_made_one() {
        let runs = [
            made(0, &[("disks", "/dev/loop1 a")]),
            made(1, &[("disks", "/dev/loop2 b")]),
        ];
        assert!(levels(&runs, false).is_empty() && levels(&runs, true).is_empty());
        let runs = [
            made(0, &[("speed", "1 MiB/s")]),
            made(1, &[("speed", "900 KiB/s")]),
        ];
        assert!(levels(&runs, false).is_empty());
    }
}
