//! Starting the program with a home of its own, and judging what it says.

mod browser;
mod cap;
mod disturbed;
mod ground;
mod in_time;
mod rows;
mod seeds;
mod storage;
mod waiting;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use etalon_testbed::HANG;
use serde_json::Value;

pub(crate) use etalon_testbed::{root_for, wait_for};

pub(crate) use browser::Browser;
pub(crate) use cap::{Cap, Limit};
pub(crate) use disturbed::{
    counted_runs, is_disturbed, is_refused_as_disturbed, lost_a_run, undisturbed,
};
pub(crate) use ground::Ground;
pub(crate) use in_time::{SHORT, in_time};
pub(crate) use rows::{ROWS, measured_or_dropped, short_check};
pub(crate) use seeds::runs_with_own_places;
pub(crate) use storage::{Image, Loop, Mount};
pub(crate) use waiting::{wait_for_line, wait_for_work, wait_while};

/// The user who owns nothing (`nobody` of every Linux distribution).
pub(crate) const NOBODY: u32 = 65534;

/// A store and a journal for one test.
pub(crate) struct Home {
    own: etalon_testbed::Home,
}

impl Home {
    pub(crate) fn new() -> Home {
        Home {
            own: etalon_testbed::Home::new(),
        }
    }

    /// A home that `nobody` owns.
    pub(crate) fn of_nobody() -> Home {
        let home = Home::new();
        home.own.give_to(NOBODY);
        home
    }

    pub(crate) fn path(&self) -> &Path {
        self.own.path()
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.own.store()
    }

    /// The program with these words, in this home.
    pub(crate) fn etalon<W: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Command {
        self.in_home(Command::new(env!("CARGO_BIN_EXE_etalon")), words)
    }

    /// The same, hearing every signal, also where whoever runs the tests ignores some.
    pub(crate) fn etalon_that_hears<W: AsRef<OsStr>>(
        &self,
        words: impl IntoIterator<Item = W>,
    ) -> Command {
        let mut command = Command::new("env");
        command.args(["--default-signal", env!("CARGO_BIN_EXE_etalon")]);
        self.in_home(command, words)
    }

    /// The same as `nobody`, who may not look into the directory of the build.
    pub(crate) fn etalon_of_nobody<W: AsRef<OsStr>>(
        &self,
        words: impl IntoIterator<Item = W>,
    ) -> Command {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(public_binary());
        self.in_home(command, words)
    }

    /// Any program that starts etalon, with the surroundings of this home.
    pub(crate) fn in_home<W: AsRef<OsStr>>(
        &self,
        mut command: Command,
        words: impl IntoIterator<Item = W>,
    ) -> Command {
        self.own.surround(command.args(words));
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run<W: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Said {
        run(self.etalon(words))
    }

    /// The experiments in the store.
    pub(crate) fn experiments(&self) -> Vec<Value> {
        let said = self.run(["list", "--json"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        said.json()["experiments"].as_array().unwrap().clone()
    }
}

/// A copy of the program that every user may start.
pub(crate) fn public_binary() -> &'static Path {
    static COPY: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = COPY.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        open_to_all(directory.path());
        let path = directory.path().join("etalon");
        etalon_testbed::copy_program(Path::new(env!("CARGO_BIN_EXE_etalon")), &path);
        (directory, path)
    });
    path
}

pub(crate) fn open_to_all(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// What the program said, and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    pub(crate) fn of(output: &Output) -> Said {
        let said = Said {
            code: output.status.code(),
            out: String::from_utf8(output.stdout.clone()).unwrap(),
            err: String::from_utf8(output.stderr.clone()).unwrap(),
        };
        assert!(
            !said.err.contains("panicked") && !said.err.contains("backtrace"),
            "{said:?}"
        );
        said
    }

    /// What was printed, with lines joined: sentences are broken at the terminal's width.
    pub(crate) fn joined(&self) -> String {
        self.out.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// The last line of standard error, which must be the only complaint.
    pub(crate) fn complaint(&self) -> &str {
        let complaints: Vec<&str> = self.err.lines().filter(|line| !is_progress(line)).collect();
        assert_eq!(complaints.len(), 1, "not one line: {self:?}");
        assert!(complaints[0].starts_with("etalon: "), "{self:?}");
        assert!(self.out.is_empty(), "{self:?}");
        complaints[0]
    }

    /// Asserts a refusal with this exit code whose only line holds every part.
    pub(crate) fn refused(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        let line = self.complaint();
        for part in parts {
            assert!(line.contains(part), "no {part:?} in {line:?}");
        }
    }
}

fn is_progress(line: &str) -> bool {
    ["measuring ", "waiting: ", "laying out ", "block "]
        .iter()
        .any(|word| line.starts_with(word))
}

/// Runs a program to its end, and fails where it hangs.
pub(crate) fn run(command: Command) -> Said {
    finish(start(command))
}

/// Starts a program whose words are kept.
pub(crate) fn start(mut command: Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the end of a program, and fails where it hangs.
pub(crate) fn finish(mut child: Child) -> Said {
    let begun = Instant::now();
    let out = gather(child.stdout.take());
    let err = gather(child.stderr.take());
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > HANG {
            child.kill().unwrap();
            panic!(
                "the program hangs: {}",
                String::from_utf8_lossy(&err.join().unwrap())
            );
        }
        thread::sleep(Duration::from_millis(2));
    };
    let output = Output {
        status,
        stdout: out.join().unwrap(),
        stderr: err.join().unwrap(),
    };
    Said::of(&output)
}

fn gather(pipe: Option<impl std::io::Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).unwrap();
        }
        bytes
    })
}

/// The names in a directory, but for what a new filesystem has by itself.
pub(crate) fn left_in(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "lost+found")
        .collect();
    names.sort();
    names
}

/// The scratch directories in a directory.
pub(crate) fn scratch_in(directory: &Path) -> Vec<String> {
    let mut names = left_in(directory);
    names.retain(|name| name.starts_with(".etalon-"));
    names
}
