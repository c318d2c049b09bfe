//! Runs GNU dd and this crate's dd side by side in two equal directories, and compares.

use std::fs::{self, File};
use std::io::Write;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

/// What comes in through standard input.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Input {
    /// Nothing.
    None,
    /// A file of the directory.
    File(&'static str),
    /// A pipe into which each piece goes only when the one before was read.
    Pieces(&'static [usize]),
}

/// The program under test.
pub(crate) fn tool() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_etalon-tool"))
}

/// Whether the `dd` of this machine is GNU's; says so when it is not.
pub(crate) fn gnu_dd_is_here() -> bool {
    let version = Command::new("dd").arg("--version").output();
    let here = version.is_ok_and(|v| String::from_utf8_lossy(&v.stdout).contains("coreutils"));
    if !here {
        println!("skipped: no GNU dd on this machine");
    }
    here
}

/// Bytes that repeat late and hold runs of zeros.
pub(crate) fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut bytes = Vec::with_capacity(length);
    for place in 0..length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let zero = (place / 700) % 5 == 3;
        bytes.push(if zero { 0 } else { (state >> 32) as u8 });
    }
    bytes
}

/// The directory in which every case starts.
pub(crate) fn scene() -> TempDir {
    // In memory where that is possible: each case waits for its fsync otherwise.
    filled(etalon_testbed::in_memory())
}

/// The same beside the program, which is on no filesystem in memory as a rule.
pub(crate) fn scene_on_disk() -> TempDir {
    let program = tool().parent().unwrap();
    filled(tempfile::tempdir_in(program).unwrap())
}

fn filled(dir: TempDir) -> TempDir {
    let at = |name: &str| dir.path().join(name);
    let text: String = (1..=5000).map(|n| format!("Line {n}\n")).collect();
    fs::write(at("text"), text).unwrap();
    fs::write(at("odd"), noise(1001)).unwrap();
    fs::write(at("noise"), noise(100_000)).unwrap();
    fs::write(at("zeros"), vec![0; 100_000]).unwrap();
    fs::write(at("empty"), "").unwrap();
    fs::write(at("exists"), vec![b'x'; 10_000]).unwrap();
    let mut sparse = File::create(at("sparse")).unwrap();
    sparse.set_len(1 << 20).unwrap();
    sparse.write_all(&noise(20_000)).unwrap();
    fs::create_dir(at("dir")).unwrap();
    std::os::unix::fs::symlink("text", at("link")).unwrap();
    dir
}

/// Runs `program` in `dir` and hands it `input`.
pub(crate) fn run(
    program: &Path,
    first: &[&str],
    operands: &[String],
    dir: &Path,
    input: Input,
) -> Output {
    let mut command = Command::new(program);
    command.args(first).args(operands);
    command.current_dir(dir).env("LC_ALL", "C");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    match input {
        Input::None => {
            command.stdin(Stdio::null());
            command.output().unwrap()
        }
        Input::File(name) => {
            command.stdin(File::open(dir.join(name)).unwrap());
            command.output().unwrap()
        }
        Input::Pieces(pieces) => {
            let (reader, writer) =
                rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).unwrap();
            let watch = reader.try_clone().unwrap();
            let mut child = command.stdin(reader).spawn().unwrap();
            // The command holds its copy of the reading end until it is dropped.
            drop(command);
            feed(&mut child, writer, &watch, pieces);
            child.wait_with_output().unwrap()
        }
    }
}

fn feed(child: &mut Child, writer: OwnedFd, watch: &OwnedFd, pieces: &[usize]) {
    let mut bytes = noise(pieces.iter().sum()).into_iter();
    for &length in pieces {
        let piece: Vec<u8> = bytes.by_ref().take(length).collect();
        if rustix::io::write(&writer, &piece).is_err() {
            return;
        }
        while rustix::io::ioctl_fionread(watch).unwrap_or(0) > 0 {
            // A reader that stops early leaves its bytes behind.
            if child.try_wait().unwrap().is_some() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}

/// What the two must agree on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    /// Messages and the three lines, without time and rate and without etalon's own lines.
    pub(crate) lines: Vec<String>,
    pub(crate) files: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
    /// Ranges that hold data, by lseek(2) with SEEK_DATA and SEEK_HOLE.
    pub(crate) data: Vec<(u64, u64)>,
}

pub(crate) fn outcome(output: Output, dir: &Path) -> Outcome {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = text
        .lines()
        .filter(|line| !line.starts_with("etalon:") && !line.starts_with("Try '"))
        .map(|line| match line.split_once(" copied, ") {
            Some((size, _)) => size.to_owned(),
            None => line.to_owned(),
        });
    let mut files: Vec<Entry> = fs::read_dir(dir)
        .unwrap()
        .map(Result::unwrap)
        .filter(|entry| entry.path().is_file())
        .map(|entry| Entry {
            name: entry.file_name().to_string_lossy().into_owned(),
            content: fs::read(entry.path()).unwrap(),
            data: data_ranges(&entry.path()),
        })
        .collect();
    files.sort();
    Outcome {
        code: output.status.code(),
        stdout: output.stdout,
        lines: lines.collect(),
        files,
    }
}

fn data_ranges(path: &Path) -> Vec<(u64, u64)> {
    use rustix::fs::{SeekFrom, seek};
    let file = File::open(path).unwrap();
    let mut ranges = Vec::new();
    let mut from = 0;
    while let Ok(data) = seek(&file, SeekFrom::Data(from)) {
        let hole = seek(&file, SeekFrom::Hole(data)).unwrap();
        ranges.push((data, hole));
        from = hole;
    }
    ranges
}

/// Runs one line with both programs in scenes of their own.
pub(crate) fn both(operands: &[String], input: Input) -> (Outcome, Outcome) {
    let (theirs, ours) = (scene(), scene());
    let gnu = run(Path::new("dd"), &[], operands, theirs.path(), input);
    let own = run(tool(), &["dd"], operands, ours.path(), input);
    (outcome(gnu, theirs.path()), outcome(own, ours.path()))
}
