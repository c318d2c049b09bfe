//! `etalon lab run`, `shell` and `serve`: what comes back of a guest, and that nothing of it stays.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use etalon_testbed::skip;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::{Home, Said, finish, left_in, run, start, wait_while};

/// A home whose guests lie in a directory of their own.
pub(crate) struct Room {
    pub(crate) home: Home,
    kernel: String,
}

impl Room {
    /// Skips the test by name where no guest can be booted.
    pub(crate) fn of(test: &str) -> Option<Room> {
        let place = std::env::var_os("ETALON_GUEST_KERNEL").map(PathBuf::from);
        let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let kernel = place.unwrap_or_else(|| build.join("guest-kernel"));
        let missing = ["usr/bin/qemu-system-x86_64", "bin/busybox"];
        let missing = missing.map(|name| Path::new("/").join(name));
        if !kernel.join("boot").is_dir() || missing.iter().any(|path| !path.exists()) {
            skip(test, "needs QEMU, busybox and an unpacked kernel package");
            return None;
        }
        let home = Home::new();
        fs::create_dir(home.path().join("tmp")).unwrap();
        let kernel = kernel.to_str().unwrap().to_owned();
        Some(Room { home, kernel })
    }

    /// Where these programs are installed too.
    pub(crate) fn with(test: &str, programs: &[&str]) -> Option<Room> {
        if let Some(missing) = programs.iter().find(|program| !installed(program)) {
            skip(test, &format!("needs {missing}"));
            return None;
        }
        Room::of(test)
    }

    fn temporary(&self) -> PathBuf {
        self.home.path().join("tmp")
    }

    /// `lab WHAT` in an emulated guest.
    pub(crate) fn lab(&self, what: &[&str], given: &[&str]) -> Command {
        let guest = ["--accelerator", "tcg", "--kernel", &self.kernel];
        let words = [&["lab"][..], what, &guest, given].concat();
        let mut command = self.home.etalon(words);
        command.env("TMPDIR", self.temporary()).stdin(Stdio::null());
        command
    }

    /// Nothing lies there, and nothing is in the journal.
    pub(crate) fn is_clean(&self) {
        assert_eq!(left_in(&self.temporary()), [""; 0]);
        let restored = self.home.run(["restore"]);
        assert_eq!(restored.out, "nothing was left behind\n", "{restored:?}");
    }

    /// Starts a guest and waits until QEMU has begun to write its console.
    fn started(&self) -> (Child, PathBuf) {
        let child = start(self.lab(&["run", "quick"], &["--disk", "flat:256M"]));
        let place = wait_while(&child, "a console", || {
            let name = left_in(&self.temporary()).pop()?;
            let place = self.temporary().join(name);
            place.join("console").exists().then_some(place)
        });
        (child, place)
    }
}

const PLAN: &str = "question = \"What does the model give?\"
blocks = 2
seed = 7
[[factor]]
name = \"read_ahead_kb\"
levels = [\"0\", \"128\"]
[[workload]]
name = \"r\"
op = \"randread\"
time = \"200ms\"
";

/// The parameter of a module by which the queue of a disk is shorter.
const SHORT_QUEUE: &str = "virtio_blk.queue_depth=16";

/// Each block boots each kernel: here one of them twice, the second time with a parameter of a module.
#[test]
fn a_plan_compares_kernels_in_one_experiment_and_its_runs_say_where_they_were_made() {
    let test = "a_plan_compares_kernels_in_one_experiment_and_its_runs_say_where_they_were_made";
    let Some(room) = Room::of(test) else {
        return;
    };
    let plan = room.home.path().join("plan.toml");
    fs::write(&plan, PLAN).unwrap();
    let same = format!("{} {SHORT_QUEUE}", room.kernel);
    let given = "--json --disk flat:256M --disk sd:512M -- /dev/vdb --blocks 1 --seed 7";
    let given: Vec<&str> = ["--kernel", &same]
        .into_iter()
        .chain(given.split(' '))
        .collect();
    let said = run(room.lab(&["run", plan.to_str().unwrap()], &given));
    // Of one run there is no interval.
    assert!(matches!(said.code, Some(0 | 3 | 5)), "{said:?}");
    assert_eq!(
        said.json()["comparisons"].as_array().unwrap().len(),
        1,
        "{said:?}"
    );
    let document = room.home.run(["export", "1", "--json"]).json();
    let runs = document["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4, "{document}");
    let mut kernels = std::collections::BTreeSet::new();
    for (position, made) in runs.iter().enumerate() {
        assert_eq!(
            (&made["block"], &made["position"]),
            (&0.into(), &position.into())
        );
        let levels = made["circumstances"]["levels"].as_array().unwrap();
        let of = |name: &str| levels.iter().find(|level| level["factor"] == name).unwrap();
        let kernel = of("kernel");
        let release = kernel["facts"][0]["value"].as_str().unwrap();
        let name = kernel["level"].as_str().unwrap();
        let is_short = name == format!("{release} {SHORT_QUEUE}");
        assert!(is_short || name == release, "{name}");
        let queue = &made["circumstances"]["beneath"]["queues"][0]["requests"];
        assert_eq!(*queue == 32, is_short, "twice the depth: {queue}");
        let ahead = of("read_ahead_kb")["level"].as_str().unwrap();
        assert_eq!(
            made["cell"],
            format!("r, read_ahead_kb {ahead}, kernel {name}")
        );
        kernels.insert(name);
        made_in_guest(made);
    }
    assert_eq!(kernels.len(), 2);
    let refused = room.home.run(["rerun", "1"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("was made in a guest"), "{refused:?}");
    room.is_clean();
}

/// A preset has its disk, and a filesystem on it; what a guest fails on is told as it is here.
#[test]
fn a_preset_runs_on_disks_of_its_own_with_one_command() {
    let test = "a_preset_runs_on_disks_of_its_own_with_one_command";
    let Some(room) = Room::of(test) else {
        return;
    };
    if !installed("mkfs.ext4") {
        skip(test, "needs mkfs.ext4");
        return;
    }
    let said = run(room.lab(&["run", "scheduler-duel"], &["--", "--blocks", "1"]));
    // Of one run there is no interval.
    assert!(matches!(said.code, Some(0 | 3 | 5)), "{said:?}");
    let document = room.home.run(["export", "1", "--json"]).json();
    let runs = document["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 6, "{document}");
    let disks = runs[0]["circumstances"]["lab"]["disks"].as_array().unwrap();
    assert_eq!((disks.len(), &disks[0]["model"]), (1, &"hdd-7200".into()));
    assert_eq!(document["target"]["path"], "/disk", "{document}");
    let failed = run(room.lab(&["run", "scheduler-duel"], &["--", "/nosuch"]));
    assert_eq!(failed.code, Some(1), "{failed:?}");
    let last = failed.err.lines().last().unwrap();
    assert!(last.starts_with("etalon: in the guest: "), "{failed:?}");
    assert!(
        last.contains("'/nosuch'") && !last.contains("\\r"),
        "{failed:?}"
    );
    room.is_clean();
}

/// A run says in which guest it was made.
fn made_in_guest(made: &Value) {
    let guest = &made["circumstances"]["lab"];
    assert_eq!(guest["accelerator"], "tcg");
    let models: Vec<&Value> = guest["disks"].as_array().unwrap().iter().collect();
    let name = |at: usize| models[at]["model"].as_str().unwrap();
    assert_eq!((models.len(), name(0), name(1)), (2, "flat", "sd"));
    assert_eq!(models[1]["size_bytes"], 512 << 20);
    assert!(models[1]["answers"].as_u64().unwrap() > 10, "{guest}");
    let mut findings = made["findings"].as_array().unwrap().iter();
    assert!(findings.any(|found| found["code"] == "lab-guest"), "{made}");
}

#[test]
fn a_check_over_nfs_names_the_caches_of_server_and_client() {
    let test = "a_check_over_nfs_names_the_caches_of_server_and_client";
    let Some(room) = Room::of(test) else {
        return;
    };
    if !["tc", "mkfs.ext4"].map(installed).into_iter().all(|is| is) {
        skip(test, "needs tc and mkfs.ext4");
        return;
    }
    let given = "--disk flat:256M --delay 1ms -- --budget 12s";
    let given: Vec<&str> = given.split(' ').collect();
    let said = run(room.lab(&["run", "nfs"], &given));
    // What a server has in its memory is no figure of its disk.
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let way = "nfs from a server in the same guest, with 1.00 ms of delay each way";
    let document = room.home.run(["export", "1", "--json"]).json();
    let runs = document["runs"].as_array().unwrap();
    assert!(runs.len() >= 3, "{document}");
    for made in runs {
        let network = &made["circumstances"]["lab"]["network"];
        assert_eq!(network["delay_ns"], 1_000_000, "{network}");
        let findings = made["findings"].as_array().unwrap().iter();
        let told = |code: &str| {
            let found = findings.clone().find(|found| found["code"] == code);
            found.map_or_else(String::new, |found| found["message"].to_string())
        };
        assert!(told("lab-guest").contains(way), "{made}");
        let caches = told("server-cache");
        assert!(caches.contains("127.0.0.1:/ (NFS 4.2): the page cache of"));
        assert!(caches.contains("the server, which is this machine too"));
        assert!(caches.contains("the client"), "{caches}");
    }
    room.is_clean();
}

/// Twice the delay of the test that follows.
const ROUND_TRIP_NS: u64 = 6_000_000;

#[test]
fn a_server_in_another_guest_is_reached_over_a_cable_and_has_the_disk() {
    let test = "a_server_in_another_guest_is_reached_over_a_cable_and_has_the_disk";
    let Some(room) = Room::with(test, &["tc", "mkfs.ext4"]) else {
        return;
    };
    let given = "--apart --disk flat:256M --delay 3ms -- --budget 12s";
    let given: Vec<&str> = given.split(' ').collect();
    // A library's place that the user has named is unknown to the guest: it gets the system's.
    let library = "libmnl.so.0";
    let own = room.temporary().join(library);
    fs::copy(Path::new("/lib/x86_64-linux-gnu").join(library), &own).unwrap();
    let mut command = room.lab(&["run", "nvme-tcp"], &given);
    command.env("LD_LIBRARY_PATH", room.temporary());
    let said = run(command);
    fs::remove_file(&own).unwrap();
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let document = room.home.run(["export", "1", "--json"]).json();
    let runs = document["runs"].as_array().unwrap();
    assert!(runs.len() >= 3, "{document}");
    let mut answers = 0;
    for made in runs {
        let guest = &made["circumstances"]["lab"];
        assert_eq!(guest["network"]["apart"], true, "{guest}");
        answers += guest["disks"][0]["answers"].as_u64().unwrap();
        let mut findings = made["findings"].as_array().unwrap().iter();
        let told = findings.find(|found| found["code"] == "lab-guest").unwrap();
        let way = "nvme-tcp from a server in another guest, with 3.00 ms of delay each way";
        assert!(told["message"].to_string().contains(way), "{told}");
    }
    assert!(answers > 100, "the disk behind the server gave {answers}");
    // A read takes the way twice, and without the delay an emulated guest takes less for it.
    let is_slow = |made: &&Value| made["cell"] == "random read 4 KiB, depth 1";
    let slow = runs.iter().find(is_slow).unwrap();
    let measured = &slow["measurement"];
    let reads = measured["reads"]["operations"].as_u64().unwrap();
    let duration = measured["duration_ns"].as_u64().unwrap();
    let possible = 1..=duration / ROUND_TRIP_NS + 1;
    assert!(possible.contains(&reads), "{reads} reads in {duration} ns");
    room.is_clean();
}

#[test]
fn what_a_server_in_another_guest_fails_on_is_told_in_its_words() {
    let test = "what_a_server_in_another_guest_fails_on_is_told_in_its_words";
    let Some(room) = Room::with(test, &["mkfs.ext4"]) else {
        return;
    };
    // No filesystem can be made on a disk that is dead.
    let given = ["--apart", "--disk", "flat:256M:dies-at=0"];
    let said = run(room.lab(&["run", "nfs"], &given));
    assert_eq!(said.code, Some(1), "{said:?}");
    let wanted = "the guest that serves the disk has ended:";
    assert!(said.err.contains(wanted), "{said:?}");
    assert!(
        said.err.contains("cannot make a filesystem on /dev/vda"),
        "{said:?}"
    );
    room.is_clean();
}

pub(crate) fn installed(program: &str) -> bool {
    let places = ["usr/sbin", "usr/bin", "sbin", "bin"];
    let mut paths = places.map(|place| Path::new("/").join(place)).into_iter();
    paths.any(|place| place.join(program).is_file())
}

#[test]
fn what_a_guest_had_measured_before_it_panicked_is_kept_with_its_console() {
    let test = "what_a_guest_had_measured_before_it_panicked_is_kept_with_its_console";
    let Some(room) = Room::of(test) else {
        return;
    };
    let plan = room.home.path().join("plan.toml");
    let crash = "cleanup = [\"echo c >/proc/sysrq-trigger\"]\n";
    fs::write(&plan, format!("{crash}{PLAN}")).unwrap();
    let said = run(room.lab(&["run", plan.to_str().unwrap()], &["--disk", "flat:256M"]));
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "the guest ended before its command had",
        "console of the guest said last:",
        "block 1/2",
        "block 2/2",
    ] {
        assert!(said.err.contains(part), "no {part:?}: {said:?}");
    }
    let document = room.home.run(["export", "1", "--json"]).json();
    assert_eq!(document["state"], "interrupted", "{document}");
    assert_eq!(
        document["runs"].as_array().unwrap().len(),
        4,
        "LOST: {document}"
    );
    let told = document["choices"].to_string();
    assert!(told.contains("Kernel panic"), "{told}");
    let resumed = room.home.run(["resume"]);
    assert!(
        resumed.err.contains("no plan was interrupted"),
        "{resumed:?}"
    );
    room.is_clean();
}

#[test]
fn a_signal_ends_the_guest_and_restore_one_whose_etalon_was_killed() {
    let Some(room) = Room::of("a_signal_ends_the_guest_and_restore_one_whose_etalon_was_killed")
    else {
        return;
    };
    let (child, _) = room.started();
    wait_while(&child, "a run in the store", || {
        let document = room.home.run(["export", "1", "--json"]);
        let is_kept = document.code == Some(0) && document.json()["runs"][0].is_object();
        is_kept.then_some(())
    });
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let said = finish(child);
    assert_eq!(said.code, Some(130), "{said:?}");
    assert!(
        said.err.contains("interrupted; the guest was ended"),
        "{said:?}"
    );
    let document = room.home.run(["export", "1", "--json"]).json();
    assert_eq!(document["state"], "interrupted", "LOST: {document}");
    assert!(
        !document["cells"].as_array().unwrap().is_empty(),
        "{document}"
    );
    for command in ["continue", "rerun"] {
        let refused = room.home.run([command, "1"]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains("was made in a guest"), "{refused:?}");
    }
    room.is_clean();
    let (mut child, place) = room.started();
    child.kill().unwrap();
    child.wait().unwrap();
    let restored = room.home.run(["restore"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    let place_told = place.to_str().unwrap();
    let told = format!("ended qemu-system-x86 in {place_told}\nremoved {place_told}\n");
    assert_eq!(restored.out, told, "{restored:?}");
    let left = fs::read_dir("/proc").unwrap().flatten().filter(|process| {
        fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(&place))
    });
    assert_eq!(left.count(), 0, "LOST: a guest runs on");
    room.is_clean();
}

#[test]
fn a_shell_is_typed_into() {
    let Some(room) = Room::of("a_shell_is_typed_into") else {
        return;
    };
    let mut command = room.lab(&["shell"], &["--disk", "flat:256M"]);
    command.stdin(Stdio::piped());
    let mut child = start(command);
    let mut keys = child.stdin.take().unwrap();
    // While it still boots: none of them is lost.
    keys.write_all(b"echo the sum is $((40 + 2)); exit\n")
        .unwrap();
    let said = finish(child);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("the sum is 42"), "{said:?}");
    room.is_clean();
}

/// What a disk refuses makes a run invalid, and its name in the record says how it fails.
#[test]
fn a_disk_that_fails_fails_in_its_guest() {
    let Some(room) = Room::of("a_disk_that_fails_fails_in_its_guest") else {
        return;
    };
    let plan = room.home.path().join("plan.toml");
    fs::write(&plan, PLAN).unwrap();
    let plan = plan.to_str().unwrap();
    let run_on = |disk: &str| {
        let given = ["--disk", disk, "--", "--blocks", "1"];
        run(room.lab(&["run", plan], &given))
    };
    let died = run_on("flat:256M:dies-at=4k");
    assert_eq!(died.code, Some(3), "{died:?}");
    assert!(died.out.contains("Input/output error"), "{died:?}");
    assert!(died.out.contains("(flat:dies-at=4K)"), "{died:?}");
    let slow = run_on("flat:256M:slow=0-256M+20ms");
    assert!(matches!(slow.code, Some(0 | 3 | 5)), "{slow:?}");
    let document = room.home.run(["export", "2", "--json"]).json();
    let made = &document["runs"][0];
    let disk = &made["circumstances"]["lab"]["disks"][0];
    assert_eq!(disk["model"], "flat:slow=0-256M+20ms", "{disk}");
    let reads = &made["measurement"]["reads"]["operations"];
    assert!(
        reads.as_u64().unwrap() <= 11,
        "200 ms of 20 ms each: {reads}"
    );
    room.is_clean();
}

#[test]
fn a_model_is_served_until_a_signal() {
    let home = Home::new();
    let socket = home.path().join("disk");
    let words = ["lab", "serve", "flat", "--size", "256M", "--socket"];
    let child = start(home.etalon(words.into_iter().chain([socket.to_str().unwrap()])));
    let mut client = wait_while(&child, "the socket", || UnixStream::connect(&socket).ok());
    let mut greeting = [0; 18];
    client.read_exact(&mut greeting).unwrap();
    assert_eq!(&greeting[..16], b"NBDMAGICIHAVEOPT");
    client.write_all(b"\0\0\0\x03GET / HTTP/1.1\r\n").unwrap();
    assert_eq!(client.read_to_end(&mut Vec::new()).unwrap_or(0), 0);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let said = finish(child);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("0 requests answered"), "{said:?}");
    assert!(!socket.exists(), "the socket has stayed");
}

#[test]
fn what_no_guest_can_have_is_refused_with_what_it_can() {
    let home = Home::new();
    let refused = |words: &[&str], code, parts: &[&str]| {
        let said: Said = home.run([&["lab"][..], words].concat());
        assert_eq!(said.code, Some(code), "{said:?}");
        for part in parts {
            assert!(said.err.contains(part), "no {part:?}: {said:?}");
        }
    };
    refused(
        &["run", "nosuch"],
        2,
        &["'nosuch' is neither a file nor a preset"],
    );
    refused(
        &["run", "kernel-duel"],
        2,
        &["kernel-duel compares kernels: name 2 or more"],
    );
    refused(
        &["run", "nfs", "--over", "iscsi"],
        2,
        &["nfs and --over iscsi contradict each other"],
    );
    refused(
        &["run", "quick", "--delay", "1ms"],
        2,
        &["name one by --over nfs, nvme-tcp or iscsi"],
    );
    refused(
        &["run", "quick", "--disk", "floppy"],
        2,
        &["available: hdd-5400"],
    );
    refused(
        &["run", "quick", "--disk", "flat:1M"],
        2,
        &["give 256 MiB to"],
    );
    refused(
        &["run", "quick", "--disk", "flat:x"],
        2,
        &["'x' is not a size"],
    );
    refused(
        &["run", "quick", "--kernel", "/etc/passwd"],
        1,
        &["is no kernel: give an image"],
    );
    let kernels = ["--kernel", "/etc/passwd", "--kernel", "host"];
    let preset = [&["run", "readahead"][..], &kernels].concat();
    refused(&preset, 1, &["'/etc/passwd' is no kernel"]);
    let quick = [&["run", "quick"][..], &kernels].concat();
    refused(&quick, 2, &["--kernel 'host'", "etalon lab run PLAN"]);
    let words = ["run", "quick", "--kernel", "/x init=/bin/sh"];
    refused(&words, 2, &["'init=/bin/sh' is what the guest boots by"]);
    refused(
        &["serve", "flat", "--socket", "/etc/passwd"],
        1,
        &["not overwritten"],
    );
    refused(
        &["serve", "nosuch", "--socket", "x"],
        2,
        &["available: hdd-5400"],
    );
}
