//! Programs that a test runs to make what it needs.

use std::process::Command;

/// Runs a program that must succeed, and gives what it printed.
///
/// # Panics
/// Where it fails, with what it said.
pub fn tool(program: &str, words: &[&str]) -> String {
    try_tool(program, words).unwrap_or_else(|why| panic!("{why}"))
}

/// Runs a program, in the language in which its messages are documented, and gives what it printed.
///
/// # Errors
/// What it complained of, with its words.
pub fn try_tool(program: &str, words: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program);
    let output = command.args(words).env("LC_ALL", "C").output();
    let output = output.map_err(|error| format!("{program} {words:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("{program} {words:?}: {}", text(&output.stderr))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_with_what_the_program_said() {
        assert_eq!(tool("echo", &["a", "b"]), "a b");
        let why = try_tool("ls", &["/not here"]).unwrap_err();
        assert!(why.starts_with("ls [\"/not here\"]: "), "{why}");
        assert!(why.contains("No such file or directory"), "{why}");
        let why = try_tool("not-a-program", &[]).unwrap_err();
        assert!(why.starts_with("not-a-program []: "), "{why}");
    }

    #[test]
    #[should_panic(expected = "No such file or directory")]
    fn what_must_succeed_and_does_not_fails_the_test() {
        tool("ls", &["/not here"]);
    }
}
