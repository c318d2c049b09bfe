//! How a modelled disk fails, as options name it.

use std::fmt;

use etalon_lab::disk::{Fault, SECTOR_BYTES};
use etalon_units::{Bytes, Nanos};

/// The word for a disk that answers flushes and does nothing else.
const LIE: &str = "ignores-flush";
/// What may be said of a disk, for messages.
pub(super) const FORMS: &str = "ignores-flush, unreadable=AT, slow=FROM-TO+TIME, dies-at=AT or dies-after=TIME, with AT, FROM and TO in bytes (1G) and TIME from its start (30s)";
/// So many of one disk.
const MOST: usize = 4;

/// The ways in which one disk fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Faults([Option<Fault>; MOST]);

impl Faults {
    /// Whether a word behind a model is meant as a fault.
    pub(super) fn is_one(word: &str) -> bool {
        word == LIE || word.contains('=')
    }

    /// Adds the one that a word names, which must lie within the disk.
    pub(super) fn add(&mut self, word: &str, disk: Bytes) -> Result<(), String> {
        let fault = fault(word).ok_or_else(|| format!("'{word}' is no fault: give {FORMS}"))?;
        if !is_within(fault, disk) {
            return Err(format!("'{word}' is not within a disk of {disk}"));
        }
        let Some(free) = self.0.iter_mut().find(|place| place.is_none()) else {
            return Err(format!("'{word}': a disk takes at most {MOST} faults"));
        };
        *free = Some(fault);
        Ok(())
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Fault> {
        self.0.into_iter().flatten()
    }

    pub(super) fn ignores_flush(&self) -> bool {
        self.all().any(|fault| fault == Fault::IgnoresFlush)
    }
}

/// Each behind a colon, as options have them.
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.all().try_for_each(|fault| match fault {
            Fault::IgnoresFlush => write!(f, ":{LIE}"),
            Fault::LatentError { at_bytes } => write!(f, ":unreadable={}", size(at_bytes)),
            Fault::SlowSectors {
                from_bytes,
                to_bytes,
                extra_ns,
            } => {
                let (from, to, extra) = (size(from_bytes), size(to_bytes), time(extra_ns));
                write!(f, ":slow={from}-{to}+{extra}")
            }
            Fault::DiesAtTime { at_ns } => write!(f, ":dies-after={}", time(at_ns)),
            Fault::DiesAtByte { at_bytes } => write!(f, ":dies-at={}", size(at_bytes)),
        })
    }
}

fn fault(word: &str) -> Option<Fault> {
    if word == LIE {
        return Some(Fault::IgnoresFlush);
    }
    let (name, value) = word.split_once('=')?;
    let bytes = |text: &str| Some(text.parse::<Bytes>().ok()?.0);
    let ns = |text: &str| Some(text.parse::<Nanos>().ok()?.get());
    Some(match name {
        "unreadable" => Fault::LatentError {
            at_bytes: bytes(value)? / SECTOR_BYTES * SECTOR_BYTES,
        },
        "dies-at" => Fault::DiesAtByte {
            at_bytes: bytes(value)?,
        },
        "dies-after" => Fault::DiesAtTime { at_ns: ns(value)? },
        "slow" => {
            let (range, extra) = value.split_once('+')?;
            let (from, to) = range.split_once('-')?;
            Fault::SlowSectors {
                from_bytes: bytes(from)?,
                to_bytes: bytes(to)?,
                extra_ns: ns(extra)?,
            }
        }
        _ => return None,
    })
}

fn is_within(fault: Fault, Bytes(disk): Bytes) -> bool {
    match fault {
        Fault::LatentError { at_bytes } | Fault::DiesAtByte { at_bytes } => at_bytes < disk,
        Fault::SlowSectors {
            from_bytes,
            to_bytes,
            ..
        } => from_bytes < to_bytes && to_bytes <= disk,
        Fault::DiesAtTime { .. } | Fault::IgnoresFlush => true,
    }
}

/// A number of bytes to the byte, in the largest unit of which it is a whole number.
fn size(bytes: u64) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    let fits = |(shift, _): &&(u32, &str)| bytes > 0 && bytes.trailing_zeros() >= *shift;
    match units.iter().find(fits) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => bytes.to_string(),
    }
}

/// A time to the nanosecond, likewise.
fn time(ns: u64) -> String {
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
    let fits = |(part, _): &&(u64, &str)| ns > 0 && ns.is_multiple_of(*part);
    match units.iter().find(fits) {
        Some((part, unit)) => format!("{}{unit}", ns / part),
        None => format!("{ns}ns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(words: &[&str]) -> Result<Faults, String> {
        let mut faults = Faults::default();
        words
            .iter()
            .try_for_each(|word| faults.add(word, Bytes::gib(4)))?;
        Ok(faults)
    }

    #[test]
    fn a_fault_is_read_back_as_it_is_written() {
        for word in [
            "ignores-flush",
            "unreadable=1G",
            "slow=1G-1536M+50ms",
            "dies-at=4095M",
            "dies-after=1500us",
            "dies-after=7ns",
        ] {
            assert_eq!(faults(&[word]).unwrap().to_string(), format!(":{word}"));
        }
        let several = faults(&["unreadable=513", "ignores-flush"]).unwrap();
        assert_eq!(several.to_string(), ":unreadable=512:ignores-flush");
        assert!(several.ignores_flush() && !faults(&["dies-at=1G"]).unwrap().ignores_flush());
    }

    #[test]
    fn what_is_no_fault_or_lies_beyond_the_disk_is_refused_with_the_word() {
        for word in [
            "unreadable=4G",
            "slow=2G-1G+1ms",
            "slow=1G-2G",
            "slow=1G+1ms",
            "dies-at=x",
            "dies-after=30",
            "burns=1G",
            "=",
        ] {
            let error = faults(&[word]).unwrap_err();
            assert!(error.starts_with(&format!("'{word}' is ")), "{error}");
        }
        let five = ["unreadable=1M"; 5];
        assert!(faults(&five).unwrap_err().contains("at most 4"));
    }
}
