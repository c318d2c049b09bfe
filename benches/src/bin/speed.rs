//! The engine beside its peers, in one alternated run.
#![expect(clippy::print_stdout, reason = "the tables are what it is for")]

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Parser, ValueEnum};
use etalon_benches::{
    Contestant, Pinned, WholeSeconds, Zram, alternate, elbencho, engine, engine_field, fio,
    t_io_uring,
};
use serde_json::{Value, json};

/// Which comparison is run.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// io_uring, 4 KiB random reads at depth 128, against fio and t/io_uring.
    Ring,
    /// pread, 4 KiB random reads, against fio's psync and elbencho.
    Sync,
    /// The null backend: nanoseconds of the tool itself per operation.
    Null,
    /// Peak memory of one job at depth 128 for three file sizes.
    Memory,
    /// The same work on a file of this filesystem, against fio.
    Agreement,
}

/// Runs one comparison and prints medians, spreads and ratios.
#[derive(Debug, Parser)]
struct Options {
    /// Which comparison.
    what: What,
    /// Blocks: each contestant runs once in each.
    #[arg(long, default_value_t = 12)]
    blocks: usize,
    /// Length of one run in milliseconds.
    #[arg(long, default_value_t = 1000)]
    millis: u64,
    /// The processor that everything runs on.
    #[arg(long, default_value_t = 1)]
    cpu: u32,
    /// Run with the scheduling class FIFO; for machines that are not quiet. Needs root.
    #[arg(long)]
    fifo: bool,
    /// fio's t/io_uring, built from fio's source.
    #[arg(long, env = "T_IO_URING")]
    t_io_uring: Option<PathBuf>,
    /// The elbencho program.
    #[arg(long, env = "ELBENCHO")]
    elbencho: Option<PathBuf>,
    /// Directory for the file of `agreement`.
    #[arg(long, default_value = ".")]
    directory: PathBuf,
}

/// Size of the RAM disk.
const DISK: u64 = 4 << 30;

impl Options {
    fn pinned(&self) -> Pinned {
        Pinned {
            cpu: self.cpu,
            fifo: self.fifo,
        }
    }

    fn time(&self) -> Value {
        json!({ "time": self.millis * 1_000_000 })
    }

    fn fio_time(&self) -> String {
        format!("--runtime={}ms", self.millis)
    }

    fn compare(&self, contestants: &[Contestant], unit: &'static str) -> anyhow::Result<()> {
        alternate(contestants, self.blocks, unit)?.print();
        Ok(())
    }
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let _seconds = options.fifo.then(WholeSeconds::for_real_time);
    match options.what {
        What::Ring => ring(&options),
        What::Sync => sync(&options),
        What::Null => null(&options),
        What::Memory => memory(&options),
        What::Agreement => agreement(&options),
    }
}

fn ring(options: &Options) -> anyhow::Result<()> {
    let disk = Zram::new(DISK)?;
    let (pinned, time) = (options.pinned(), options.fio_time());
    let ours = json!({
        "backend": "io_uring", "direct": true, "queue_depth": 128, "batch": 32,
        "end": options.time(),
    });
    let batches = [
        "--rw=randread",
        "--bs=4k",
        "--direct=1",
        "--ioengine=io_uring",
        "--iodepth=128",
        "--iodepth_batch_submit=32",
        "--iodepth_batch_complete_min=32",
        "--iodepth_batch_complete_max=32",
        "--registerfiles",
        "--fixedbufs",
        "--time_based",
        &time,
    ];
    let mut contestants = vec![
        engine("etalon io_uring", pinned, disk.path(), &ours),
        fio("fio io_uring", pinned, disk.path(), &batches),
    ];
    if let Some(program) = &options.t_io_uring {
        let flags = ["-d128", "-s32", "-c32", "-p0", "-B1", "-F1", "-t1"];
        contestants.push(t_io_uring(program.clone(), pinned, disk.path(), &flags));
    } else {
        println!("SKIPPED t/io_uring: give its path by --t-io-uring or T_IO_URING");
    }
    options.compare(&contestants, "IOPS")
}

fn sync(options: &Options) -> anyhow::Result<()> {
    let disk = Zram::new(DISK)?;
    let (pinned, time) = (options.pinned(), options.fio_time());
    let ours = json!({ "backend": "sync", "direct": true, "end": options.time() });
    let theirs = [
        "--rw=randread",
        "--bs=4k",
        "--direct=1",
        "--ioengine=psync",
        "--time_based",
        &time,
    ];
    let mut contestants = vec![
        engine("etalon sync", pinned, disk.path(), &ours),
        fio("fio psync", pinned, disk.path(), &theirs),
    ];
    if let Some(program) = &options.elbencho {
        // About a million operations a second.
        let bytes = (options.millis * 1000 * 4096).to_string();
        contestants.push(elbencho(program.clone(), pinned, disk.path(), &bytes));
    } else {
        println!("SKIPPED elbencho: give its path by --elbencho or ELBENCHO");
    }
    options.compare(&contestants, "IOPS")
}

fn null(options: &Options) -> anyhow::Result<()> {
    let (pinned, time) = (options.pinned(), options.fio_time());
    let nowhere = Path::new("/nonexistent");
    let workload =
        |depth: u32| json!({ "backend": "null", "queue_depth": depth, "end": options.time() });
    let theirs = |depth: &'static str| {
        vec![
            "--rw=randread",
            "--bs=4k",
            "--ioengine=null",
            "--size=1g",
            "--time_based",
            depth,
        ]
    };
    let deep = |depth| {
        let mut all = theirs(depth);
        all.push(&time);
        fio(&format!("fio null {depth}"), pinned, Path::new("a"), &all)
    };
    let mut per_operation = vec![
        engine("etalon null, depth 1", pinned, nowhere, &workload(1)),
        engine("etalon null, depth 32", pinned, nowhere, &workload(32)),
        deep("--iodepth=1"),
        deep("--iodepth=32"),
    ];
    for contestant in &mut per_operation {
        let rate = std::mem::replace(&mut contestant.run, Box::new(|| Ok(0.0)));
        contestant.run = Box::new(move || Ok(1e9 / rate()?));
    }
    options.compare(&per_operation, "ns per I/O")
}

fn memory(options: &Options) -> anyhow::Result<()> {
    let mut contestants = Vec::new();
    let mut disks = Vec::new();
    for (name, bytes) in [
        ("256 MiB", 256 << 20),
        ("4 GiB", 4u64 << 30),
        ("1 TiB", 1 << 40),
    ] {
        let disk = Zram::new(bytes)?;
        let workload = json!({
            "backend": "io_uring", "direct": true, "queue_depth": 128, "end": options.time(),
        });
        let mebibytes = |record: &Value| Some(record["peak_rss_bytes"].as_f64()? / 1_048_576.0);
        let title = format!("depth 128 on {name}");
        contestants.push(engine_field(
            &title,
            options.pinned(),
            disk.path(),
            &workload,
            mebibytes,
        ));
        disks.push(disk);
    }
    options.compare(&contestants, "peak MiB")
}

fn agreement(options: &Options) -> anyhow::Result<()> {
    let directory = tempfile::tempdir_in(&options.directory)?;
    let file = directory.path().join("f0");
    let size = 1u64 << 30;
    std::process::Command::new("fio")
        .args([
            "--name=layout",
            "--rw=write",
            "--bs=1m",
            "--direct=1",
            "--refill_buffers",
        ])
        .arg(format!("--filename={}", file.display()))
        .arg(format!("--size={size}"))
        .args(["--end_fsync=1", "--output-format=terse"])
        .output()
        .context("cannot start fio")?;
    let (pinned, time) = (options.pinned(), options.fio_time());
    for (title, rw, bs, depth) in [
        ("4 KiB random read, depth 1", "randread", 4096, 1),
        ("4 KiB random read, depth 32", "randread", 4096, 32),
        ("1 MiB read, depth 1", "read", 1 << 20, 1),
    ] {
        println!("\n{title}");
        let backend = if depth == 1 { "sync" } else { "io_uring" };
        let ours = json!({
            "operation": rw, "block_size": bs, "queue_depth": depth, "backend": backend,
            "direct": true, "end": options.time(),
        });
        let (rw, bs) = (format!("--rw={rw}"), format!("--bs={bs}"));
        let depth = format!("--iodepth={depth}");
        let engine_name = if backend == "sync" {
            "--ioengine=psync"
        } else {
            "--ioengine=io_uring"
        };
        let theirs = [
            &rw,
            &bs,
            &depth,
            engine_name,
            "--direct=1",
            "--time_based",
            &time,
        ];
        let contestants = [
            engine("etalon", pinned, &file, &ours),
            fio("fio", pinned, &file, &theirs),
        ];
        options.compare(&contestants, "IOPS")?;
    }
    Ok(())
}
