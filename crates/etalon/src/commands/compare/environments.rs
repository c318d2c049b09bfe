//! In what machine and storage stack of the arms differ.

use etalon_judge::environment_differences;
use etalon_model::{EnvironmentDifference, EnvironmentRecord};
use etalon_report::DifferencesPage;

use crate::arms::NamedArm;
use crate::output;

/// The environments of all arms, held against each other.
pub(super) struct Environments {
    /// What the arms are called.
    pub(super) labels: Vec<String>,
    /// Every fact that differs.
    pub(super) differences: Vec<EnvironmentDifference>,
    /// The arms that keep none.
    pub(super) unknown: Vec<String>,
}

impl Environments {
    pub(super) fn of(arms: &[NamedArm]) -> Environments {
        let kept: Vec<Vec<&EnvironmentRecord>> = arms
            .iter()
            .map(|arm| arm.experiment.environments())
            .collect();
        let without = arms.iter().zip(&kept).filter(|(_, kept)| kept.is_empty());
        let unknown: Vec<String> = without.map(|(arm, _)| arm.label.clone()).collect();
        Environments {
            labels: arms.iter().map(|arm| arm.label.clone()).collect(),
            differences: match unknown.is_empty() {
                true => environment_differences(&kept),
                false => Vec::new(),
            },
            unknown,
        }
    }

    pub(super) fn page(&self) -> String {
        DifferencesPage {
            labels: &self.labels,
            differences: &self.differences,
            unknown: &self.unknown,
            width: output::width(),
        }
        .to_string()
    }
}
