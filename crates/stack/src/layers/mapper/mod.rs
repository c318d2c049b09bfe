//! Device-mapper devices: LVM, dm-crypt, multipath and others, told apart by their UUID.

mod luks;
mod lvm;
mod lvm_text;
mod table;

use std::path::Path;

use etalon_model::stack::{
    Crypt, Layer, LayerKind, LogicalVolume, MapTarget, Mapper, MultiPath, PathState, Warning,
};

use crate::ask::{Question, ask};
use crate::context::{Context, reason};

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer) {
    let name = context
        .attr(directory.join("dm/name"))
        .unwrap_or_else(|| layer.name.clone());
    let uuid = context.attr(directory.join("dm/uuid")).unwrap_or_default();
    layer.node = format!("/dev/mapper/{name}");
    layer.uuid = Some(uuid.clone()).filter(|uuid| !uuid.is_empty());
    let asked = Mapped::of(context, layer);
    layer.kind = kind(context, layer, name, uuid, &asked);
    layer.warnings.extend(warnings(&layer.kind));
}

/// What the kernel says of a device's targets; empty where it cannot be asked.
struct Mapped {
    table: String,
    status: String,
}

impl Mapped {
    fn of(context: &Context<'_>, layer: &Layer) -> Mapped {
        let answer = |question| {
            let answer = ask(context.roots, &layer.name, layer.devno, question);
            answer.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let table = answer(Question::MapperTable);
        if let Err(error) = &table
            && context.roots.answers.is_none()
        {
            let what = format!("device-mapper table of {}", layer.name);
            context.note(what, reason(error));
        }
        let shortened = |text: String| shortened(context, layer, text);
        Mapped {
            table: shortened(table.unwrap_or_default()),
            status: shortened(answer(Question::MapperStatus).unwrap_or_default()),
        }
    }

    fn targets(&self) -> Vec<MapTarget> {
        table::targets(&self.table, &self.status)
    }
}

/// Longer tables are cut off: this one has more than a thousand pieces.
const LONGEST_TABLE: usize = 64 << 10;

/// The whole lines of `text` within [`LONGEST_TABLE`].
fn shortened(context: &Context<'_>, layer: &Layer, mut text: String) -> String {
    if text.len() > LONGEST_TABLE {
        context.note(
            format!("the rest of the device-mapper table of {}", layer.name),
            format!("it is longer than {} KiB", LONGEST_TABLE >> 10),
        );
        text.truncate(text.floor_char_boundary(LONGEST_TABLE));
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    }
    text
}

fn kind(
    context: &Context<'_>,
    layer: &Layer,
    name: String,
    uuid: String,
    asked: &Mapped,
) -> LayerKind {
    let prefix = uuid.split('-').next().unwrap_or_default();
    match prefix {
        "LVM" => LayerKind::Lvm(volume(context, layer, &name, asked)),
        "CRYPT" => {
            let format = uuid.split('-').nth(1).unwrap_or_default();
            LayerKind::Crypt(crypt(context, layer, name, format, asked))
        }
        "mpath" => {
            let wwid = uuid.strip_prefix("mpath-").unwrap_or_default();
            LayerKind::Multipath(multipath(context, layer, name, wwid, asked))
        }
        _ => LayerKind::Mapper(Mapper {
            made_by: made_by(prefix),
            name,
            uuid,
            targets: asked.targets(),
        }),
    }
}

/// A volume by the kernel's table; LVM's metadata adds what that does not tell.
fn volume(context: &Context<'_>, layer: &Layer, name: &str, asked: &Mapped) -> LogicalVolume {
    let (vg, lv, part) = lvm_names(name);
    let targets = asked.targets();
    let first = targets.first();
    let mut volume = LogicalVolume {
        vg,
        lv,
        layer: part,
        segment_type: first.map(|target| target.target.clone()),
        stripes: first.and_then(|target| target.stripes),
        stripe_size: first.and_then(|target| target.stripes.and(target.chunk)),
        segments: first.map(|_| targets.len() as u64),
        extent_size: None,
        targets,
    };
    lvm::fill_in(context, layer, &mut volume);
    volume
}

/// Encryption by the kernel's table, else by the header on the device beneath.
fn crypt(
    context: &Context<'_>,
    layer: &Layer,
    name: String,
    format: &str,
    asked: &Mapped,
) -> Crypt {
    let mut crypt = Crypt {
        format: format.to_owned(),
        name,
        cipher: None,
        key_bits: None,
        sector_size: None,
        offset: None,
        options: None,
    };
    if let Some(table) = table::crypt(&asked.table) {
        crypt.cipher = Some(table.cipher);
        crypt.key_bits = table.key_bits;
        crypt.sector_size = Some(table.sector_size);
        crypt.offset = table.offset;
        crypt.options = Some(table.options);
    } else if let Some(below) = layer.below.first() {
        luks::fill_in(context, below, &mut crypt);
    }
    crypt
}

fn multipath(
    context: &Context<'_>,
    layer: &Layer,
    name: String,
    wwid: &str,
    asked: &Mapped,
) -> MultiPath {
    let table = table::multipath(&asked.table);
    let usable = table::usable_paths(&asked.status);
    let path = |disk: &Layer| {
        let known = table.iter().flat_map(|table| &table.paths);
        let mut groups = known.filter(|(devno, _)| *devno == disk.devno);
        let mut states = usable.iter().filter(|(devno, _)| *devno == disk.devno);
        PathState {
            group: groups.next().map(|(_, group)| *group),
            usable: states.next().map(|(_, usable)| *usable),
            ..path_state(context, &disk.name)
        }
    };
    MultiPath {
        wwid: wwid.to_owned(),
        paths: layer.below.iter().map(path).collect(),
        selector: table.as_ref().map(|table| table.selector.clone()),
        queues_without_path: table.as_ref().map(|table| table.queues_without_path),
        name,
    }
}

/// What is wrong with a mapped device: paths down, members missing, work going on.
fn warnings(kind: &LayerKind) -> Vec<Warning> {
    let targets = match kind {
        LayerKind::Multipath(multipath) => return paths_down(multipath).into_iter().collect(),
        LayerKind::Lvm(volume) => &volume.targets,
        LayerKind::Mapper(mapper) => &mapper.targets,
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for target in targets {
        let letters = target.health.as_deref().unwrap_or_default();
        let missing = letters.chars().filter(|c| !matches!(c, 'A' | 'a')).count() as u64;
        if missing > 0 {
            let of = letters.chars().count() as u64;
            found.push(Warning::DegradedArray { missing, of });
        }
        let action = target.sync_action.clone();
        let busy = action.filter(|action| !matches!(action.as_str(), "idle" | "frozen"));
        found.extend(busy.map(|action| Warning::ArrayBusy { action }));
    }
    found
}

fn paths_down(multipath: &MultiPath) -> Option<Warning> {
    let up = |path: &&PathState| {
        path.usable != Some(false)
            && matches!(path.state.as_deref(), None | Some("running" | "live"))
    };
    let of = multipath.paths.len() as u64;
    let down = of - multipath.paths.iter().filter(up).count() as u64;
    (down > 0).then_some(Warning::PathsDown { down, of })
}

fn made_by(prefix: &str) -> Option<String> {
    let made_by = match prefix {
        "DMRAID" => "dmraid (firmware RAID)",
        "VDO" => "VDO (deduplication and compression)",
        "stratis" => "Stratis",
        part if part.starts_with("part") => "kpartx (partition of a mapped device)",
        _ => return None,
    };
    Some(made_by.to_owned())
}

fn path_state(context: &Context<'_>, disk: &str) -> PathState {
    let class = context
        .roots
        .sysfs
        .join("class/block")
        .join(disk.replace('/', "!"));
    PathState {
        name: disk.to_owned(),
        state: context.attr(class.join("device/state")),
        group: None,
        usable: None,
    }
}

/// `vg-lv[-layer]`, where a hyphen inside a name is written twice (lvm2, lib/misc/lvm-string.c).
fn lvm_names(name: &str) -> (String, String, String) {
    let mut parts = vec![String::new()];
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let single = c == '-' && chars.next_if_eq(&'-').is_none();
        if single && parts.len() < 3 {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    let mut parts = parts.into_iter();
    let mut next = || parts.next().unwrap_or_default();
    (next(), next(), next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hyphens_inside_names_are_doubled() {
        let names = |text| lvm_names(text);
        let is = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(names("vg0-home"), is("vg0", "home", ""));
        assert_eq!(
            names("my--vg-big--lv-tpool"),
            is("my-vg", "big-lv", "tpool")
        );
        assert_eq!(names("vg-lv_rimage_0"), is("vg", "lv_rimage_0", ""));
        assert_eq!(names(""), is("", "", ""));
    }

    proptest! {
        #[test]
        fn names_round_trip(vg in "[a-z][a-z-]{0,6}[a-z]", lv in "[a-z][a-z-]{0,6}[a-z]") {
            let name = format!("{}-{}", vg.replace('-', "--"), lv.replace('-', "--"));
            prop_assert_eq!(lvm_names(&name), (vg, lv, String::new()));
        }
    }
}
