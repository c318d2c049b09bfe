//! Classes of disks by name. Each figure says where it comes from, or that it is assumed.

mod flash;
mod flat;
mod spinning;

use crate::disk::Disk;

/// What a figure of our own choice has as its source.
pub const ASSUMED: &str = "assumed";

/// A figure with its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourcedFigure {
    /// What it is.
    pub name: &'static str,
    /// The value with its unit.
    pub value: &'static str,
    /// A data sheet, a paper, or [`ASSUMED`].
    pub source: &'static str,
}

pub(crate) const fn figure(
    name: &'static str,
    value: &'static str,
    source: &'static str,
) -> SourcedFigure {
    SourcedFigure {
        name,
        value,
        source,
    }
}

/// A class of disks.
#[derive(Debug, Clone, Copy)]
pub struct Class {
    /// How it is called.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What it is made of.
    pub figures: &'static [SourcedFigure],
    make: fn(u64, u64) -> Box<dyn Disk>,
}

impl Class {
    /// A disk of this class and at least this size (cylinders are whole), whose draws come from a seed.
    /// It was used before: flash holds data on all of its pages.
    #[must_use]
    pub fn disk(&self, bytes: u64, seed: u64) -> Box<dyn Disk> {
        (self.make)(bytes, seed)
    }

    /// Whether its medium turns.
    #[must_use]
    pub fn turns(&self) -> bool {
        self.name.starts_with("hdd-")
    }
}

/// Every class, in the order of the list.
pub const CLASSES: &[Class] = &[
    spinning::LAPTOP,
    spinning::DESKTOP,
    spinning::SERVER,
    spinning::SHINGLED,
    flash::SATA,
    flash::NVME,
    flat::FLAT,
    flat::USB,
    flat::CARD,
    flat::NETWORK,
];

/// There is no such class.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is no class of disks; available: {available}")]
pub struct UnknownClass {
    name: String,
    available: String,
}

/// The class of this name.
///
/// # Errors
/// [`UnknownClass`], which names those that there are.
pub fn class(name: &str) -> Result<&'static Class, UnknownClass> {
    let found = CLASSES.iter().find(|class| class.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = CLASSES.iter().map(|class| class.name).collect();
        UnknownClass {
            name: name.to_owned(),
            available: names.join(", "),
        }
    })
}

pub use spinning::{desktop_figures, laptop_figures, server_figures, shingled_figures};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_a_source_or_says_that_it_is_assumed() {
        for class in CLASSES {
            assert!(class.figures.len() >= 4, "{}", class.name);
            for figure in class.figures {
                let cited = figure.source.len() > 12 || figure.source == ASSUMED;
                assert!(cited, "{} {}", class.name, figure.name);
            }
        }
    }

    #[test]
    fn no_source_is_named_for_what_it_does_not_say() {
        for class in CLASSES {
            // Each command has a size of its own where none is given.
            assert!(!class.about.contains("by default"), "{}", class.name);
            for figure in class.figures.iter().filter(|f| f.value.contains("half")) {
                assert_eq!(figure.source, ASSUMED, "{} {}", class.name, figure.name);
            }
        }
    }

    #[test]
    fn a_class_makes_disks_of_about_the_asked_size() {
        for class in CLASSES {
            for bytes in [1 << 30, 64 << 30] {
                if class.name.starts_with("ssd") && bytes > 1 << 30 {
                    continue;
                }
                let made = class.disk(bytes, 1).bytes();
                let enough = (bytes..bytes + bytes / 20).contains(&made);
                assert!(enough, "{}: {made} of {bytes}", class.name);
            }
        }
        let unknown = class("floppy").map(|class| class.name);
        assert!(unknown.is_err_and(|error| error.to_string().contains("hdd-7200")));
    }
}
