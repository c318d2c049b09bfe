//! What else goes on while etalon measures: other writers, hands on settings, hogs of memory.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, panicking, sleep};
use std::time::{Duration, Instant};

use etalon_testbed::{ControlGroup, tool, undo};

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
            let done = thread.join();
            assert!(done.is_ok() || panicking(), "{done:?}");
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

/// Writes other data over so many MiB of a file.
pub(crate) fn scribble(file: &Path, mebibytes: usize) {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(file)
        .unwrap();
    file.write_all_at(&vec![0xa5; mebibytes << 20], 0).unwrap();
    file.sync_all().unwrap();
}

/// A web server that answers until it is dropped.
pub(crate) struct Answering {
    pub(crate) address: String,
    _actor: Actor,
}

/// A server that has every page but those called `missing`.
pub(crate) fn answering() -> Answering {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let actor = Actor::start(move |stop| {
        while !stop.load(Ordering::Relaxed) {
            match listener.accept() {
                Ok((connection, _)) => answer(connection),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    sleep(Duration::from_millis(1));
                }
                Err(error) => panic!("{error}"),
            }
        }
    });
    Answering {
        address,
        _actor: actor,
    }
}

/// One request of a connection; who asks nothing or is gone gets none.
fn answer(mut connection: TcpStream) {
    connection.set_nonblocking(false).unwrap();
    connection
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let mut asked = [0; 4096];
    let length = connection.read(&mut asked).unwrap_or(0);
    let asked = String::from_utf8_lossy(&asked[..length]);
    let status = match asked.contains("/missing ") {
        true => "404 Not Found",
        false => "200 OK",
    };
    let _ = write!(
        connection,
        "HTTP/1.1 {status}\r\nContent-Length: 4\r\nConnection: close\r\n\r\npage"
    );
}

/// A setting that somebody writes, and that is put back when this is dropped.
pub(crate) struct Setting {
    path: PathBuf,
    old: String,
    actor: Option<Actor>,
}

/// Writes a setting at once, and puts the old one back when dropped.
pub(crate) fn set_now(path: PathBuf, value: &str) -> Setting {
    let old = in_use(&path);
    fs::write(&path, value).unwrap();
    Setting {
        path,
        old,
        actor: None,
    }
}

fn in_use(path: &Path) -> String {
    let shown = fs::read_to_string(path).unwrap();
    // The one in use stands in brackets where there is a choice.
    let chosen = shown
        .split('[')
        .nth(1)
        .and_then(|rest| rest.split(']').next());
    chosen.unwrap_or(shown.trim()).to_owned()
}

/// Writes a setting as soon as its moment has come.
pub(crate) fn set_when(
    path: PathBuf,
    value: &'static str,
    has_come: impl Fn() -> bool + Send + 'static,
) -> Setting {
    let old = in_use(&path);
    let target = path.clone();
    let actor = Actor::start(move |stop| {
        while !has_come() {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            sleep(Duration::from_millis(5));
        }
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
        let put_back = fs::write(&self.path, &self.old);
        let path = self.path.display();
        assert!(put_back.is_ok() || panicking(), "{path}: {put_back:?}");
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

/// Programs that keep the processors busy until dropped.
pub(crate) struct Busy(Vec<Child>);

impl Busy {
    pub(crate) fn new(programs: usize) -> Busy {
        let one = || {
            let mut shell = Command::new("sh");
            shell.args(["-c", "while :; do :; done"]).spawn().unwrap()
        };
        Busy((0..programs).map(|_| one()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A filesystem in which every write waits, until dropped.
pub(crate) struct Frozen(PathBuf);

impl Frozen {
    pub(crate) fn new(mount: &Path) -> Frozen {
        let status = Command::new("fsfreeze").arg("-f").arg(mount).status();
        assert!(status.unwrap().success());
        Frozen(mount.to_owned())
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        undo("fsfreeze", &["-u", &self.0.to_string_lossy()]);
    }
}

/// Waits until the device has written this many MiB more than before, or has sent this many flushes.
pub(crate) fn wait_for(device: &str, mebibytes: u64, flushes: u64, before: (u64, u64)) {
    etalon_testbed::wait_for(&format!("writes to {device}"), || {
        let (written, flushed) = written(device);
        let is_there = written >= before.0 + (mebibytes << 11) && flushed >= before.1 + flushes;
        is_there.then_some(())
    });
}

/// Waits until the device has read this many MiB more than before.
pub(crate) fn wait_for_reads(device: &str, mebibytes: u64, before: u64) {
    etalon_testbed::wait_for(&format!("reads of {device}"), || {
        (read(device) >= before + (mebibytes << 11)).then_some(())
    });
}

/// Sectors that a device has read (block/stat.rst).
pub(crate) fn read(device: &str) -> u64 {
    counters(device)[2]
}

/// Sectors that a device has written and flushes that it has seen (block/stat.rst).
pub(crate) fn written(device: &str) -> (u64, u64) {
    let fields = counters(device);
    (fields[6], fields[15])
}

fn counters(device: &str) -> Vec<u64> {
    let name = device.trim_start_matches("/dev/");
    let text = fs::read_to_string(format!("/sys/block/{name}/stat")).unwrap();
    text.split_whitespace()
        .map(|n| n.parse().unwrap())
        .collect()
}

/// Holds a process for a second.
pub(crate) fn hold(process: u32) {
    for (signal, wait) in [("-STOP", 1000), ("-CONT", 0)] {
        let id = process.to_string();
        let status = Command::new("kill").args([signal, &id]).status();
        assert!(status.unwrap().success());
        sleep(Duration::from_millis(wait));
    }
}

/// Takes out of the page cache what is clean (the kernel's admin-guide/sysctl/vm.rst, `drop_caches`).
pub(crate) fn empty_page_cache() {
    tool("sh", &["-c", "echo 1 > /proc/sys/vm/drop_caches"]);
}

/// A process that reads a file far larger than the memory it may have, over and over.
pub(crate) struct Hog(Child);

impl Hog {
    pub(crate) fn new(group: &ControlGroup, file: &Path) -> Hog {
        let script = format!("while :; do cat '{}' > /dev/null; done", file.display());
        let mut shell = group.around(Path::new("sh"));
        let child = shell.args(["-c", &script]).stderr(Stdio::null()).spawn();
        Hog(child.unwrap())
    }
}

impl Drop for Hog {
    fn drop(&mut self) {
        let _ = self.0.kill();
        // The last `cat` ends by itself, and its group waits for it.
        let _ = self.0.wait();
    }
}
