//! How a guest ended, and what is told of it.

use std::path::Path;

use anyhow::bail;
use etalon_lab::guest::{GuestDisk, GuestError};
use etalon_lab::serve::ServedFacts;
use etalon_model::Choice;
use etalon_tools::Exit;
use etalon_units::visible;

use super::guest::tell_console;
use crate::exit::InGuest;

/// How etalon begins each line of its own beside those of progress.
const OWN_LINE: &str = "etalon: ";

/// What the command in the guest ended with, as it does here; where it failed, what it said.
pub(super) fn ended((code, said): &(i32, String), console: &str) -> anyhow::Result<Exit> {
    let exit = match *code {
        0 => return Ok(Exit::Done),
        3 => return Ok(Exit::NotValid),
        5 => return Ok(Exit::Imprecise),
        2 => Exit::Usage,
        4 => Exit::Refused,
        6 => Exit::InUse,
        code if code > 128 => bail!(GuestError::Killed {
            signal: code - 128,
            console: console.to_owned(),
        }),
        _ => Exit::Failed,
    };
    let said = own_lines(said);
    bail!(InGuest { exit, said })
}

/// What etalon itself said in the guest, as one line: how far it was has been told while it ran. What something else failed
/// on before it is all there is.
fn own_lines(said: &str) -> String {
    // A serial line ends its lines as a terminal does.
    let said = said.replace('\r', "");
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let (own, other): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with(OWN_LINE));
    let told = if own.is_empty() { other } else { own };
    let told = told.iter().map(|line| line.trim_start_matches(OWN_LINE));
    visible(&told.collect::<Vec<_>>().join(" / ")).into_owned()
}

/// Whether this machine had memory for all that was written to these disks: a guest itself only sees that one is full.
pub(super) fn kept(mut disks: impl Iterator<Item = ServedFacts>) -> Result<(), GuestError> {
    match disks.position(|disk| disk.without_memory > 0) {
        Some(number) => Err(GuestError::NoMemory {
            device: Path::new("/dev").join(GuestDisk::name(number)),
        }),
        None => Ok(()),
    }
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
    use crate::exit::classify;

    #[test]
    fn what_was_killed_is_recorded_with_its_console_and_where_it_was() {
        let killed = ended(&(137, String::new()), "Out of memory\n Killed process 7");
        let error = killed.unwrap_err().context("block 3, kernel slow");
        let Choice::Note { text } = lost(&error) else {
            panic!("no note");
        };
        let wanted = "block 3, kernel slow: etalon was killed in the guest (signal 9); give it more by --memory. \
            The console of the guest said last: Out of memory / Killed process 7";
        assert_eq!(text, wanted);
    }

    #[test]
    fn a_disk_that_found_no_memory_is_named_with_what_to_do() {
        let (well, mut full) = (ServedFacts::default(), ServedFacts::default());
        assert!(kept([well, well].into_iter()).is_ok());
        full.without_memory = 3;
        let error = kept([well, full, full].into_iter()).unwrap_err();
        let wanted = "this machine has no memory left for what was written to /dev/vdb: \
            take a smaller disk, write less, or free some memory";
        assert_eq!(error.to_string(), wanted);
    }

    #[test]
    fn a_command_ends_as_it_does_outside_of_a_guest() {
        let of = |code: i32| ended(&(code, "etalon: why\r\n".to_owned()), "");
        for (code, exit) in [(0, Exit::Done), (3, Exit::NotValid), (5, Exit::Imprecise)] {
            assert_eq!(of(code).unwrap(), exit);
        }
        for (code, exit) in [
            (1, Exit::Failed),
            (2, Exit::Usage),
            (4, Exit::Refused),
            (6, Exit::InUse),
            (127, Exit::Failed),
        ] {
            let error = of(code).unwrap_err().context("block 1, kernel slow");
            assert_eq!(classify(&error), exit, "{code}");
            assert!(!error.is::<GuestError>());
        }
    }

    #[test]
    fn an_error_of_the_guest_is_told_once_and_on_one_line() {
        let told = |said: &str| ended(&(1, said.to_owned()), "").unwrap_err().to_string();
        let said = "block 1/2: 4 runs\r\n2.1 s: reading\r\netalon: cannot open '/x\x1b': no\r\n";
        assert_eq!(told(said), "in the guest: cannot open '/x\\x1b': no");
        // The network was not made, so that etalon said nothing.
        let said = "cannot see /dev/nvme0n1\r\n\r\nsh: over\r\n";
        assert_eq!(
            told(said),
            "in the guest: cannot see /dev/nvme0n1 / sh: over"
        );
    }
}
