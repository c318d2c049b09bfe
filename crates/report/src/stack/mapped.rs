//! Lines on device-mapper devices.

use etalon_language::say;
use etalon_model::stack::{
    Crypt, Layer, LogicalVolume, MapDevice, MapTarget, Mapper, MultiPath, PathState,
};

use super::{facts, show, term};

/// A volume in more pieces than these is not drawn to its end.
const MOST_TARGETS: usize = 8;

pub(super) fn volume(lv: &LogicalVolume, below: &[Layer]) -> Vec<String> {
    let first = facts(&[
        ("segment type", show(&lv.segment_type)),
        (
            "stripes",
            lv.stripes.filter(|n| *n > 1).map(|n| n.to_string()),
        ),
        ("stripe size", show(&lv.stripe_size)),
        ("segments", show(&lv.segments)),
        ("extents of", show(&lv.extent_size)),
    ]);
    first
        .into_iter()
        .chain(targets(&lv.targets, below))
        .collect()
}

pub(super) fn crypt(crypt: &Crypt) -> Vec<String> {
    let options = crypt.options.as_ref().filter(|all| !all.is_empty());
    let line = facts(&[
        ("cipher", show(&crypt.cipher)),
        ("key", crypt.key_bits.map(|bits| format!("{bits} bits"))),
        ("sectors of", show(&crypt.sector_size)),
        ("data from", show(&crypt.offset)),
        ("options", options.map(|all| all.join(" "))),
    ]);
    line.into_iter().collect()
}

pub(super) fn multipath(multipath: &MultiPath) -> Vec<String> {
    let state = |path: &PathState| {
        let group = path.group.map(|group| format!("{} {group}", term("group")));
        let failed = (path.usable == Some(false)).then(|| term("failed"));
        let words = [Some(path.name.clone()), path.state.clone(), group, failed];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let states: Vec<String> = multipath.paths.iter().map(state).collect();
    let without = multipath.queues_without_path.map(|queues| match queues {
        true => say!("stack-queues"),
        false => say!("stack-fails"),
    });
    let policy = facts(&[("selector", show(&multipath.selector)), ("", without)]);
    let paths = say!(
        "stack-paths",
        wwid = multipath.wwid,
        paths = states.join(", ")
    );
    [paths].into_iter().chain(policy).collect()
}

pub(super) fn other(mapper: &Mapper, below: &[Layer]) -> Vec<String> {
    let first = facts(&[
        ("made by", show(&mapper.made_by)),
        ("UUID", Some(mapper.uuid.clone()).filter(|u| !u.is_empty())),
    ]);
    first
        .into_iter()
        .chain(targets(&mapper.targets, below))
        .collect()
}

/// One line for each piece: `from 0 B, 40 MiB: linear on sda at 1 MiB`.
fn targets(targets: &[MapTarget], below: &[Layer]) -> Vec<String> {
    let shown = targets.iter().take(MOST_TARGETS);
    let mut lines: Vec<String> = shown.map(|one| target(one, below)).collect();
    let more = targets.len().saturating_sub(MOST_TARGETS);
    lines.extend((more > 0).then(|| say!("stack-pieces", count = more)));
    lines
}

fn target(target: &MapTarget, below: &[Layer]) -> String {
    let place = |place: &MapDevice| {
        let layer = below.iter().find(|layer| layer.devno == place.device);
        let name = layer.map_or_else(|| place.device.to_string(), |layer| layer.name.clone());
        match place.offset {
            Some(offset) => format!("{name} {} {offset}", term("at")),
            None => name,
        }
    };
    let places: Vec<String> = target.devices.iter().map(place).collect();
    let details = facts(&[
        (
            "on",
            (!places.is_empty()).then(|| places.join(&format!(" {} ", term("and")))),
        ),
        ("chunk", show(&target.chunk)),
        ("health", show(&target.health)),
        ("action", show(&target.sync_action)),
        ("at", show(&target.sync_progress)),
    ]);
    let details = details.map_or(String::new(), |details| format!(" {details}"));
    let from = term("from");
    format!(
        "{from} {}, {}: {}{details}",
        target.start, target.length, target.target
    )
}
