//! A share of a disk beside other groups, as bfq gives it: set, read back by others than etalon, and put back.

use std::fs;
use std::path::Path;

use etalon_testbed::skip;

use crate::common::{Home, Image, Loop, root_for};

/// `SEEN` gets, before each run, the group that the run is in with its weight, and a full stop.
const SHARES: &str = r#"
question = "What does a share cost?"
blocks = 2
[[factor]]
name = "scheduler"
levels = ["SCHEDULER"]
[[factor]]
name = "io_limit"
levels = ["none", { value = "low", weight = 50 }]
[[factor]]
name = "command"
levels = [{ value = "seen", set = '''
for group in $(sed -n 's/^[^:]*:[^:]*://p' /proc/self/cgroup | grep etalon-); do
    for file in /sys/fs/cgroup$group/*bfq.weight /sys/fs/cgroup/*$group/*bfq.weight; do
        [ ! -e $file ] || echo ${file%/*} $(cat $file) >> SEEN
    done
done
echo . >> SEEN''', reset = "true" }]
[[workload]]
name = "r"
op = "randread"
time = "20ms"
"#;

/// A device whose scheduler can be bfq, and the file that says so; a loop device keeps its scheduler for whoever takes its
/// number next.
struct Shared {
    disk: Loop,
    scheduler: String,
    before: String,
}

impl Shared {
    fn new(test: &str) -> Option<Shared> {
        if !root_for(test) {
            return None;
        }
        let disk = Loop::new(Image::new(16));
        let name = disk.device.file_name().unwrap().to_str().unwrap();
        let scheduler = format!("/sys/block/{name}/queue/scheduler");
        let before = fs::read_to_string(&scheduler).unwrap();
        if !before.contains("bfq") {
            skip(test, "the kernel has no bfq for a loop device");
            return None;
        }
        Some(Shared {
            disk,
            scheduler,
            before,
        })
    }

    fn device(&self) -> &str {
        self.disk.device.to_str().unwrap()
    }

    fn is_as_before(&self) -> bool {
        fs::read_to_string(&self.scheduler).unwrap() == self.before
    }
}

fn plan(home: &Home, scheduler: &str) -> String {
    let seen = home.path().join("seen");
    let text = SHARES.replace("SEEN", seen.to_str().unwrap());
    super::plan(home, &text.replace("SCHEDULER", scheduler))
}

#[test]
fn a_share_of_a_disk_is_what_bfq_has_during_the_run_and_gone_after_it() {
    let test = "a_share_of_a_disk_is_what_bfq_has_during_the_run_and_gone_after_it";
    let Some(shared) = Shared::new(test) else {
        return;
    };
    let home = Home::new();
    let said = home.run(["run", &plan(&home, "bfq"), shared.device()]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let seen = fs::read_to_string(home.path().join("seen")).unwrap();
    assert_eq!(
        seen.lines().filter(|line| *line == ".").count(),
        4,
        "{seen}"
    );
    let groups: Vec<&str> = seen.lines().filter(|line| *line != ".").collect();
    assert_eq!(groups.len(), 2, "{seen}");
    for line in groups {
        let (group, weight) = line.split_once(' ').unwrap();
        assert_eq!(weight.trim_start_matches("default "), "50", "{seen}");
        assert!(!Path::new(group).exists(), "LOST {group}: {said:?}");
    }
    assert!(shared.is_as_before(), "LOST the scheduler: {said:?}");
}

#[test]
fn a_share_that_no_scheduler_would_heed_is_refused() {
    let test = "a_share_that_no_scheduler_would_heed_is_refused";
    let Some(shared) = Shared::new(test) else {
        return;
    };
    let home = Home::new();
    let said = home.run(["run", &plan(&home, "none"), shared.device()]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let why = "a share of a disk takes bfq or io.cost";
    assert!(said.err.contains(why), "{said:?}");
    assert!(shared.is_as_before(), "LOST the scheduler: {said:?}");
}
