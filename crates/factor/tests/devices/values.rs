//! Values of a real queue that hang on one another: whatever the order in which they were set, they are as before.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use etalon_factor::condition::{Applied, Ground, GroundDisk};
use etalon_factor::restore;
use etalon_testbed::Loop;
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
