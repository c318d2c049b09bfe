//! Checks that are as short as they may be.

use super::{Home, Said};

/// About the shortest budget in which a quick check has a figure of every row: one block, which takes two seconds and more.
/// What the time does not suffice for is named by the check.
pub(crate) const SHORT: &str = "3s";
/// What is given one after the other where that was too short for one block, which hangs on who else uses the machine.
const LONGER: [&str; 2] = ["8s", "40s"];

/// What `run` says of words, of which a budget of [`SHORT`] is longer where it did not suffice.
pub(crate) fn in_time<W: AsRef<str>>(words: &[W], run: impl Fn(&[&str]) -> Said) -> Said {
    let with = |budget| {
        let words = words.iter().map(AsRef::as_ref);
        let words = words.map(|word| if word == SHORT { budget } else { word });
        run(&words.collect::<Vec<_>>())
    };
    let mut said = with(SHORT);
    for budget in LONGER {
        if !said.err.contains("is too short") {
            break;
        }
        said = with(budget);
    }
    said
}

impl Home {
    /// Runs the program to its end with a budget of [`SHORT`] among its words, longer where it did not suffice.
    pub(crate) fn run_in_time<W: AsRef<str>>(&self, words: &[W]) -> Said {
        in_time(words, |words| self.run(words))
    }
}

#[test]
fn only_what_was_too_short_is_given_longer() {
    let tried = |enough: &str, err: &str| {
        let tries = std::cell::RefCell::new(Vec::new());
        let said = in_time(&["quick", "--budget", SHORT], |words| {
            tries.borrow_mut().push(words[2].to_owned());
            let err = if words[2] == enough { "" } else { err };
            Said {
                code: Some(1),
                out: String::new(),
                err: err.to_owned(),
            }
        });
        (tries.into_inner().join(" "), said.err.is_empty())
    };
    let short = "a budget of 3.00 s is too short for";
    assert_eq!(tried("", short), ("3s 8s 40s".to_owned(), false));
    assert_eq!(tried("8s", short), ("3s 8s".to_owned(), true));
    assert_eq!(tried("", "no space left"), (SHORT.to_owned(), false));
}
