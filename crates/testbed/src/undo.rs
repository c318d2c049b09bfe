//! Taking back what a test made.

use std::process::Command;

/// Takes back what a test made, by a program: a failure fails the test, unless it has failed already, where a second
/// panic would abort all the others.
///
/// # Panics
/// Where the program fails, with what it said.
pub fn undo(program: &str, words: &[&str]) {
    let done = Command::new(program).args(words).output();
    assert!(
        std::thread::panicking() || done.as_ref().is_ok_and(|output| output.status.success()),
        "{program} {words:?}: {done:?}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Undone;

    impl Drop for Undone {
        fn drop(&mut self) {
            undo("false", &[]);
        }
    }

    #[test]
    #[should_panic(expected = "false []")]
    fn what_cannot_be_taken_back_fails_the_test() {
        let _undone = Undone;
    }

    #[test]
    #[should_panic(expected = "the first")]
    fn a_test_that_has_failed_fails_once() {
        let _undone = Undone;
        panic!("the first");
    }
}
