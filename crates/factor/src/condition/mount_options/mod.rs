//! Options of the mounted filesystem, which is mounted anew with them (mount(8), `remount`).

mod found;
mod way_back;
mod words;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{
    Applied, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable, Need,
};
use crate::{Change, Entry, Journal, ProcessStamp, Token, started};

pub(crate) use found::options_of;
use found::{Found, mount_of};
use way_back::{obstacle, way_back};
use words::OF_TIMES;

/// A measurement writes, what is bound elsewhere is another mount, and how mounts are shared is shown by no option.
const FORBIDDEN: [&str; 13] = [
    "ro",
    "bind",
    "rbind",
    "remount",
    "move",
    "shared",
    "rshared",
    "slave",
    "rslave",
    "private",
    "rprivate",
    "unbindable",
    "runbindable",
];

/// The factor.
pub(super) struct MountOptions;

#[derive(Debug, Clone)]
struct MountLevel(String);

/// What the mount was before.
#[derive(Debug)]
struct Remounted {
    journal: Journal,
    token: Token,
    point: PathBuf,
    before: String,
    wanted: Vec<String>,
    is_restored: bool,
}

impl Factor for MountOptions {
    fn name(&self) -> &'static str {
        "mount"
    }

    fn summary(&self) -> &'static str {
        "options of the target's filesystem, mounted anew with them"
    }

    fn accepted(&self) -> &'static str {
        "options of mount(8) with commas between them, for example \"noatime\" or \"relatime,nodiscard\""
    }

    fn depth(&self) -> Depth {
        Depth::Mount
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let table = LevelTable::new(self, level);
        table.end()?;
        let text = table.text()?;
        let fits = |c: char| c.is_ascii_alphanumeric() || "_-=.:/".contains(c);
        let is_option = |part: &str| !part.is_empty() && part.chars().all(fits);
        let mut parts = text.split(',');
        let is_number = text.chars().all(|c| c.is_ascii_digit());
        if is_number || !parts.all(is_option) {
            return Err(table.wrong(None));
        }
        if let Some(part) = text.split(',').find(|part| FORBIDDEN.contains(part)) {
            return Err(table.wrong(Some(format!("'{part}' cannot be varied"))));
        }
        Ok(Box::new(MountLevel(text)))
    }
}

impl Level for MountLevel {
    fn name(&self) -> String {
        self.0.clone()
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        let root = Need::root("mounting a filesystem anew");
        let lack = match mount_of(&ground.target) {
            Some(found) => obstacle(&found, &self.0),
            None => Some(format!(
                "{} is on no mount of its own",
                ground.target.display()
            )),
        };
        root.into_iter().chain(lack.map(Need::Kernel)).collect()
    }

    fn describe(&self, ground: &Ground) -> Result<Description, FactorError> {
        let Found { point, options, .. } = known(ground)?;
        let line = format!(
            "{} ({options}) is mounted anew with {}",
            point.display(),
            self.0
        );
        Ok(Description {
            changes: vec![line],
            seconds: 0.1,
            ..Description::default()
        })
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        let found = known(ground)?;
        if let Some(why) = obstacle(&found, &self.0) {
            return Err(FactorError::DoesNotFit(why));
        }
        let (point, before) = (found.point, found.options);
        let named = FactorError::io("enter into the journal", ground.journal.directory());
        let (token, owner) = Token::random()
            .and_then(|token| Ok((token, ProcessStamp::current()?)))
            .map_err(named)?;
        let change = Change::MountOptions {
            point: point.clone(),
            before: before.clone(),
        };
        ground
            .journal
            .write(&Entry::new(owner, token.clone(), change))?;
        let made = Remounted {
            journal: ground.journal.clone(),
            token,
            wanted: self.0.split(',').map(str::to_owned).collect(),
            is_restored: false,
            before,
            point,
        };
        remount(&made.point, &way_there(&made.before, &self.0))?;
        made.verify()?;
        Ok(Box::new(made))
    }
}

impl Remounted {
    fn put_back(&mut self) -> Result<(), FactorError> {
        if !std::mem::replace(&mut self.is_restored, true) {
            put_back(&self.point, &self.before)?;
            self.journal.remove(&self.token)?;
        }
        Ok(())
    }
}

impl Applied for Remounted {
    fn verify(&self) -> Result<(), FactorError> {
        let found = mount_of(&self.point).filter(|found| found.point == self.point);
        let not_so = |wanted: String, found: &str| FactorError::NotSo {
            path: self.point.clone(),
            wanted,
            found: found.to_owned(),
        };
        let Some(found) = found else {
            return Err(not_so(self.wanted.join(","), "not mounted"));
        };
        match found.lacks(&self.wanted, &self.before).as_slice() {
            [] => Ok(()),
            lacking => Err(not_so(lacking.join(","), &found.options)),
        }
    }

    fn restore(mut self: Box<Self>) -> Result<(), FactorError> {
        self.put_back()
    }
}

impl Drop for Remounted {
    fn drop(&mut self) {
        // What fails here stays in the journal, for the next restore.
        let _ = self.put_back();
    }
}

/// Mounts it as it was; whether that was needed. What is mounted no more has nothing to put back.
pub(crate) fn put_back(point: &Path, before: &str) -> Result<bool, FactorError> {
    match mount_of(point) {
        Some(found) if found.point == point && found.options != before => {
            remount(point, &way_back(&found.kind, &found.options, before))?
        }
        _ => return Ok(false),
    }
    match mount_of(point) {
        Some(found) if found.options != before => Err(FactorError::NotSo {
            path: point.to_owned(),
            wanted: before.to_owned(),
            found: found.options,
        }),
        _ => Ok(true),
    }
}

/// The former options with those that are wanted; of access times only the wanted ones.
fn way_there(before: &str, wanted: &str) -> String {
    let is_of_times = |option: &&str| OF_TIMES.contains(option);
    let has_times = wanted.split(',').any(|option| is_of_times(&option));
    let kept = before.split(',').filter(|o| !(has_times && is_of_times(o)));
    kept.chain(wanted.split(',')).collect::<Vec<_>>().join(",")
}

fn remount(point: &Path, options: &str) -> Result<(), FactorError> {
    let options = format!("remount,{options}");
    let mut command = Command::new("mount");
    // Else it adds the options that are in force.
    command.args(["--options-mode", "ignore", "-o"]);
    command.arg(&options).arg(point).stdin(started::input());
    let said = command.output().map_err(FactorError::io("mount", point))?;
    if said.status.success() {
        return Ok(());
    }
    Err(FactorError::Program {
        command: format!("mount -o {options} {}", point.display()),
        why: String::from_utf8_lossy(&said.stderr).trim().to_owned(),
    })
}

fn known(ground: &Ground) -> Result<Found, FactorError> {
    let none = || FactorError::DoesNotFit(format!("{} is on no mount", ground.target.display()));
    mount_of(&ground.target).ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_option_puts_back_is_no_level() {
        for text in ["ro", "noatime,rprivate", "noatime,,discard", "5", "a b"] {
            assert!(MountOptions.parse(&text.into()).is_err(), "{text}");
        }
        MountOptions.parse(&"noatime,commit=60".into()).unwrap();
    }

    #[test]
    fn the_former_options_are_kept_beside_the_wanted_ones() {
        assert_eq!(
            way_there("rw,noatime,discard", "relatime"),
            "rw,discard,relatime"
        );
        assert_eq!(way_there("rw,noatime", "nodiscard"), "rw,noatime,nodiscard");
        assert_eq!(
            way_there("rw,lazytime,relatime", "noatime"),
            "rw,lazytime,noatime"
        );
    }
}
