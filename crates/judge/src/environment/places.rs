//! Which layer of one stack stands in the place of which of another, so that the facts of both stand under the names of one.

use std::collections::BTreeSet;
use std::mem::discriminant;

use etalon_model::stack::{Layer, LayerKind, Link, StackTree};

/// Facts that say what something stands on, by the names and numbers of those devices.
const REFERENCES: [&str; 4] = ["below", "device", "backing", "cache"];
/// Facts that say what something itself is called: another device is called otherwise.
const OWN_NAMES: [&str; 4] = ["devno", "node", "name", "source"];

/// The names of one stack's layers, each with that of the layer in its place in another, the base.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Beginnings of keys.
    keys: Vec<(String, String)>,
    /// Names and numbers of devices.
    names: Vec<(String, String)>,
    /// Those that stand for the same device, and what the kernel calls the way to it.
    same: Vec<(String, String)>,
}

impl Places {
    /// Where the two have not the same form, nothing stands in the place of anything.
    pub(crate) fn of(base: &StackTree, own: &StackTree) -> Places {
        let mut found = Places::default();
        let Some(pairs) = pairs(base, own) else {
            return found;
        };
        let all_same = base.is_same(own) == Some(true);
        for (base, own) in pairs {
            let key = |layer: &Layer| format!("layer.{}.", layer.name);
            found.keys.push((key(own), key(base)));
            found.names.extend(names(base, own));
            if all_same || own.is_same(base) == Some(true) {
                found.same.extend(names(base, own));
                found.same.extend(ways(base, own));
            }
        }
        let members = pairs_of_members(base, own, &found);
        found.keys.splice(0..0, members);
        found
    }

    /// `layer.sdb.size` under the name of the layer in its place.
    pub(crate) fn key(&self, key: &str) -> String {
        let mut renamed = self.keys.iter().filter_map(|(own, base)| {
            let rest = key.strip_prefix(own.as_str())?;
            Some(format!("{base}{rest}"))
        });
        renamed.next().unwrap_or_else(|| key.to_owned())
    }

    /// The value of a fact that names devices, by the names of those in their places; all others as they are.
    pub(crate) fn value(&self, key: &str, value: &str) -> String {
        let last = key.rsplit('.').next().unwrap_or(key);
        let known = match () {
            () if key.contains(".links.") => &self.same,
            () if is_member(key) || REFERENCES.contains(&last) => &self.names,
            () if OWN_NAMES.contains(&last) => &self.same,
            () => return value.to_owned(),
        };
        let word = |word: &str| {
            let found = known.iter().find(|(own, _)| own == word);
            found.map_or(word, |(_, base)| base).to_owned()
        };
        let mut words: Vec<String> = value.split(' ').map(word).collect();
        if last == "below" {
            words.sort_by_key(|name| (without_digits(name), name.len(), name.clone()));
        }
        words.join(" ")
    }
}

/// Names of members and paths are those of other layers.
fn is_member(key: &str) -> bool {
    let is_listed = key.contains(".members.") || key.contains(".paths.");
    is_listed && key.ends_with(".name")
}

/// As the reader of the stack sorts them.
fn without_digits(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// What a device is called, own name first.
fn names(base: &Layer, own: &Layer) -> Vec<(String, String)> {
    let node = |layer: &Layer| format!("/dev/{}", layer.name);
    vec![
        (own.name.clone(), base.name.clone()),
        (own.devno.to_string(), base.devno.to_string()),
        (own.node.clone(), base.node.clone()),
        (node(own), node(base)),
    ]
}

/// Controllers and hosts on the way to a disk that differ in nothing but the number that the kernel counted.
fn ways(base: &Layer, own: &Layer) -> Vec<(String, String)> {
    let (LayerKind::Disk(base), LayerKind::Disk(own)) = (&base.kind, &own.kind) else {
        return Vec::new();
    };
    let pairs = own.links.iter().zip(&base.links);
    let counted = pairs.filter_map(|(own, base)| Some((counted(own)?, counted(base)?)));
    let alike = counted.filter(|(own, base)| without_digits(own) == without_digits(base));
    alike
        .map(|(own, base)| (own.to_owned(), base.to_owned()))
        .collect()
}

fn counted(link: &Link) -> Option<&str> {
    match link {
        Link::Nvme { controller, .. } => Some(controller),
        Link::Virtio { device, .. } => Some(device),
        Link::Sata { name, .. } => Some(name),
        Link::ScsiHost { host, .. } | Link::Mmc { host, .. } => Some(host),
        _ => None,
    }
}

/// Members of arrays and paths of multipath are listed by their names: each is compared with the one in its place.
fn pairs_of_members(base: &StackTree, own: &StackTree, places: &Places) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for layer in own.layers() {
        let key = places.key(&format!("layer.{}.", layer.name));
        let mut layers = base.layers().into_iter();
        let base = layers.find(|base| format!("layer.{}.", base.name) == key);
        let (what, own_names) = members(layer);
        let base_names = base.map_or_else(Vec::new, |base| members(base).1);
        for (number, name) in own_names.iter().enumerate() {
            let known = places.names.iter().find(|(own, _)| own == name);
            let known = known.map_or(*name, |(_, base)| base.as_str());
            if let Some(there) = base_names.iter().position(|base| *base == known) {
                found.push((
                    format!("layer.{}.kind.{what}.{number}.", layer.name),
                    format!("{key}kind.{what}.{there}."),
                ));
            }
        }
    }
    found
}

/// What a layer lists by names, and these.
fn members(layer: &Layer) -> (&'static str, Vec<&str>) {
    match &layer.kind {
        LayerKind::Md(md) => {
            let names = md.members.iter().map(|member| member.name.as_str());
            ("members", names.collect())
        }
        LayerKind::Multipath(multipath) => {
            let names = multipath.paths.iter().map(|path| path.name.as_str());
            ("paths", names.collect())
        }
        _ => ("members", Vec::new()),
    }
}

/// A layer of the base and the one in its place.
type Pair<'a> = (&'a Layer, &'a Layer);

/// Each layer of `base` with that of `own` in its place; none where the two have not the same form.
fn pairs<'a>(base: &'a StackTree, own: &'a StackTree) -> Option<Vec<Pair<'a>>> {
    let mut found: Vec<Pair<'a>> = Vec::new();
    pair(&tops(base), &tops(own), &mut found)?;
    let bases: BTreeSet<&str> = found.iter().map(|(base, _)| base.name.as_str()).collect();
    let owns: BTreeSet<&str> = found.iter().map(|(_, own)| own.name.as_str()).collect();
    let is_one_to_one = bases.len() == found.len() && owns.len() == found.len();
    is_one_to_one.then_some(found)
}

/// The same disk is in its own place, wherever it is listed; what is not known goes by its place in the list.
fn pair<'a>(base: &[&'a Layer], own: &[&'a Layer], found: &mut Vec<Pair<'a>>) -> Option<()> {
    if base.len() != own.len() {
        return None;
    }
    let mut left: Vec<&'a Layer> = own.to_vec();
    let mut partners: Vec<Option<&'a Layer>> = Vec::new();
    for layer in base {
        let same = left.iter().position(|own| layer.is_same(own) == Some(true));
        partners.push(same.map(|same| left.remove(same)));
    }
    let mut left = left.into_iter();
    for (base, partner) in base.iter().zip(partners) {
        let own = partner.or_else(|| left.next())?;
        let alike = discriminant(&base.kind) == discriminant(&own.kind);
        if !alike || base.below.len() != own.below.len() {
            return None;
        }
        let known = |pair: &Pair<'_>| pair.0.name == base.name && pair.1.name == own.name;
        if !found.iter().any(known) {
            found.push((base, own));
        }
        pair(&beneath(base), &beneath(own), found)?;
    }
    Some(())
}

/// The devices directly beneath, those of the file behind a loop device as well.
fn beneath(layer: &Layer) -> Vec<&Layer> {
    let below = layer.below.iter();
    below
        .chain(layer.file_stack().into_iter().flat_map(tops))
        .collect()
}

fn tops(tree: &StackTree) -> Vec<&Layer> {
    let upper = tree.filesystem.as_ref().and_then(|f| f.beneath.as_deref());
    let devices = tree.devices.iter();
    devices.chain(upper.into_iter().flat_map(tops)).collect()
}

#[cfg(test)]
mod tests {
    use crate::environment::environment_differences;
    use crate::samples::{disk, environment_on, stack_layer};
    use etalon_model::EnvironmentRecord;
    use serde_json::json;

    fn keys(a: &EnvironmentRecord, b: &EnvironmentRecord) -> Vec<String> {
        let found = environment_differences(&[vec![a], vec![b]]).into_iter();
        found.map(|difference| difference.key).collect()
    }

    /// A disk with what the kernel calls it, and a scheduler.
    fn one(name: &str, devno: &str, serial: &str, scheduler: &str) -> EnvironmentRecord {
        let key = |fact: &str| format!("layer.{name}.{fact}");
        let facts = [
            (key("devno"), devno),
            (key("name"), name),
            (key("kind.serial"), serial),
            (key("queue.scheduler"), scheduler),
        ];
        let facts: Vec<(&str, &str)> = facts.iter().map(|(key, value)| (&**key, *value)).collect();
        environment_on(vec![disk(name, devno, serial)], &facts)
    }

    #[test]
    fn a_disk_with_another_name_differs_in_its_settings_alone() {
        let then = one("sda", "8:0", "WFN1", "none");
        assert_eq!(keys(&then, &one("sdb", "8:16", "WFN1", "none")), [""; 0]);
        let changed = keys(&then, &one("sdb", "8:16", "WFN1", "bfq"));
        assert_eq!(changed, ["layer.sda.queue.scheduler"]);
        let another = keys(&then, &one("sdb", "8:16", "WFN2", "none"));
        let all = ["devno", "kind.serial", "name"].map(|fact| format!("layer.sda.{fact}"));
        assert_eq!(another, all);
    }

    /// An array whose first disk is worn, by the names and numbers that the two disks got.
    fn array(worn: (&str, &str), sound: (&str, &str), below: &str) -> EnvironmentRecord {
        let named = [(worn, "WORN"), (sound, "SOUND")];
        let mut disks = named.map(|((name, devno), serial)| disk(name, devno, serial));
        disks.sort_by(|a, b| a.name.cmp(&b.name));
        let members = disks
            .each_ref()
            .map(|disk| json!({"name": disk.name, "slot": 0, "state": "in_sync", "errors": 0}));
        let kind = json!({
            "type": "md", "level": "raid1", "raid_disks": 2, "degraded": 0, "members": members,
        });
        let worn_at = usize::from(disks[0].name != worn.0);
        let facts = [
            (format!("layer.{}.kind.firmware", worn.0), "old"),
            (format!("layer.{}.kind.firmware", sound.0), "new"),
            ("layer.md0.below".to_owned(), below),
            (format!("layer.md0.kind.members.{worn_at}.name"), worn.0),
            (format!("layer.md0.kind.members.{worn_at}.slot"), "1"),
            (format!("layer.md0.kind.members.{}.slot", 1 - worn_at), "0"),
            ("layer.md0.kind.targets.0.device".to_owned(), worn.1),
        ];
        let facts: Vec<(&str, &str)> = facts.iter().map(|(key, value)| (&**key, *value)).collect();
        environment_on(
            vec![stack_layer("md0", "9:0", kind, disks.to_vec())],
            &facts,
        )
    }

    #[test]
    fn disks_that_changed_their_names_with_each_other_are_each_in_their_place() {
        let (a, b) = (("sda", "8:0"), ("sdb", "8:16"));
        let then = array(a, b, "sda sdb");
        assert_eq!(keys(&then, &array(b, a, "sda sdb")), [""; 0]);
        let mut moved = array(b, a, "sda sdb");
        let slot = moved
            .manifest
            .facts
            .get_mut("layer.md0.kind.members.1.slot");
        *slot.unwrap() = "0".to_owned();
        assert_eq!(keys(&then, &moved), ["layer.md0.kind.members.0.slot"]);
    }
}
