//! A limit on the bytes or requests of this process, by a control group of its own (the kernel's
//! admin-guide/cgroup-v2.rst, `io.max`, `io.weight`, `io.latency`, and cgroup-v1/blkio-controller.rst, `blkio.throttle.*`).

use std::fs;
use std::path::{Path, PathBuf};

use etalon_units::{Bytes, Nanos};
use serde_json::Value;

use super::{
    Applied, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable, Need,
};
use crate::group::{
    Controller, Controllers, Hierarchy, Place, group_path, hierarchy_of, keep_limits, keep_shares,
    move_to, remove_group,
};
use crate::{Change, Entry, Journal, ProcessStamp, Token};

/// The factor.
pub(super) struct IoLimit;

/// What may be limited: the key of a level, that of version 2, and the file of version 1.
const LIMITS: [(&str, &str, &str); 4] = [
    ("read_bytes", "rbps", "blkio.throttle.read_bps_device"),
    ("write_bytes", "wbps", "blkio.throttle.write_bps_device"),
    ("read_iops", "riops", "blkio.throttle.read_iops_device"),
    ("write_iops", "wiops", "blkio.throttle.write_iops_device"),
];

/// bfq's weights are 1 to 1000.
const MOST_OF_BFQ: u64 = 1000;

#[derive(Debug, Clone)]
struct IoLimitLevel {
    name: String,
    /// The number of a limit in `LIMITS`, and its value.
    limits: Vec<(usize, u64)>,
    /// The share of the disk beside other groups, 1 to 10000 (`io.weight`); 100 is usual.
    weight: Option<u64>,
    /// The latency that the kernel is to keep for the group, at the expense of others (`io.latency`).
    latency: Option<Nanos>,
}

/// The group with its limits; the process leaves it before it goes.
#[derive(Debug)]
struct Limited {
    journal: Journal,
    token: Token,
    group: PathBuf,
    home: PathBuf,
    files: Vec<(PathBuf, String)>,
    is_restored: bool,
}

impl Factor for IoLimit {
    fn name(&self) -> &'static str {
        "io_limit"
    }

    fn summary(&self) -> &'static str {
        "a limit on bytes or requests a second, by a control group (io.max)"
    }

    fn accepted(&self) -> &'static str {
        "\"none\", bytes a second for reads and writes such as \"50M\", or a table: { value = \"slow\", read_bytes = \"50M\", write_iops = 100, weight = 50, latency = \"5ms\" }"
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let mut table = LevelTable::new(self, level);
        let name = table.text()?;
        let mut limits = Vec::new();
        for (number, (key, _, _)) in LIMITS.iter().enumerate() {
            if let Some(text) = table.take(key)? {
                let why = || table.wrong(Some(format!("'{text}' of {key} is no amount above 0")));
                limits.push((number, amount(&text).ok_or_else(why)?));
            }
        }
        let weight = table.take("weight")?;
        let weight = weight.map(|text| {
            let number = text.parse().ok().filter(|n| (1..=10_000).contains(n));
            number.ok_or_else(|| table.wrong(Some(format!("weight '{text}' is not 1 to 10000"))))
        });
        let weight = weight.transpose()?;
        let latency = table.take("latency")?;
        let latency = latency.map(|text| {
            let time = text
                .parse()
                .ok()
                .filter(|time: &Nanos| *time >= Nanos::micros(1));
            time.ok_or_else(|| {
                table.wrong(Some(format!("latency '{text}' is no time such as 5ms")))
            })
        });
        let latency = latency.transpose()?;
        table.end()?;
        let is_plain = limits.is_empty() && weight.is_none() && latency.is_none();
        if is_plain && name != "none" {
            let bytes = amount(&name).ok_or_else(|| table.wrong(None))?;
            limits = vec![(0, bytes), (1, bytes)];
        }
        Ok(Box::new(IoLimitLevel {
            name,
            limits,
            weight,
            latency,
        }))
    }
}

fn amount(text: &str) -> Option<u64> {
    text.parse::<Bytes>()
        .ok()
        .map(Bytes::get)
        .filter(|&n| n > 0)
}

impl IoLimitLevel {
    /// Files of the group with what is written to them, a line each.
    fn files(
        &self,
        hierarchy: &Hierarchy,
        devices: &[String],
        shares: &[&'static str],
    ) -> Vec<(&'static str, String)> {
        let mut files = Vec::new();
        for device in devices {
            for &(number, amount) in &self.limits {
                let (_, key, file) = LIMITS[number];
                files.push(match hierarchy.limit_file {
                    "io.max" => ("io.max", format!("{device} {key}={amount}")),
                    _ => (file, format!("{device} {amount}")),
                });
            }
            if let Some(latency) = self.latency {
                let target = format!("{device} target={}", latency.get() / 1000);
                files.push(("io.latency", target));
            }
        }
        if let Some(weight) = self.weight {
            files.extend(shares.iter().map(|&file| match hierarchy.limit_file {
                "io.max" => (file, format!("default {weight}")),
                _ => (file, weight.to_string()),
            }));
        }
        files
    }

    fn is_none(&self) -> bool {
        self.limits.is_empty() && self.weight.is_none() && self.latency.is_none()
    }

    /// A share tells something beside all other work of the machine only.
    fn hierarchy(&self) -> Option<Hierarchy> {
        let place = match self.weight.is_none() && self.latency.is_none() {
            true => Place::Within,
            false => Place::Outside,
        };
        let controllers = Controllers {
            in_2: Controller {
                name: "io",
                limit_file: "io.max",
            },
            in_1: Controller {
                name: "blkio",
                limit_file: LIMITS[0].2,
            },
        };
        hierarchy_of(Path::new("/proc/self"), controllers, place)
    }

    /// What this version of control groups has not.
    fn lacks(&self, hierarchy: &Hierarchy) -> Option<Need> {
        let is_2 = hierarchy.limit_file == "io.max";
        if self.latency.is_some() && !is_2 {
            let text = "a latency for a control group (io.latency) takes version 2 of control groups, and this machine has version 1 for I/O";
            return Some(Need::Kernel(text.to_owned()));
        }
        let most = self
            .weight
            .filter(|weight| !is_2 && *weight > MOST_OF_BFQ)?;
        let text = format!(
            "weight {most}: version 1 of control groups takes 1 to 1000 (blkio.bfq.weight)"
        );
        Some(Need::Kernel(text))
    }
}

/// The numbers of the disks at the bottom.
fn devices(ground: &Ground) -> Vec<String> {
    let numbers = ground.leaves().map(|disk| number_of(ground, disk));
    numbers.filter(|number| !number.is_empty()).collect()
}

fn number_of(ground: &Ground, disk: &str) -> String {
    let file = ground.roots.sysfs.join("block").join(disk).join("dev");
    let text = fs::read_to_string(file).unwrap_or_default();
    text.trim().to_owned()
}

/// The files of a group that give it its share of the disks, by what shares each out: bfq or io.cost (admin-guide/cgroup-v2.rst,
/// block/bfq-iosched.rst). Without either the kernel takes a weight and heeds it nowhere.
fn shares(hierarchy: &Hierarchy, ground: &Ground, weight: u64) -> Result<Vec<&'static str>, Need> {
    let is_2 = hierarchy.limit_file == "io.max";
    let costs = fs::read_to_string(hierarchy.root.join("io.cost.qos")).unwrap_or_default();
    let mut files = Vec::new();
    for disk in ground.leaves() {
        let scheduler = fs::read_to_string(ground.queue(disk).join("scheduler"));
        let is_bfq = scheduler.is_ok_and(|text| text.contains("[bfq]"));
        let file = match (is_bfq, is_2) {
            (true, _) if weight > MOST_OF_BFQ => {
                return Err(Need::Kernel(format!(
                    "weight {weight}: bfq takes 1 to 1000"
                )));
            }
            (true, true) => "io.bfq.weight",
            (true, false) => "blkio.bfq.weight",
            (false, true) if has_costs(&costs, &number_of(ground, disk)) => "io.weight",
            _ => {
                return Err(Need::Kernel(format!(
                    "weight {weight}: a share of a disk takes bfq or io.cost, and {disk} has neither: \
                     set its scheduler to bfq (factor scheduler), or enable it in io.cost.qos"
                )));
            }
        };
        if !files.contains(&file) {
            files.push(file);
        }
    }
    Ok(files)
}

/// Whether io.cost shares out the disk of this number.
fn has_costs(qos: &str, number: &str) -> bool {
    let mut lines = qos.lines().map(|line| line.split(' '));
    lines.any(|mut words| words.next() == Some(number) && words.any(|word| word == "enable=1"))
}

impl Level for IoLimitLevel {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        if self.is_none() {
            return Vec::new();
        }
        let found = self.hierarchy();
        let lacks = found.as_ref().and_then(|hierarchy| self.lacks(hierarchy));
        let absent = found.is_none().then(|| {
            let text = "no control group can limit I/O here: neither the io controller of version 2 nor blkio of version 1 is there";
            Need::Kernel(text.to_owned())
        });
        let no_disk = devices(ground).is_empty().then(|| {
            let target = ground.target.display();
            Need::Kernel(format!("there is no disk beneath {target} to limit"))
        });
        let root = Need::root("limiting I/O");
        absent
            .into_iter()
            .chain(lacks)
            .chain(no_disk)
            .chain(root)
            .collect()
    }

    fn describe(&self, ground: &Ground) -> Result<Description, FactorError> {
        let line = || {
            format!(
                "a control group with a limit on {}",
                devices(ground).join(", ")
            )
        };
        Ok(Description {
            makes: (!self.is_none()).then(line).into_iter().collect(),
            ..Description::default()
        })
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        if self.is_none() {
            return Ok(Box::new(NoLimit));
        }
        let none = || FactorError::DoesNotFit("no control group can limit I/O here".to_owned());
        let hierarchy = self.hierarchy().ok_or_else(none)?;
        if let Some(lacks) = self.lacks(&hierarchy) {
            return Err(lacks.into());
        }
        let shares = match self.weight {
            Some(weight) => shares(&hierarchy, ground, weight)?,
            None => Vec::new(),
        };
        let named = FactorError::io("enter into the journal", ground.journal.directory());
        let (token, owner) = Token::random()
            .and_then(|token| Ok((token, ProcessStamp::current()?)))
            .map_err(named)?;
        let change = Change::CacheLimit {
            parent: hierarchy.parent.clone(),
        };
        ground
            .journal
            .write(&Entry::new(owner, token.clone(), change))?;
        let group = group_path(&hierarchy.parent, &token);
        let files = self.files(&hierarchy, &devices(ground), &shares);
        let files = files
            .into_iter()
            .map(|(file, line)| (group.join(file), line));
        // From here on dropping it undoes what was done.
        let made = Limited {
            journal: ground.journal.clone(),
            token,
            files: files.collect(),
            home: hierarchy.home,
            group,
            is_restored: false,
        };
        fs::create_dir(&made.group).map_err(FactorError::io("make", &made.group))?;
        keep_shares(&hierarchy.left, &made.group)?;
        for (file, line) in &made.files {
            if !file.exists() {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                return Err(
                    Need::Kernel(format!("this kernel has no {name} for control groups")).into(),
                );
            }
            fs::write(file, line).map_err(FactorError::io("write to", file))?;
        }
        // A limit of the level that is looser than one that holds already is not in force, which is told below.
        keep_limits(&hierarchy.left, &made.group)?;
        move_to(&made.group).map_err(FactorError::io("enter", &made.group))?;
        made.verify()?;
        Ok(Box::new(made))
    }
}

/// What is not limited.
#[derive(Debug)]
struct NoLimit;

impl Applied for NoLimit {
    fn verify(&self) -> Result<(), FactorError> {
        Ok(())
    }

    fn restore(self: Box<Self>) -> Result<(), FactorError> {
        Ok(())
    }
}

impl Limited {
    /// What has left the group is under no limit of it.
    fn has_this_process(&self) -> Result<(), FactorError> {
        let path = self.group.join("cgroup.procs");
        let found = fs::read_to_string(&path).map_err(FactorError::io("read", &path))?;
        let wanted = std::process::id().to_string();
        match found.lines().any(|number| number == wanted) {
            true => Ok(()),
            false => Err(FactorError::NotSo {
                path,
                wanted,
                found: found.trim().to_owned(),
            }),
        }
    }

    fn put_back(&mut self) -> Result<(), FactorError> {
        if !std::mem::replace(&mut self.is_restored, true) {
            move_to(&self.home).map_err(FactorError::io("enter", &self.home))?;
            remove_group(&self.group).map_err(FactorError::io("remove", &self.group))?;
            self.journal.remove(&self.token)?;
        }
        Ok(())
    }
}

impl Applied for Limited {
    fn verify(&self) -> Result<(), FactorError> {
        self.has_this_process()?;
        for (file, line) in &self.files {
            let text = fs::read_to_string(file).map_err(FactorError::io("read", file))?;
            let mut words = line.split(' ');
            let (device, wanted) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            let is_so = |found: &str| {
                let mut words = found.split(' ');
                // A weight of version 1 stands alone.
                let is_alone = wanted.is_empty() && words.clone().any(|word| word == device);
                is_alone || words.next() == Some(device) && words.any(|word| word == wanted)
            };
            if !text.lines().any(is_so) {
                return Err(FactorError::NotSo {
                    path: file.clone(),
                    wanted: line.clone(),
                    found: text.trim().to_owned(),
                });
            }
        }
        Ok(())
    }

    fn restore(mut self: Box<Self>) -> Result<(), FactorError> {
        self.put_back()
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        // What fails here stays in the journal, for the next restore.
        let _ = self.put_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Result<IoLimitLevel, String> {
        let value: Value = serde_json::from_str(text).unwrap();
        let parsed = IoLimit.parse(&value).map_err(|error| error.to_string())?;
        let named = parsed.name();
        let level = format!("{parsed:?}");
        assert!(level.contains(&named));
        let number = |key: &str| value.get(key).and_then(Value::as_u64);
        Ok(IoLimitLevel {
            name: named,
            limits: Vec::new(),
            weight: number("weight"),
            latency: value.get("latency").map(|_| Nanos::millis(5)),
        })
    }

    fn hierarchy_with(limit_file: &'static str) -> Hierarchy {
        Hierarchy {
            home: PathBuf::new(),
            root: PathBuf::new(),
            parent: PathBuf::new(),
            left: Vec::new(),
            limit_file,
        }
    }

    #[test]
    fn weight_and_latency_are_lines_of_the_kernels_files() {
        let level = level(r#"{ "value": "low", "weight": 50, "latency": "5ms" }"#).unwrap();
        let disks = ["8:0".to_owned(), "8:16".to_owned()];
        let files = level.files(&hierarchy_with("io.max"), &disks, &["io.weight"]);
        let expected = [
            ("io.latency", "8:0 target=5000"),
            ("io.latency", "8:16 target=5000"),
            ("io.weight", "default 50"),
        ];
        assert_eq!(files, expected.map(|(file, line)| (file, line.to_owned())));
        assert!(level.lacks(&hierarchy_with("io.max")).is_none());
        let lacks = level
            .lacks(&hierarchy_with(LIMITS[0].2))
            .unwrap()
            .to_string();
        assert!(lacks.contains("version 2"), "{lacks}");
    }

    #[test]
    fn io_cost_is_enabled_disk_by_disk() {
        let qos = "8:0 enable=1 ctrl=auto rpct=0.00\n8:16 enable=0 ctrl=auto\n";
        assert!(has_costs(qos, "8:0"));
        assert!(!has_costs(qos, "8:16") && !has_costs(qos, "8:1"));
    }

    #[test]
    fn what_is_no_weight_and_no_latency_is_quoted() {
        for (text, part) in [
            (r#"{ "value": "x", "weight": 0 }"#, "weight '0'"),
            (r#"{ "value": "x", "weight": 10001 }"#, "weight '10001'"),
            (r#"{ "value": "x", "latency": "soon" }"#, "latency 'soon'"),
        ] {
            let error = level(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
