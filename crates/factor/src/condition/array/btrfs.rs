//! Profiles of btrfs (mkfs.btrfs(8), PROFILES).

use std::time::Instant;

use super::{Applied, ArrayLevel, FactorError, Ground, members, texts};
use crate::Token;
use crate::condition::formatted::Formatted;
use crate::made::{Made, mount, run, run_alone, uuid_text};
use etalon_model::LevelFact;

/// A profile of data, and the one of metadata that goes with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Profile {
    pub(super) name: &'static str,
    metadata: &'static str,
    /// Fewest devices.
    pub(super) fewest: usize,
}

/// Metadata has the profile of the data, but for RAID 5 and 6, whose metadata btrfs(5) warns of.
const PROFILES: &[Profile] = &[
    profile_of("single", "single", 1),
    profile_of("dup", "dup", 1),
    profile_of("raid0", "raid0", 2),
    profile_of("raid1", "raid1", 2),
    profile_of("raid1c3", "raid1c3", 3),
    profile_of("raid10", "raid10", 4),
    profile_of("raid5", "raid1", 3),
    profile_of("raid6", "raid1c3", 4),
];

const fn profile_of(name: &'static str, metadata: &'static str, fewest: usize) -> Profile {
    Profile {
        name,
        metadata,
        fewest,
    }
}

pub(super) fn profile(name: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|profile| profile.name == name)
}

pub(super) fn apply(
    level: &ArrayLevel,
    profile: &'static Profile,
    ground: &Ground,
) -> Result<Box<dyn Applied>, FactorError> {
    let mut made = Made::begin(&ground.journal)?;
    let uuid = Token::random().map_err(FactorError::io("name", &ground.workshop))?;
    let devices = members(ground, &mut made, |_| uuid.clone())?;
    let names = texts(&devices);
    let id = uuid_text(&uuid);
    let mut words = vec![
        "-q",
        "-f",
        "-U",
        &id,
        "-d",
        profile.name,
        "-m",
        profile.metadata,
    ];
    words.extend(level.options.iter().map(String::as_str));
    words.extend(names.iter().map(String::as_str));
    let begun = Instant::now();
    run_alone("mkfs.btrfs", &words)?;
    let mkfs = begun.elapsed();
    // Where no udev does it, the kernel learns of the members here.
    for name in &names {
        run("btrfs", &["device", "scan", name])?;
    }
    let point = made.name_in(&ground.workshop, "mount");
    let first = names.first().map_or("", String::as_str);
    mount(&mut made, first, ("btrfs", &level.mount), &point)?;
    let applied = Formatted {
        made,
        devices,
        uuid,
        kind: "btrfs",
        point,
        profile: Some(profile.name),
        facts: vec![LevelFact::seconds("created in", mkfs, 3)],
    };
    applied.verify()?;
    Ok(Box::new(applied))
}
