//! Runs that fall into two groups.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{CellFacts, Check, Outcome};
use crate::sentence::{figure, said};
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
    let message = said!(
        "the runs fall into two groups, {lower} in {share} of them and {upper} in {rest}.",
        lower = figure(figure_of(run, modes.lower_centre)),
        share = Percent::from_fraction(modes.lower_share),
        upper = figure(figure_of(run, modes.upper_centre)),
        rest = Percent::from_fraction(1.0 - modes.lower_share),
    );
    let evidence = [
        ("lower_centre", modes.lower_centre),
        ("upper_centre", modes.upper_centre),
        ("lower_share", modes.lower_share),
    ];
    Some(Outcome::new(Severity::Warn, message, &evidence))
}
