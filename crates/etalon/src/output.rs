//! Everything that is printed goes through here, so that a closed pipe is no panic and no terminal
//! obeys what a name holds.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Stderr, Stdout, Write};
use std::sync::OnceLock;

use clap::ColorChoice;
use etalon_language::{Language, locale, of_locale};
use etalon_report::{Look, Painted, to_ascii};
use etalon_units::{Visible, visible, visible_lines};
use rustix::fs::FileType;

use crate::aside::Aside;
use crate::cli::LookArgs;
use crate::own_lines::{OwnLines, broken};

/// What the command line says of pages; it is read once, before anything is printed.
static CHOSEN: OnceLock<LookArgs> = OnceLock::new();

/// Says on a terminal that a command which prints nothing is at work.
static AT_WORK: OnceLock<Aside> = OnceLock::new();

/// From now on a command of this name is said to be at work where it is silent.
pub(crate) fn at_work(name: &str) {
    // A pager on standard output has the terminal for itself.
    let is_paged = rustix::fs::fstat(io::stdout())
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo);
    AT_WORK.get_or_init(|| match is_paged {
        true => Aside::silent(name),
        false => Aside::on_terminal(name),
    });
}

/// Whether something else says how far the work is, or the command has ended.
pub(crate) fn rest(is_resting: bool) {
    if let Some(aside) = AT_WORK.get() {
        aside.rest(is_resting);
    }
}

/// Called before something is printed.
fn speak(text: &str) {
    if let Some(aside) = AT_WORK.get() {
        aside.spoke(text.ends_with('\n'));
    }
}

/// Keeps what the command line says of pages.
pub(crate) fn choose(look: LookArgs) {
    CHOSEN.get_or_init(|| look);
}

/// Whether something says how wide a page may be: a terminal, or `COLUMNS`.
pub(crate) fn has_width() -> bool {
    io::stdout().is_terminal() || std::env::var_os("COLUMNS").is_some()
}

/// Prints documents to standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    write(&visible_lines(text))
}

/// Prints data whose format has its own quoting: what does not go to a terminal goes as it is.
pub(crate) fn print_data(text: &str) -> anyhow::Result<()> {
    match io::stdout().is_terminal() {
        true => print(&text.replace("\r\n", "\n")),
        false => write(text),
    }
}

/// Standard output for the tools that write line by line.
pub(crate) fn out() -> Visible<OwnLines<InLocale<Stdout>>> {
    Visible::new(OwnLines::new(InLocale(io::stdout())))
}

/// The same for standard error; a tool with progress may begin its line anew.
pub(crate) fn err(with_progress: bool) -> Visible<OwnLines<InLocale<Stderr>>> {
    let err = OwnLines::new(InLocale(io::stderr()));
    match with_progress {
        true => Visible::with_returns(err),
        false => Visible::new(err),
    }
}

/// Takes whole characters, and writes them in ASCII where the locale has nothing else.
pub(crate) struct InLocale<W>(W);

impl<W: Write> Write for InLocale<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(in_locale(text).as_bytes())?,
            Err(_) => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn write(text: &str) -> anyhow::Result<()> {
    speak(text);
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a note of one line to standard error; one that cannot be printed is no reason to stop.
pub(crate) fn note(text: &str) {
    speak("\n");
    let _ = writeln!(io::stderr().lock(), "{}", in_locale(&visible(text)));
}

/// Prints a line of etalon's own beside a tool's, broken to the width of a page.
pub(crate) fn own_line(text: &str) {
    note_lines(&broken(&visible(text)));
}

/// Prints notes, a line each.
pub(crate) fn note_lines(text: &str) {
    text.lines().for_each(note);
}

/// Prints an error with its causes on one line.
pub(crate) fn complain(error: &anyhow::Error) {
    note(&with_causes(error));
}

fn with_causes(error: &anyhow::Error) -> String {
    let mut text = String::from("etalon");
    for cause in error.chain() {
        let said = cause.to_string();
        // Many an error tells its cause in its own words, and what to do behind it.
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
    }
    text
}

/// Whether the reader of standard output went away, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The language of pages and reports: as asked, or that of the locale.
pub(crate) fn language() -> Language {
    let asked = CHOSEN.get().and_then(|look| look.language.lang);
    asked.unwrap_or_else(|| of_locale(variable))
}

/// How pages look on this terminal and in this locale.
pub(crate) fn look() -> Look {
    Look {
        width: width(),
        ascii: is_ascii(),
        colour: is_coloured(),
        language: language(),
        ..Look::default()
    }
}

/// Prints what people read, in ASCII where the locale has nothing else.
pub(crate) fn print_page(text: &str) -> anyhow::Result<()> {
    print(&in_locale(text))
}

/// Prints a page with its colours, which it has only where [`look`] says so.
pub(crate) fn print_painted(page: &Painted) -> anyhow::Result<()> {
    match is_ascii() {
        true => write(page.in_ascii().as_str()),
        false => write(page.as_str()),
    }
}

/// Whether pages have colours: as asked, or on a terminal by what the environment says of it
/// (<https://no-color.org>).
fn is_coloured() -> bool {
    match CHOSEN.get().map(|look| look.color) {
        Some(ColorChoice::Always) => true,
        Some(ColorChoice::Never) => false,
        Some(ColorChoice::Auto) | None => {
            let choice = anstream::AutoStream::choice(&io::stdout());
            choice != anstream::ColorChoice::Never
        }
    }
}

/// Whether the locale, or who asked, has no letter beyond ASCII.
pub(crate) fn is_ascii() -> bool {
    CHOSEN.get().is_some_and(|look| look.ascii) || is_ascii_locale(variable)
}

/// The text in the characters that the locale has.
pub(crate) fn in_locale(text: &str) -> Cow<'_, str> {
    match is_ascii() {
        true => Cow::Owned(to_ascii(text)),
        false => Cow::Borrowed(text),
    }
}

/// A variable of the environment.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// Whether the locale of letters is C or POSIX.
fn is_ascii_locale(variable: impl Fn(&str) -> Option<String>) -> bool {
    matches!(locale("LC_CTYPE", variable).as_str(), "C" | "POSIX")
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

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn a_cause_is_told_once() {
        let denied = || io::Error::from_raw_os_error(13);
        let told = format!("'/x' cannot be made: {}; make it", denied());
        let error = Err::<(), _>(denied()).context("'/x' cannot be made");
        let untold = with_causes(&error.unwrap_err());
        assert_eq!(untold, format!("etalon: '/x' cannot be made: {}", denied()));
        let error = Err::<(), _>(denied()).context(told.clone());
        assert_eq!(with_causes(&error.unwrap_err()), format!("etalon: {told}"));
    }

    #[test]
    fn the_first_variable_that_says_anything_is_the_locale() {
        let of = |said: &[(&str, &str)]| {
            let value = |name: &str| said.iter().find(|(key, _)| *key == name).map(|(_, v)| *v);
            is_ascii_locale(|name| value(name).map(str::to_owned))
        };
        assert!(of(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
        assert!(of(&[("LC_ALL", ""), ("LANG", "POSIX")]));
        assert!(!of(&[("LC_ALL", "C.UTF-8"), ("LANG", "C")]));
        assert!(!of(&[("LC_CTYPE", "de_DE.UTF-8"), ("LANG", "C")]));
        assert!(!of(&[]));
    }
}
