//! What a single run can say of itself, where it is long enough to say anything.

use etalon_model::Severity;
use etalon_stats::Level;
use etalon_units::Percent;

use crate::check::{CellFacts, Check, Outcome};
use crate::sentence::{figure, said};
use crate::series::windows;

pub(crate) const CHECK: Check = Check {
    code: "one-run",
    about: "The cell has one run, and how runs differ is not known.",
    advice: "Repeat it with --runs 6 or more.",
    short_about: Some("One run says nothing about the next."),
    short_advice: Some("Repeat it: --runs 6."),
    ..Check::of_cell(cell)
};

fn cell(facts: &CellFacts) -> Option<Outcome> {
    let [only] = facts.runs else {
        return None;
    };
    let within = windows(only)?.within_run(Level::REPORTED);
    let half = within.estimate.relative_half_width()?;
    let message = said!(
        "within this one run the mean is known to ±{share} ({count} effective windows of 100 ms, batch means); of the next run that says nothing.",
        share = Percent::from_fraction(half),
        count = figure(within.effective_n.round()),
    );
    let evidence = [
        ("half_width_share", half),
        ("effective_windows", within.effective_n),
    ];
    Some(Outcome::new(Severity::Info, message, &evidence))
}
