//! The limits of groups that this process leaves for one of etalon's own.
//!
//! They are an administrator's, or part of what is measured, and hold in the new group too: of two the tighter. Who else is in
//! the groups that are left goes on under them alone, so that what they had together is now had twice.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A limit that would not hold in the group to enter.
#[derive(Debug, thiserror::Error)]
#[error(
    "this process is limited by '{}' ('{limit}'), which a control group of its own has to keep, and '{}' did not take it: {source}",
    from.display(),
    file.display()
)]
pub struct LeftLimitError {
    /// The file of the group that has the limit.
    from: PathBuf,
    /// What of it was to be kept.
    limit: String,
    /// The file of the new group.
    file: PathBuf,
    /// The kernel's answer.
    source: io::Error,
}

/// How two limits of one file are held against each other.
#[derive(Clone, Copy)]
enum Form {
    /// A number, or `max`.
    Number,
    /// `20000 100000`, of which a period the quota, or `max`.
    Quota,
    /// A line for each device with numbers that have names: `8:16 rbps=2097152 wbps=max`.
    Devices,
    /// The same of version 1: `8:16 2097152`.
    DevicesIn1,
    /// Processors or nodes of memory; those that hold within the groups around stand in `.effective`.
    Set,
}

/// The limits, by the name of their file.
const LIMITS: [(&str, Form); 13] = [
    ("io.max", Form::Devices),
    ("io.latency", Form::Devices),
    ("cpu.max", Form::Quota),
    ("cpuset.cpus", Form::Set),
    ("cpuset.mems", Form::Set),
    ("memory.max", Form::Number),
    ("memory.high", Form::Number),
    ("memory.swap.max", Form::Number),
    ("pids.max", Form::Number),
    ("blkio.throttle.read_bps_device", Form::DevicesIn1),
    ("blkio.throttle.write_bps_device", Form::DevicesIn1),
    ("blkio.throttle.read_iops_device", Form::DevicesIn1),
    ("blkio.throttle.write_iops_device", Form::DevicesIn1),
];
/// Shares beside other groups. Only that of the outermost group that is left counts where the new one goes.
const SHARES: [&str; 3] = ["io.weight", "io.bfq.weight", "cpu.weight"];

/// Puts the limits of the groups that are left on `group`, where it has none that is tighter.
///
/// # Errors
/// [`LeftLimitError`], where the kernel refuses one.
pub(crate) fn keep_limits(left: &[PathBuf], group: &Path) -> Result<(), LeftLimitError> {
    for level in left {
        for (name, form) in LIMITS {
            let shown = form.shown(name);
            let (limit, own) = (text(&level.join(&shown)), text(&group.join(&shown)));
            let lines = form.tighter(&limit, &own);
            write(&lines, &level.join(shown), &group.join(name))?;
        }
    }
    Ok(())
}

/// Gives `group` the shares of the outermost group that is left.
///
/// # Errors
/// [`LeftLimitError`], where the kernel refuses one.
pub(crate) fn keep_shares(left: &[PathBuf], group: &Path) -> Result<(), LeftLimitError> {
    let Some(outermost) = left.first() else {
        return Ok(());
    };
    for name in SHARES {
        let (from, file) = (outermost.join(name), group.join(name));
        let (share, own) = (text(&from), text(&file));
        let is_other = |line: &&str| !own.lines().any(|own| own == *line);
        let lines: Vec<String> = share.lines().filter(is_other).map(str::to_owned).collect();
        write(&lines, &from, &file)?;
    }
    Ok(())
}

fn text(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.trim().to_owned()
}

/// A line at a time, as the kernel takes them.
fn write(lines: &[String], from: &Path, file: &Path) -> Result<(), LeftLimitError> {
    for line in lines {
        fs::write(file, line).map_err(|source| LeftLimitError {
            from: from.to_owned(),
            limit: line.clone(),
            file: file.to_owned(),
            source,
        })?;
    }
    Ok(())
}

impl Form {
    /// The file that shows what holds.
    fn shown(self, name: &str) -> String {
        match self {
            Form::Set => format!("{name}.effective"),
            _ => name.to_owned(),
        }
    }

    /// What is to be written so that `from` holds beside `own`; nothing where it does.
    fn tighter(self, from: &str, own: &str) -> Vec<String> {
        match self {
            Form::Number => number(from)
                .filter(|limit| number(own).is_none_or(|own| *limit < own))
                .map(|limit| limit.to_string())
                .into_iter()
                .collect(),
            Form::Quota => share(from)
                .filter(|limit| share(own).is_none_or(|own| *limit < own))
                .map(|_| from.to_owned())
                .into_iter()
                .collect(),
            // The innermost set is a part of those around it.
            Form::Set => match from.is_empty() || from == own {
                true => Vec::new(),
                false => vec![from.to_owned()],
            },
            Form::Devices => devices(from, own, true),
            Form::DevicesIn1 => devices(from, own, false),
        }
    }
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok()
}

/// The part of a processor; none of `max`.
fn share(text: &str) -> Option<f64> {
    let (quota, period) = text.split_once(' ')?;
    let (quota, period) = (number(quota)?, number(period)?);
    (period > 0).then(|| quota as f64 / period as f64)
}

/// A line for each device with the numbers that are tighter than those of `own`.
fn devices(from: &str, own: &str, have_names: bool) -> Vec<String> {
    let own = by_device(own);
    let mut lines = Vec::new();
    for (device, limits) in by_device(from) {
        let is_tighter = |key: &str, limit: u64| {
            let own = own.get(device).and_then(|own| own.get(key));
            own.is_none_or(|own| limit < *own)
        };
        let tighter = limits
            .iter()
            .filter(|(key, limit)| is_tighter(key, **limit));
        let words: Vec<String> = tighter
            .map(|(key, limit)| match have_names {
                true => format!("{key}={limit}"),
                false => limit.to_string(),
            })
            .collect();
        if !words.is_empty() {
            lines.push(format!("{device} {}", words.join(" ")));
        }
    }
    lines
}

/// The numbers of each device by their names, `max` left out; a number without a name has none.
fn by_device(text: &str) -> BTreeMap<&str, BTreeMap<&str, u64>> {
    let mut found: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(device) = words.next() else { continue };
        let limits = words.filter_map(|word| {
            let (key, value) = word.split_once('=').unwrap_or(("", word));
            Some((key, number(value)?))
        });
        found.entry(device).or_default().extend(limits);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_limits_the_tighter_holds() {
        for (form, from, own, written) in [
            (Form::Number, "1024", "max", &["1024"] as &[&str]),
            (Form::Number, "1024", "512", &[]),
            (Form::Number, "max", "512", &[]),
            (Form::Quota, "50000 100000", "max 100000", &["50000 100000"]),
            (Form::Quota, "50000 100000", "20000 50000", &[]),
            (Form::Quota, "max 100000", "max 100000", &[]),
            (Form::Set, "0-1", "0-7", &["0-1"]),
            (Form::Set, "", "", &[]),
            (
                Form::Devices,
                "8:0 rbps=50 wbps=max riops=max wiops=9\n8:16 rbps=max wbps=7 riops=max wiops=max",
                "8:0 rbps=20 wbps=30 riops=max wiops=max",
                &["8:0 wiops=9", "8:16 wbps=7"],
            ),
            (Form::DevicesIn1, "8:0 50\n8:16 60", "8:16 40", &["8:0 50"]),
        ] {
            assert_eq!(form.tighter(from, own), written, "{from} beside {own}");
        }
    }
}
