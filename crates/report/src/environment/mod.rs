//! The environment of an experiment: what most readers ask for first, then its facts in groups.

mod differences;
mod groups;
mod headline;

use std::fmt;

use etalon_language::say;
use etalon_model::EnvironmentRecord;
use etalon_model::stack::{Manifest, ManifestChange};
use etalon_units::visible;

pub use differences::DifferencesPage;
use groups::{grouped, is_detail};
use headline::headline;

use crate::wrap::described;

/// The facts of an experiment's environments; `Display` gives them with a line end after it.
#[derive(Debug, Clone, Copy)]
pub struct EnvironmentPage<'a> {
    /// The environments of its runs, in the order in which they came.
    pub environments: &'a [&'a EnvironmentRecord],
    /// Whether every fact is printed, also those that hardly anybody asks for.
    pub all: bool,
}

/// What stands where an experiment has no environment.
pub fn not_kept() -> String {
    say!("report-not-kept")
}

/// A fact that changed, with both its values.
pub(crate) fn changed(change: &ManifestChange) -> String {
    let show = |value: &Option<String>| match value {
        Some(value) => format!("'{value}'"),
        None => say!("environment-not-there"),
    };
    let (before, after) = (show(&change.before), show(&change.after));
    format!("{}: {before} -> {after}", change.key)
}

impl fmt::Display for EnvironmentPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, later)) = self.environments.split_first() else {
            return writeln!(f, "{}", not_kept());
        };
        let told = headline(&first.manifest);
        let rows = told.iter().map(|(name, said)| (&**name, said.clone()));
        f.write_str(&described("", &rows.collect::<Vec<_>>(), None))?;
        self.groups(f, &first.manifest)?;
        for missing in &first.manifest.missing {
            let (what, why) = (&missing.what, &missing.why);
            line(f, &say!("environment-missing", what = what, why = why))?;
        }
        for environment in later {
            let hash = environment.manifest.hash.to_string();
            writeln!(f, "\n{}", say!("environment-later", hash = hash))?;
            for change in first.manifest.changes_to(&environment.manifest) {
                line(f, &changed(&change))?;
            }
        }
        Ok(())
    }
}

impl EnvironmentPage<'_> {
    /// The facts under their headings, and how many were left out.
    fn groups(&self, f: &mut fmt::Formatter<'_>, manifest: &Manifest) -> fmt::Result {
        let is_shown = |key: &str| self.all || !is_detail(key);
        for (heading, facts) in grouped(manifest) {
            let facts: Vec<_> = facts.into_iter().filter(|(key, _)| is_shown(key)).collect();
            if facts.is_empty() {
                continue;
            }
            writeln!(f, "\n{}", visible(&heading))?;
            for (key, value) in facts {
                line(f, &format!("{key} = {value}"))?;
            }
        }
        let hidden = manifest.facts.keys().filter(|key| !is_shown(key)).count();
        let hash = manifest.hash.to_string();
        let said = match hidden {
            0 => say!("environment-hash", hash = hash),
            hidden => say!("environment-hash-more", hash = hash, count = hidden),
        };
        writeln!(f, "\n{said}")
    }
}

/// A fact is one line, whatever a label or an option of a mount holds.
fn line(f: &mut fmt::Formatter<'_>, fact: &str) -> fmt::Result {
    writeln!(f, "  {}", visible(fact))
}

#[cfg(test)]
mod tests;
