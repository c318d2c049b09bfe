//! Devices and filesystems made for the table, all gone when dropped, and etalon run on them.

use std::cell::OnceCell;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use etalon_testbed::{
    ControlGroup, Home, Loop, OF_THE_MACHINE, Zram, in_memory, kept_runs, mkfs, refuse_io_uring,
    root_for, skip, tool,
};
use rand::{Rng as _, SeedableRng as _};
use serde_json::Value;
use tempfile::TempDir;

use crate::shared::Shared;

/// What etalon found, or how it ended without a figure.
pub(crate) type Try = Result<Report, String>;

/// What etalon found.
#[derive(Clone)]
pub(crate) struct Report {
    findings: Vec<(String, String, String)>,
    /// The interval of the figure, in its unit.
    pub(crate) interval: Option<(f64, f64)>,
    error: String,
}

impl Report {
    /// The severity of a finding; `None` without one.
    pub(crate) fn severity(&self, code: &str) -> Option<&str> {
        let mut found = self.findings.iter().filter(|(known, ..)| known == code);
        found.next().map(|(_, severity, _)| severity.as_str())
    }

    /// Whether something else on the machine disturbed a run, by another check than this. What is said of the storage
    /// around it a row may itself bring about.
    pub(crate) fn is_disturbed(&self, but: &str) -> bool {
        let mut codes = self.findings.iter().map(|(code, ..)| code.as_str());
        codes.any(|code| code != but && OF_THE_MACHINE.contains(&code))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (code, severity, message) in &self.findings {
            write!(f, "[{severity} {code}: {message}] ")?;
        }
        if let Some((low, high)) = self.interval {
            write!(f, "{low:.3e} to {high:.3e} ")?;
        }
        f.write_str(&self.error)
    }
}

/// A file of a device's queue below `/sys`.
pub(crate) fn queue(device: &Loop, name: &str) -> PathBuf {
    let device = device.name().trim_start_matches("/dev/");
    format!("/sys/block/{device}/queue/{name}").into()
}

/// A mounted filesystem, unmounted when dropped, before the devices beneath it go.
pub(crate) struct Mount {
    mounted: etalon_testbed::Mount,
    pub(crate) devices: Vec<Loop>,
    _zram: Option<Zram>,
    _files: Vec<TempDir>,
}

impl Mount {
    pub(crate) fn path(&self) -> &str {
        self.point().to_str().unwrap()
    }

    pub(crate) fn point(&self) -> &Path {
        self.mounted.path()
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.point().join(name)
    }

    fn at(kind: &str, source: &str, options: &str) -> Mount {
        Mount::of(etalon_testbed::Mount::new(&[
            "-t", kind, "-o", options, source,
        ]))
    }

    fn of(mounted: etalon_testbed::Mount) -> Mount {
        Mount {
            mounted,
            devices: Vec::new(),
            _zram: None,
            _files: Vec::new(),
        }
    }
}

/// An ext4 over a loop device whose file lies in memory: fast, and nobody else's.
pub(crate) fn ext4(mebibytes: u64, make: &[&str], options: &str) -> Mount {
    let directory = in_memory();
    let file = directory.path().join("disk");
    fs::File::create(&file)
        .unwrap()
        .set_len(mebibytes << 20)
        .unwrap();
    let device = Loop::over(&file, &[]);
    let mut words = vec!["-F", "-E", "lazy_itable_init=0,lazy_journal_init=0"];
    words.extend(make);
    words.push(device.name());
    mkfs("ext4", &words);
    let mut mount = Mount::at("ext4", device.name(), options);
    mount.devices.push(device);
    mount._files.push(directory);
    mount
}

/// Another name for a directory.
pub(crate) fn bound(directory: &Path) -> Mount {
    Mount::at("none", directory.to_str().unwrap(), "bind")
}

/// What bindfs, a process, shows of a directory.
pub(crate) fn passed_through(directory: &Path) -> Mount {
    let directory = directory.to_str().unwrap();
    Mount::of(etalon_testbed::Mount::by("bindfs", &[directory]))
}

/// An overlay of two directories; new files and the work directory go to `upper`.
pub(crate) fn overlay(lower: &Path, upper: &Path, options: &str) -> Mount {
    // Each has a directory of its own: what a volatile one leaves behind may not be mounted again.
    fs::create_dir_all(upper).unwrap();
    let inside = TempDir::new_in(upper).unwrap();
    let made = |name: &str| {
        let path = inside.path().join(name);
        fs::create_dir_all(&path).unwrap();
        path.display().to_string()
    };
    let options = format!(
        "lowerdir={},upperdir={},workdir={}{options}",
        lower.display(),
        made("upper"),
        made("work")
    );
    let mut mount = Mount::at("overlay", "overlay", &options);
    mount._files.push(inside);
    mount
}

/// An ext4 over a loop device whose file lies in this directory.
pub(crate) fn ext4_in(directory: &Path, mebibytes: u64) -> Mount {
    let file = directory.join("inner");
    let _ = fs::remove_file(&file);
    tool(
        "fallocate",
        &["-l", &format!("{mebibytes}M"), file.to_str().unwrap()],
    );
    let device = Loop::over(&file, &[]);
    mkfs(
        "ext4",
        &["-F", "-E", "lazy_itable_init=0,nodiscard", device.name()],
    );
    let mut mount = Mount::at("ext4", device.name(), "noatime");
    mount.devices.push(device);
    mount
}

/// A btrfs over this many loop devices whose files lie in memory.
pub(crate) fn btrfs(devices: usize, make: &[&str], options: &str) -> Mount {
    let directory = in_memory();
    let loops: Vec<Loop> = (0..devices)
        .map(|n| {
            let file = directory.path().join(format!("disk{n}"));
            fs::File::create(&file).unwrap().set_len(512 << 20).unwrap();
            Loop::over(&file, &[])
        })
        .collect();
    let mut words = vec!["-f"];
    words.extend(make);
    words.extend(loops.iter().map(Loop::name));
    mkfs("btrfs", &words);
    let mut mount = Mount::at("btrfs", loops[0].name(), options);
    mount.devices = loops;
    mount._files.push(directory);
    mount
}

/// Data that neither repeats nor shrinks.
pub(crate) fn noise(file: &Path, mebibytes: usize) {
    durably(file, &noise_of(mebibytes));
}

fn noise_of(mebibytes: usize) -> Vec<u8> {
    let mut data = vec![0; mebibytes << 20];
    rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(mebibytes as u64).fill_bytes(&mut data);
    data
}

/// The same in a file with blocks of its own, written once more and not yet by the kernel.
pub(crate) fn left_in_memory(file: &Path, mebibytes: usize) {
    let data = noise_of(mebibytes);
    durably(file, &data);
    let again = fs::OpenOptions::new().write(true).open(file).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&again, &data, 0).unwrap();
}

/// Data that shrinks to a tenth and less.
pub(crate) fn text(file: &Path, mebibytes: usize) {
    let line = |n: usize| format!("{n:08} the quick brown fox jumps over the lazy dog\n");
    let mut data: Vec<u8> = (0..)
        .flat_map(|n| line(n).into_bytes())
        .take(mebibytes << 20)
        .collect();
    data.truncate(mebibytes << 20);
    durably(file, &data);
}

fn durably(file: &Path, data: &[u8]) {
    fs::write(file, data).unwrap();
    fs::File::open(file).unwrap().sync_all().unwrap();
}

/// Everything that several rows use, made when first asked for.
pub(crate) struct Lab {
    /// On the disk that holds the build.
    pub(crate) disk: TempDir,
    /// What several rows look at.
    pub(crate) shared: Shared,
    home: Home,
    plain: OnceCell<Mount>,
    zram: OnceCell<Mount>,
    mirror: OnceCell<Mount>,
}

impl Lab {
    /// `None`, with a word about it, where devices cannot be made.
    pub(crate) fn new_for(test: &str) -> Option<Lab> {
        if !root_for(test) {
            return None;
        }
        if !Path::new("/sys/class/zram-control").exists() {
            skip(test, "the kernel has no zram");
            return None;
        }
        let beside = Path::new(env!("CARGO_TARGET_TMPDIR"));
        Some(Lab {
            disk: TempDir::new_in(beside).unwrap(),
            shared: Shared::default(),
            home: Home::new(),
            plain: OnceCell::new(),
            zram: OnceCell::new(),
            mirror: OnceCell::new(),
        })
    }

    /// ext4 on a loop device, with a file `noise` of 64 MiB.
    pub(crate) fn plain(&self) -> &Mount {
        self.plain.get_or_init(|| {
            let mount = ext4(512, &[], "noatime,commit=60");
            noise(&mount.file("noise"), 64);
            mount
        })
    }

    /// ext4 on a zram device, with a file `noise` of 32 MiB.
    pub(crate) fn zram(&self) -> &Mount {
        self.zram.get_or_init(|| {
            let device = Zram::new("256M");
            mkfs(
                "ext4",
                &["-F", "-E", "lazy_itable_init=0,nodiscard", &device.node()],
            );
            let mut mount = Mount::at("ext4", &device.node(), "noatime");
            mount._zram = Some(device);
            noise(&mount.file("noise"), 32);
            mount
        })
    }

    /// btrfs RAID-1 over two loop devices, with a file `noise` of 32 MiB.
    pub(crate) fn mirror(&self) -> &Mount {
        self.mirror.get_or_init(|| {
            let mount = btrfs(2, &["-d", "raid1", "-m", "raid1"], "noatime");
            noise(&mount.file("noise"), 32);
            mount
        })
    }

    /// A filesystem in memory, on which nobody else measures.
    pub(crate) fn memory(&self) -> Mount {
        Mount::at("tmpfs", "none", "size=64m")
    }

    /// ramfs, which knows no O_DIRECT.
    pub(crate) fn ramfs(&self) -> Mount {
        let mount = Mount::at("ramfs", "none", "rw");
        noise(&mount.file("noise"), 8);
        mount
    }

    /// Whether one run more has been kept than were when this was called.
    pub(crate) fn one_run_more(&self) -> impl Fn() -> bool + Send + 'static {
        let store = self.home.store();
        let before = kept_runs(&store);
        move || kept_runs(&store) > before
    }

    /// `etalon measure TARGET WORDS --json`.
    pub(crate) fn measure(&self, target: impl AsRef<Path>, words: &str) -> Try {
        self.run(
            Command::new(env!("CARGO_BIN_EXE_etalon")),
            target.as_ref(),
            words,
        )
    }

    /// The same, once for all rows that hold it against a code of theirs.
    pub(crate) fn measure_once(&self, target: impl AsRef<Path>, words: &str) -> Try {
        let target = target.as_ref();
        let name = format!("{} {words}", target.display());
        self.shared.report(name, || self.measure(target, words))
    }

    /// The same ahead of all ordinary work, so that a busy machine does not slow the generator.
    pub(crate) fn measure_urgently(&self, target: impl AsRef<Path>, words: &str) -> Try {
        let mut urgent = Command::new("chrt");
        urgent.args(["-f", "1", env!("CARGO_BIN_EXE_etalon")]);
        self.run(urgent, target.as_ref(), words)
    }

    /// The same within a control group.
    pub(crate) fn measure_in(&self, group: &ControlGroup, target: &Path, words: &str) -> Try {
        let shell = group.around(Path::new(env!("CARGO_BIN_EXE_etalon")));
        self.run(shell, target, words)
    }

    /// The same behind other words: `ionice -c3`.
    pub(crate) fn measure_by(&self, before: &str, target: impl AsRef<Path>, words: &str) -> Try {
        let mut all = before.split_whitespace();
        let mut command = Command::new(all.next().unwrap());
        command.args(all).arg(env!("CARGO_BIN_EXE_etalon"));
        self.run(command, target.as_ref(), words)
    }

    /// `etalon measure TARGET WORDS --json`, and meanwhile `act` with its process.
    pub(crate) fn measure_while(
        &self,
        target: impl AsRef<Path>,
        words: &str,
        act: impl FnOnce(u32) + Send,
    ) -> Try {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etalon"));
        self.ready(&mut command, target.as_ref(), words);
        report(&output_while(command, act), target.as_ref())
    }

    /// `etalon measure TARGET WORDS --json` where the kernel refuses `io_uring`.
    pub(crate) fn measure_without_io_uring(&self, target: impl AsRef<Path>, words: &str) -> Try {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etalon"));
        self.ready(&mut command, target.as_ref(), words);
        // The filter is that thread's, and that of what it starts.
        let output = std::thread::scope(|scope| {
            let filtered = scope.spawn(|| {
                refuse_io_uring();
                command.output().unwrap()
            });
            filtered.join().unwrap()
        });
        report(&output, target.as_ref())
    }

    /// What `etalon iozone WORDS` finds of its figures of a file, and meanwhile `act` with its process.
    pub(crate) fn iozone(&self, file: &Path, words: &str, act: impl FnOnce(u32) + Send) -> Try {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etalon"));
        command.arg("iozone").args(words.split_whitespace());
        command.arg("-f").arg(file);
        self.home.surround(&mut command);
        report_of_iozone(&output_while(command, act))
    }

    /// What is found of a copy by `etalon dd WORDS`, which keeps its runs in a store of its own.
    pub(crate) fn dd(&self, words: &str) -> Try {
        let place = TempDir::new().unwrap();
        let store = place.path().join("store");
        let etalon = |words: &mut dyn Iterator<Item = &str>| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_etalon"));
            command.args(words).arg("--store").arg(&store);
            self.home.surround(&mut command);
            command.output().unwrap()
        };
        let made = etalon(&mut ["dd"].into_iter().chain(words.split_whitespace()));
        let shown = etalon(&mut ["show", "1", "--json"].into_iter());
        report(&shown, "the copy".as_ref())
            .map_err(|why| format!("{why}{}", String::from_utf8_lossy(&made.stderr)))
    }

    /// What is found of one step of `etalon work NAME TARGET WORDS --json`.
    pub(crate) fn work(&self, target: &str, (name, step): (&str, &str), words: &str) -> Try {
        let command = Command::new(env!("CARGO_BIN_EXE_etalon"));
        self.work_by(command, target, (name, step), words)
    }

    /// The same ahead of all ordinary work, the servers that it starts included.
    pub(crate) fn work_urgently(&self, target: &str, what: (&str, &str), words: &str) -> Try {
        let mut urgent = Command::new("chrt");
        urgent.args(["-f", "1", env!("CARGO_BIN_EXE_etalon")]);
        self.work_by(urgent, target, what, words)
    }

    fn work_by(
        &self,
        mut command: Command,
        target: &str,
        (name, step): (&str, &str),
        words: &str,
    ) -> Try {
        command.args(["work", name]);
        self.placed(&mut command, target.as_ref(), words);
        let wanted = |cell: &Value| cell["name"] == step;
        report_of(&command.output().unwrap(), target.as_ref(), wanted)
    }

    fn run(&self, mut command: Command, target: &Path, words: &str) -> Try {
        self.ready(&mut command, target, words);
        report(&command.output().unwrap(), target)
    }

    fn ready(&self, command: &mut Command, target: &Path, words: &str) {
        command.arg("measure");
        self.placed(command, target, words);
    }

    fn placed(&self, command: &mut Command, target: &Path, words: &str) {
        command
            .arg(target)
            .args(words.split_whitespace())
            .args(["--json", "--seed", "7"]);
        self.home.surround(command);
    }
}

/// What a program says while `act` works with its process.
fn output_while(mut command: Command, act: impl FnOnce(u32) + Send) -> Output {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let process = child.id();
    std::thread::scope(|scope| {
        let acting = scope.spawn(move || act(process));
        let output = child.wait_with_output().unwrap();
        acting.join().unwrap();
        output
    })
}

/// The report of lines like `etalon: warning [CODE] every figure: ...`.
fn report_of_iozone(output: &Output) -> Try {
    let page = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    if !page.contains("figures valid") {
        return Err(format!("no figure ({}): {error}", output.status));
    }
    let finding = |line: &str| {
        let (mark, rest) = line.strip_prefix("etalon: ")?.split_once(" [")?;
        let (code, message) = rest.split_once("] ")?;
        let severity = match mark {
            "note" => "info",
            "warning" => "warn",
            other => other,
        };
        Some((code.to_owned(), severity.to_owned(), message.to_owned()))
    };
    Ok(Report {
        findings: page.lines().filter_map(finding).collect(),
        interval: None,
        error,
    })
}

fn report(output: &Output, target: &Path) -> Try {
    report_of(output, target, |_| true)
}

/// The report of the first cell that is wanted.
fn report_of(output: &Output, target: &Path, wanted: impl Fn(&Value) -> bool) -> Try {
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let cells = document["cells"].as_array().cloned().unwrap_or_default();
    let cell = cells.into_iter().find(|cell| wanted(cell));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let Some(cell) = cell else {
        let (target, status) = (target.display(), output.status);
        return Err(format!("no figure of {target} ({status}): {error}"));
    };
    let findings = cell["findings"].as_array().cloned().unwrap_or_default();
    let interval = &cell["interval"];
    Ok(Report {
        interval: interval["low"].as_f64().zip(interval["high"].as_f64()),
        findings: findings
            .iter()
            .map(|f| (text(&f["code"]), text(&f["severity"]), text(&f["message"])))
            .collect(),
        error,
    })
}
