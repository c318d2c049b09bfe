//! What an option is: its name, its value, its help and its effect; and how values are read.

use std::ffi::OsStr;
use std::path::PathBuf;

use etalon_file_ops::Burst;
use etalon_units::{Bytes, Nanos};

use super::Options;
use super::size::size;

/// What follows an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Nothing.
    Nothing,
    /// One value, named so in the help.
    Value(&'static str),
    /// Names up to the next option.
    Names(&'static str),
}

/// A value as it was typed.
pub(crate) type OptionValue<'a> = &'a OsStr;

/// What an option does; an error is the accepted form of its value.
#[derive(Clone, Copy)]
pub(crate) enum Effect {
    /// Without a value.
    Sets(fn(&mut Options)),
    /// With a value, or with each of the names.
    Reads(fn(&mut Options, OptionValue<'_>) -> Result<(), &'static str>),
    /// Not offered, with the reason.
    NotOffered(&'static str),
}

/// One option.
#[derive(Clone, Copy)]
pub(crate) struct Spec {
    /// Without the leading dash: `a`, `+u`, `-runs`.
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    pub(crate) help: &'static str,
    pub(crate) effect: Effect,
}

const SIZE: &str = "a number of kilobytes, or one with k, m or g, from 1 byte to 8 EiB";
const WORKERS: &str = "a number of workers from 1 to 1024";
const DEPTH: &str = "a number of records under way at once, 1 to 1024";

pub(crate) const fn flag(name: &'static str, help: &'static str, set: fn(&mut Options)) -> Spec {
    Spec {
        name,
        takes: Takes::Nothing,
        help,
        effect: Effect::Sets(set),
    }
}

pub(crate) const fn value(
    name: &'static str,
    what: &'static str,
    help: &'static str,
    read: fn(&mut Options, OptionValue<'_>) -> Result<(), &'static str>,
) -> Spec {
    Spec {
        name,
        takes: Takes::Value(what),
        help,
        effect: Effect::Reads(read),
    }
}

pub(crate) const fn missing(
    name: &'static str,
    takes: Takes,
    help: &'static str,
    why: &'static str,
) -> Spec {
    Spec {
        name,
        takes,
        help,
        effect: Effect::NotOffered(why),
    }
}

pub(crate) fn number(value: OptionValue<'_>, least: u64, most: u64) -> Option<u64> {
    let number = value.to_str()?.parse().ok()?;
    (least..=most).contains(&number).then_some(number)
}

pub(crate) fn bytes(slot: &mut Option<Bytes>, value: OptionValue<'_>) -> Result<(), &'static str> {
    *slot = Some(value.to_str().and_then(size).ok_or(SIZE)?);
    Ok(())
}

/// The same for one of several sizes, which are kept in order.
pub(crate) fn one_of(sizes: &mut Vec<Bytes>, value: OptionValue<'_>) -> Result<(), &'static str> {
    let size = value.to_str().and_then(size).ok_or(SIZE)?;
    insert(sizes, size);
    Ok(())
}

fn insert<T: Ord>(kept: &mut Vec<T>, value: T) {
    if let Err(at) = kept.binary_search(&value) {
        kept.insert(at, value);
    }
}

pub(crate) fn workers(
    slot: &mut Option<usize>,
    value: OptionValue<'_>,
) -> Result<(), &'static str> {
    *slot = Some(count(value)?);
    Ok(())
}

/// The same for one of several numbers of workers, which are kept in order.
pub(crate) fn one_of_workers(
    counts: &mut Vec<usize>,
    value: OptionValue<'_>,
) -> Result<(), &'static str> {
    insert(counts, count(value)?);
    Ok(())
}

fn count(value: OptionValue<'_>) -> Result<usize, &'static str> {
    Ok(number(value, 1, 1024).ok_or(WORKERS)? as usize)
}

pub(crate) fn burst(value: OptionValue<'_>) -> Option<Burst> {
    let (size, rest) = value.to_str()?.split_once(',')?;
    let (size, rest) = (size.parse::<u64>().ok()?, rest.parse::<u64>().ok()?);
    let within = (1..=1 << 40).contains(&size) && rest <= 3_600_000;
    // Only numbers within the limits can be multiplied.
    within.then(|| Burst {
        bytes: Bytes::kib(size),
        rest: Nanos::millis(rest),
    })
}

pub(crate) fn percent(slot: &mut Option<u8>, value: OptionValue<'_>) -> Result<(), &'static str> {
    *slot = Some(number(value, 0, 100).ok_or("a percentage, 0 to 100")? as u8);
    Ok(())
}

pub(crate) fn depth(slot: &mut Option<usize>, value: OptionValue<'_>) -> Result<(), &'static str> {
    *slot = Some(number(value, 1, 1024).ok_or(DEPTH)? as usize);
    Ok(())
}

pub(crate) fn path(slot: &mut Option<PathBuf>, value: OptionValue<'_>) -> Result<(), &'static str> {
    if value.is_empty() {
        return Err("a file name");
    }
    *slot = Some(PathBuf::from(value));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_beyond_the_limits_are_refused() {
        let read = |text: &str| burst(OsStr::new(text));
        let found = read("64,10").unwrap();
        assert_eq!(
            (found.bytes, found.rest),
            (Bytes::kib(64), Nanos::millis(10))
        );
        let most = u64::MAX;
        for refused in [
            format!("4,{most}"),
            format!("{most},4"),
            "0,4".to_owned(),
            "4".to_owned(),
        ] {
            assert!(read(&refused).is_none(), "{refused}");
        }
    }
}
