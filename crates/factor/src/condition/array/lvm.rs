//! Volumes of LVM (lvmraid(7), lvmthin(7)).

use std::path::{Path, PathBuf};
use std::time::Instant;

use etalon_model::LevelFact;
use etalon_units::Bytes;

use super::rebuild::wait_until;
use super::{Applied, ArrayLevel, FactorError, Ground, KernelModules, Need, members, texts};
use crate::Token;
use crate::made::{Made, run_lvm, size_of};
use crate::steps::EntryStep;

/// Between the fields of lvs(8); no name of a volume holds it (lvm(8), Valid names).
const SEPARATOR: &str = ";";

/// A kind of volume.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Volume {
    pub(super) name: &'static str,
    /// What lvcreate and `lvs -o segtype` call it.
    segment: &'static str,
    pub(super) fewest: usize,
    /// Members that hold no data of their own: mirrors and parities.
    parity: usize,
}

const VOLUMES: &[Volume] = &[
    volume_of("linear", "linear", 1, 0),
    volume_of("striped", "striped", 2, 0),
    volume_of("mirror", "mirror", 2, 1),
    volume_of("raid1", "raid1", 2, 1),
    volume_of("raid5", "raid5", 3, 1),
    volume_of("raid6", "raid6", 5, 2),
    volume_of("raid10", "raid10", 4, 2),
    volume_of("thin", "thin", 1, 0),
    volume_of("snapshot", "linear", 1, 0),
];

const fn volume_of(
    name: &'static str,
    segment: &'static str,
    fewest: usize,
    parity: usize,
) -> Volume {
    Volume {
        name,
        segment,
        fewest,
        parity,
    }
}

impl Volume {
    /// The module that is missing (the kernel's admin-guide/device-mapper).
    pub(super) fn lacks(&self, modules: &KernelModules) -> Option<Need> {
        let what = format!("lvm-{}", self.name);
        let is_there = Path::new("/sys/class/misc/device-mapper").exists();
        if let Some(base) = modules.lack_base(&what, "dm-mod", is_there) {
            return Some(base);
        }
        let module = match self.name {
            "mirror" => "dm-mirror",
            "thin" => "dm-thin-pool",
            "snapshot" => "dm-snapshot",
            name if name.starts_with("raid") => "dm-raid",
            _ => return None,
        };
        modules.lack(&what, module, false)
    }

    /// Which volume tells the size of chunks.
    pub(super) fn chunked(&self) -> Option<&'static str> {
        match self.name {
            "thin" => Some("pool"),
            name if takes_stripe_size(name) => Some("data"),
            _ => None,
        }
    }
}

fn takes_stripe_size(name: &str) -> bool {
    matches!(name, "striped" | "raid5" | "raid6" | "raid10")
}

pub(super) fn volume(name: &str) -> Option<&'static Volume> {
    VOLUMES.iter().find(|volume| volume.name == name)
}

/// The UUID of a physical volume as LVM writes it: groups of 6, 4, 4, 4, 4, 4 and 6.
fn lvm_uuid(token: &Token) -> String {
    let text = token.as_str();
    let groups = [0..6, 6..10, 10..14, 14..18, 18..22, 22..26, 26..32];
    groups.map(|group| &text[group]).join("-")
}

pub(super) fn apply(
    level: &ArrayLevel,
    volume: &'static Volume,
    ground: &Ground,
) -> Result<Box<dyn Applied>, FactorError> {
    let mut made = Made::begin(&ground.journal)?;
    let uuids = ground.devices.iter().map(|_| Token::random());
    let uuids: Result<Vec<Token>, _> = uuids.collect();
    let uuids = uuids.map_err(FactorError::io("name", &ground.workshop))?;
    let devices = members(ground, &mut made, |number| uuids[number].clone())?;
    let group = format!("etalon{}", made.token());
    let begun = Instant::now();
    for (device, uuid) in texts(&devices).iter().zip(&uuids) {
        let id = lvm_uuid(uuid);
        run_lvm(
            "pvcreate",
            &["--yes", "--norestorefile", "--uuid", &id, device],
        )?;
    }
    made.enter(EntryStep::VolumeGroup {
        name: group.clone(),
    })?;
    let names = texts(&devices);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    run_lvm("vgcreate", &[&["--yes", &group][..], &names].concat())?;
    create(level, volume, &group, devices.len())?;
    let node = PathBuf::from(format!("/dev/{group}/data"));
    let mut facts = vec![LevelFact::seconds("created in", begun.elapsed(), 3)];
    if volume.parity > 0 {
        // What is synchronised beside a run would slow it.
        let synchronised = wait_until(&ground.stop, || is_synchronised(&group))?;
        facts.push(LevelFact::seconds("first synchronised in", synchronised, 3));
    }
    let applied = LogicalVolume {
        made,
        group,
        node,
        volume,
        chunk: level.chunk,
        facts,
    };
    applied.verify()?;
    Ok(Box::new(applied))
}

fn create(
    level: &ArrayLevel,
    volume: &Volume,
    group: &str,
    devices: usize,
) -> Result<(), FactorError> {
    if volume.name == "thin" {
        return create_thin(level, group);
    }
    let mut words: Vec<String> = ["--yes", "--name", "data"].map(str::to_owned).to_vec();
    words.extend(["--wipesignatures".to_owned(), "y".to_owned()]);
    match volume.name {
        "snapshot" => words.extend(["--type", "linear", "--extents", "50%FREE"].map(str::to_owned)),
        _ => words.extend(["--type", volume.segment, "--extents", "80%FREE"].map(str::to_owned)),
    }
    match volume.name {
        "striped" | "raid5" | "raid6" => {
            words.extend([
                "--stripes".to_owned(),
                (devices - volume.parity).to_string(),
            ]);
        }
        "mirror" | "raid1" => words.extend(["--mirrors".to_owned(), (devices - 1).to_string()]),
        "raid10" => words.extend(
            ["--mirrors", "1", "--stripes"]
                .map(str::to_owned)
                .into_iter()
                .chain([(devices / 2).to_string()]),
        ),
        _ => {}
    }
    if takes_stripe_size(volume.name) {
        words.extend(chunk_words("--stripesize", level));
    }
    words.extend(level.options.iter().cloned());
    words.push(group.to_owned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    run_lvm("lvcreate", &words)?;
    if volume.name == "snapshot" {
        let origin = format!("{group}/data");
        run_lvm(
            "lvcreate",
            &[
                "--yes",
                "--snapshot",
                "--name",
                "kept",
                "--extents",
                "80%FREE",
                &origin,
            ],
        )?;
    }
    Ok(())
}

/// A size of chunks or stripes, as lvcreate(8) takes it.
fn chunk_words(option: &str, level: &ArrayLevel) -> Vec<String> {
    let words = |chunk: Bytes| vec![option.to_owned(), format!("{}k", chunk.get() >> 10)];
    level.chunk.map(words).unwrap_or_default()
}

/// A pool, and in it a volume of the same size.
fn create_thin(level: &ArrayLevel, group: &str) -> Result<(), FactorError> {
    let pool = pool_words(level, group);
    let pool: Vec<&str> = pool.iter().map(String::as_str).collect();
    run_lvm("lvcreate", &pool)?;
    let size = format!("{}b", pool_bytes(group)?);
    let volume = ["--yes", "--type", "thin", "--name", "data"];
    let place = ["--virtualsize", &size, "--thinpool", "pool", group];
    run_lvm("lvcreate", &[volume, place].concat()).map(drop)
}

/// The pool is what has options beyond its size: chunks, metadata, discards (lvmthin(7)).
fn pool_words(level: &ArrayLevel, group: &str) -> Vec<String> {
    let pool = ["--yes", "--type", "thin-pool", "--name", "pool"];
    let words = pool.into_iter().chain(["--extents", "80%FREE"]);
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.extend(chunk_words("--chunksize", level));
    words.extend(level.options.iter().cloned());
    words.push(group.to_owned());
    words
}

fn pool_bytes(group: &str) -> Result<u64, FactorError> {
    let size = told("lv_size", group, "pool")?;
    size.trim().parse().map_err(|_| FactorError::NotSo {
        path: format!("{group}/pool").into(),
        wanted: "a size".to_owned(),
        found: size,
    })
}

/// A field of lvs(8), with sizes in bytes.
fn told(field: &str, group: &str, volume: &str) -> Result<String, FactorError> {
    let name = format!("{group}/{volume}");
    let how = ["--noheadings", "--nosuffix", "--units", "b", "-o", field];
    run_lvm("lvs", &[&how[..], &[&name]].concat())
}

/// Whether all copies and parities are written (lvmraid(7), `sync_percent`).
fn is_synchronised(group: &str) -> Result<bool, FactorError> {
    Ok(told("sync_percent", group, "data")?.trim() == "100.00")
}

/// A volume that is there.
#[derive(Debug)]
struct LogicalVolume {
    made: Made,
    group: String,
    node: PathBuf,
    volume: &'static Volume,
    /// The size that stripes, or chunks of a thin pool, must have.
    chunk: Option<Bytes>,
    facts: Vec<LevelFact>,
}

impl LogicalVolume {
    fn not_so(&self, wanted: &str, found: &str) -> Result<(), FactorError> {
        Err(FactorError::NotSo {
            path: self.node.clone(),
            wanted: wanted.to_owned(),
            found: found.trim().to_owned(),
        })
    }

    fn verify_chunk(&self, found: &[Segment]) -> Result<(), FactorError> {
        let Some((chunk, volume)) = self.chunk.zip(self.volume.chunked()) else {
            return Ok(());
        };
        let wanted = chunk.get().to_string();
        let others = found
            .iter()
            .find(|segment| segment.volume == volume && segment.chunk != wanted);
        match others {
            None => Ok(()),
            Some(other) => self.not_so(
                &format!("chunks of {wanted} bytes"),
                &format!("chunks of {} bytes", other.chunk),
            ),
        }
    }

    /// A snapshot that has no room left is dropped by the kernel, and costs nothing from then on.
    fn verify_snapshot(&self, found: &[Segment]) -> Result<(), FactorError> {
        let kept = found.iter().find(|segment| segment.volume == "kept");
        match kept.and_then(|kept| kept.attributes.chars().nth(4)) {
            Some('a') => Ok(()),
            _ => self.not_so(
                "a snapshot that takes copies",
                "one that is full: let the workloads write less, or build on larger devices",
            ),
        }
    }
}

impl Applied for LogicalVolume {
    fn target(&self) -> Option<&Path> {
        Some(&self.node)
    }

    fn devices(&self) -> Option<Vec<PathBuf>> {
        Some(vec![self.node.clone()])
    }

    fn verify(&self) -> Result<(), FactorError> {
        let wanted = self.volume.segment;
        if size_of(&self.node).is_none() {
            return self.not_so(wanted, "no block device");
        }
        let found = segments_of(&self.group)?;
        let kinds = kinds_of(&found, "data");
        if kinds != [wanted] {
            return self.not_so(wanted, &kinds.join(", "));
        }
        if let Some(ill) = found.iter().find_map(illness) {
            return self.not_so(wanted, ill);
        }
        self.verify_chunk(&found)?;
        match self.volume.name {
            "snapshot" => self.verify_snapshot(&found),
            _ => Ok(()),
        }
    }

    fn facts(&self) -> Vec<LevelFact> {
        self.facts.clone()
    }

    fn restore(mut self: Box<Self>) -> Result<(), FactorError> {
        self.made.undo()
    }
}

/// A line of lvs(8): part of a volume that lies together.
#[derive(Debug, PartialEq, Eq)]
struct Segment {
    volume: String,
    kind: String,
    /// In bytes: of a stripe, or of a thin pool.
    chunk: String,
    attributes: String,
}

/// All segments of a group, by one call: each of LVM's reads the ends of every disk.
fn segments_of(group: &str) -> Result<Vec<Segment>, FactorError> {
    let fields = "lv_name,segtype,stripe_size,chunk_size,lv_attr";
    let how = ["--noheadings", "--nosuffix", "--units", "b"];
    let which = ["--separator", SEPARATOR, "-o", fields, group];
    let listed = run_lvm("lvs", &[&how[..], &which].concat())?;
    Ok(listed.lines().filter_map(segment).collect())
}

fn segment(line: &str) -> Option<Segment> {
    let mut fields = line.trim().split(SEPARATOR).map(str::to_owned);
    let [volume, kind, stripe, chunk, attributes] = [(); 5].map(|()| fields.next());
    let (kind, chunk, stripe) = (kind?, chunk?, stripe?);
    Some(Segment {
        volume: volume?,
        chunk: if kind == "thin-pool" { chunk } else { stripe },
        kind,
        attributes: attributes?,
    })
}

/// What is wrong with a volume that is there (lvs(8), `lv_attr`, volume health).
fn illness(segment: &Segment) -> Option<&'static str> {
    match segment.attributes.chars().nth(8)? {
        'p' => Some("one that lacks a device"),
        'r' => Some("one with a device that failed to write"),
        'F' => Some("one whose pool has failed"),
        'D' => Some("one whose pool is full"),
        'M' => Some("one whose pool can change no metadata"),
        _ => None,
    }
}

/// The kinds of a volume's segments, each once.
fn kinds_of<'s>(found: &'s [Segment], volume: &str) -> Vec<&'s str> {
    let of_volume = found.iter().filter(|segment| segment.volume == volume);
    let mut kinds: Vec<&str> = of_volume.map(|segment| segment.kind.as_str()).collect();
    kinds.dedup();
    kinds
}

#[cfg(test)]
mod tests {
    use super::super::{ArrayKind, ArrayState};
    use super::*;

    #[test]
    fn segments_are_read_from_their_lines() {
        let listed = "  data;striped;65536;0;-wi-a-----\n  data;striped;65536;0;-wi-a-----
  pool;thin-pool;0;131072;twi-aotz--\n  kept;linear;0;4096;swi-a-s---";
        let found: Vec<Segment> = listed.lines().filter_map(segment).collect();
        assert_eq!(found.len(), 4);
        assert_eq!(kinds_of(&found, "data"), ["striped"]);
        assert!(kinds_of(&found, "none").is_empty());
        let chunks: Vec<&str> = found.iter().map(|one| one.chunk.as_str()).collect();
        assert_eq!(chunks, ["65536", "65536", "131072", "0"]);
        assert_eq!(found[3].attributes.chars().nth(4), Some('a'));
        assert_eq!(segment("  data;linear"), None);
    }

    #[test]
    fn a_volume_that_has_lost_a_device_or_whose_pool_is_full_is_not_whole() {
        let ill = |attributes: &str| {
            let line = format!("data;raid1;0;0;{attributes}");
            segment(&line).as_ref().and_then(illness)
        };
        for whole in ["rwi-a-r---", "mwi-a-m---", "twi-aotz--", "Vwi-a-tz--", ""] {
            assert_eq!(ill(whole), None, "{whole}");
        }
        assert_eq!(ill("rwi-a-r-p-"), Some("one that lacks a device"));
        assert!(ill("rwi-a-r-r-").is_some_and(|why| why.contains("failed to write")));
        assert_eq!(ill("twi-aotzD-"), Some("one whose pool is full"));
    }

    #[test]
    fn a_volume_of_two_kinds_is_not_of_one() {
        let two = "data;linear;0;0;-wi\ndata;striped;0;0;-wi";
        let found: Vec<Segment> = two.lines().filter_map(segment).collect();
        assert_eq!(kinds_of(&found, "data"), ["linear", "striped"]);
    }

    #[test]
    fn the_pool_of_a_thin_volume_takes_the_options() {
        let level = ArrayLevel {
            kind: ArrayKind::Lvm(volume("thin").unwrap()),
            options: vec!["--zero".to_owned(), "n".to_owned()],
            mount: String::new(),
            chunk: Some(Bytes(128 << 10)),
            bitmap: None,
            missing: 0,
            state: ArrayState::Whole,
        };
        let words = pool_words(&level, "group").join(" ");
        assert!(
            words.ends_with("--chunksize 128k --zero n group"),
            "{words}"
        );
    }

    #[test]
    fn a_token_is_a_uuid_of_lvm() {
        let token = Token::try_from("0123456789abcdef0123456789abcdef".to_owned()).unwrap();
        assert_eq!(lvm_uuid(&token), "012345-6789-abcd-ef01-2345-6789-abcdef");
    }
}
