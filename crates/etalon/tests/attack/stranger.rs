//! Another user of the machine, who prepares what root will meet: root runs etalon, and nothing of
//! anybody's is written, removed or made in his way.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown, lchown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Ground, Guarded, Home, absent, names_in, program, root_for, run, tool};
use crate::dangers::none;
use crate::races::Swapper;

/// An ordinary user.
const STRANGER: u32 = 1000;

/// A directory that everybody may write, and without the bit that protects names in it.
fn open_to_all(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
}

/// Of which kind the planted name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plant {
    Link,
    HardLink,
    Pipe,
    File,
}

impl Plant {
    const ALL: [Plant; 4] = [Plant::Link, Plant::HardLink, Plant::Pipe, Plant::File];

    /// Whether the kernel lets the stranger put it there.
    fn put(self, name: &Path, victim: &Path) -> bool {
        match self {
            Plant::Link => symlink(victim, name).unwrap(),
            // Where `fs.protected_hardlinks` is set, nobody links to what he may not write.
            Plant::HardLink => return linked_by_stranger(name, victim),
            Plant::Pipe => drop(tool("mkfifo", &[name.to_str().unwrap()])),
            Plant::File => fs::write(name, "the stranger's own").unwrap(),
        }
        lchown(name, Some(STRANGER), Some(STRANGER)).unwrap();
        true
    }
}

fn linked_by_stranger(name: &Path, victim: &Path) -> bool {
    use std::os::unix::process::CommandExt as _;
    let mut ln = Command::new("ln");
    ln.arg(victim).arg(name).uid(STRANGER).gid(STRANGER);
    ln.stderr(std::process::Stdio::null());
    ln.status().unwrap().success()
}

/// Names that a command takes by itself, and the command.
#[rustfmt::skip]
const TAKEN: &[(&str, &str)] = &[
    ("wol.dat", "iozone -Q -i 0 -i 1 -s 64 -r 4 -f fresh --runs 1"),
    ("rwol.dat", "iozone -Q -i 0 -i 1 -s 64 -r 4 -f fresh --runs 1"),
    ("rol.dat", "iozone -Q -i 0 -i 1 -s 64 -r 4 -f fresh --runs 1"),
    ("rrol.dat", "iozone -Q -i 0 -i 1 -s 64 -r 4 -f fresh --runs 1"),
    ("iozone.tmp", "iozone -i 0 -i 1 -s 64 -r 4 --runs 1"),
    ("iozone.tmp", "iozone -i 0 -+N -w -s 64 -r 4 --runs 1"),
    ("iozone.DUMMY.0", "iozone -t 1 -i 0 -s 64 -r 4 --runs 1"),
    ("Child_0.log", "iozone -+T -t 1 -T -i 0 -s 64 -r 4 -F fresh --runs 1"),
    ("etalon.1", "man ."),
    ("etalon-dd.1", "man ."),
    ("store.sqlite", "measure . --op read -s 64k --time 20ms --store store.sqlite"),
    ("store.sqlite-journal", "measure . --op read -s 64k --time 20ms --store store.sqlite"),
    ("store.sqlite-wal", "measure . --op read -s 64k --time 20ms --store store.sqlite"),
    ("store.sqlite-shm", "measure . --op read -s 64k --time 20ms --store store.sqlite"),
];

#[test]
fn planted_names_lead_nowhere() {
    if !root_for("planted_names_lead_nowhere") {
        return;
    }
    let (home, ground) = (Home::new(), Ground::new());
    let victim = ground.file("victim", &[0x5a; 200_000]);
    let guarded = Guarded::new(&[], &[&victim], &[]);
    let mut faults = Vec::new();
    for (index, (name, line)) in TAKEN.iter().enumerate() {
        for plant in Plant::ALL {
            let place = ground.directory(&format!("shared-{index}-{plant:?}"));
            open_to_all(&place);
            if !plant.put(&place.join(name), &victim) {
                absent(
                    &format!("a planted {plant:?}"),
                    "this kernel does not allow it",
                );
                continue;
            }
            let mut command = home.etalon(line.split(' '));
            command.current_dir(&place);
            let said = run(command);
            let changes = guarded.changes();
            if !said.is_orderly() || !changes.is_empty() {
                fs::write(&victim, [0x5a; 200_000]).unwrap();
                faults.push(format!("{plant:?} {name}: {line}: {changes:?} {said:?}"));
            }
        }
    }
    none(&faults);
}

/// `/var/tmp`, `/var/lib` and `/tmp` of a machine on which a stranger was first.
struct Places {
    ground: Ground,
    victim: PathBuf,
}

impl Places {
    fn new() -> Places {
        let ground = Ground::new();
        let shared = ground.directory("tmp");
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
        ground.directory("lib");
        let victim = ground.directory("victim");
        fs::write(victim.join("precious.tmp"), "kept").unwrap();
        fs::write(victim.join("precious.json"), "{}").unwrap();
        Places { ground, victim }
    }

    fn shared(&self) -> PathBuf {
        self.ground.path().join("tmp")
    }

    /// The directory that a stranger made where etalon would look for root's.
    fn planted(&self) -> PathBuf {
        let planted = self.shared().join("etalon-0");
        fs::create_dir(&planted).unwrap();
        chown(&planted, Some(STRANGER), Some(STRANGER)).unwrap();
        planted
    }

    /// The program in a namespace in which these are the machine's places.
    fn etalon(&self, home: Option<&Path>, line: &str) -> Command {
        let script = "mount --bind \"$0/tmp\" /var/tmp && mount --bind \"$0/lib\" /var/lib && \
                      exec \"$@\"";
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "sh", "-c", script]);
        command
            .arg(self.ground.path())
            .arg(program())
            .args(line.split(' '));
        for variable in ["HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "TMPDIR"] {
            command.env_remove(variable);
        }
        if let Some(home) = home {
            command.env("HOME", home);
        }
        command.env("ETALON_STORE", self.ground.path().join("store.sqlite"));
        command.current_dir(self.ground.path());
        command.stdin(std::process::Stdio::null());
        command
    }

    fn guarded(&self) -> Guarded {
        Guarded::new(&[], &[&self.victim.join("precious.tmp")], &[&self.victim])
    }
}

/// What begins with a look at the journal.
#[rustfmt::skip]
const STARTS: &[&str] = &[
    "restore",
    "measure measured --op read -s 64k --time 20ms",
    "metadata measured --files 2 --depth 1 --breadth 1 --runs 1",
    "iozone -i 0 -s 64 -r 4 -f measured/new --runs 1",
    "fdtree -o measured -l 1 -d 1 -f 1 -s 1",
];

#[test]
fn a_planted_journal_is_not_used() {
    if !root_for("a_planted_journal_is_not_used") {
        return;
    }
    let mut faults = Vec::new();
    for is_link in [true, false] {
        for with_home in [true, false] {
            let places = Places::new();
            let planted = places.planted();
            if is_link {
                symlink(&places.victim, planted.join("journal")).unwrap();
            }
            faults.extend(started(&places, &planted, with_home));
        }
    }
    none(&faults);
}

/// Starts everything; neither the victim nor the stranger's directory may change.
fn started(places: &Places, planted: &Path, with_home: bool) -> Vec<String> {
    places.ground.directory("measured");
    let home = places.ground.directory("home");
    let mut faults = Vec::new();
    let mut guarded = [places.guarded(), Guarded::new(&[], &[], &[planted])];
    for line in STARTS {
        let said = run(places.etalon(with_home.then_some(&*home), line));
        for guarded in &mut guarded {
            let changes = guarded.changes();
            if !changes.is_empty() {
                guarded.look_again();
                faults.push(format!("{line}, home {with_home}: {changes:?} {said:?}"));
            }
        }
        if !said.is_orderly() {
            faults.push(format!("{line}: {said:?}"));
        }
    }
    faults
}

#[test]
fn a_journal_swapped_for_a_link_harms_nobody() {
    if !root_for("a_journal_swapped_for_a_link_harms_nobody") {
        return;
    }
    let mut faults = Vec::new();
    for with_home in [true, false] {
        let places = Places::new();
        let planted = places.planted();
        let (journal, other) = (planted.join("journal"), planted.join("other"));
        // What root would make there: the stranger takes it from a place where it was root's.
        fs::create_dir(&journal).unwrap();
        fs::set_permissions(&journal, fs::Permissions::from_mode(0o700)).unwrap();
        symlink(&places.victim, &other).unwrap();
        places.ground.directory("measured");
        let home = places.ground.directory("home");
        let guarded = places.guarded();
        let swapper = Swapper::between(journal, other);
        for _ in 0..60 {
            let said = run(places.etalon(with_home.then_some(&*home), "restore"));
            assert!(said.is_orderly(), "{said:?}");
        }
        drop(swapper);
        faults.extend(guarded.changes());
    }
    none(&faults);
}

#[test]
fn a_home_that_a_stranger_may_write_is_no_way_in() {
    if !root_for("a_home_that_a_stranger_may_write_is_no_way_in") {
        return;
    }
    let places = Places::new();
    let home = places.ground.directory("home");
    open_to_all(&home);
    let state = home.join(".local/state/etalon");
    fs::create_dir_all(&state).unwrap();
    symlink(&places.victim, state.join("journal")).unwrap();
    for path in [".local", ".local/state", ".local/state/etalon"] {
        chown(home.join(path), Some(STRANGER), Some(STRANGER)).unwrap();
    }
    none(&started(&places, &state, true));
}

/// A private directory is exchanged for a link to a victim as soon as it is seen.
#[test]
fn a_swapped_private_directory_harms_nobody() {
    if !root_for("a_swapped_private_directory_harms_nobody") {
        return;
    }
    let (home, ground) = (Home::new(), Ground::new());
    let victim = ground.directory("victim");
    fs::write(victim.join("precious"), "kept").unwrap();
    let shared = ground.directory("shared");
    open_to_all(&shared);
    let mut faults = Vec::new();
    let guarded = Guarded::new(&[], &[&victim.join("precious")], &[&victim]);
    for line in [
        "measure {} --op create --files 50",
        "measure {} --op write -s 256k --time 30ms --runs 3",
        "measure {} --op randread -s 256k --time 30ms",
        "metadata {} --files 5 --depth 1 --breadth 2 --runs 2",
        "work archive {} --set size=1M --runs 1",
        "together --runs 1 --time 30ms -- {} --op read -s 64k -- {} --op write -s 64k",
    ] {
        for _ in 0..4 {
            let words = line
                .split(' ')
                .map(|word| word.replace("{}", shared.to_str().unwrap()));
            let child = crate::common::start(home.etalon(words));
            let swapping = Exchange::start(shared.clone(), victim.clone());
            let said = crate::common::finish(child);
            drop(swapping);
            let changes = guarded.changes();
            if !said.is_orderly() || !changes.is_empty() {
                faults.push(format!("{line}: {changes:?} {said:?}"));
            }
            // What the stranger moved away is his.
            let _ = fs::remove_dir_all(&shared);
            fs::create_dir(&shared).unwrap();
            open_to_all(&shared);
            for name in names_in(&victim).iter().filter(|name| *name != "precious") {
                let _ = fs::remove_dir_all(victim.join(name));
                let _ = fs::remove_file(victim.join(name));
            }
        }
    }
    none(&faults);
}

/// Puts a link in the place of every private directory that appears, until it is dropped.
struct Exchange {
    stop: std::sync::Arc<std::sync::atomic::AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Exchange {
    fn start(shared: PathBuf, victim: PathBuf) -> Exchange {
        use std::sync::atomic::Ordering;
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let asked = std::sync::Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut count = 0;
            while !asked.load(Ordering::Relaxed) {
                for name in names_in(&shared) {
                    let path = shared.join(&name);
                    let is_private = name.to_string_lossy().starts_with(".etalon-");
                    let away = shared.join(format!("away-{count}"));
                    if is_private
                        && path.is_dir()
                        && !path.is_symlink()
                        && fs::rename(&path, away).is_ok()
                    {
                        count += 1;
                        let _ = symlink(&victim, &path);
                        let _ = lchown(&path, Some(STRANGER), Some(STRANGER));
                    }
                }
            }
        });
        Exchange {
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
    }
}
