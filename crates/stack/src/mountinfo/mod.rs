//! `/proc/self/mountinfo` and the mount that covers a path.

use std::path::Path;
use std::str::FromStr;

pub(crate) use etalon_host::mount_text::unescape;
use etalon_model::stack::{DevNo, Mount};

use crate::error::StackError;
use crate::text::malformed;

/// The mounts of `text`, in the kernel's order; `path` is quoted in errors.
///
/// ```
/// let line = "27 1 8:1 / /srv rw,noatime - xfs /dev/sda1 rw";
/// let mounts = etalon_stack::parse_mountinfo(line, "/proc/self/mountinfo".as_ref())?;
/// assert_eq!((mounts[0].fs_type.as_str(), mounts[0].source.as_str()), ("xfs", "/dev/sda1"));
/// # Ok::<(), etalon_stack::StackError>(())
/// ```
///
/// # Errors
/// A line that does not have the fields of proc_pid_mountinfo(5).
pub fn parse_mountinfo(text: &str, path: &Path) -> Result<Vec<Mount>, StackError> {
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| parse_line(line, path, index + 1))
        .collect()
}

fn parse_line(text: &str, path: &Path, line: usize) -> Result<Mount, StackError> {
    let mut before = text.split(' ');
    let mut field = |item, expected| {
        let found = before.next();
        found.ok_or_else(|| malformed(path, line, item, expected, text))
    };
    let id = number(field("mount ID", "a number")?, "mount ID", path, line)?;
    let parent = number(field("parent ID", "a number")?, "parent ID", path, line)?;
    let devno = field("device", "major:minor")?;
    let devno: DevNo = devno
        .parse()
        .map_err(|_| malformed(path, line, "device", "major:minor", devno))?;
    let root = unescape(field("root", "a path")?);
    let point = unescape(field("mount point", "a path")?);
    let options = split_options(field("mount options", "words")?);
    // Optional fields follow, as many as there are, then a lone hyphen.
    let mut after = before.skip_while(|word| *word != "-").skip(1);
    let mut field = |item, expected| {
        let found = after.next();
        found.ok_or_else(|| malformed(path, line, item, expected, text))
    };
    Ok(Mount {
        id,
        parent,
        devno,
        root,
        point,
        options,
        fs_type: unescape(field("filesystem type", "a word after ' - '")?),
        source: unescape(field("source", "a word")?),
        // A filesystem may print no options at all.
        super_options: split_options(after.next().unwrap_or_default()),
    })
}

fn number<T: FromStr>(
    text: &str,
    item: &'static str,
    path: &Path,
    line: usize,
) -> Result<T, StackError> {
    text.parse()
        .map_err(|_| malformed(path, line, item, "a number", text))
}

/// Options are separated by commas; a comma inside a value is escaped or stands in quotes.
fn split_options(text: &str) -> Vec<String> {
    let mut options = Vec::new();
    let mut current = String::new();
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                options.push(unescape(&std::mem::take(&mut current)));
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    options.push(unescape(&current));
    options.retain(|option| !option.is_empty());
    options
}

/// What is known of a path besides its name.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PathId {
    /// The mount's number, by statx(2).
    pub(crate) mount_id: Option<u64>,
    /// The device of the path, `st_dev`.
    pub(crate) devno: Option<DevNo>,
}

/// The mount that holds `path`: the one with its mount number; else the deepest that covers it and
/// has its `st_dev`; else, for filesystems that give files another number (btrfs subvolumes), the
/// deepest that covers it. Of equals the last mounted wins, since it hides the others.
pub(crate) fn covering<'m>(mounts: &'m [Mount], path: &Path, known: PathId) -> Option<&'m Mount> {
    if let Some(mount) = mounts.iter().find(|m| Some(m.id) == known.mount_id) {
        return Some(mount);
    }
    let deepest = |wanted: Option<DevNo>| {
        let covers = mounts.iter().filter(|m| path.starts_with(&m.point));
        covers
            .filter(|m| wanted.is_none_or(|devno| m.devno == devno))
            .max_by_key(|m| Path::new(&m.point).components().count())
    };
    known
        .devno
        .and_then(|devno| deepest(Some(devno)))
        .or_else(|| deepest(None))
}

#[cfg(test)]
mod tests;
