//! Values of a real queue that hang on one another: whatever the order in which they were set, they are as before.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use etalon_factor::condition::{Applied, Ground, GroundDisk, ReadAhead};
use etalon_factor::restore;
use etalon_testbed::{Loop, Mount, mkfs};
use rustix::fs::{Advice, fadvise};
use serde_json::{Value, json};

use crate::machine::{Machine, apply, kill_owners};

/// A queue with what depends on the scheduler, of which some schedulers are not in every kernel.
struct Queue {
    machine: Machine,
    ground: Ground,
    place: PathBuf,
    /// The scheduler that it came with; a loop device keeps its scheduler for whoever takes its number next.
    scheduler: String,
    _device: Loop,
}

impl Drop for Queue {
    fn drop(&mut self) {
        let _ = fs::write(self.place.join("scheduler"), &self.scheduler);
    }
}

impl Queue {
    fn new(test: &str) -> Option<Queue> {
        let machine = Machine::new(test)?;
        let file = machine.place.path().join("disk");
        fs::File::create(&file).unwrap().set_len(16 << 20).unwrap();
        let device = Loop::for_test(test, &file, &[])?;
        let mut ground = machine.ground.clone();
        ground.target = device.node().to_owned();
        let disk = device.name().trim_start_matches("/dev/");
        ground.disks = vec![GroundDisk {
            name: disk.to_owned(),
            is_leaf: true,
        }];
        let place = Path::new("/sys/block").join(disk).join("queue");
        let offered = fs::read_to_string(place.join("scheduler")).unwrap();
        let chosen = offered.split(['[', ']']).nth(1);
        Some(Queue {
            scheduler: chosen.unwrap_or("none").to_owned(),
            place,
            machine,
            ground,
            _device: device,
        })
    }

    /// Every file of the queue that can be read.
    fn state(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        for place in [self.place.clone(), self.place.join("iosched")] {
            for entry in fs::read_dir(place).into_iter().flatten().flatten() {
                if let Ok(text) = fs::read_to_string(entry.path()) {
                    found.insert(entry.path(), text);
                }
            }
        }
        found
    }

    fn schedulers(&self) -> Vec<String> {
        let text = fs::read_to_string(self.place.join("scheduler")).unwrap();
        let words = text.split_whitespace();
        words
            .map(|word| word.trim_matches(['[', ']']).to_owned())
            .collect()
    }

    fn set(&self, (factor, level): &(&str, Value)) -> Option<Box<dyn Applied>> {
        // Some kernels refuse some numbers under some schedulers; then nothing is changed.
        apply(&self.ground, factor, level).ok()
    }

    /// Sets both, puts them back, and does it again with a kill in between.
    fn there_and_back(&self, both: &[(&str, Value); 2]) {
        let before = self.state();
        for is_killed in [false, true] {
            let mut made: Vec<_> = both.iter().filter_map(|one| self.set(one)).collect();
            assert!(!made.is_empty(), "{both:?}");
            if is_killed {
                std::mem::forget(made);
                kill_owners(&self.ground);
                let report = restore(&self.ground.journal);
                assert!(report.kept.is_empty(), "{both:?}: {report:?}");
            } else {
                while let Some(last) = made.pop() {
                    last.restore().unwrap();
                }
            }
            let after = self.state();
            assert_eq!(after, before, "LOST {both:?}, killed: {is_killed}");
            assert_eq!(self.machine.left().len(), 1, "the loop device alone");
        }
    }
}

/// Reads from the device for one pass over a file that is not in memory.
fn reads_of_a_pass(file: &Path, ground: &Ground) -> u64 {
    let stat = format!("/sys/block/{}/stat", ground.disks[0].name);
    let reads = || {
        let text = fs::read_to_string(&stat).unwrap();
        let first = text.split_whitespace().next();
        first.unwrap().parse::<u64>().unwrap()
    };
    let opened = fs::File::open(file).unwrap();
    fadvise(&opened, 0, None, Advice::DontNeed).unwrap();
    let (before, mut data) = (reads(), Vec::new());
    (&opened).read_to_end(&mut data).unwrap();
    reads() - before
}

#[test]
fn btrfs_reads_ahead_by_what_is_set_and_by_what_was_once_it_is_put_back() {
    let name = "btrfs_reads_ahead_by_what_is_set_and_by_what_was_once_it_is_put_back";
    let Some(machine) = Machine::new(name) else {
        return;
    };
    let image = machine.place.path().join("disk");
    fs::File::create(&image)
        .unwrap()
        .set_len(256 << 20)
        .unwrap();
    let device = Loop::over(&image, &[]);
    mkfs("btrfs", &[device.name()]);
    let mount = Mount::new(&[device.name()]);
    let ground = machine.ground.within(Some(mount.path()), None).unwrap();
    let ReadAhead::OfFilesystem(own) = ground.read_ahead.clone() else {
        panic!("{:?}", ground.read_ahead);
    };
    let value = || fs::read_to_string(&own).unwrap();
    let file = mount.path().join("file");
    fs::write(&file, vec![7; 4 << 20]).unwrap();
    fs::File::open(&file).unwrap().sync_all().unwrap();
    let (before, few) = (value(), reads_of_a_pass(&file, &ground));
    for is_killed in [false, true] {
        let applied = apply(&ground, "read_ahead_kb", &json!(0)).unwrap();
        let many = reads_of_a_pass(&file, &ground);
        // A page at a time.
        assert!(many >= 1000 && few < 100, "{many} reads and {few}");
        if is_killed {
            std::mem::forget(applied);
            kill_owners(&ground);
            let report = restore(&ground.journal);
            assert_eq!(report.put_back, std::slice::from_ref(&own));
        } else {
            applied.restore().unwrap();
        }
        assert_eq!(value(), before);
    }
}

#[test]
fn a_scheduler_and_what_hangs_on_it_are_as_before_in_every_order() {
    let name = "a_scheduler_and_what_hangs_on_it_are_as_before_in_every_order";
    let Some(queue) = Queue::new(name) else {
        return;
    };
    let schedulers = queue.schedulers();
    if schedulers.len() < 2 {
        return println!("not on this machine: two schedulers for a loop device");
    }
    let others = [
        ("nr_requests", json!(37)),
        ("wbt_lat_usec", json!(1234)),
        ("read_ahead_kb", json!(64)),
        ("max_sectors_kb", json!(64)),
    ];
    // From each scheduler to the next, so that the way back is not always to the default.
    for (from, to) in schedulers.iter().zip(schedulers.iter().cycle().skip(1)) {
        fs::write(queue.place.join("scheduler"), from).unwrap();
        let scheduler = ("scheduler", json!(to));
        for other in others
            .iter()
            .filter(|(name, _)| queue.place.join(name).exists())
        {
            queue.there_and_back(&[scheduler.clone(), other.clone()]);
            queue.there_and_back(&[other.clone(), scheduler.clone()]);
        }
    }
}
