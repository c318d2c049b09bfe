//! The rate of `etalon dd` against that of GNU dd, side by side.
//!
//! For each kind of copy and block size both programs run in pairs, in random order within a pair.
//! Each line gives both medians and the median of etalon/GNU with its 95 % interval; the aim is an
//! interval within 0.98 to 1.02. Files lie in `/dev/shm`, direct I/O goes to a zram device or else to
//! a loop device over such a file (root), so that no disk adds noise. On a machine that does other
//! things too, run it under `chrt -f 10`.
//!
//! `cargo bench -p etalon-workload --bench dd_rate -- [PAIRS] [KIND]`: pairs per line (20), and part
//! of the name of the kinds to run.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a program that measures: it panics when it cannot, and prints its table"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use etalon_stats::{Level, Sample};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const BLOCKS: [&str; 5] = ["4k", "16k", "64k", "256k", "1M"];

/// Bytes of one copy: long enough that the start of a process does not matter, which neither counts.
const BYTES: u64 = 256 << 20;

/// Decides the order within each pair.
const SEED: u64 = 1;

struct Kind {
    name: &'static str,
    operands: Vec<String>,
    /// Bytes of one copy, where the common amount is too much or too little.
    bytes: u64,
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let pairs: usize = words
        .iter()
        .find_map(|word| word.parse().ok())
        .unwrap_or(20);
    let only = words.iter().find(|word| word.parse::<usize>().is_err());
    let file = PathBuf::from(format!("/dev/shm/etalon-dd-rate-{}", std::process::id()));
    fs::write(&file, vec![0x5a; usize::try_from(BYTES).unwrap()]).unwrap();
    let device = Device::new(&file);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    println!("{pairs} pairs per line, seed {SEED}; rates in MB/s");
    println!("kind              bs     GNU dd  etalon dd  etalon/GNU (95 %)");
    let node = device.as_ref().map(Device::node);
    for kind in kinds(&file.to_string_lossy(), node.as_deref()) {
        if only.is_some_and(|only| !kind.name.contains(only.as_str())) {
            continue;
        }
        for block in BLOCKS {
            line(&kind, block, pairs, &mut random);
        }
    }
    drop(device);
    fs::remove_file(&file).unwrap();
}

/// A block device in memory, gone when dropped.
enum Device {
    /// Serves I/O within the call, so that no other thread adds noise.
    Zram(String),
    /// Where there is no zram.
    Loop(String),
}

impl Device {
    fn new(file: &Path) -> Option<Device> {
        if let Ok(number) = fs::read_to_string("/sys/class/zram-control/hot_add") {
            let number = number.trim().to_owned();
            fs::write(
                format!("/sys/block/zram{number}/disksize"),
                BYTES.to_string(),
            )
            .unwrap();
            return Some(Device::Zram(number));
        }
        let made = Command::new("losetup")
            .args(["-f", "--show"])
            .arg(file)
            .output();
        match made {
            Ok(output) if output.status.success() => {
                let name = String::from_utf8(output.stdout).unwrap();
                Some(Device::Loop(name.trim().to_owned()))
            }
            _ => {
                println!(
                    "skipped: direct copies, since neither zram nor a loop device can be made"
                );
                None
            }
        }
    }

    fn node(&self) -> String {
        match self {
            Device::Zram(number) => format!("/dev/zram{number}"),
            Device::Loop(name) => name.clone(),
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let gone = match self {
            Device::Zram(number) => fs::write("/sys/class/zram-control/hot_remove", number).is_ok(),
            Device::Loop(name) => Command::new("losetup").args(["-d", name]).status().is_ok(),
        };
        if !gone {
            println!("{} could not be taken away", self.node());
        }
    }
}

fn kinds(file: &str, device: Option<&str>) -> Vec<Kind> {
    let kind = |name, operands: &[String], bytes| Kind {
        name,
        operands: operands.to_vec(),
        bytes,
    };
    let (from_file, to_file) = (format!("if={file}"), format!("of={file}"));
    let (zero, null) = ("if=/dev/zero".to_owned(), "of=/dev/null".to_owned());
    let notrunc = "conv=notrunc".to_owned();
    let mut kinds = vec![
        kind("zero to null", &[zero.clone(), null.clone()], 16 * BYTES),
        kind("buffered read", &[from_file, null.clone()], BYTES),
        kind("buffered write", &[zero.clone(), to_file, notrunc], BYTES),
    ];
    if let Some(device) = device {
        let (from, to) = (format!("if={device}"), format!("of={device}"));
        kinds.push(kind(
            "direct read",
            &[from, null, "iflag=direct".into()],
            BYTES,
        ));
        kinds.push(kind(
            "direct write",
            &[zero, to, "oflag=direct".into()],
            BYTES,
        ));
    }
    kinds
}

fn line(kind: &Kind, block: &str, pairs: usize, random: &mut Xoshiro256PlusPlus) {
    let mut operands = kind.operands.clone();
    operands.push(format!("bs={block}"));
    operands.push(format!("count={}B", kind.bytes));
    let (mut gnu, mut own, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..pairs {
        let own_first: bool = random.random();
        let (theirs, ours) = if own_first {
            let ours = rate(true, &operands);
            (rate(false, &operands), ours)
        } else {
            (rate(false, &operands), rate(true, &operands))
        };
        gnu.push(theirs);
        own.push(ours);
        ratios.push((ours / theirs).ln());
    }
    let median = |rates| {
        Sample::new(rates)
            .unwrap()
            .median_interval(Level::P95)
            .value
    };
    let ratio = Sample::new(ratios).unwrap().median_interval(Level::P95);
    let interval = ratio.interval.map_or_else(String::new, |interval| {
        format!("[{:.3}, {:.3}]", interval.low.exp(), interval.high.exp())
    });
    println!(
        "{:<16} {block:>5} {:>9.0} {:>9.0}    {:.3} {interval}",
        kind.name,
        median(gnu),
        median(own),
        ratio.value.exp()
    );
}

/// Bytes per microsecond by dd's own third line.
fn rate(own: bool, operands: &[String]) -> f64 {
    let mut command = if own {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etalon-workload-tool"));
        command.arg("dd");
        command
    } else {
        Command::new("dd")
    };
    let output = command.args(operands).env("LC_ALL", "C").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{operands:?}: {text}");
    let third = text
        .lines()
        .find(|line| line.contains(" copied, "))
        .unwrap();
    let bytes: f64 = third.split(' ').next().unwrap().parse().unwrap();
    let (_, rest) = third.split_once(" copied, ").unwrap();
    let seconds: f64 = rest.split(' ').next().unwrap().parse().unwrap();
    bytes / seconds / 1e6
}
