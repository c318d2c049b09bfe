//! Checks that are as short as they may be.

use super::{Home, Said};

/// About the shortest budget in which a quick check has a figure of every row: a block takes two seconds and more. What the
/// time does not suffice for is named by the check.
pub(crate) const SHORT: &str = "5s";
/// What is given where that was too short for one block, which hangs on who else uses the machine.
const LONG: &str = "40s";

/// What `run` says of words, of which a budget of [`SHORT`] is longer where it did not suffice.
pub(crate) fn in_time<W: AsRef<str>>(words: &[W], run: impl Fn(&[&str]) -> Said) -> Said {
    let mut words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let said = run(&words);
    if !said.err.contains("is too short") {
        return said;
    }
    let short = words.iter_mut().filter(|word| **word == SHORT);
    short.for_each(|word| *word = LONG);
    run(&words)
}

impl Home {
    /// Runs the program to its end with a budget of [`SHORT`] among its words, longer where it did not suffice.
    pub(crate) fn run_in_time<W: AsRef<str>>(&self, words: &[W]) -> Said {
        in_time(words, |words| self.run(words))
    }
}

#[test]
fn only_what_was_too_short_is_given_longer() {
    let said = |err: &str| Said {
        code: Some(1),
        out: String::new(),
        err: err.to_owned(),
    };
    let tried = |err: &str| {
        let tries = std::cell::RefCell::new(Vec::new());
        in_time(&["quick", "--budget", SHORT], |words| {
            tries.borrow_mut().push(words[2].to_owned());
            said(err)
        });
        tries.into_inner()
    };
    assert_eq!(tried("a budget of 5.00 s is too short for"), [SHORT, LONG]);
    assert_eq!(tried("no space left"), [SHORT]);
}
