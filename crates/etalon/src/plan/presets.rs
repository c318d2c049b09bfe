//! The plans that come with etalon.

/// A plan that has a name.
#[derive(Debug)]
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    /// The plan.
    pub(crate) text: &'static str,
    /// How long it takes on an SSD.
    pub(crate) time: &'static str,
    /// Whose rights it needs.
    pub(crate) rights: &'static str,
    /// What can happen.
    pub(crate) risk: &'static str,
}

macro_rules! preset {
    ($name:literal, $time:literal, $rights:literal, $risk:literal) => {
        Preset {
            name: $name,
            text: include_str!(concat!("presets/", $name, ".toml")),
            time: $time,
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
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "direct-or-not",
        "3 min",
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "disk-profile",
        "5 min",
        "anybody",
        "none: files of its own only"
    ),
    preset!("classroom", "3 h", "anybody", "none: files of its own only"),
    preset!(
        "scheduler-duel",
        "3 min",
        "root",
        "changes the disk's scheduler, put back"
    ),
    preset!(
        "readahead",
        "3 min",
        "root",
        "changes the disk's read-ahead, put back"
    ),
];

impl Preset {
    /// The preset of this name.
    pub(crate) fn of(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
