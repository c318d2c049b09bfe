//! What a test says where the machine cannot do it.

use std::io::Write as _;

/// Says which test is skipped and why, as `.ci/tests` counts it: on the real standard error, past libtest, which would
/// keep the line to itself.
pub fn skip(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "{}", line(test, why));
}

fn line(test: &str, why: &str) -> String {
    let why = why.lines().next().unwrap_or_default();
    format!("SKIPPED {test}: {why}")
}

/// Whether this is root; if not, the test is skipped by name. Root skips nothing: what fails as root fails the test.
#[must_use]
pub fn root_for(test: &str) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        skip(test, "needs root");
    }
    is_root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_is_one_line_with_the_name() {
        assert_eq!(line("a_test", "no tool\nat all"), "SKIPPED a_test: no tool");
    }

    #[test]
    fn root_is_asked_of_the_process() {
        let id = std::process::Command::new("id").arg("-u").output().unwrap();
        assert_eq!(
            root_for("root_is_asked_of_the_process"),
            id.stdout == b"0\n"
        );
    }
}
