//! What else goes on while etalon measures: other writers, hands on settings, hogs of memory.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

/// Work in a thread of its own until dropped.
pub(crate) struct Actor {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Actor {
    fn start(mut work: impl FnMut(&AtomicBool) + Send + 'static) -> Actor {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        let thread = std::thread::spawn(move || work(&seen));
        Actor {
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// Writes 4 KiB directly, again and again to the same place, this often a second.
pub(crate) fn writer(file: &Path, per_second: u32) -> Actor {
    fs::write(file, vec![1; 4096]).unwrap();
    File::open(file).unwrap().sync_all().unwrap();
    let direct = rustix::fs::OFlags::DIRECT.bits() as i32;
    let file = OpenOptions::new()
        .write(true)
        .custom_flags(direct)
        .open(file)
        .unwrap();
    let memory = vec![2; 8192];
    let start = memory.as_ptr().align_offset(4096);
    let gap = Duration::from_secs(1) / per_second;
    Actor::start(move |stop| {
        let mut due = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            file.write_all_at(&memory[start..start + 4096], 0).unwrap();
            due += gap;
            sleep(due.saturating_duration_since(Instant::now()));
        }
    })
}

/// Writes a setting after a while, and puts the old one back when dropped.
pub(crate) struct Setting {
    path: PathBuf,
    old: String,
    actor: Option<Actor>,
}

pub(crate) fn set_after(path: PathBuf, value: &'static str, wait: Duration) -> Setting {
    let shown = fs::read_to_string(&path).unwrap();
    // The one in use stands in brackets where there is a choice.
    let chosen = shown
        .split('[')
        .nth(1)
        .and_then(|rest| rest.split(']').next());
    let old = chosen.unwrap_or(shown.trim()).to_owned();
    let target = path.clone();
    let actor = Actor::start(move |_| {
        sleep(wait);
        fs::write(&target, value).unwrap();
    });
    Setting {
        path,
        old,
        actor: Some(actor),
    }
}

impl Drop for Setting {
    fn drop(&mut self) {
        self.actor.take();
        fs::write(&self.path, &self.old).unwrap();
    }
}

/// Makes and removes files of 8 MiB and has the free space discarded, over and over.
pub(crate) fn trimmer(mount: &Path) -> Actor {
    let mount = mount.to_owned();
    Actor::start(move |stop| {
        while !stop.load(Ordering::Relaxed) {
            let file = mount.join("to-be-trimmed");
            fs::write(&file, vec![3; 8 << 20]).unwrap();
            File::open(&file).unwrap().sync_all().unwrap();
            fs::remove_file(&file).unwrap();
            let _ = Command::new("sync").arg("-f").arg(&mount).status();
            let _ = Command::new("fstrim").arg(&mount).status();
        }
    })
}

/// A control group with a limit on memory, removed when dropped.
pub(crate) struct Group(pub(crate) PathBuf);

impl Group {
    /// `None` where no hierarchy limits memory.
    pub(crate) fn new(limit: &str) -> Option<Group> {
        let name = format!("etalon-test-{}-{limit}", std::process::id());
        let first = Path::new("/sys/fs/cgroup/memory").join(&name);
        if Path::new("/sys/fs/cgroup/memory/memory.limit_in_bytes").exists() {
            fs::create_dir(&first).ok()?;
            fs::write(first.join("memory.limit_in_bytes"), limit).unwrap();
            return Some(Group(first));
        }
        let second = Path::new("/sys/fs/cgroup").join(&name);
        fs::create_dir(&second).ok()?;
        fs::write(second.join("memory.max"), limit).ok()?;
        Some(Group(second))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// A process that reads a file far larger than the memory it may have, over and over.
pub(crate) struct Hog(Child);

impl Hog {
    pub(crate) fn new(group: &Group, file: &Path) -> Hog {
        let script = format!(
            "echo $$ > {}/cgroup.procs; while :; do cat '{}' > /dev/null; done",
            group.0.display(),
            file.display()
        );
        let mut shell = Command::new("sh");
        let child = shell.args(["-c", &script]).stderr(Stdio::null()).spawn();
        Hog(child.unwrap())
    }
}

impl Drop for Hog {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        // The last `cat` ends by itself; a group with a process in it cannot be removed.
        sleep(Duration::from_millis(300));
    }
}
