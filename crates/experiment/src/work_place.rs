//! Where a workload works: the private directory, its files' size, and the lock on the target.

use std::path::Path;

use etalon_engine::{Plan, TargetPlace};
use etalon_factor::guard::{GuardError, HeldDevice, Refusal};
use etalon_factor::{Journal, Scratch, ScratchError, TargetLock};
use etalon_host::FreeSpace;
use etalon_host::memory::Room;
use etalon_model::{Backend, Choice, IoWorkload};
use etalon_units::Bytes;

use crate::witness::tell;
use crate::{Event, ExperimentError, Site, SiteKind, Witness, memory_room};

/// Size of a file in a directory where none was asked for, as far as there is room.
const DEFAULT_FILE: Bytes = Bytes::gib(1);

/// Whether the workload touches the target, so that nobody else may measure there.
///
/// # Errors
/// When the workload cannot be done on the target at all: what is refused for good must not first
/// wait for another etalon.
pub(crate) fn needs_lock(site: &Site, workload: &IoWorkload) -> Result<bool, ExperimentError> {
    if site.kind != SiteKind::Directory {
        Plan::resolve(workload, &place_of(site))?;
    }
    Ok(!is_imagined(workload))
}

/// Whether one of the workloads writes to the block device that the target is.
pub(crate) fn writes_device(site: &Site, workloads: &[IoWorkload]) -> bool {
    site.kind == SiteKind::BlockDevice && workloads.iter().any(writes)
}

/// Whether the workload changes what lies on its target: it writes, or tells that blocks are free.
pub(crate) fn writes(workload: &IoWorkload) -> bool {
    workload.operation.changes() && !is_imagined(workload)
}

/// Refuses a target that is no directory.
///
/// # Errors
/// [`ScratchError::NotADirectory`].
pub(crate) fn insist_on_directory(site: &Site) -> Result<(), ExperimentError> {
    let path = site.path.clone();
    match site.kind {
        SiteKind::Directory => Ok(()),
        _ => Err(ScratchError::NotADirectory { path }.into()),
    }
}

fn is_imagined(workload: &IoWorkload) -> bool {
    matches!(workload.backend, Backend::Null | Backend::Fake)
}

fn place_of(site: &Site) -> TargetPlace {
    match site.kind {
        SiteKind::BlockDevice => TargetPlace::BlockDevice {
            path: site.path.clone(),
            writable: false,
        },
        SiteKind::File => TargetPlace::File {
            path: site.path.clone(),
            writable: false,
        },
        SiteKind::Directory => TargetPlace::Directory(site.path.clone()),
    }
}

/// The size of each of so many files in a directory where none was asked for, as far as its free space and the memory in which
/// it may lie tell now.
pub(crate) fn usual_size(site: &Site, files: u64) -> Result<Bytes, ExperimentError> {
    let space = FreeSpace::of_path(&site.path).map_err(|source| ScratchError::Io {
        path: site.path.clone(),
        source,
    })?;
    let third = Bytes(space.allowance().get() / 3);
    let memory = memory_room::of_one_file_on(&site.tree);
    let share = memory.map_or(third, |memory| memory.min(third));
    Ok(DEFAULT_FILE.min(Bytes(share.get() / files.max(1))))
}

/// Where the work is done, with the lock on what it stands on where it has one of its own. A private
/// directory goes away with it, before the lock is given back.
pub(crate) struct WorkPlace {
    pub(crate) place: TargetPlace,
    scratch: Option<Scratch>,
    device: Option<HeldDevice>,
    /// The most memory that one of three files takes that are made there; `None` where files take none.
    pub(crate) memory: Option<Bytes>,
    /// The memory in which the files lie that are made there; `None` where their filesystem is none in memory.
    room: Option<Room>,
    _lock: Option<TargetLock>,
}

impl WorkPlace {
    /// What `site` is, opened for nothing yet.
    fn at(site: &Site) -> WorkPlace {
        WorkPlace {
            place: place_of(site),
            scratch: None,
            device: None,
            memory: memory_room::of_one_file_on(&site.tree),
            room: memory_room::of_files_on(&site.tree),
            _lock: None,
        }
    }

    /// What `workload` needs: a private directory where the target is one and is touched.
    pub(crate) fn new(site: &Site, workload: &IoWorkload) -> Result<WorkPlace, ExperimentError> {
        match is_imagined(workload) {
            true => Ok(WorkPlace::at(site)),
            false => WorkPlace::to_read(site),
        }
    }

    /// A private directory where the target is one; a file or a device is only read.
    pub(crate) fn to_read(site: &Site) -> Result<WorkPlace, ExperimentError> {
        match site.kind {
            SiteKind::Directory => WorkPlace::in_directory(site),
            SiteKind::File | SiteKind::BlockDevice => Ok(WorkPlace::at(site)),
        }
    }

    /// A private directory; the target is one.
    pub(crate) fn in_directory(site: &Site) -> Result<WorkPlace, ExperimentError> {
        WorkPlace::entered_in(&Journal::open()?, site)
    }

    /// The same, entered in this journal.
    pub(crate) fn entered_in(journal: &Journal, site: &Site) -> Result<WorkPlace, ExperimentError> {
        let scratch = Scratch::create(journal, &site.path)?;
        Ok(WorkPlace {
            place: TargetPlace::Directory(scratch.held_path()),
            scratch: Some(scratch),
            ..WorkPlace::at(site)
        })
    }

    /// The same with the lock, which was taken before.
    pub(crate) fn locked(self, lock: Option<TargetLock>) -> WorkPlace {
        WorkPlace {
            _lock: lock,
            ..self
        }
    }

    /// Holds the device of `site`, through the guard, so that it can be written; `witness` is told
    /// what will be lost before anything is.
    pub(crate) fn writable(
        site: &Site,
        destroy: Option<&str>,
        witness: &mut dyn Witness,
    ) -> Result<WorkPlace, ExperimentError> {
        let held = WorkPlace::held(site, HeldDevice::claim(&site.path, destroy)?)?;
        held.tell(site, witness)?;
        Ok(held)
    }

    /// The same without a word, of several names that were typed.
    pub(crate) fn claimed(site: &Site, destroy: &[String]) -> Result<WorkPlace, ExperimentError> {
        WorkPlace::held(site, HeldDevice::claim_any(&site.path, destroy)?)
    }

    /// Tells `witness` what lies on the device that is held.
    pub(crate) fn tell(
        &self,
        site: &Site,
        witness: &mut dyn Witness,
    ) -> Result<(), ExperimentError> {
        let Some(device) = &self.device else {
            return Ok(());
        };
        let (target, content) = (&site.record, device.content());
        tell(witness, Event::Overwrites { target, content })
    }

    fn held(site: &Site, device: HeldDevice) -> Result<WorkPlace, ExperimentError> {
        if device.number()? != site.device {
            return Err(GuardError::from(Refusal::NotKnown {
                path: site.path.clone(),
                why: "its name was given to another device a moment ago; try again".to_owned(),
            })
            .into());
        }
        Ok(WorkPlace {
            place: TargetPlace::BlockDevice {
                path: device.path(),
                writable: true,
            },
            device: Some(device),
            ..WorkPlace::at(site)
        })
    }

    /// Looks again, before a run, that nobody has come to use a device that is written.
    pub(crate) fn check(&self) -> Result<(), ExperimentError> {
        match &self.device {
            Some(device) => Ok(device.check()?),
            None => Ok(()),
        }
    }

    /// The private directory, where there is one.
    pub(crate) fn directory(&self) -> Option<&Scratch> {
        self.scratch.as_ref()
    }

    /// The directory, the file or the device.
    pub(crate) fn path(&self) -> &Path {
        match &self.place {
            TargetPlace::Directory(path)
            | TargetPlace::BlockDevice { path, .. }
            | TargetPlace::File { path, .. } => path,
        }
    }

    /// What three files may take of `usable` where they lie in memory, which `sharers` workloads use alike.
    fn within_memory(&self, usable: Bytes, sharers: u64) -> Bytes {
        let one = self.memory.map(|memory| memory.get() / sharers.max(1));
        one.map_or(usable, |one| usable.min(Bytes(one.saturating_mul(3))))
    }

    /// Fixes the size of the files within the space that may be used, which `sharers` workloads
    /// use alike.
    pub(crate) fn size(
        &self,
        workload: &mut IoWorkload,
        target: &Path,
        sharers: u64,
    ) -> Result<Option<Choice>, ExperimentError> {
        let Some(scratch) = &self.scratch else {
            return Ok(None);
        };
        let usable = Bytes(scratch.space_allowance()? / sharers.max(1));
        let files = match workload.layout {
            etalon_model::FileLayout::Shared => 1,
            etalon_model::FileLayout::PerJob => u64::from(workload.jobs.max(1)),
        };
        if workload.file_size == Bytes::ZERO {
            let least = workload.block_size.largest().get();
            let needed = Bytes(least.saturating_mul(files).saturating_mul(3));
            if usable < needed {
                return Err(ExperimentError::NoSpace {
                    target: target.to_owned(),
                    usable,
                    needed,
                });
            }
            let usable = self.within_memory(usable, sharers).max(needed);
            let share = Bytes(usable.get() / 3 / files);
            workload.file_size = DEFAULT_FILE
                .min(share)
                .round_down(workload.block_size.largest());
            return Ok(Some(Choice::FileSize {
                size_bytes: workload.file_size,
                usable_bytes: usable,
            }));
        }
        let needed = Bytes(workload.file_size.get().saturating_mul(files));
        if needed > usable {
            return Err(ExperimentError::NoSpace {
                target: target.to_owned(),
                usable,
                needed,
            });
        }
        self.fits_memory(needed, target, sharers)?;
        Ok(None)
    }

    /// What memory lacks for files in it the kernel gets by swapping, or by ending processes of anybody's.
    fn fits_memory(
        &self,
        needed: Bytes,
        target: &Path,
        sharers: u64,
    ) -> Result<(), ExperimentError> {
        let Some(room) = &self.room else {
            return Ok(());
        };
        let usable = Bytes(room.allowance().get() / sharers.max(1));
        match needed > usable {
            true => Err(ExperimentError::NoMemory {
                target: target.to_owned(),
                needed,
                usable,
                room: room.clone(),
            }),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_size_leave_a_tenth_of_the_memory_that_they_lie_in() {
        let (journal, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let site = Site::look(target.path()).unwrap();
        let journal = Journal::at(journal.path()).unwrap();
        let mut place = WorkPlace::entered_in(&journal, &site).unwrap();
        let sized = |place: &WorkPlace, size, sharers| {
            let mut workload = IoWorkload {
                file_size: size,
                ..IoWorkload::default()
            };
            place.size(&mut workload, target.path(), sharers)
        };
        place.room = Some(Room {
            total: Bytes::mib(20),
            available: Bytes::mib(8),
            group: None,
        });
        assert!(sized(&place, Bytes::mib(6), 1).is_ok());
        let refused = sized(&place, Bytes::mib(7), 1).unwrap_err().to_string();
        assert!(refused.contains("8 MiB are free"), "{refused}");
        assert!(refused.contains("only 6 MiB may be used"), "{refused}");
        assert!(refused.contains("7 MiB are needed"), "{refused}");
        assert!(sized(&place, Bytes::mib(6), 2).is_err(), "two share it");
        place.room = None;
        assert!(sized(&place, Bytes::mib(7), 1).is_ok());
    }

    #[test]
    fn files_of_no_size_that_lie_in_memory_take_their_part_of_it() {
        let (journal, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let site = Site::look(target.path()).unwrap();
        let journal = Journal::at(journal.path()).unwrap();
        let mut place = WorkPlace {
            memory: Some(Bytes::mib(8)),
            ..WorkPlace::entered_in(&journal, &site).unwrap()
        };
        let size = |place: &WorkPlace, sharers| {
            let mut workload = IoWorkload::default();
            place.size(&mut workload, target.path(), sharers).unwrap();
            workload.file_size
        };
        assert_eq!(size(&place, 1), Bytes::mib(8));
        assert_eq!(size(&place, 2), Bytes::mib(4));
        // A block is the least that can be worked on.
        place.memory = Some(Bytes(1));
        assert_eq!(size(&place, 1), IoWorkload::default().block_size.largest());
        place.memory = None;
        assert!(size(&place, 1) > Bytes::mib(8));
    }
}
