//! One run of the engine, as one line of JSON; what the other programs here call.
#![expect(clippy::print_stdout, reason = "the line is what it is for")]

use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use etalon_engine::{Control, Plan, TargetPlace, prepare, run};
use etalon_model::{IoWorkload, LatencyHistogram};
use serde_json::json;

/// Runs a workload, given as JSON, on a directory, a file or a block device.
#[derive(Debug, Parser)]
struct Options {
    /// Directory, file or block device; anything for the `null` and `fake` backends.
    target: PathBuf,
    /// Fields of the workload that differ from the default one, as a JSON object.
    #[arg(default_value = "{}")]
    workload: String,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let workload: IoWorkload = serde_json::from_str(&options.workload)
        .with_context(|| format!("'{}' is not a workload", options.workload))?;
    let place = match options.target.metadata() {
        Ok(meta) if meta.file_type().is_block_device() => TargetPlace::BlockDevice {
            path: options.target,
            writable: false,
        },
        Ok(meta) if meta.is_file() => TargetPlace::File {
            path: options.target,
            writable: false,
        },
        _ => TargetPlace::Directory(options.target),
    };
    let control = Control::default();
    let prepared = prepare(&Plan::resolve(&workload, &place)?, &control)?;
    let m = run(&prepared, &control)?;
    let latency = m.latency();
    println!(
        "{}",
        json!({
            "iops": m.operations_per_second(),
            "bytes_per_second": m.bytes_per_second(),
            "operations": m.operations(),
            "duration_ns": m.duration.get(),
            "cpu_user_ns": m.cpu_user,
            "cpu_system_ns": m.cpu_system,
            "latency_ns": latencies(&latency),
            "series_points": m.series.len(),
            "backend": m.backend,
            "direct": m.direct,
            "fallbacks": m.fallbacks,
            "ended": m.ended,
            "peak_rss_bytes": peak_rss(),
        })
    );
    Ok(())
}

fn latencies(latency: &LatencyHistogram) -> serde_json::Value {
    let at = |q| latency.quantile(q).map(|nanos| nanos.get());
    json!({
        "mean": latency.mean().map(|nanos| nanos.get()),
        "p50": at(0.5),
        "p99": at(0.99),
        "p999": at(0.999),
        "max": latency.max().map(|nanos| nanos.get()),
    })
}

/// The largest resident size so far (proc(5), `VmHWM`).
fn peak_rss() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
