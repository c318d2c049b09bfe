//! May this descriptor be written?

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use etalon_model::stack::{DeviceUse, ExclusiveOpen, User};
use etalon_stack::{Roots, StackError, device_use, file_use};
use rustix::fs::FileType;

use super::Refusal;
use super::reopen::{kind_of, link_of};

/// Whether the open file may be written to, whoever opened it; `name` is quoted in refusals.
///
/// A block device may be written when nothing at all uses it and no signature stands on it, or when
/// `destroy` is its serial number or one of its by-id names, and of no other device: that gives up what lies on it, and
/// nobody uses it all the same. A regular file may be written unless a
/// loop device, swap, a mount or a target of the kernel relies on what it holds. Everything else keeps nothing.
///
/// # Errors
/// [`Refusal`], with everyone who uses it.
pub fn may_write(descriptor: impl AsFd, name: &Path, destroy: Option<&str>) -> Result<(), Refusal> {
    judge(descriptor.as_fd(), name, destroy, Hold::Others)
}

/// What is said of a device that somebody holds who cannot be found.
pub(super) const NOT_EXCLUSIVE: &str = "the kernel does not open it for exclusive use";

/// Who may hold a block device for exclusive use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Nobody, or it is in use.
    Others,
    /// This process, by the descriptor itself.
    Ours,
}

pub(super) fn judge(
    descriptor: BorrowedFd<'_>,
    name: &Path,
    destroy: Option<&str>,
    hold: Hold,
) -> Result<(), Refusal> {
    match kind_of(descriptor) {
        Err(errno) => Err(not_known(name, &errno)),
        Ok(FileType::BlockDevice) => device(descriptor, name, destroy, hold),
        Ok(FileType::RegularFile) => file(descriptor, name),
        Ok(_) => Ok(()),
    }
}

fn device(
    descriptor: BorrowedFd<'_>,
    name: &Path,
    destroy: Option<&str>,
    hold: Hold,
) -> Result<(), Refusal> {
    let found = use_of(descriptor, name)?;
    let free = match hold {
        Hold::Others => found.is_free(),
        Hold::Ours => found.users.is_empty(),
    };
    match destroy {
        Some(typed) => named(&found, name, typed).and_then(|()| unused(&found, name, hold)),
        None if free => Ok(()),
        None => Err(Refusal::InUse {
            device: name.to_owned(),
            users: users(&found),
            may_pass: found.users.iter().all(User::may_pass),
        }),
    }
}

fn use_of(descriptor: BorrowedFd<'_>, name: &Path) -> Result<DeviceUse, Refusal> {
    device_use(&link_of(descriptor), &Roots::default())
        .map_err(|error: StackError| not_known(name, &error))
}

/// What lies on a device, a text each.
pub(super) fn content_of(descriptor: BorrowedFd<'_>, name: &Path) -> Result<Vec<String>, Refusal> {
    let found = use_of(descriptor, name)?;
    let content = found.users.iter().filter(|user| user.is_content());
    Ok(content.map(ToString::to_string).collect())
}

/// Refuses a device that this process holds and somebody else uses all the same.
pub(super) fn still_free(descriptor: BorrowedFd<'_>, name: &Path) -> Result<(), Refusal> {
    unused(&use_of(descriptor, name)?, name, Hold::Ours)
}

/// A name gives up what lies on the device; it does not take it from whoever uses it.
fn unused(found: &DeviceUse, device: &Path, hold: Hold) -> Result<(), Refusal> {
    let used = || found.users.iter().filter(|user| !user.is_content());
    let mut users: Vec<String> = used().map(ToString::to_string).collect();
    if users.is_empty() && hold == Hold::Others && found.exclusive != ExclusiveOpen::Granted {
        users.push(NOT_EXCLUSIVE.to_owned());
    }
    match users.is_empty() {
        true => Ok(()),
        false => Err(Refusal::StillUsed {
            device: device.to_owned(),
            users,
            may_pass: used().all(User::may_pass),
        }),
    }
}

/// A name that other devices have too names none of them.
fn named(found: &DeviceUse, device: &Path, typed: &str) -> Result<(), Refusal> {
    let names = found.own_names();
    if names.iter().any(|name| name == typed) {
        return Ok(());
    }
    Err(Refusal::OtherDevice {
        device: device.to_owned(),
        typed: typed.to_owned(),
        names,
        shared_with: found.shared.get(typed).cloned().unwrap_or_default(),
    })
}

fn users(found: &DeviceUse) -> Vec<String> {
    let users: Vec<String> = found.users.iter().map(ToString::to_string).collect();
    match users.is_empty() {
        true => vec![NOT_EXCLUSIVE.to_owned()],
        false => users,
    }
}

fn file(descriptor: BorrowedFd<'_>, name: &Path) -> Result<(), Refusal> {
    let copy = descriptor.try_clone_to_owned();
    let file = File::from(copy.map_err(|error| not_known(name, &error))?);
    let users = file_use(&file, &Roots::default()).map_err(|error| not_known(name, &error))?;
    match users.is_empty() {
        true => Ok(()),
        false => Err(Refusal::FileInUse {
            file: name.to_owned(),
            users: users.iter().map(ToString::to_string).collect(),
        }),
    }
}

fn not_known(name: &Path, why: &dyn std::fmt::Display) -> Refusal {
    Refusal::NotKnown {
        path: name.to_owned(),
        why: why.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use etalon_model::stack::DevNo;

    use super::*;

    #[test]
    fn a_name_does_not_take_a_device_whose_users_are_not_known() {
        let unseen = User::NotKnown {
            what: "which processes outside this container have it open for writing".to_owned(),
            why: "/proc shows the processes of this container alone".to_owned(),
        };
        let found = DeviceUse {
            node: "/dev/sdb".to_owned(),
            devno: DevNo {
                major: 8,
                minor: 16,
            },
            name: "sdb".to_owned(),
            serial: Some("WFN1".to_owned()),
            by_id: Vec::new(),
            shared: BTreeMap::new(),
            users: vec![unseen.clone()],
            exclusive: ExclusiveOpen::Granted,
        };
        let device = Path::new("/dev/sdb");
        assert_eq!(named(&found, device, "WFN1"), Ok(()));
        for hold in [Hold::Others, Hold::Ours] {
            let refused = Refusal::StillUsed {
                device: device.to_owned(),
                users: vec![unseen.to_string()],
                may_pass: false,
            };
            assert_eq!(unused(&found, device, hold), Err(refused));
        }
    }

    /// One of two disks in a dock, whose serial number both have.
    fn docked() -> DeviceUse {
        DeviceUse {
            node: "/dev/sdc".to_owned(),
            devno: DevNo {
                major: 8,
                minor: 32,
            },
            name: "sdc".to_owned(),
            serial: Some("BOX".to_owned()),
            by_id: vec!["usb-Dock_BOX-0:1".to_owned()],
            shared: [("BOX".to_owned(), vec!["/dev/sdb".to_owned()])].into(),
            users: Vec::new(),
            exclusive: ExclusiveOpen::Granted,
        }
    }

    #[test]
    fn a_name_that_two_devices_have_gives_up_neither() {
        let device = Path::new("/dev/sdc");
        let refused = named(&docked(), device, "BOX").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "'/dev/sdc' is not the only device 'BOX': /dev/sdb has that name too, so that it tells neither. Nothing was \
             written. Its own names are: usb-Dock_BOX-0:1"
        );
        assert_eq!(named(&docked(), device, "usb-Dock_BOX-0:1"), Ok(()));
        let in_use = Refusal::InUse {
            device: device.to_owned(),
            users: vec!["it carries ext4".to_owned()],
            may_pass: false,
        };
        let told = in_use.by_none_of(&[refused]).to_string();
        assert!(told.contains("BOX (the name of /dev/sdb too)"), "{told}");
        let mut alone = docked();
        alone.shared.clear();
        assert_eq!(named(&alone, device, "BOX"), Ok(()));
    }
}
