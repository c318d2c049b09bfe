//! `build`: a C program is configured and made, a generated one, a kernel or one of the user's.

use std::fs;
use std::path::Path;

use etalon_host::processor;
use etalon_units::Bytes;
use etalon_workload::room;

use super::error::WorkError;
use super::job::Job;
use super::parameter::{Kind, Parameter, ParameterError, Values};
use super::process::{self, Program};
use super::program::ProgramSource;
use super::record::InputRecord;
use super::reserve;
use super::tree::describe;
use super::{RealWork, cache};

/// Configures and makes a program.
pub(super) struct Build;

static TREE: Parameter = Parameter {
    name: "tree",
    kind: Kind::Path,
    default: "",
    help: "sources of yours, which are only read: a Linux kernel, or a tree with a configure script; without it a program is generated",
};
static UNITS: Parameter = Parameter {
    name: "units",
    kind: Kind::Count(1, 100_000),
    default: "200",
    help: "C files of the generated program, about 8 KB each",
};
static JOBS: Parameter = Parameter {
    name: "jobs",
    kind: Kind::Count(0, 1024),
    default: "0",
    help: "compilers at a time (make -j); 0 takes as many as there are processors",
};
static CONFIG: Parameter = Parameter {
    name: "config",
    kind: Kind::Text,
    default: "defconfig",
    help: "the make target that configures a kernel",
};

static PARAMETERS: [Parameter; 5] = [TREE, UNITS, JOBS, CONFIG, cache::CACHE];

/// What has no effect: on a tree of the user's, but for a kernel, on either of both.
static OF_GENERATED: [Parameter; 1] = [UNITS];
static OF_KERNEL: [Parameter; 1] = [CONFIG];
static OF_NEITHER: [Parameter; 2] = [UNITS, CONFIG];
const GENERATED_ONLY: &str =
    "left as it is with tree: no program is generated there, so that it would have no effect";
const KERNEL_ONLY: &str =
    "left as it is without the tree of a Linux kernel: it would have no effect";

/// The sources, their objects and the program are less than so many times the sources.
const BUILT: u64 = 4;

impl RealWork for Build {
    fn name(&self) -> &'static str {
        "build"
    }

    fn summary(&self) -> &'static str {
        "configure and make a C program or a Linux kernel"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn without_effect(&self, values: &Values) -> &'static [Parameter] {
        match values.path(&TREE) {
            None => &OF_KERNEL,
            Some(tree) if is_kernel(&tree) => &OF_GENERATED,
            Some(_) => &OF_NEITHER,
        }
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        if values.path(&TREE).is_some() {
            values.only_defaults(&OF_GENERATED, GENERATED_ONLY)?;
        }
        match values.path(&TREE) {
            Some(tree) if is_kernel(&tree) => Ok(()),
            _ => Ok(values.only_defaults(&OF_KERNEL, KERNEL_ONLY)?),
        }
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        process::need("make", "make")?;
        process::need("cc", "gcc")?;
        let jobs = match job.values().count(&JOBS) {
            0 => processor::count() as u64,
            jobs => jobs,
        };
        // That many are a condition of the figures, on whatever machine.
        job.resolve(&JOBS, jobs);
        let out = job.path("out");
        fs::create_dir(&out).map_err(WorkError::io("create the directory", &out))?;
        match job.values().path(&TREE) {
            Some(tree) => users(job, &tree, &out, jobs),
            None => generated(job, &out, jobs),
        }
    }
}

fn generated(job: &mut Job<'_>, out: &Path, jobs: u64) -> Result<(), WorkError> {
    let source = ProgramSource::new(job.values().count(&UNITS), job.seed());
    let tree = job.path("source");
    let files = source.files.len() as u64;
    room::check(
        &job.path("."),
        2,
        BUILT * files,
        Bytes(BUILT * source.bytes()),
    )?;
    job.untimed(|step| source.write(&tree, step))?;
    let words = format!("generated: C program of {files} files");
    job.set_input(InputRecord {
        source: words,
        files,
        bytes: Bytes(source.bytes()),
        compressibility: None,
    });
    cache::set(job, &tree)?;
    let configure = Program::new([tree.join("configure").into_os_string()], out);
    timed(job, "configure", configure)?;
    timed(job, "make", make(out, jobs, &[]))?;
    check(job, out, &source.output)
}

/// The program must print what its sources say.
fn check(job: &mut Job<'_>, out: &Path, expected: &str) -> Result<(), WorkError> {
    let list = job.path("printed");
    let program = out.join("program");
    job.untimed(|step| step.run(&Program::new([program.into_os_string()], out).output_to(&list)))?;
    let found = fs::read_to_string(&list).map_err(WorkError::io("read", &list))?;
    if found == expected {
        return Ok(());
    }
    Err(WorkError::Mismatch {
        what: "what the built program prints",
        expected: expected.trim_end().to_owned(),
        found: found.trim_end().to_owned(),
    })
}

fn users(job: &mut Job<'_>, tree: &Path, out: &Path, jobs: u64) -> Result<(), WorkError> {
    let tree = fs::canonicalize(tree).map_err(WorkError::io("find", tree))?;
    let is_kernel = is_kernel(&tree);
    let configure: Program = if is_kernel {
        let config = job.values().text(&CONFIG).to_owned();
        kernel(&tree, out, &[config])
    } else if tree.join("configure").is_file() {
        Program::new([tree.join("configure").into_os_string()], out)
    } else {
        let value = tree.display().to_string();
        let wanted = "a Linux kernel tree (Kconfig) or a tree with a configure script".to_owned();
        return Err(ParameterError::Value {
            name: "tree",
            value,
            wanted,
        }
        .into());
    };
    let record = job.untimed(|step| describe(&tree, step))?;
    job.set_input(record);
    cache::set(job, &tree)?;
    timed(job, "configure", configure)?;
    let making = if is_kernel {
        kernel(&tree, out, &[format!("-j{jobs}")])
    } else {
        make(out, jobs, &[])
    };
    timed(job, "make", making)
}

/// Runs one step; how much a build writes only its sources know.
fn timed(job: &mut Job<'_>, name: &str, program: Program) -> Result<(), WorkError> {
    let (place, program) = (job.path("."), program.without_settings());
    job.step(name, |step| {
        reserve::within(&place, step, |step| step.run(&program))
    })
}

fn is_kernel(tree: &Path) -> bool {
    tree.join("Kconfig").is_file()
}

fn kernel(tree: &Path, out: &Path, more: &[String]) -> Program {
    let mut words = vec![
        "make".to_owned(),
        "-C".to_owned(),
        tree.display().to_string(),
        format!("O={}", out.display()),
    ];
    words.extend_from_slice(more);
    Program::new(words, out)
}

fn make(out: &Path, jobs: u64, more: &[&str]) -> Program {
    let mut words = vec!["make".to_owned(), format!("-j{jobs}")];
    words.extend(more.iter().map(|&word| word.to_owned()));
    Program::new(words, out)
}
