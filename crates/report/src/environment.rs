//! The environment of an experiment, and in what those of compared experiments differ.

use std::fmt;

use etalon_model::stack::ManifestChange;
use etalon_model::{EnvironmentDifference, EnvironmentRecord};
use etalon_units::visible;

use crate::wrap::Wrap;

/// Every fact of an experiment's environments; `Display` gives it with a line end after it.
#[derive(Debug, Clone, Copy)]
pub struct EnvironmentPage<'a> {
    /// The environments of its runs, in the order in which they came.
    pub environments: &'a [&'a EnvironmentRecord],
}

impl fmt::Display for EnvironmentPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, later)) = self.environments.split_first() else {
            return writeln!(f, "{NOT_KEPT}");
        };
        writeln!(f, "Environment {}", first.manifest.hash)?;
        for (key, value) in &first.manifest.facts {
            line(f, &format!("{key} = {value}"))?;
        }
        for missing in &first.manifest.missing {
            line(f, &format!("not known: {}: {}", missing.what, missing.why))?;
        }
        for environment in later {
            writeln!(
                f,
                "Environment {}, of later runs, differs in:",
                environment.manifest.hash
            )?;
            for change in first.manifest.changes_to(&environment.manifest) {
                line(f, &change.to_string())?;
            }
        }
        Ok(())
    }
}

/// A fact is one line, whatever a label or an option of a mount holds.
fn line(f: &mut fmt::Formatter<'_>, fact: &str) -> fmt::Result {
    writeln!(f, "  {}", visible(fact))
}

/// What stands where an experiment has no environment.
pub const NOT_KEPT: &str = "No environment is kept with this experiment: the etalon that made it did not store any, or none of its runs was watched.";

/// In what the environments of compared arms differ; `Display` gives it with a line end after it.
#[derive(Debug, Clone, Copy)]
pub struct DifferencesPage<'a> {
    /// What the arms are called.
    pub labels: &'a [String],
    /// Every difference.
    pub differences: &'a [EnvironmentDifference],
    /// The arms without any environment, by their labels.
    pub unknown: &'a [String],
    /// Columns of the terminal; `None` where there is no terminal.
    pub width: Option<usize>,
}

impl fmt::Display for DifferencesPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrap = Wrap(self.width);
        if !self.unknown.is_empty() {
            let arms = self.unknown.join(", ");
            let sentence = format!(
                "No environment is kept with {arms}: whether machine and storage stack differ is not known."
            );
            return wrap.paragraph(f, &sentence);
        }
        let heading = match self.differences.len() {
            0 => "Machine and storage stack do not differ.".to_owned(),
            1 => "Machine and storage stack differ in 1 fact:".to_owned(),
            count => format!("Machine and storage stack differ in {count} facts:"),
        };
        wrap.paragraph(f, &heading)?;
        for difference in self.differences {
            wrap.paragraph(f, &format!("- {}", self.line(difference)))?;
        }
        Ok(())
    }
}

impl DifferencesPage<'_> {
    fn line(&self, difference: &EnvironmentDifference) -> String {
        if let [before, after] = difference.values.as_slice() {
            let change = ManifestChange {
                key: difference.key.clone(),
                before: before.clone(),
                after: after.clone(),
            };
            return change.to_string();
        }
        let pairs = self.labels.iter().zip(&difference.values);
        let words: Vec<String> = pairs
            .map(|(label, value)| match value {
                Some(value) => format!("{label} '{value}'"),
                None => format!("{label} not there"),
            })
            .collect();
        format!("{}: {}", difference.key, words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(labels: &[&str], values: &[Option<&str>]) -> String {
        let labels: Vec<String> = labels.iter().map(|l| (*l).to_owned()).collect();
        let differences = [EnvironmentDifference {
            key: "cpu.governor".to_owned(),
            values: values.iter().map(|v| v.map(str::to_owned)).collect(),
        }];
        DifferencesPage {
            labels: &labels,
            differences: &differences,
            unknown: &[],
            width: None,
        }
        .to_string()
    }

    #[test]
    fn a_fact_is_one_line_whatever_it_holds() {
        let fact = fmt::from_fn(|f| line(f, "fs.label = a\nverdict: valid\x1b[2J"));
        assert_eq!(
            fact.to_string(),
            "  fs.label = a\\nverdict: valid\\x1b[2J\n"
        );
    }

    #[test]
    fn two_arms_have_before_and_after_and_three_their_names() {
        assert_eq!(
            page(&["3", "5"], &[Some("powersave"), None]),
            "Machine and storage stack differ in 1 fact:\n- cpu.governor: 'powersave' -> not there\n"
        );
        let three = page(&["3", "5", "7"], &[Some("a"), Some("b"), None]);
        assert!(
            three.ends_with("- cpu.governor: 3 'a', 5 'b', 7 not there\n"),
            "{three}"
        );
    }

    #[test]
    fn what_is_not_kept_is_said() {
        let page = EnvironmentPage { environments: &[] };
        assert_eq!(page.to_string(), format!("{NOT_KEPT}\n"));
        let unknown = ["3".to_owned()];
        let page = DifferencesPage {
            labels: &[],
            differences: &[],
            unknown: &unknown,
            width: None,
        };
        assert!(page.to_string().contains("kept with 3"));
    }
}
