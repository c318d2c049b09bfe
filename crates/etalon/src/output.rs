//! Everything that is printed goes through here, so that a closed pipe is no panic.

use std::io::{self, IsTerminal as _, Write as _};

/// Prints to standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a note to standard error; a note that cannot be printed is no reason to stop.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints notes, a line each.
pub(crate) fn note_lines(text: &str) {
    text.lines().for_each(note);
}

/// Prints an error with its causes on one line.
pub(crate) fn complain(error: &anyhow::Error) {
    let mut text = String::from("etalon");
    for cause in error.chain() {
        let said = cause.to_string();
        // Many an error tells its cause in its own words.
        if !text.ends_with(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
    }
    note(&text);
}

/// Whether the reader of standard output went away, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Columns of the terminal on standard output; `None` when it is none.
pub(crate) fn width() -> Option<usize> {
    let out = io::stdout();
    if !out.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(&out).ok()?;
    (size.ws_col > 0).then(|| usize::from(size.ws_col))
}
