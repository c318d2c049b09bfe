//! Presets as guests carry them out: which disks they stand on, and what is measured there.

use crate::plan::Preset;

/// How a plan has virtual disks of its own.
const VIRTUAL: &str = "{ value = \"loop-memory\"";
const COUNT: &str = "count = ";
/// Where a filesystem is made on the first disk.
pub(super) const FILES: &str = include_str!("files.sh");
/// Where arrays are mounted.
const ARRAYS: &str = "mkdir -p /tmp/arrays\n";
/// What fills the disk and is deleted, so that its blocks are worth a trim.
const FILLED: &str = concat!(
    include_str!("files.sh"),
    "dd if=/dev/zero of=/disk/old bs=1M 2>/dev/null\nsync\nrm /disk/old\nsync\n"
);

/// A plan that runs with one command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// The plan; that of the preset of its name where there is none.
    text: Option<&'static str>,
    /// The disks where no option names any.
    pub(super) disks: &'static [&'static str],
    /// What the guest does before, in the words of its shell.
    pub(super) before: &'static str,
    /// What is measured where nothing is named.
    pub(super) targets: &'static [&'static str],
    /// Modules that it takes besides those of every guest.
    pub(super) modules: &'static [&'static str],
    /// Kernels that have to be named.
    pub(super) kernels: usize,
}

const PLAIN: Case = Case {
    name: "",
    about: "",
    text: None,
    disks: &[],
    before: "",
    targets: &["/dev/vda"],
    modules: &[],
    kernels: 0,
};
const ON_FILES: Case = Case {
    disks: &["hdd-7200:4G"],
    before: FILES,
    targets: &["/disk"],
    ..PLAIN
};
const ON_ARRAYS: Case = Case {
    disks: &["hdd-7200:1G"],
    before: ARRAYS,
    targets: &["/tmp/arrays"],
    ..PLAIN
};

/// Those that differ from what [`Case::of`] makes of any preset.
pub(super) const CASES: &[Case] = &[
    Case {
        name: "raid-layouts",
        about: "md's layouts on four hdd-5400",
        text: Some(include_str!("raid-layouts.toml")),
        // Four faster ones together give more than an emulated processor can take.
        disks: &["hdd-5400:512M"; 4],
        ..ON_ARRAYS
    },
    Case {
        name: "mirror-btrfs-vs-md",
        about: "a mirror of btrfs or of md, on two hdd-7200",
        disks: &["hdd-7200:1G"; 2],
        ..ON_ARRAYS
    },
    Case {
        name: "disk-profile",
        about: "depths and sizes, in files on an hdd-7200",
        ..ON_FILES
    },
    Case {
        name: "position-profile",
        about: "the rate along an hdd-7200",
        disks: &["hdd-7200:8G"],
        ..PLAIN
    },
    Case {
        name: "trim-before-after",
        about: "an ssd-sata that was full, trimmed or not",
        disks: &["ssd-sata:1536M"],
        before: FILLED,
        ..ON_FILES
    },
    Case {
        name: "scheduler-duel",
        about: "I/O schedulers on an hdd-7200",
        ..ON_FILES
    },
    Case {
        name: "kernel-duel",
        about: "two kernels or more, each named by --kernel",
        text: Some(include_str!("kernel-duel.toml")),
        disks: &["ssd-sata:1G"],
        kernels: 2,
        ..PLAIN
    },
    Case {
        name: "host-vs-guest",
        about: "this machine, and guests with their disks in its files",
        text: Some(include_str!("host-vs-guest.toml")),
        targets: &[],
        ..PLAIN
    },
    Case {
        name: "dm-cache",
        about: "an hdd-7200 behind a cache of flash, and one without",
        text: Some(include_str!("dm-cache.toml")),
        disks: &["hdd-7200:1G", "ssd-sata:512M", "hdd-7200:1G"],
        before: include_str!("dm-cache.sh"),
        targets: &["/dev/mapper/cached", "/dev/vdc"],
        modules: &["dm-cache", "dm-cache-smq"],
        ..PLAIN
    },
    Case {
        name: "bcache",
        about: "an hdd-7200 behind bcache on an ssd-sata, mode by mode",
        text: Some(include_str!("bcache.toml")),
        disks: &["hdd-7200:1G", "ssd-sata:512M"],
        modules: &["bcache"],
        ..ON_ARRAYS
    },
];

impl Case {
    /// A plan of this name; none of a file's.
    pub(super) fn of(name: &str) -> Option<Case> {
        let known = CASES.iter().find(|case| case.name == name);
        let by_space = |preset: &Preset| match preset.space {
            space if space.ends_with(" of files") => ON_FILES,
            space if space.ends_with(" of memory") => ON_ARRAYS,
            _ => PLAIN,
        };
        let case = known.copied().or_else(|| Preset::of(name).map(by_space));
        case.map(|case| Case {
            text: case
                .text
                .or_else(|| Preset::of(name).map(|preset| preset.text)),
            ..case
        })
    }

    /// The plan, in which so many modelled disks stand in the place of virtual ones.
    pub(super) fn plan(&self, disks: usize) -> String {
        over_disks(self.text.unwrap_or_default(), disks)
    }

    /// Disks where no option names any: as many as the plan has virtual ones.
    pub(super) fn usual_disks(&self) -> Vec<&'static str> {
        let text = self.text.unwrap_or_default();
        let asked = text.split_once(COUNT).and_then(|(_, rest)| {
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse().ok()
        });
        match (self.disks, asked) {
            ([one], Some(count)) => vec![*one; count],
            (disks, _) => disks.to_vec(),
        }
    }
}

/// Puts the names of the disks in the place of every table of virtual ones.
fn over_disks(text: &str, disks: usize) -> String {
    let names = ('a'..='z')
        .take(disks)
        .map(|letter| format!("/dev/vd{letter}"));
    let names = format!("\"{}\"", names.collect::<Vec<_>>().join(","));
    let mut parts = text.split(VIRTUAL);
    let mut over = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part.split_once('}').unwrap_or(("", part));
        over = over + &names + rest;
    }
    over
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::lab::model::Model;
    use crate::plan::{PRESETS, request};

    #[test]
    fn every_case_and_preset_is_a_plan_on_the_modelled_disks() {
        let names = CASES.iter().map(|case| case.name);
        for name in names.chain(PRESETS.iter().map(|preset| preset.name)) {
            let case = Case::of(name).unwrap();
            let disks = case.usual_disks();
            let made: Result<Vec<Model>, String> =
                disks.iter().map(|disk| Model::parsed(disk)).collect();
            assert!(made.is_ok(), "{name}: {made:?}");
            let text = case.plan(disks.len());
            assert!(!text.contains("loop-memory"), "{name}: {text}");
            let read = request(name, &text, &crate::plan::Overrides::default());
            assert!(read.is_ok(), "{name}: {:?}", read.err());
        }
        assert!(Case::of("nosuch").is_none());
    }

    #[test]
    fn arrays_stand_on_as_many_disks_as_there_are() {
        let layouts = Case::of("raid-layouts").unwrap();
        assert_eq!(layouts.usual_disks(), ["hdd-5400:512M"; 4]);
        let text = layouts.plan(5);
        assert!(text.contains("levels = [\"/dev/vda,/dev/vdb,/dev/vdc,/dev/vdd,/dev/vde\"]"));
        // Of presets without a case of their own too.
        assert_eq!(
            Case::of("md-layouts").unwrap().usual_disks(),
            ["hdd-7200:1G"; 4]
        );
        let mirror = Case::of("mirror-btrfs-vs-md").unwrap().plan(2);
        assert_eq!(
            mirror.matches("\"/dev/vda,/dev/vdb\"").count(),
            3,
            "{mirror}"
        );
    }
}
