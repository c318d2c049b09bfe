//! A kernel that does not let the tool use `io_uring`.

use etalon_model::{Fallback, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "io-uring-refused",
    about: "The kernel refused io_uring, so the work was done with pread and pwrite.",
    advice: "Allow it with sysctl kernel.io_uring_disabled=0, outside the container that forbids it, or where memory is refused with a higher limit of locked memory (ulimit -l).",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let errno = m.fallbacks.iter().find_map(|fallback| match fallback {
        Fallback::IoUringRefused { errno } => Some(*errno),
        _ => None,
    })?;
    let error = std::io::Error::from_raw_os_error(errno);
    let message = said!(
        "the kernel refused io_uring ({error}); the {backend} backend took its place.",
        error = error.to_string(),
        backend = m.backend?.name(),
    );
    Some(Outcome::new(
        Severity::Warn,
        message,
        &[("errno", f64::from(errno))],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};

    #[test]
    fn a_refusal_names_the_backend_that_stepped_in() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.fallbacks = vec![Fallback::IoUringRefused { errno: 1 }];
        assert!(
            super::run(&facts(&run))
                .unwrap()
                .message
                .contains("sync backend")
        );
    }
}
