//! Options of the mounted filesystem, which is mounted anew with them (mount(8), `remount`).

mod found;
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
use words::OF_TIMES;

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
        // A measurement writes, and what is bound elsewhere is another mount.
        let forbidden = ["ro", "bind", "remount", "move"];
        if let Some(part) = text.split(',').find(|part| forbidden.contains(part)) {
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
        let absent = mount_of(&ground.target).is_none().then(|| {
            Need::Kernel(format!(
                "{} is on no mount of its own",
                ground.target.display()
            ))
        });
        root.into_iter().chain(absent).collect()
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
            remount(point, &way_back(&found.options, before))?
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

/// The opposite of each option that came since, and the former ones. Those of access times are set
/// anew by naming one of them.
fn way_back(now: &str, before: &str) -> String {
    let before: Vec<&str> = before.split(',').collect();
    let is_new = |option: &&str| !before.contains(option) && !OF_TIMES.contains(option);
    let opposite = |option: &str| match option.strip_prefix("no") {
        Some(denied) => Some(denied.to_owned()),
        // A value is set to what it was, by the former options.
        None if option.contains('=') || matches!(option, "rw" | "ro") => None,
        None => Some(format!("no{option}")),
    };
    let mut options: Vec<String> = now.split(',').filter(is_new).filter_map(opposite).collect();
    let has_times = before.iter().any(|option| OF_TIMES.contains(option));
    options.extend(before.iter().map(|option| (*option).to_owned()));
    // Without any of them the kernel keeps those that are in force.
    options.extend((!has_times).then(|| "strictatime".to_owned()));
    options.join(",")
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
    fn what_came_since_is_undone_and_what_was_is_named() {
        for (now, before, way) in [
            ("rw,noatime", "rw,relatime", "rw,relatime"),
            (
                "rw,relatime,discard",
                "rw,relatime",
                "nodiscard,rw,relatime",
            ),
            (
                "rw,relatime,nobarrier",
                "rw,relatime",
                "barrier,rw,relatime",
            ),
            (
                "rw,relatime,commit=30",
                "rw,relatime,commit=5",
                "rw,relatime,commit=5",
            ),
            ("rw,noatime", "rw", "rw,strictatime"),
        ] {
            assert_eq!(way_back(now, before), way);
        }
        assert_eq!(
            way_there("rw,noatime,discard", "relatime"),
            "rw,discard,relatime"
        );
        assert_eq!(way_there("rw,noatime", "nodiscard"), "rw,noatime,nodiscard");
    }
}
