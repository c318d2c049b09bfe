//! A filesystem that is nearly full.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

/// Above this allocators begin to search (the default of most filesystems' own warnings).
const FULL: f64 = 0.90;

pub(crate) const CHECK: Check = Check {
    code: "nearly-full",
    about: "The filesystem is over 90 % full: free space is fragmented, and throughput drops.",
    advice: "Free some space, or report with the result how full it was.",
    short_about: Some("The filesystem is nearly full, which makes many slower."),
    short_advice: Some("Free some space."),
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let used = facts.run.circumstances.beneath.as_ref()?.used?;
    (used.fraction() > FULL).then(|| {
        let message = said!("the filesystem is {share} full.", share = used);
        Outcome::new(Severity::Warn, message, &[("used_share", used.fraction())])
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::BeneathFacts;
    use etalon_units::Percent;

    #[test]
    fn over_ninety_percent_warns() {
        let mut run = read_run();
        for (share, caught) in [(0.5, false), (0.95, true)] {
            run.circumstances.beneath = Some(BeneathFacts {
                used: Some(Percent::from_fraction(share)),
                ..BeneathFacts::default()
            });
            assert_eq!(super::run(&facts(&run)).is_some(), caught);
        }
    }
}
