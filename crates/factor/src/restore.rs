//! Putting back what a killed process left changed.

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::absent::{holds, stays_absent};
use crate::condition::{FactorError, put_back_command, put_back_mount, put_back_values};
use crate::group::{group_path, remove_group};
use crate::journal::{EntryFile, Journal, JournalFile, ReadEntryError};
use crate::made::undo_all;
use crate::mounted_in::mounted_in;
use crate::named::remove_named;
use crate::remove::{Removal, RemoveError, open_without_links, remove_scratch, scratch_path};
use crate::scratch::lies_on;
use crate::server_end::end_left;
use crate::started::{Wait, have_ended};
use crate::{Change, Entry, FilesystemMark, Liveness, ProcessStamp};

/// What a restore found and did.
#[derive(Debug, Default)]
pub struct RestoreReport {
    /// Scratch directories and control groups that were removed.
    pub removed: Vec<PathBuf>,
    /// Servers that were ended.
    pub ended: Vec<EndedServer>,
    /// What was changed and has its former state again.
    pub put_back: Vec<PathBuf>,
    /// What was changed or made until the machine was started anew, which undid it.
    pub undone_by_reboot: Vec<PathBuf>,
    /// Changes that a living process still needs.
    pub in_use: Vec<InUse>,
    /// What could not be put back, and why.
    pub kept: Vec<Kept>,
}

/// So long a program is waited for that was started by somebody who is dead. It has been told to end, or wipes or makes a
/// filesystem that nobody wants.
const HOLDER_TIMEOUT: Duration = Duration::from_secs(10);

/// A server that a dead process had left, such as a database's or a guest of the laboratory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedServer {
    /// The name of its program, where the kernel still knew it.
    pub program: Option<String>,
    /// Where it worked.
    pub directory: PathBuf,
}

/// A change whose owner lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InUse {
    /// The scratch directory or control group.
    pub path: PathBuf,
    /// Its process.
    pub owner: ProcessStamp,
    /// Whether it was made, and not only changed ([`Change::is_made`]).
    pub is_made: bool,
}

impl InUse {
    /// Where something is mounted in what was made, which keeps it from being removed.
    pub fn mount_points(&self) -> Vec<PathBuf> {
        match self.is_made {
            true => mounted_in(&self.path),
            false => Vec::new(),
        }
    }
}

/// A change that could not be put back. Its entry stays in the journal, but where something else was
/// put in its place: then there is nothing left to do.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.as_ref().unwrap_or(entry).display())]
pub struct Kept {
    /// The file of the journal.
    pub entry: PathBuf,
    /// The scratch directory or control group, where the entry could be read.
    pub path: Option<PathBuf>,
    /// Why.
    pub reason: KeptReason,
}

/// Why a change could not be put back.
#[derive(Debug, thiserror::Error)]
pub enum KeptReason {
    /// The entry cannot be read.
    #[error("this entry of the journal cannot be used: {0}")]
    Entry(#[source] ReadEntryError),
    /// Its process may live on another machine or in another container.
    #[error("process {pid} on machine {machine} made it and may still need it; run etalon restore there, or delete '{}' if that machine is gone", entry.display())]
    OutOfSight {
        /// The process's number there.
        pid: u32,
        /// The machine.
        machine: String,
        /// The file of the journal.
        entry: PathBuf,
    },
    /// What its process had begun goes on.
    #[error(
        "a program that was started for it still runs; run etalon restore again when it has ended"
    )]
    ProgramRuns,
    /// The filesystem is not there now.
    #[error("the filesystem it was on is not mounted there now; mount it and run etalon restore again, or delete '{}' if it is gone for good", entry.display())]
    NotMounted {
        /// The file of the journal.
        entry: PathBuf,
    },
    /// It is not there, and its filesystem does not show that it stays away.
    #[error("it is not there, but may come back, for its filesystem takes no changes now: {source}; put that right and run etalon restore again, or delete '{}' if the disk is gone for good", entry.display())]
    MayComeBack {
        /// The file of the journal.
        entry: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The directory that holds it cannot be opened.
    #[error(
        "the directory that holds it cannot be opened: {0}; put that right and run etalon restore again"
    )]
    Parent(#[source] io::Error),
    /// It could not be removed.
    #[error(transparent)]
    Remove(#[from] RemoveError),
    /// A control group could not be removed.
    #[error(
        "the control group could not be removed: {0}; move the processes in its cgroup.procs elsewhere and run etalon restore again"
    )]
    Group(#[source] io::Error),
    /// What was changed could not be set to what it was.
    #[error("it could not be put back: {0}; put that right and run etalon restore again")]
    Factor(#[from] FactorError),
    /// It is removed, but its entry is not.
    #[error("it is put back, but its entry of the journal could not be deleted: {0}")]
    Strike(#[source] io::Error),
}

impl RestoreReport {
    /// True when there was nothing to do and nothing to say.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty()
            && self.ended.is_empty()
            && self.put_back.is_empty()
            && self.undone_by_reboot.is_empty()
            && self.in_use.is_empty()
            && self.kept.is_empty()
    }
}

/// Removes every scratch directory and control group of this user's journal whose process is gone. Only a directory
/// that bears the token of its entry, and belongs to this user, is touched.
///
/// It never fails as a whole: the report says what could not be done.
pub fn restore(journal: &Journal) -> RestoreReport {
    restore_telling(journal, &mut |_| ())
}

/// The same, and `tell` hears whose program is waited for, where that takes longer than a second. After ten it is kept.
pub fn restore_telling(journal: &Journal, tell: &mut dyn FnMut(&ProcessStamp)) -> RestoreReport {
    restore_within(journal, HOLDER_TIMEOUT, tell)
}

/// The same, where a program that a dead process started is waited for no longer than `patience`.
pub(crate) fn restore_within(
    journal: &Journal,
    patience: Duration,
    tell: &mut dyn FnMut(&ProcessStamp),
) -> RestoreReport {
    let until = Instant::now() + patience;
    let mut wait = Wait { until, tell };
    let mut report = RestoreReport::default();
    let mut found = journal.read_all();
    let entries = found.iter().filter_map(|found| found.entry.as_ref().ok());
    let gone: Vec<PathBuf> = entries.flat_map(mounts_of_an_earlier_boot).collect();
    // What still writes into a directory ends before the directory goes.
    found.sort_by_key(|found| {
        let entry = found.entry.as_ref();
        let goes_on = entry.is_ok_and(Entry::is_server);
        (!goes_on, Reverse(entry.map_or((0, 0), order)))
    });
    for JournalFile { file, entry } in found {
        match entry {
            Ok(entry) => restore_one((&file, &entry), &gone, &mut wait, &mut report),
            Err(error) => report.kept.push(Kept {
                entry: file.path,
                path: None,
                reason: KeptReason::Entry(error),
            }),
        }
    }
    report
}

/// The latest goes first: a scheduler, for one, sets the number of requests anew. What was made of devices goes after
/// all else, which may lie on it, and what a plan cleans up in the end comes last: its set-up was there before them, and
/// they may lie on what it made.
fn order(entry: &Entry) -> (u8, u64) {
    let entered = entry.entered_ns.unwrap_or(0);
    match &entry.change {
        Change::Command {
            at_the_end: true, ..
        } => (0, entered),
        Change::Made { made } => (1, made.begun_ns),
        _ => (2, entered),
    }
}

/// Where filesystems were mounted that were made for a time, and that a reboot has unmounted: they are taken away with all
/// that lies on them.
fn mounts_of_an_earlier_boot(entry: &Entry) -> Vec<PathBuf> {
    match &entry.change {
        Change::Made { made } if is_of_an_earlier_boot(entry) => made.mounts().cloned().collect(),
        _ => Vec::new(),
    }
}

fn is_of_an_earlier_boot(entry: &Entry) -> bool {
    entry.owner.liveness() == Liveness::Dead && !entry.owner.is_of_this_boot()
}

/// Whether it lies on a filesystem that goes itself.
fn goes_with(gone: &[PathBuf], entry: &Entry) -> bool {
    let lies_below = |parent: &Path| gone.iter().any(|point| parent.starts_with(point));
    match &entry.change {
        Change::ScratchDirectory { parent, .. } | Change::Named { parent, .. } => {
            is_of_an_earlier_boot(entry) && lies_below(parent)
        }
        _ => false,
    }
}

fn restore_one(
    (file, entry): (&EntryFile, &Entry),
    gone: &[PathBuf],
    wait: &mut Wait<'_>,
    report: &mut RestoreReport,
) {
    let path = match &entry.change {
        Change::ScratchDirectory { parent, .. } => scratch_path(parent, &entry.token),
        Change::Named { parent, name, .. } => parent.join(name),
        Change::CacheLimit { parent } => group_path(parent, &entry.token),
        Change::Command { reset, .. } => PathBuf::from(reset),
        Change::Server { directory, .. } => directory.clone(),
        Change::Made { made } => made.shown(),
        Change::KernelValues { .. } | Change::MountOptions { .. } | Change::Unmounted { .. } => {
            entry.change.parent().to_owned()
        }
    };
    let program = program_of(entry);
    let done = match entry.owner.liveness() {
        Liveness::Alive => {
            let owner = entry.owner.clone();
            let is_made = entry.change.is_made();
            let used = InUse {
                path,
                owner,
                is_made,
            };
            return report.in_use.push(used);
        }
        Liveness::OutOfSight => Err(KeptReason::OutOfSight {
            pid: entry.owner.pid,
            machine: entry.owner.machine.clone(),
            entry: file.path.clone(),
        }),
        Liveness::Dead => match have_ended(&entry.owner, wait) || entry.change.is_command() {
            true => put_back(&file.path, entry, &path),
            false => Err(KeptReason::ProgramRuns),
        },
    };
    let done = match done {
        Err(KeptReason::NotMounted { .. }) if goes_with(gone, entry) => Ok(Removal::Absent),
        done => done,
    };
    let done = done.and_then(|removal| {
        let told = match removal {
            Removal::Done if entry.is_server() => {
                let directory = path.clone();
                report.ended.push(EndedServer { program, directory });
                None
            }
            Removal::Done if entry.change.is_made() => Some(&mut report.removed),
            Removal::Done => Some(&mut report.put_back),
            Removal::Absent if is_undone_by_reboot(entry) => Some(&mut report.undone_by_reboot),
            Removal::Absent => None,
        };
        told.into_iter().for_each(|told| told.push(path.clone()));
        file.strike().map_err(KeptReason::Strike)
    });
    if let Err(reason) = done {
        if matches!(reason, KeptReason::Remove(RemoveError::Replaced)) {
            // There is nothing left to put back; what is not struck out is told again.
            let _ = file.strike();
        }
        report.kept.push(Kept {
            entry: file.path.clone(),
            path: Some(path),
            reason,
        });
    }
}

/// The program of a server that still runs (proc_pid_comm(5)).
fn program_of(entry: &Entry) -> Option<String> {
    let Change::Server { process, .. } = &entry.change else {
        return None;
    };
    let process = process.as_ref()?;
    let is_alive = process.liveness() == Liveness::Alive;
    let name = fs::read_to_string(format!("/proc/{}/comm", process.pid)).ok();
    name.filter(|_| is_alive)
        .map(|name| name.trim_end().to_owned())
}

fn put_back(file: &Path, entry: &Entry, path: &Path) -> Result<Removal, KeptReason> {
    match &entry.change {
        Change::ScratchDirectory {
            parent,
            filesystem,
            given_to,
        } => remove(file, entry, parent, filesystem, |directory| {
            remove_scratch(directory, &entry.token, *given_to)
        }),
        Change::Named {
            parent,
            name,
            filesystem,
            identity,
            ..
        } => remove(file, entry, parent, filesystem, |directory| {
            remove_named(directory, name.as_os_str(), &entry.token, identity.as_ref())
        }),
        Change::Server { directory, process } => match end_left(directory, process.as_ref()) {
            true => Ok(Removal::Done),
            false => Ok(Removal::Absent),
        },
        Change::CacheLimit { .. } => match remove_group(path) {
            Ok(true) => Ok(Removal::Done),
            Ok(false) => Ok(Removal::Absent),
            Err(source) => Err(KeptReason::Group(source)),
        },
        // The kernel forgets them when the machine is started anew.
        Change::KernelValues { .. } | Change::MountOptions { .. } | Change::Unmounted { .. }
            if !entry.owner.may_be_of_this_boot() =>
        {
            Ok(Removal::Absent)
        }
        Change::Command { reset, .. } => Ok(done_if(put_back_command(reset)?)),
        Change::MountOptions { point, before } => Ok(done_if(put_back_mount(point, before)?)),
        Change::Unmounted { mount } => Ok(done_if(mount.put_back()?)),
        Change::KernelValues { values } => Ok(done_if(put_back_values(values)?)),
        Change::Made { made } => {
            let is_of_this_boot = entry.owner.is_of_this_boot();
            match undo_all(made, &entry.token, is_of_this_boot) {
                Ok(has_undone) => Ok(done_if(has_undone)),
                Err(FactorError::NotMounted { .. }) => Err(KeptReason::NotMounted {
                    entry: file.to_owned(),
                }),
                Err(error) => Err(error.into()),
            }
        }
    }
}

/// Of a change that is not there: whether it went when the machine was started anew. Files and directories stay over
/// that, and were removed by somebody, or never made.
fn is_undone_by_reboot(entry: &Entry) -> bool {
    let goes = match &entry.change {
        Change::KernelValues { .. }
        | Change::MountOptions { .. }
        | Change::Unmounted { .. }
        | Change::CacheLimit { .. }
        | Change::Made { .. } => true,
        Change::ScratchDirectory { filesystem, .. } | Change::Named { filesystem, .. } => {
            filesystem.volatile
        }
        // The directory that a server worked in has an entry of its own.
        Change::Command { .. } | Change::Server { .. } => false,
    };
    goes && !entry.owner.is_of_this_boot()
}

fn done_if(is_done: bool) -> Removal {
    match is_done {
        true => Removal::Done,
        false => Removal::Absent,
    }
}

fn remove(
    file: &Path,
    entry: &Entry,
    parent: &Path,
    filesystem: &FilesystemMark,
    remove: impl FnOnce(&OwnedFd) -> Result<Removal, RemoveError>,
) -> Result<Removal, KeptReason> {
    let directory = match open_without_links(parent) {
        Ok(directory) => Some(directory),
        Err(Errno::NOENT | Errno::NOTDIR) => None,
        Err(errno) => return Err(KeptReason::Parent(errno.into())),
    };
    if let Some(directory) = &directory
        && remove(directory)? == Removal::Done
    {
        return Ok(Removal::Done);
    }
    // Memory keeps nothing that could come back.
    if filesystem.volatile {
        return Ok(Removal::Absent);
    }
    // What is not there is gone only if its filesystem is there and works.
    let parent_is_there = directory.is_some();
    let place = directory
        .or_else(|| nearest(parent))
        .filter(|place| lies_on(place, filesystem));
    let place = place.ok_or_else(|| KeptReason::NotMounted {
        entry: file.to_owned(),
    })?;
    let shown = if parent_is_there {
        stays_absent(&place, &entry.token)
    } else {
        holds(&place)
    };
    shown.map_err(|errno| KeptReason::MayComeBack {
        entry: file.to_owned(),
        source: errno.into(),
    })?;
    Ok(Removal::Absent)
}

/// The nearest part of `path` that exists.
fn nearest(path: &Path) -> Option<OwnedFd> {
    path.ancestors()
        .find_map(|place| open_without_links(place).ok())
}
