//! What keeps a machine from being quiet.

use std::fmt;

use etalon_units::{ByteRate, Percent};

/// What keeps a machine from being quiet.
#[derive(Debug, Clone, PartialEq)]
pub enum Unquiet {
    /// A device beneath the target does I/O.
    Disk {
        /// Its kernel name.
        name: String,
        /// Bytes that it reads and writes.
        rate: ByteRate,
        /// The share of the time with a request under way.
        busy: Percent,
        /// The process that moves the most, where one is seen.
        by: Option<String>,
    },
    /// The processors have little idle time.
    Processors {
        /// The share that was neither idle nor waiting for I/O, over all of them.
        busy: Percent,
        /// Of it, the share that the hypervisor gave to others.
        stolen: Percent,
    },
}

impl fmt::Display for Unquiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unquiet::Disk {
                name,
                rate,
                busy,
                by,
            } => {
                write!(f, "{name} moves {rate} and is busy for {busy} of the time")?;
                match by {
                    Some(by) => write!(f, ", mostly by {by}"),
                    None => Ok(()),
                }
            }
            Unquiet::Processors { busy, stolen } => {
                write!(f, "the processors are busy for {busy} of their time")?;
                match stolen.fraction() > 0.01 {
                    true => write!(f, ", {stolen} of it for other virtual machines"),
                    false => Ok(()),
                }
            }
        }
    }
}

impl Unquiet {
    /// What it is, without how much.
    pub(crate) fn name(&self) -> &str {
        match self {
            Unquiet::Disk { name, .. } => name,
            Unquiet::Processors { .. } => "processors",
        }
    }
}

/// All of it in one line.
pub(crate) fn in_words(found: &[Unquiet]) -> String {
    match found {
        [] => "it was quiet for too short a time only".to_owned(),
        found => {
            let found: Vec<String> = found.iter().map(Unquiet::to_string).collect();
            found.join("; ")
        }
    }
}
