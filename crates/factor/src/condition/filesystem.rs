//! A filesystem made on a device that may be destroyed, mounted, filled and aged.

use std::path::PathBuf;
use std::time::Instant;

use etalon_model::LevelFact;
use serde_json::Value;

use super::formatted::{Formatted, kernel_has, kernel_node, mount_options};
use super::{
    Applied, Cost, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable,
    Need, aging,
};
use crate::Token;
use crate::guard::lost_on;
use crate::made::{Made, claim_free, mount, run_alone, size_of, uuid_text, words};
use crate::steps::EntryStep;

/// The kinds, with their programs, Debian's packages, and the options that each gets first.
const KINDS: &[(&str, &str, &[&str])] = &[
    ("ext2", "e2fsprogs", &["-q", "-F", "-U"]),
    ("ext3", "e2fsprogs", &["-q", "-F", "-U"]),
    ("ext4", "e2fsprogs", &["-q", "-F", "-U"]),
    ("xfs", "xfsprogs", &["-q", "-f", "-m"]),
    ("btrfs", "btrfs-progs", &["-q", "-f", "-U"]),
    ("f2fs", "f2fs-tools", &["-q", "-f", "-U"]),
];
/// Rounds of aging that anybody waits for.
const MOST_ROUNDS: u32 = 1000;

/// The factor.
pub(super) struct FilesystemFactor;

#[derive(Debug, Clone, PartialEq, Eq)]
struct FilesystemLevel {
    kind: &'static str,
    package: &'static str,
    first: &'static [&'static str],
    options: Vec<String>,
    mount: String,
    fill_percent: u8,
    age_rounds: u32,
}

impl Factor for FilesystemFactor {
    fn name(&self) -> &'static str {
        "filesystem"
    }

    fn summary(&self) -> &'static str {
        "a filesystem made on the device, mounted for the runs, filled and aged as asked"
    }

    fn accepted(&self) -> &'static str {
        "\"none\", \"ext2\", \"ext3\", \"ext4\", \"xfs\", \"btrfs\" or \"f2fs\", or a table: { value = \"ext4\", options = \"-O ^has_journal\", mount = \"noatime\", fill = 50, age = 10 } (options of mkfs, options of mount, percent filled, rounds of creating and removing)"
    }

    fn cost(&self) -> Cost {
        Cost::Expensive
    }

    fn depth(&self) -> Depth {
        Depth::Filesystem
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let mut table = LevelTable::new(self, level);
        let text = table.text()?;
        if text == "none" {
            table.end()?;
            return Ok(Box::new(AsItStands));
        }
        let Some((kind, package, first)) = KINDS.iter().find(|(kind, _, _)| *kind == text) else {
            return Err(table.wrong(None));
        };
        let mut option = |name| Ok(table.take(name)?.unwrap_or_default());
        let (options, mount): (String, String) = (option("options")?, option("mount")?);
        let (fill, age): (String, String) = (option("fill")?, option("age")?);
        table.end()?;
        let number = |text: &str, most: u32| match text {
            "" => Some(0),
            text => text
                .trim_end_matches('%')
                .parse()
                .ok()
                .filter(|n| *n <= most),
        };
        let wrong = |why: String| table.wrong(Some(why));
        Ok(Box::new(FilesystemLevel {
            kind,
            package,
            first,
            options: words(&options).map_err(&wrong)?,
            mount: mount_options(&mount).map_err(&wrong)?,
            fill_percent: number(&fill, 90)
                .ok_or_else(|| wrong("fill is 0 to 90 percent".into()))?
                as u8,
            age_rounds: number(&age, MOST_ROUNDS)
                .ok_or_else(|| wrong(format!("age is 0 to {MOST_ROUNDS} rounds")))?,
        }))
    }
}

/// No filesystem is made: what stands there, such as an array of btrfs, is measured.
#[derive(Debug)]
struct AsItStands;

impl Level for AsItStands {
    fn name(&self) -> String {
        "none".to_owned()
    }

    fn describe(&self, _ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description::default())
    }

    fn apply(&self, _ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        Ok(Box::new(AsItStands))
    }
}

impl Applied for AsItStands {
    fn verify(&self) -> Result<(), FactorError> {
        Ok(())
    }

    fn restore(self: Box<Self>) -> Result<(), FactorError> {
        Ok(())
    }
}

impl FilesystemLevel {
    fn program(&self) -> String {
        format!("mkfs.{}", self.kind)
    }

    fn arguments(&self, uuid: &Token, device: &str) -> Vec<String> {
        let id = uuid_text(uuid);
        let id = match self.kind {
            "xfs" => format!("uuid={id}"),
            _ => id,
        };
        let mut words: Vec<String> = self.first.iter().map(ToString::to_string).collect();
        words.push(id);
        // What is written lazily in the background would be in the figures.
        if self.kind.starts_with("ext") && !self.options.iter().any(|word| word.starts_with("-E")) {
            words.extend(["-E".into(), "lazy_itable_init=0,lazy_journal_init=0".into()]);
        }
        words.extend(self.options.iter().cloned());
        words.push(device.to_owned());
        words
    }
}

/// The device to make it on: the first of those to build on, or the target itself.
fn device_of(ground: &Ground) -> Result<PathBuf, FactorError> {
    let given = ground.devices.first().unwrap_or(&ground.target);
    match size_of(given) {
        Some(_) => Ok(given.clone()),
        None => Err(FactorError::DoesNotFit(format!(
            "a filesystem is made on a block device, and '{}' is none: name one, or add the factor 'disk'",
            given.display()
        ))),
    }
}

impl Level for FilesystemLevel {
    fn name(&self) -> String {
        let mut name = self.kind.to_owned();
        for part in [self.options.join(" "), self.mount.clone()] {
            if !part.is_empty() {
                name.push_str(&format!(" {part}"));
            }
        }
        if self.fill_percent > 0 {
            name.push_str(&format!(" {} % full", self.fill_percent));
        }
        if self.age_rounds > 0 {
            name.push_str(&format!(" aged {} rounds", self.age_rounds));
        }
        name
    }

    fn needs(&self, _ground: &Ground) -> Vec<Need> {
        let mut needs: Vec<Need> = Need::root("making a filesystem").into_iter().collect();
        needs.extend(Need::tool(&self.program(), self.package));
        needs.extend(kernel_has(self.kind));
        needs
    }

    fn describe(&self, ground: &Ground) -> Result<Description, FactorError> {
        let device = device_of(ground);
        let lost = device.as_ref().ok().map(|device| lost_on(device));
        let shown = device.map_or_else(|_| "the device".into(), |d| d.display().to_string());
        Ok(Description {
            makes: vec![format!("{} on {shown}, mounted for the runs", self.name())],
            destroys: lost.unwrap_or_else(|| vec![format!("everything on {shown}")]),
            seconds: 3.0 + f64::from(self.age_rounds) * 0.5,
            ..Description::default()
        })
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        let given = device_of(ground)?;
        let mut made = Made::begin(&ground.journal)?;
        let uuid = Token::random().map_err(FactorError::io("name", &given))?;
        let held = claim_free(ground, &given)?;
        let device = kernel_node(&held)?;
        made.enter(EntryStep::Format {
            device: device.clone(),
            uuid: uuid.clone(),
        })?;
        drop(held);
        let shown = device.to_string_lossy();
        let begun = Instant::now();
        let arguments = self.arguments(&uuid, &shown);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        run_alone(&self.program(), &arguments)?;
        let mkfs = begun.elapsed();
        let point = made.name_in(&ground.workshop, "mount");
        mount(&mut made, &shown, (self.kind, &self.mount), &point)?;
        let mut facts = vec![LevelFact::seconds("mkfs", mkfs, 3)];
        facts.extend(aging::bring_about(
            &point,
            self.fill_percent,
            self.age_rounds,
        )?);
        let applied = Formatted {
            made,
            devices: vec![device],
            uuid,
            kind: self.kind,
            point,
            profile: None,
            facts,
        };
        applied.verify()?;
        Ok(Box::new(applied))
    }
}
