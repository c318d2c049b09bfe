//! The plans that come with etalon.

use std::borrow::Cow;

use etalon_experiment::plan::PlanText;
use etalon_language::translation;

/// A plan that has a name.
#[derive(Debug)]
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    /// The plan.
    pub(crate) text: &'static str,
    /// How long it takes on an SSD.
    pub(crate) time: &'static str,
    /// How much room it takes, and of what.
    pub(crate) space: &'static str,
    /// Whose rights it needs.
    pub(crate) rights: &'static str,
    /// What can happen.
    pub(crate) risk: &'static str,
}

macro_rules! preset {
    ($name:literal, $time:literal, $space:literal, $rights:literal, $risk:literal) => {
        Preset {
            name: $name,
            text: include_str!(concat!("presets/", $name, ".toml")),
            time: $time,
            space: $space,
            rights: $rights,
            risk: $risk,
        }
    };
}

/// Every preset, those that change nothing first.
pub(crate) const PRESETS: &[Preset] = &[
    preset!(
        "record-sweep",
        "4 min",
        "256 MiB of files",
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "direct-or-not",
        "5 min",
        "1 GiB of files",
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "disk-profile",
        "4 min",
        "1 GiB of files",
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "position-profile",
        "4 min",
        "no files",
        "root",
        "none: reads a block device"
    ),
    preset!(
        "classroom",
        "2 to 9 min",
        "1 GiB of files",
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "steady-state",
        "20 min",
        "4 GiB of files",
        "anybody",
        "writes for 20 min without a pause; files of its own only"
    ),
    preset!(
        "database-durability",
        "5 min",
        "500 MiB of files",
        "anybody",
        "none: a PostgreSQL server of its own"
    ),
    preset!(
        "database-seeds",
        "8 min",
        "600 MiB of files",
        "anybody",
        "none: a MariaDB server of its own"
    ),
    preset!(
        "web-cache-on-off",
        "6 min",
        "50 MiB of files",
        "anybody",
        "none: an nginx of its own, on the loopback interface"
    ),
    preset!(
        "trim-before-after",
        "3 min",
        "1 GiB of files",
        "root",
        "trims the filesystem, which loses no data"
    ),
    preset!(
        "scheduler-duel",
        "2 min",
        "1 GiB of files",
        "root",
        "changes the disk's scheduler, put back"
    ),
    preset!(
        "readahead",
        "5 min",
        "512 MiB of files",
        "root",
        "changes the disk's read-ahead, put back"
    ),
    preset!(
        "mount-options",
        "2 min",
        "512 MiB of files",
        "root",
        "mounts the filesystem anew, put back"
    ),
    preset!(
        "virtual-disk-cache",
        "2 min",
        "512 MiB of files",
        "root",
        "with write through, a power cut may lose what was to be durable on every filesystem of the disk; put back"
    ),
    preset!(
        "filesystem-duel",
        "5 min",
        "1 GiB of memory",
        "root",
        "none: virtual disks of its own"
    ),
    preset!(
        "raid-layouts",
        "8 min",
        "1 GiB of memory",
        "root",
        "none: virtual disks of its own"
    ),
    preset!(
        "md-layouts",
        "9 min",
        "1 GiB of memory",
        "root",
        "none: virtual disks of its own"
    ),
    preset!(
        "mirror-btrfs-vs-md",
        "4 min",
        "1 GiB of memory",
        "root",
        "none: virtual disks of its own"
    ),
    preset!(
        "snia-throughput",
        "1 to 5 h",
        "the whole device",
        "root",
        "DESTROYS the device, which has to be named by --destroy unless it is empty"
    ),
    preset!(
        "snia-iops",
        "2 to 7 h",
        "the whole device",
        "root",
        "DESTROYS the device, which has to be named by --destroy unless it is empty"
    ),
    preset!(
        "snia-latency",
        "2 to 7 h",
        "the whole device",
        "root",
        "DESTROYS the device, which has to be named by --destroy unless it is empty"
    ),
    preset!(
        "snia-wsat",
        "6 h",
        "the whole device",
        "root",
        "DESTROYS the device, which has to be named by --destroy unless it is empty"
    ),
];

/// What a list says of a preset, in the language that is spoken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) question: Cow<'static, str>,
    pub(crate) time: Cow<'static, str>,
    pub(crate) space: Cow<'static, str>,
    pub(crate) rights: Cow<'static, str>,
    pub(crate) risk: Cow<'static, str>,
}

impl Preset {
    /// The preset of this name.
    pub(crate) fn of(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// What its plan asks.
    pub(crate) fn question(&self) -> anyhow::Result<String> {
        Ok(PlanText::parse(self.text)?.plan.question)
    }

    pub(crate) fn told(&self) -> anyhow::Result<Told> {
        let id = format!("preset-{}", self.name);
        let own = |attribute, english| {
            translation(&id, Some(attribute)).map_or(Cow::Borrowed(english), Cow::Owned)
        };
        Ok(Told {
            question: match translation(&id, None) {
                Some(question) => question.into(),
                None => self.question()?.into(),
            },
            time: own("time", self.time),
            space: own("space", self.space),
            rights: own("rights", self.rights),
            risk: own("risk", self.risk),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_language::Language;
    use std::fs;
    use std::path::Path;

    const HEAD: &str = "### What the plans that come with etalon are about, by their names. The English ones are those of the plans themselves.\n";

    fn catalogue() -> String {
        let entry = |preset: &Preset| {
            let (told, name) = (preset.told().unwrap(), preset.name);
            let attributes = [
                ("time", told.time),
                ("space", told.space),
                ("rights", told.rights),
                ("risk", told.risk),
            ];
            let attributes = attributes.map(|(of, text)| format!("    .{of} = {text}\n"));
            format!(
                "\npreset-{name} = {}\n{}",
                told.question,
                attributes.concat()
            )
        };
        HEAD.to_owned() + &PRESETS.iter().map(entry).collect::<String>()
    }

    #[test]
    fn the_english_catalogue_has_the_words_of_the_presets() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = own.join("../language/catalogues/en/presets.ftl");
        if std::env::var_os("ETALON_BLESS").is_some() {
            fs::write(&path, catalogue()).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), catalogue());
    }

    #[test]
    fn presets_are_told_in_the_language_of_their_reader() {
        let duel = Preset::of("scheduler-duel").unwrap();
        let said = |language: Language| language.speak(|| duel.told()).unwrap();
        let french = said(Language::French);
        assert_eq!(
            (&*french.question, &*french.space),
            (
                "Quel ordonnanceur d’E/S est le plus rapide ici\u{a0}?",
                "1 GiB de fichiers"
            )
        );
        let dutch = said(Language::Dutch);
        assert_eq!(dutch.question, "Welke I/O-planner is hier het snelst?");
        assert_eq!(
            dutch.risk,
            "verandert de planner van de schijf, en zet hem terug"
        );
        let english = duel.told().unwrap();
        assert_eq!(english.question, duel.question().unwrap());
    }
}
