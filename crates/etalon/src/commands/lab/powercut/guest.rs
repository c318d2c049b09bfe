//! Power cuts beneath a filesystem: one guest writes, and looks at what each cut has left.
//!
//! The guest itself never dies. At the moment of a cut the host puts what the disk would still hold onto another
//! disk, of which the guest's memory knows nothing, and has that mounted: what is found there is what a machine
//! would find that booted after the cut. So one boot serves many cuts.

use std::path::Path;

use etalon_lab::powercut::Records;
use rustix::process::Signal;

use super::super::ended::{is_stopped, kept};
use super::super::guest::{MachineArgs, Ready, Station, archive, archive_of, tell_console};
use super::super::model::{Model, SMALLEST};
use super::cutting::{CutResults, Cutting};
use super::database::Database;
use super::disks::Disks;
use super::talk::Talk;
use super::written::{OnFilesystem, Written};

const SCRIPT: &str = include_str!("guest.sh");
/// The name of the line's socket within the private directory.
const LINE: &str = "line";

/// Boots a guest and cuts the power of its first disk so often.
pub(super) fn cut(
    machine: &MachineArgs,
    on: &OnFilesystem,
    model: &Model,
    seed: u64,
    cuts: u64,
) -> anyhow::Result<CutResults> {
    let most = cuts * on.written.most();
    let disks = Disks::new(model, (most * Records::BYTES).max(SMALLEST), seed)?;
    let maker = format!("mkfs.{}", on.filesystem);
    let programs = || match on.written {
        Written::Records => archive_of(&[&maker, "dd"]),
        Written::Experiments => archive(None),
        Written::Rows(database) => {
            let mut archive = archive_of(&[&maker, "dd", "setpriv"])?;
            database.pack(&mut archive)?;
            Ok(archive)
        }
    };
    let (station, kernel) = (Station::open()?, machine.kernel()?);
    let serve = |directory: &Path| disks.serve(model, seed, directory);
    let mut ready = machine.ready_for(&station, &kernel, SCRIPT, programs, serve)?;
    ready.tell();
    let records = Records::new(seed);
    let archive = &mut ready.archive;
    match on.written {
        Written::Records => {
            let content = (0..most).flat_map(|number| records.content(number));
            archive.file("records", 0o644, &content.collect::<Vec<u8>>());
        }
        Written::Rows(_) => {
            let statements = Database::statements(seed, most);
            archive.file("statements", 0o644, statements.as_bytes());
        }
        Written::Experiments => {}
    }
    archive.file("subject.sh", 0o644, on.subject(most).as_bytes());
    ready.guest.modules.push(on.filesystem.to_owned());
    let made = talked(&mut ready, on.written, &disks, seed, cuts);
    // The guest itself says that its disk is full, or finds records lost by no power cut.
    let made = match kept(ready.facts()) {
        Err(full) if !made.as_ref().is_err_and(is_stopped) => Err(full.into()),
        _ => made,
    };
    if made.as_ref().is_err_and(|error| !is_stopped(error)) {
        tell_console(&ready.guest.last_lines());
    }
    ready.close()?;
    made
}

fn talked(
    ready: &mut Ready,
    written: Written,
    disks: &Disks,
    seed: u64,
    cuts: u64,
) -> anyhow::Result<CutResults> {
    let archive = std::mem::take(&mut ready.archive);
    let guest = &ready.guest;
    let line = format!("unix:{LINE},server=on");
    let mut server = guest.start(&ready.journal, archive, &["file:console", &line])?;
    let path = guest.directory.join(LINE);
    let talk = Talk::with(&path, &mut server, &ready.stop, guest.time_limit);
    let made = talk.and_then(|talk| Cutting::new(written, talk, disks, seed).all(cuts));
    server.end(Signal::TERM)?;
    made
}
