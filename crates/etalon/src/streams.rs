//! Standard output and standard error may be anything that a shell opens, such as a disk.

use std::env;
use std::fs::read_link;
use std::io::{stderr, stdout};
use std::os::fd::AsFd;
use std::path::PathBuf;

use etalon_factor::guard::{Refusal, may_write};

use crate::output::note;
use etalon_tools::Exit;

/// Whether what is printed may be written where it goes; `dd` judges its output itself, with what
/// the user typed after `--destroy`.
pub(crate) fn may_be_written() -> Exit {
    if one(stderr(), 2).is_err() {
        // There is no place to say why.
        return Exit::Refused;
    }
    let is_dd = env::args_os().nth(1).is_some_and(|word| word == "dd");
    match one(stdout(), 1) {
        Err(refusal) if !is_dd => {
            note(&format!("etalon: {refusal}"));
            Exit::Refused
        }
        _ => Exit::Done,
    }
}

fn one(stream: impl AsFd, number: u8) -> Result<(), Refusal> {
    let link = PathBuf::from(format!("/proc/self/fd/{number}"));
    let name = read_link(&link).unwrap_or(link);
    match may_write(stream, &name, None) {
        // Where the kernel shows nothing, as in a bare chroot, pages can be printed all the same.
        Err(Refusal::NotKnown { .. }) => Ok(()),
        judged => judged,
    }
}
