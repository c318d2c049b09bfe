//! Runs that fall into two groups.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{CellFacts, Check, Outcome};
use crate::value::figure_of;

pub(crate) const CHECK: Check = Check {
    code: "two-modes",
    about: "The runs of the cell fall into two groups, and a mean stands for neither.",
    advice: "Look for what switches between them: a cache, a throttle, another user.",
    short_about: Some("The runs fall into two groups, so the result is the median."),
    short_advice: Some("Look for a cache, a throttle or another user."),
    ..Check::of_cell(cell)
};

fn cell(facts: &CellFacts) -> Option<Outcome> {
    let modes = facts.sample.bimodality()?;
    let run = facts.runs.last()?;
    let message = format!(
        "the runs fall into two groups, {} in {} of them and {} in {}.",
        figure_of(run, modes.lower_centre),
        Percent::from_fraction(modes.lower_share),
        figure_of(run, modes.upper_centre),
        Percent::from_fraction(1.0 - modes.lower_share),
    );
    let evidence = [
        ("lower_centre", modes.lower_centre),
        ("upper_centre", modes.upper_centre),
        ("lower_share", modes.lower_share),
    ];
    Some(Outcome::new(Severity::Warn, message, &evidence))
}
