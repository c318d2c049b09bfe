//! Collections of files as people have them: how many of which size, and what they hold.

use std::fmt;
use std::str::FromStr;

use rand::RngExt as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::fill::FileContent;

/// A kind of collection.
///
/// Sizes are log-normal, as file sizes are found to be on real filesystems in their body (Agrawal,
/// Bolosky, Douceur, Lorch: A Five-Year Study of File-System Metadata, FAST 2007). The medians and
/// widths are round figures of this program, stated at [`Distribution::stated`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// Small text files in nested directories, a few symbolic links.
    SourceTree,
    /// Files of some megabytes that do not compress, 200 to a directory.
    Photos,
    /// Messages of some kilobytes, some with encoded attachments, 500 to a directory.
    Mail,
}

/// A text that names no distribution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown distribution '{0}'; available: source-tree, photos, mail")]
pub struct UnknownDistribution(String);

/// One draw: a size and what is in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draw {
    pub(super) size: u64,
    pub(super) content: FileContent,
}

impl Distribution {
    /// The names, for help and parameters.
    pub const NAMES: [&'static str; 3] = ["source-tree", "photos", "mail"];

    /// The figures behind the name.
    pub fn stated(self) -> &'static str {
        match self {
            Distribution::SourceTree => {
                "text, median 4.5 KiB, sigma 1.4, 16 files to a directory, 1 symbolic link to 100 files"
            }
            Distribution::Photos => {
                "incompressible, median 4 MiB, sigma 0.4, 200 files to a directory"
            }
            Distribution::Mail => {
                "85 % text of median 6 KiB, sigma 1.0; 15 % with base64 of median 120 KiB, sigma 1.2; 500 files to a directory"
            }
        }
    }

    /// The next file's size and content.
    pub(super) fn draw(self, random: &mut Xoshiro256PlusPlus) -> Draw {
        let (content, median, sigma) = match self {
            Distribution::SourceTree => (FileContent::Text, 4608.0, 1.4),
            Distribution::Photos => (FileContent::Incompressible, 4_194_304.0, 0.4),
            Distribution::Mail if random.random_range(0..100u32) < 15 => {
                (FileContent::Base64, 122_880.0, 1.2)
            }
            Distribution::Mail => (FileContent::Text, 6144.0, 1.0),
        };
        let size = median * libm::exp(sigma * normal(random));
        // No file of a collection is empty, and none is more than 256 medians or so: beyond five
        // sigmas nothing is drawn.
        Draw {
            size: (size as u64).clamp(64, 1 << 28),
            content,
        }
    }

    /// The directory of the file with this number, as a path with a closing slash.
    pub(super) fn directory(self, number: u64) -> String {
        match self {
            Distribution::Photos => format!("{:03}ETALO/", 100 + number / 200),
            Distribution::Mail => format!("folder-{:03}/cur/", number / 500),
            Distribution::SourceTree => {
                // Each directory has 16 files and up to 6 directories.
                let mut parts = Vec::new();
                let mut directory = number / 16;
                while directory > 0 {
                    parts.push(format!("d{directory}/"));
                    directory = (directory - 1) / 6;
                }
                parts.reverse();
                parts.concat()
            }
        }
    }

    /// The name of the file with this number.
    pub(super) fn name(self, number: u64) -> String {
        match self {
            Distribution::Photos => format!("IMG_{number:06}.JPG"),
            Distribution::Mail => format!("{number:08}.etalon:2,S"),
            Distribution::SourceTree => format!("unit{number:06}.c"),
        }
    }
}

/// A standard normal value (Box and Muller, 1958), the same on every machine: the functions are
/// those of the `libm` crate and not the system's.
fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let u = 1.0 - random.random::<f64>();
    let v: f64 = random.random();
    let value = libm::sqrt(-2.0 * libm::log(u)) * libm::cos(std::f64::consts::TAU * v);
    value.clamp(-5.0, 5.0)
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Distribution::SourceTree => "source-tree",
            Distribution::Photos => "photos",
            Distribution::Mail => "mail",
        })
    }
}

impl FromStr for Distribution {
    type Err = UnknownDistribution;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [
            Distribution::SourceTree,
            Distribution::Photos,
            Distribution::Mail,
        ]
        .into_iter()
        .find(|d| d.to_string() == text)
        .ok_or_else(|| UnknownDistribution(text.to_owned()))
    }
}
