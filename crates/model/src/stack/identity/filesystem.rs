//! Which filesystem it is.

use crate::stack::{Filesystem, FsDetail};

impl Filesystem {
    /// What it is in words, by its UUID or its server.
    pub fn identity(&self) -> Option<String> {
        let fs_type = &self.fs_type;
        if let Some(uuid) = &self.uuid {
            return Some(format!("{fs_type} with the UUID {uuid}"));
        }
        match &self.detail {
            FsDetail::Network { server, export, .. } => {
                Some(format!("{fs_type}, {export} of the server {server}"))
            }
            _ => self.beneath.as_ref()?.identity(),
        }
    }

    /// Whether it is the same filesystem, whatever disks it is on; none where too little is known of either.
    pub(super) fn is_same(&self, other: &Filesystem) -> Option<bool> {
        if self.fs_type != other.fs_type {
            return Some(false);
        }
        if self.uuid.is_none() && other.uuid.is_none() {
            let beneath = self.beneath.as_deref().zip(other.beneath.as_deref());
            if let Some((own, its)) = beneath {
                return own.is_same(its);
            }
        }
        let (own, its) = self.identity().zip(other.identity())?;
        (self.uuid.is_some() == other.uuid.is_some()).then_some(own == its)
    }
}
