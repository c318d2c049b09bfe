//! Loop devices above and beneath a device: whose bytes it shares.

use std::path::Path;

use etalon_model::stack::{DevNo, User};

use super::{Survey, file, file_name};
use crate::context::DEEPEST;
use crate::loops::{AttachedLoop, Behind};

impl Survey<'_> {
    /// Loop devices that stand on the device, whoever uses them.
    pub(super) fn loops_above(&mut self, device: &str, devno: DevNo) {
        for one in &self.loops {
            let behind = one.behind.and_then(|behind| behind.device);
            if behind == Some(devno) && !self.path.contains(&one.devno) {
                self.users.push(User::Loop {
                    device: device.to_owned(),
                    shown_by: one.node.display().to_string(),
                });
            }
        }
    }

    /// What lies behind the device, when it is a loop device or a part of one.
    pub(super) fn behind(&mut self, directory: &Path, devno: DevNo) {
        let parent = directory
            .parent()
            .and_then(|disk| self.context.value(disk.join("dev")));
        let is_it = |one: &&AttachedLoop| one.devno == devno || Some(one.devno) == parent;
        let Some(one) = self.loops.iter().find(is_it).cloned() else {
            return;
        };
        let device = one.node.display().to_string();
        let Some(behind) = one.behind else {
            self.not_known(
                &format!("what lies behind {device}"),
                &"the kernel does not tell",
            );
            return;
        };
        self.path.push(one.devno);
        self.twins(&device, one.devno, behind);
        match behind.device {
            Some(beneath) => self.beneath(beneath),
            None => self.file(&device, behind),
        }
    }

    /// Other loop devices over some of the same bytes.
    fn twins(&mut self, device: &str, devno: DevNo, behind: Behind) {
        for other in &self.loops {
            let shares = other.behind.is_none_or(|b| b.shares_bytes(&behind));
            if other.devno != devno && !self.path.contains(&other.devno) && shares {
                self.users.push(User::Loop {
                    device: device.to_owned(),
                    shown_by: other.node.display().to_string(),
                });
            }
        }
    }

    /// The device behind a loop is in use as much as any: what is written goes there.
    fn beneath(&mut self, devno: DevNo) {
        let path = self.context.roots.sysfs.join("dev/block");
        let directory = self.context.follow(path.join(devno.to_string()));
        match directory {
            Some(directory) if self.path.len() < DEEPEST => {
                let name = file_name(&directory);
                self.all_of(&directory, &name);
            }
            _ => self.not_known("who uses the device behind it", &"it is not shown"),
        }
    }

    /// Users of the file other than loop devices, of which some show other bytes of it.
    fn file(&mut self, device: &str, behind: Behind) {
        match file::users(self.context, behind.file, &[]) {
            Ok(users) => self
                .users
                .extend(users.into_iter().map(|user| User::Behind {
                    device: device.to_owned(),
                    user,
                })),
            Err(error) => self.not_known("who uses the file behind it", &error),
        }
    }
}
