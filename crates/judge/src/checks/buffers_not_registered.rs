//! Buffers that the kernel would not pin.

use etalon_model::{Fallback, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "buffers-not-registered",
    about: "The kernel would not register the buffers of io_uring, which costs processor time per operation.",
    advice: "Raise RLIMIT_MEMLOCK (ulimit -l) to the queue depth times the block size.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let m = &facts.run.measurement;
    let errno = m.fallbacks.iter().find_map(|fallback| match fallback {
        Fallback::BuffersNotRegistered { errno } => Some(*errno),
        _ => None,
    })?;
    let error = std::io::Error::from_raw_os_error(errno);
    let message = said!(
        "the buffers could not be registered with io_uring ({error}).",
        error = error.to_string(),
    );
    Some(Outcome::new(
        Severity::Info,
        message,
        &[("errno", f64::from(errno))],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};

    #[test]
    fn told_as_a_note() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.fallbacks = vec![Fallback::BuffersNotRegistered { errno: 12 }];
        assert_eq!(super::run(&facts(&run)).unwrap().severity, Severity::Info);
    }
}
