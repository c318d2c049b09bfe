//! `O_DIRECT` that could not be had.

use etalon_model::{Fallback, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};

pub(crate) const CHECK: Check = Check {
    code: "direct-refused",
    about: "The filesystem refused O_DIRECT, so the run went through the page cache.",
    advice: "Compare it only with other buffered figures.",
    short_about: Some("The filesystem has no O_DIRECT: the page cache takes part."),
    short_advice: Some("Compare it only with other buffered figures."),
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let refusal = m.fallbacks.iter().find_map(|fallback| match fallback {
        Fallback::DirectRefused { errno } => Some(*errno),
        _ => None,
    })?;
    Some(Outcome::new(
        Severity::Warn,
        words(refusal),
        &[("errno", f64::from(refusal))],
    ))
}

/// The sentence about a refusal with this error number.
pub(crate) fn words(errno: i32) -> Sentence {
    let error = std::io::Error::from_raw_os_error(errno);
    said!(
        "buffered, not direct: the filesystem refused O_DIRECT ({error}).",
        error = error.to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};

    #[test]
    fn a_refusal_is_a_warning() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.fallbacks = vec![Fallback::DirectRefused { errno: 22 }];
        assert_eq!(super::run(&facts(&run)).unwrap().severity, Severity::Warn);
    }
}
