//! Devices that a target of this kernel serves.

use std::path::Path;

use etalon_model::stack::{DevNo, User};

use super::Survey;
use crate::served::{Export, Source};

impl Survey<'_> {
    /// Targets that serve the device, by itself or with the controller that it is a namespace of.
    pub(super) fn served_by(&mut self, device: &str, directory: &Path, devno: DevNo) {
        let subsystem = self.context.attr(directory.join("device/subsysnqn"));
        let is_it = |one: &&Export| match &one.source {
            Ok(Source::Device(served)) => *served == devno,
            Ok(Source::Subsystem(served)) => subsystem.as_ref() == Some(served),
            Ok(Source::File(_) | Source::Other) | Err(_) => false,
        };
        let served = self.exports.iter().filter(is_it);
        self.users.extend(served.map(|one| User::Served {
            device: device.to_owned(),
            server: one.server.to_owned(),
            unit: one.unit.clone(),
        }));
    }

    /// What a target serves that cannot be found might be this device.
    pub(super) fn served_unseen(&mut self) {
        let unseen = self.exports.iter().filter_map(|one| {
            let why = one.source.as_ref().err()?.clone();
            let what = match one.unit.as_str() {
                "" => format!("what {} serves", one.server),
                unit => format!("what {} serves as {unit}", one.server),
            };
            Some(User::NotKnown { what, why })
        });
        self.users.extend(unseen);
    }
}
