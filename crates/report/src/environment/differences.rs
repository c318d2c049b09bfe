//! In what the environments of compared experiments differ.

use std::fmt;

use etalon_language::say;
use etalon_model::EnvironmentDifference;
use etalon_model::stack::ManifestChange;

use super::changed;
use crate::wrap::Wrap;

/// In what the environments of compared arms differ; `Display` gives it with a line end after it.
#[derive(Debug, Clone, Copy)]
pub struct DifferencesPage<'a> {
    /// What the arms are called.
    pub labels: &'a [String],
    /// Every difference.
    pub differences: &'a [EnvironmentDifference],
    /// The arms without any environment, by their labels.
    pub unknown: &'a [String],
    /// Arms with what whoever measured them could not read, and another could: no difference of theirs is known.
    pub unread: &'a [(String, Vec<String>)],
    /// Columns of the terminal; `None` where there is no terminal.
    pub width: Option<usize>,
}

impl fmt::Display for DifferencesPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrap = Wrap(self.width);
        if !self.unknown.is_empty() {
            let sentence = say!("compare-unknown", arms = self.unknown.join(", "));
            return wrap.paragraph(f, &sentence);
        }
        let heading = match self.differences.len() {
            0 => say!("compare-nothing-differs"),
            count => say!("environment-differs", count = count),
        };
        wrap.paragraph(f, &heading)?;
        for difference in self.differences {
            wrap.paragraph(f, &format!("- {}", self.line(difference)))?;
        }
        for (arm, keys) in self.unread {
            let said = say!("compare-unread", arm = arm, facts = keys.join(", "));
            wrap.paragraph(f, &said)?;
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
            return changed(&change);
        }
        let pairs = self.labels.iter().zip(&difference.values);
        let words: Vec<String> = pairs
            .map(|(label, value)| match value {
                Some(value) => format!("{label} '{value}'"),
                None => format!("{label} {}", say!("environment-not-there")),
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
            unread: &[],
            width: None,
        }
        .to_string()
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
        let unknown = ["3".to_owned()];
        let page = DifferencesPage {
            labels: &[],
            differences: &[],
            unknown: &unknown,
            unread: &[],
            width: None,
        };
        assert!(page.to_string().contains("kept with 3"));
    }

    #[test]
    fn everything_that_nobody_could_read_of_one_arm_is_named() {
        let keys = ["a", "b", "c", "d", "e", "f"].map(|key| format!("memory.{key}"));
        let unread = [("2".to_owned(), keys.to_vec())];
        let page = DifferencesPage {
            labels: &[],
            differences: &[],
            unknown: &[],
            unread: &unread,
            width: None,
        };
        assert_eq!(
            page.to_string(),
            "Machine and storage stack do not differ.\nNot known of 2, since whoever measured it could not read it: \
             memory.a, memory.b, memory.c, memory.d, memory.e, memory.f.\n"
        );
    }
}
