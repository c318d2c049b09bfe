//! Tables and states of device-mapper targets, as the kernel prints them
//! (admin-guide/device-mapper of the kernel, one page for each type).

use etalon_model::stack::{DevNo, MapDevice, MapTarget, SECTOR_BYTES};
use etalon_units::{Bytes, Percent};

/// One line of a table or a state: its place, its type and its parameters.
pub(super) struct TableLine<'a> {
    start: Bytes,
    length: Bytes,
    pub(super) target: &'a str,
    pub(super) words: Vec<&'a str>,
}

/// The lines of a table or a state; those of another form are left out.
pub(super) fn lines(text: &str) -> Vec<TableLine<'_>> {
    text.lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<TableLine<'_>> {
    let mut words = line.split_ascii_whitespace();
    Some(TableLine {
        start: sectors(words.next()?)?,
        length: sectors(words.next()?)?,
        target: words.next()?,
        words: words.collect(),
    })
}

fn sectors(word: &str) -> Option<Bytes> {
    let count: u64 = word.parse().ok()?;
    count.checked_mul(SECTOR_BYTES).map(Bytes)
}

/// The targets by a table, with what the states tell of each.
pub(super) fn targets(table: &str, status: &str) -> Vec<MapTarget> {
    let states = lines(status);
    let mut found: Vec<MapTarget> = lines(table).iter().map(target).collect();
    for target in &mut found {
        let state = states.iter().find(|state| state.start == target.start);
        if let Some(state) = state {
            add_state(target, state);
        }
    }
    found
}

fn target(line: &TableLine<'_>) -> MapTarget {
    let words = line.words.as_slice();
    let word = |index: usize| words.get(index).copied();
    let count = |index: usize| word(index)?.parse::<u64>().ok();
    let size = |index: usize| word(index).and_then(sectors);
    let mut found = MapTarget {
        start: line.start,
        length: line.length,
        target: line.target.to_owned(),
        ..MapTarget::default()
    };
    match line.target {
        "linear" | "delay" | "flakey" => found.devices = with_offsets(words),
        "striped" => {
            (found.stripes, found.chunk) = (count(0), size(1));
            found.devices = with_offsets(words);
        }
        "mirror" => {
            // Log type, number of its arguments, those, then the number of copies.
            found.stripes = count(1).and_then(|n| count(usize::try_from(n).ok()?.checked_add(2)?));
            let log = usize::try_from(count(1).unwrap_or(0)).unwrap_or(usize::MAX);
            let copies = words.get(log.saturating_add(3)..).unwrap_or_default();
            found.devices = with_offsets(copies);
        }
        "raid" => raid(words, &mut found),
        "thin-pool" | "snapshot" | "snapshot-merge" | "cache" => {
            found.chunk = size(match line.target {
                "thin-pool" => 2,
                _ => 3,
            });
            found.devices = plain(words);
        }
        _ => found.devices = plain(words),
    }
    found
}

/// `raid1 3 0 region_size 4096 2 253:0 253:1 253:2 253:3`: the level; the number of its
/// parameters, of which the first is the chunk; the number of members; each member's metadata and
/// data, `-` where it is missing.
fn raid(words: &[&str], found: &mut MapTarget) {
    let [level, parameters, rest @ ..] = words else {
        return;
    };
    found.target = (*level).to_owned();
    let parameters = parameters.parse().unwrap_or(usize::MAX);
    let Some((parameters, members)) = rest.split_at_checked(parameters) else {
        return;
    };
    let chunk = parameters.first().copied().and_then(sectors);
    found.chunk = chunk.filter(|chunk| chunk.get() > 0);
    let Some((count, members)) = members.split_first() else {
        return;
    };
    found.stripes = count.parse().ok();
    let data = members.chunks_exact(2).map(|pair| pair[1]);
    found.devices = data.filter_map(|word| device(word, None)).collect();
}

fn device(word: &str, offset: Option<Bytes>) -> Option<MapDevice> {
    let device: DevNo = word.parse().ok()?;
    Some(MapDevice { device, offset })
}

/// Every device among the words, with the offset that stands behind it.
fn with_offsets(words: &[&str]) -> Vec<MapDevice> {
    let pairs = words.windows(2);
    pairs
        .filter_map(|pair| device(pair[0], sectors(pair[1])))
        .collect()
}

fn plain(words: &[&str]) -> Vec<MapDevice> {
    words.iter().filter_map(|word| device(word, None)).collect()
}

/// `raid1 2 AA 65536/65536 idle 0 0 -` for RAID, `2 253:3 253:4 16/16 1 AA ...` for mirrors,
/// `2 8:0 8:16 1 AA` for stripes.
fn add_state(target: &mut MapTarget, state: &TableLine<'_>) {
    let words = state.words.as_slice();
    let word = |index: usize| words.get(index).copied();
    let devices = || word(0)?.parse::<usize>().ok();
    let (health, ratio, action) = match state.target {
        "raid" => (word(2), word(3), word(4)),
        "mirror" => {
            let behind = devices().and_then(|n| n.checked_add(1));
            let at = |more: usize| behind.and_then(|at| word(at.checked_add(more)?));
            (at(2), at(0), None)
        }
        "striped" => {
            let at = devices().and_then(|n| n.checked_add(2));
            (at.and_then(word), None, None)
        }
        _ => return,
    };
    target.health = health.map(crate::text::clean);
    let done = ratio.and_then(|ratio| {
        let (done, all) = ratio.split_once('/')?;
        let (done, all): (u64, u64) = (done.parse().ok()?, all.parse().ok()?);
        (all > 0).then_some((done, all))
    });
    target.sync_progress = done
        .filter(|(done, all)| done < all)
        .map(|(done, all)| Percent::from_fraction(done as f64 / all as f64));
    // A mirror names no action: what is not in sync is being copied.
    let copying = match (state.target, done) {
        ("mirror", Some((done, all))) if done < all => Some("resync"),
        ("mirror", Some(_)) => Some("idle"),
        _ => None,
    };
    target.sync_action = action.or(copying).map(crate::text::clean);
}

/// A table of dm-crypt, whose key has been replaced by its length in bits:
/// cipher, bits, offset of the initialisation vectors, device, offset, number of options, options.
pub(super) struct CryptTable {
    pub(super) cipher: String,
    pub(super) key_bits: Option<u64>,
    pub(super) offset: Option<Bytes>,
    pub(super) sector_size: Bytes,
    pub(super) options: Vec<String>,
}

pub(super) fn crypt(table: &str) -> Option<CryptTable> {
    let lines = lines(table);
    let line = lines.iter().find(|line| line.target == "crypt")?;
    let options = line.words.get(6..).unwrap_or_default();
    let size = options
        .iter()
        .find_map(|word| word.strip_prefix("sector_size:")?.parse().ok());
    Some(CryptTable {
        cipher: crate::text::clean(line.words.first()?),
        key_bits: line.words.get(1).and_then(|bits| bits.parse().ok()),
        offset: line.words.get(4).and_then(|word| sectors(word)),
        sector_size: Bytes(size.unwrap_or(SECTOR_BYTES)),
        options: options
            .iter()
            .map(|word| crate::text::clean(word))
            .collect(),
    })
}

/// A table of multipath.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Paths {
    pub(super) queues_without_path: bool,
    pub(super) selector: String,
    /// Each path with its group, counted from 1.
    pub(super) paths: Vec<(DevNo, u64)>,
}

/// `1 queue_if_no_path 0 2 1 service-time 0 1 2 8:0 1 1 service-time 0 1 2 8:16 1 1`: features and
/// hardware handler, each behind the number of its words; the number of groups, and the one to
/// begin with; then each group's selector with its arguments, the number of its paths and of each
/// one's arguments, and the paths.
pub(super) fn multipath(table: &str) -> Option<Paths> {
    let lines = lines(table);
    let line = lines.iter().find(|line| line.target == "multipath")?;
    let mut words = line.words.iter().copied();
    let features = counted(&mut words)?;
    counted(&mut words)?;
    let groups: u64 = words.next()?.parse().ok()?;
    words.next()?;
    let mut found = Paths {
        queues_without_path: features.contains(&"queue_if_no_path"),
        selector: String::new(),
        paths: Vec::new(),
    };
    for group in 1..=groups {
        let selector = words.next()?;
        if group == 1 {
            found.selector = crate::text::clean(selector);
        }
        counted(&mut words)?;
        let paths: u64 = words.next()?.parse().ok()?;
        let arguments: u64 = words.next()?.parse().ok()?;
        for _ in 0..paths {
            found.paths.push((words.next()?.parse().ok()?, group));
            for _ in 0..arguments {
                words.next()?;
            }
        }
    }
    Some(found)
}

/// As many words as the first one says.
fn counted<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Vec<&'a str>> {
    let count: u64 = words.next()?.parse().ok()?;
    (0..count).map(|_| words.next()).collect()
}

/// Whether each path is usable: a state has `A` or `F` behind each device.
pub(super) fn usable_paths(status: &str) -> Vec<(DevNo, bool)> {
    let lines = lines(status);
    let all = lines.iter().filter(|line| line.target == "multipath");
    let pairs = all.flat_map(|line| line.words.windows(2));
    pairs
        .filter_map(|pair| {
            let usable = match pair[1] {
                "A" => true,
                "F" => false,
                _ => return None,
            };
            Some((pair[0].parse().ok()?, usable))
        })
        .collect()
}

#[cfg(test)]
mod tests;
