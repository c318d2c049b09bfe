//! The environment of an experiment: what most readers ask for first, then its facts in groups.

mod differences;
mod groups;
mod headline;

use std::fmt;

use etalon_model::EnvironmentRecord;
use etalon_model::stack::Manifest;
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
pub const NOT_KEPT: &str = "No environment is kept with this experiment: the etalon that made it did not store any, or none of its runs was watched.";

impl fmt::Display for EnvironmentPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, later)) = self.environments.split_first() else {
            return writeln!(f, "{NOT_KEPT}");
        };
        f.write_str(&described("", &headline(&first.manifest), None))?;
        self.groups(f, &first.manifest)?;
        for missing in &first.manifest.missing {
            line(f, &format!("not known: {}: {}", missing.what, missing.why))?;
        }
        for environment in later {
            writeln!(
                f,
                "\nEnvironment {}, of later runs, differs in:",
                environment.manifest.hash
            )?;
            for change in first.manifest.changes_to(&environment.manifest) {
                line(f, &change.to_string())?;
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
        let more = match hidden {
            0 => String::new(),
            hidden => format!("; {hidden} more with --environment --all"),
        };
        writeln!(f, "\nEnvironment {}{more}", manifest.hash)
    }
}

/// A fact is one line, whatever a label or an option of a mount holds.
fn line(f: &mut fmt::Formatter<'_>, fact: &str) -> fmt::Result {
    writeln!(f, "  {}", visible(fact))
}

#[cfg(test)]
mod tests;
