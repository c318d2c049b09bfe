//! Another try of what another program on the machine may have spoilt for a moment.

use std::thread::sleep;
use std::time::Duration;

const TRIES: usize = 10;
const PAUSE: Duration = Duration::from_millis(50);

/// Tries until it succeeds, ten times at most, and only while its failure is one that passes.
///
/// # Errors
/// The last failure.
pub(crate) fn again<T>(
    mut one: impl FnMut() -> Result<T, String>,
    passes: impl Fn(&str) -> bool,
) -> Result<T, String> {
    let mut done = one();
    for _ in 1..TRIES {
        match &done {
            Err(why) if passes(why) => sleep(PAUSE),
            _ => break,
        }
        done = one();
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(succeeds_at: usize, passes: bool) -> (usize, Result<usize, String>) {
        let mut tries = 0;
        let done = again(
            || {
                tries += 1;
                (tries == succeeds_at)
                    .then_some(tries)
                    .ok_or_else(|| "busy".to_owned())
            },
            |_| passes,
        );
        (tries, done)
    }

    #[test]
    fn only_what_passes_is_tried_again_and_not_for_ever() {
        assert_eq!(tried(1, true), (1, Ok(1)));
        assert_eq!(tried(3, true), (3, Ok(3)));
        assert_eq!(tried(11, true), (10, Err("busy".into())));
        assert_eq!(tried(2, false), (1, Err("busy".into())));
    }
}
