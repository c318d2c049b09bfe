//! A deep queue asked of a backend that works one at a time.

use etalon_model::{Fallback, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "depth-one",
    about: "Fewer operations were in flight than asked for.",
    advice: "Use the io_uring backend for a deeper queue, or more jobs.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let asked = m.fallbacks.iter().find_map(|fallback| match fallback {
        Fallback::DepthOne { asked } => Some(*asked),
        _ => None,
    })?;
    let message = said!(
        "the {backend} backend keeps one operation in flight per job, not {asked}.",
        backend = m.backend?.to_string(),
        asked = asked,
    );
    Some(Outcome::new(
        Severity::Invalid,
        message,
        &[("asked_depth", f64::from(asked))],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};

    #[test]
    fn a_depth_that_was_not_kept_invalidates() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.fallbacks = vec![Fallback::DepthOne { asked: 32 }];
        assert_eq!(
            super::run(&facts(&run)).unwrap().severity,
            Severity::Invalid
        );
    }
}
