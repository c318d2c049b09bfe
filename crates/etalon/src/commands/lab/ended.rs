//! How a guest ended, and what is told of it.

use anyhow::bail;
use etalon_lab::guest::GuestError;
use etalon_model::Choice;
use etalon_tools::Exit;
use etalon_units::visible_lines;

use super::guest::tell_console;
use crate::exit::BadUsage;

/// What the command in the guest ended with; where it has measured nothing, what it said.
pub(super) fn ended(
    (code, said): &(i32, String),
    console: &str,
    is_empty: bool,
) -> anyhow::Result<Exit> {
    let said = visible_lines(said.trim_end()).replace('\r', "");
    let exit = match *code {
        0 => Exit::Done,
        3 => Exit::NotValid,
        5 => Exit::Imprecise,
        2 if is_empty => bail!(BadUsage(format!("in the guest: {said}"))),
        code if code > 128 => bail!(GuestError::Killed {
            signal: code - 128,
            console: console.to_owned(),
        }),
        _ => bail!("in the guest: {said}"),
    };
    Ok(exit)
}

/// Whether a guest was ended because somebody asked for it.
pub(super) fn is_stopped(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(GuestError::Stopped))
}

/// What the console of a guest that did not come to its end said last.
pub(super) fn tell_last_lines(error: &anyhow::Error) {
    tell_console(last_lines(error));
}

/// What ended a guest before its end, for the record: the error, and what the console said last.
pub(super) fn lost(error: &anyhow::Error) -> Choice {
    let lines: Vec<&str> = last_lines(error).lines().map(str::trim).collect();
    let told = match lines.is_empty() {
        true => String::new(),
        false => format!(" The console of the guest said last: {}", lines.join(" / ")),
    };
    Choice::note(format!("{error:#}.{told}"))
}

fn last_lines(error: &anyhow::Error) -> &str {
    let lines = error.downcast_ref().and_then(GuestError::last_lines);
    lines.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_killed_is_recorded_with_its_console_and_where_it_was() {
        let killed = ended(
            &(137, String::new()),
            "Out of memory\n Killed process 7",
            false,
        );
        let error = killed.unwrap_err().context("block 3, kernel slow");
        let Choice::Note { text } = lost(&error) else {
            panic!("no note");
        };
        let wanted = "block 3, kernel slow: etalon was killed in the guest (signal 9); give it more by --memory. \
            The console of the guest said last: Out of memory / Killed process 7";
        assert_eq!(text, wanted);
    }

    #[test]
    fn a_command_ends_as_it_does_outside_of_a_guest() {
        let of = |code: i32, is_empty| ended(&(code, "why\r\n".to_owned()), "", is_empty);
        for (code, exit) in [(0, Exit::Done), (3, Exit::NotValid), (5, Exit::Imprecise)] {
            assert_eq!(of(code, false).unwrap(), exit);
        }
        let misused = of(2, true).unwrap_err();
        assert!(misused.is::<BadUsage>() && misused.to_string() == "in the guest: why");
        assert!(!of(1, false).unwrap_err().is::<GuestError>());
    }
}
