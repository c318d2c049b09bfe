//! `startup`: a program is started with none of its pages in memory, and again with all of them.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf, absolute};
use std::process::Command;

use etalon_units::Bytes;

use super::error::WorkError;
use super::job::Job;
use super::parameter::{Kind, Parameter, YES_NO};
use super::process::{self, Program};
use super::record::InputRecord;
use super::{RealWork, cache};

/// Starts a program cold and warm.
pub(super) struct Startup;

static PROGRAM: Parameter = Parameter {
    name: "program",
    kind: Kind::Text,
    default: "tar --version",
    help: "the program and its arguments; it must end by itself",
};
static REPEATS: Parameter = Parameter {
    name: "repeats",
    kind: Kind::Count(1, 1000),
    default: "5",
    help: "cold starts, each followed by a warm one",
};
static COPY: Parameter = Parameter {
    name: "copy",
    kind: YES_NO,
    default: "yes",
    help: "yes: the program and its libraries are copied to the target and started from there; no: started where they are, and pages that other processes use stay in memory",
};

static PARAMETERS: [Parameter; 3] = [PROGRAM, REPEATS, COPY];

/// How a program begins that the kernel starts by itself (elf(5)).
const ELF: [u8; 4] = *b"\x7fELF";

/// What is started, and the files whose pages are dropped before.
struct Start {
    words: Vec<OsString>,
    files: Vec<PathBuf>,
}

impl RealWork for Startup {
    fn name(&self) -> &'static str {
        "startup"
    }

    fn summary(&self) -> &'static str {
        "start a program cold, with its pages dropped, and warm"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let typed = job.values().text(&PROGRAM).to_owned();
        let words = split(&typed)?;
        // By the name that was typed: some programs do by their name what they are asked for (busybox).
        let program = process::need(&words[0], "the package that has it")?;
        let program = absolute(&program).map_err(WorkError::io("find", &program))?;
        must_be_binary(&program)?;
        let arguments: Vec<OsString> = words[1..].iter().map(Into::into).collect();
        let start = match job.values().yes(&COPY) {
            true => copied(&program, arguments, &job.path("program"))?,
            false => in_place(program, arguments)?,
        };
        let sizes = start
            .files
            .iter()
            .filter_map(|file| file.metadata().ok())
            .map(|meta| meta.len());
        let (files, bytes) = (start.files.len() as u64, Bytes(sizes.sum()));
        job.set_input(InputRecord {
            source: typed,
            files,
            bytes,
            compressibility: None,
        });
        let run = Program::new(start.words, &job.path("."));
        for number in 1..=job.values().count(&REPEATS) {
            cache::make_cold(job, &start.files)?;
            job.step(&format!("cold {number}"), |step| step.run(&run))?;
            job.step(&format!("warm {number}"), |step| step.run(&run))?;
        }
        Ok(())
    }
}

/// A command line in words, quotes as in sh; at least one word.
pub(super) fn split(line: &str) -> Result<Vec<String>, WorkError> {
    shlex::split(line)
        .filter(|words| !words.is_empty())
        .ok_or_else(|| WorkError::Quoting(line.to_owned()))
}

/// Refuses what the kernel hands to another program, whose pages and files nobody would know: a script above all.
fn must_be_binary(program: &Path) -> Result<(), WorkError> {
    let mut head = [0; ELF.len()];
    let read = File::open(program).and_then(|mut file| file.read_exact(&mut head));
    match read {
        Ok(()) if head == ELF => Ok(()),
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => {
            Err(WorkError::io("read", program)(error))
        }
        _ => Err(WorkError::NoBinary(program.to_owned())),
    }
}

/// A program and its libraries where they are.
fn in_place(program: PathBuf, arguments: Vec<OsString>) -> Result<Start, WorkError> {
    let real = |file: PathBuf| fs::canonicalize(&file).map_err(WorkError::io("find", &file));
    let files = libraries(&program)?.into_iter().map(real);
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    files.push(real(program.clone())?);
    Ok(Start {
        words: [vec![program.into_os_string()], arguments].concat(),
        files,
    })
}

/// Copies a program, its loader and its libraries; the copies are mapped by nobody else, so that
/// their pages can all be dropped.
fn copied(program: &Path, arguments: Vec<OsString>, place: &Path) -> Result<Start, WorkError> {
    fs::create_dir(place).map_err(WorkError::io("create the directory", place))?;
    let mut files = Vec::new();
    let mut loader = None;
    for file in libraries(program)?.iter().chain([&program.to_owned()]) {
        let name = file.file_name().unwrap_or_default();
        let to = place.join(name);
        // Two libraries of one name: the loader takes the first.
        if !to.exists() {
            fs::copy(file, &to).map_err(WorkError::io("copy", file))?;
            files.push(to.clone());
        }
        if name.to_string_lossy().starts_with("ld-") {
            loader = Some(to);
        }
    }
    let own = place
        .join(program.file_name().unwrap_or_default())
        .into_os_string();
    let mut words = match loader {
        Some(loader) => loaded_from(&loader, place, &own)?,
        None => vec![own],
    };
    words.extend(arguments);
    Ok(Start { words, files })
}

/// How the copied loader starts the copied program with the copied libraries. ld.so(8): started as a program itself,
/// it takes the library path as an option, before which it looks only where an old program names a place (`DT_RPATH`).
fn loaded_from(loader: &Path, place: &Path, own: &OsStr) -> Result<Vec<OsString>, WorkError> {
    let words = |more: &[&OsStr]| -> Vec<OsString> {
        let path = [OsStr::new("--library-path"), place.as_os_str()];
        let all = path.iter().chain(more).map(|word| (*word).to_owned());
        all.collect()
    };
    let listing = words(&[OsStr::new("--list"), own]);
    let output = Command::new(loader)
        .args(listing)
        .env("LC_ALL", "C")
        .output();
    let output = output.map_err(WorkError::io("run the program", loader))?;
    let found = listed(&String::from_utf8_lossy(&output.stdout));
    match found
        .into_iter()
        .find(|library| !library.starts_with(place))
    {
        Some(library) => Err(WorkError::LibraryElsewhere(library)),
        None => Ok([vec![loader.into()], words(&[own])].concat()),
    }
}

/// The loader and the libraries of a program as ldd(1) lists them; none for a static program.
fn libraries(program: &Path) -> Result<Vec<PathBuf>, WorkError> {
    let ldd = process::need("ldd", "libc-bin")?;
    let output = Command::new(&ldd).arg(program).env("LC_ALL", "C").output();
    let output = output.map_err(WorkError::io("run the program", &ldd))?;
    let listed = listed(&String::from_utf8_lossy(&output.stdout));
    Ok(listed.into_iter().filter(|path| path.is_file()).collect())
}

/// The paths in ldd's lines: `libc.so.6 => /lib/libc.so.6 (0x…)` and `/lib64/ld-linux.so.2 (0x…)`.
fn listed(text: &str) -> Vec<PathBuf> {
    let path = |line: &str| {
        let line = line.trim();
        let path = line.split_once("=> ").map_or(line, |(_, path)| path);
        let path = path.rsplit_once(" (0x")?.0;
        path.starts_with('/').then(|| PathBuf::from(path))
    };
    text.lines().filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_what_ldd_prints() {
        let text = "\tlinux-vdso.so.1 (0x00007ffd2b9f0000)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f2b)\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f2c)\n\tlibgone.so => not found\n";
        assert_eq!(
            listed(text),
            [
                "/lib/x86_64-linux-gnu/libc.so.6",
                "/lib64/ld-linux-x86-64.so.2"
            ]
            .map(PathBuf::from)
        );
        assert_eq!(
            listed("\tnot a dynamic executable\n"),
            Vec::<PathBuf>::new()
        );
    }

    #[test]
    fn a_program_is_started_by_the_name_that_it_is_called_by() {
        let place = tempfile::tempdir().unwrap();
        let typed = place.path().join("applet");
        std::os::unix::fs::symlink("/bin/true", &typed).unwrap();
        let start = copied(&typed, Vec::new(), &place.path().join("copies")).unwrap();
        assert!(Path::new(start.words.last().unwrap()).ends_with("copies/applet"));
        assert!(start.files.contains(&place.path().join("copies/applet")));
        let start = in_place(typed.clone(), Vec::new()).unwrap();
        assert_eq!(start.words, [typed.as_os_str()]);
        assert!(
            start
                .files
                .contains(&fs::canonicalize("/bin/true").unwrap())
        );
    }

    /// Carries out a line of sh in `place`.
    fn sh(place: &Path, line: &str) {
        let mut shell = Command::new("sh");
        let status = shell.args(["-ec", line]).current_dir(place).status();
        assert!(status.unwrap().success(), "{line}");
    }

    #[test]
    fn a_library_that_a_program_finds_in_a_place_of_its_own_is_no_copy() {
        let place = tempfile::tempdir().unwrap();
        sh(
            place.path(),
            "echo 'int f(void){return 0;}' > f.c; echo 'int f(void); int main(void){return f();}' > m.c
            cc -shared -fPIC -o libf.so f.c
            cc -o old m.c -L. -lf -Wl,--disable-new-dtags,-rpath,$PWD
            cc -o new m.c -L. -lf -Wl,--enable-new-dtags,-rpath,$PWD",
        );
        let start = |name: &str| {
            let copies = place.path().join("copies-of").with_extension(name);
            copied(&place.path().join(name), Vec::new(), &copies)
        };
        let error = start("old").err().unwrap();
        assert!(matches!(error, WorkError::LibraryElsewhere(_)), "{error}");
        assert!(error.to_string().contains("libf.so"), "{error}");
        assert!(start("new").is_ok());
    }

    #[test]
    fn command_lines_are_split_as_in_sh() {
        assert_eq!(split("a 'b c' \"d\"").unwrap(), ["a", "b c", "d"]);
        assert!(split("a 'b").unwrap_err().to_string().contains("quote"));
        assert!(split("  ").is_err());
    }

    proptest! {
        #[test]
        fn hostile_lines_never_panic(text in "\\PC{0,100}") {
            let _ = (listed(&text), split(&text));
        }
    }
}
