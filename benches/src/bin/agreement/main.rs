//! Whether etalon finds the same figures as the tools whose command lines it takes.
//!
//! Both run as whole commands with the same options, alternated, on an ext4 filesystem of a loop
//! device in memory (or on that device itself); needs root. Each figure is the one that the program
//! prints. `agreement iozone --iozone PATH`, `agreement hdparm`, `agreement dd`,
//! `agreement dd-ends`, `agreement fdtree --fdtree PATH`, `agreement mdtest --mdtest PATH`.

mod dd;
mod dd_ends;
mod fdtree;
mod hdparm;
mod iozone;
mod mdtest;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Parser, ValueEnum};
use etalon_benches::{Pinned, WholeSeconds, WorkersOn};
use signal_hook::consts::{SIGINT, SIGTERM};

/// Which tool etalon is compared with.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// Every operation, through the page cache and past it, records of 4 KiB and 64 KiB.
    Iozone,
    /// -t, -T and -t --direct on the device.
    Hdparm,
    /// Files read and written in blocks of 4 KiB, 64 KiB and 1 MiB, buffered and direct.
    Dd,
    /// Where dd's clock stops: new and existing files, with and without conv=fsync, on ext4, xfs and btrfs.
    DdEnds,
    /// The shell script: the same tree, and how much faster it comes and goes.
    Fdtree,
    /// `etalon metadata` beside mdtest with one job.
    Mdtest,
}

/// Runs etalon and the original alternately and prints the ratio of each figure.
#[derive(Debug, Parser)]
struct Options {
    /// Which tool.
    what: What,
    /// Blocks: each program runs once in each.
    #[arg(long, default_value_t = 10)]
    blocks: usize,
    /// The processor that both run on.
    #[arg(long, default_value_t = 1)]
    cpu: u32,
    /// Run with the scheduling class FIFO; for machines that are not quiet.
    #[arg(long)]
    fifo: bool,
    /// The etalon program; default: beside this one.
    #[arg(long)]
    etalon: Option<PathBuf>,
    /// The iozone program.
    #[arg(long, env = "IOZONE", default_value = "iozone")]
    iozone: PathBuf,
    /// The script fdtree.bash.
    #[arg(long, env = "FDTREE", default_value = "fdtree.bash")]
    fdtree: PathBuf,
    /// The program mdtest.
    #[arg(long, env = "MDTEST", default_value = "mdtest")]
    mdtest: PathBuf,
    /// Directories, and files, of one run beside mdtest.
    #[arg(long, default_value_t = 50_000)]
    names: u32,
    /// Size of the device in MiB; it takes so much memory.
    #[arg(long, default_value_t = 4096)]
    device_mib: u64,
    /// Size of a file in MiB.
    #[arg(long, default_value_t = 256)]
    file_mib: u64,
    /// What etalon keeps of its runs; gone at the end.
    #[arg(skip)]
    store: PathBuf,
}

/// Longest run of a program in seconds.
const LIMIT: u32 = 600;

impl Options {
    fn device_bytes(&self) -> u64 {
        self.device_mib << 20
    }

    /// `program`, kept on the processor.
    fn command(&self, program: &Path) -> Command {
        let pinned = Pinned {
            cpu: self.cpu,
            fifo: self.fifo,
        };
        let mut command = pinned.command(program, LIMIT);
        command.env("LC_ALL", "C").env("ETALON_STORE", &self.store);
        command
    }

    /// `etalon WORD`.
    fn etalon(&self, word: &str) -> anyhow::Result<Command> {
        let mut command = self.command(&self.etalon_program()?);
        command.arg(word);
        Ok(command)
    }

    fn etalon_program(&self) -> anyhow::Result<PathBuf> {
        match &self.etalon {
            Some(program) => Ok(program.clone()),
            None => Ok(std::env::current_exe()?.with_file_name("etalon")),
        }
    }
}

/// Both outputs of a command, one after the other. `codes` are those with which it may end.
fn text(command: &mut Command, codes: &[i32]) -> anyhow::Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {command:?}"))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    match output.status.code() {
        Some(code) if codes.contains(&code) => Ok(text),
        _ => bail!("{command:?}: {}\n{text}", output.status),
    }
}

fn main() -> anyhow::Result<()> {
    let mut options = Options::parse();
    let kept = tempfile::tempdir()?;
    options.store = kept.path().join("store.sqlite");
    // The program under way ends by the same signal; then the device is taken away, as after any
    // failure.
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::default())?;
    }
    let _workers = WorkersOn::cpu(options.cpu);
    let _seconds = options.fifo.then(WholeSeconds::for_real_time);
    match options.what {
        What::Iozone => iozone::compare(&options),
        What::Hdparm => hdparm::compare(&options),
        What::Dd => dd::compare(&options),
        What::DdEnds => dd_ends::compare(&options),
        What::Fdtree => fdtree::compare(&options),
        What::Mdtest => mdtest::compare(&options),
    }
}
