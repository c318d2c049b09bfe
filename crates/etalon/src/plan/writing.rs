//! The plan of an experiment that was made by hand.

use std::fmt::Write as _;

use etalon_model::{Experiment, IoWorkload};
use serde_json::Value;

/// The plan as text: the workloads with every option that differs from the default.
pub(crate) fn plan_of(experiment: &Experiment) -> anyhow::Result<String> {
    let header = &experiment.header;
    let mut text = String::new();
    let question = format!("What does experiment {} give again?", header.id);
    writeln!(text, "question = {}", quoted(&question))?;
    writeln!(text, "targets = [{}]", quoted(&header.begun.target.path))?;
    writeln!(text, "seed = {}", header.begun.seed)?;
    let most = experiment.cells.iter().map(|cell| cell.values.len()).max();
    writeln!(text, "blocks = {}", most.unwrap_or(6).max(6))?;
    let mut written = 0;
    for cell in &experiment.cells {
        let Some(io) = cell.workload.io() else {
            writeln!(
                text,
                "\n# {} is no workload of reads and writes and is left out.",
                cell.name
            )?;
            continue;
        };
        writeln!(text, "\n[[workload]]\nname = {}", quoted(&cell.name))?;
        for (key, value) in options(io) {
            writeln!(text, "{key} = {value}")?;
        }
        written += 1;
    }
    if written == 0 {
        anyhow::bail!(crate::exit::BadUsage(format!(
            "experiment {} has no reads and writes, which plans repeat",
            header.id
        )));
    }
    Ok(text)
}

fn quoted(text: &str) -> String {
    // A basic string of TOML takes the escapes of JSON.
    Value::String(text.to_owned()).to_string()
}

/// Keys of a plan with their values as text.
fn options(io: &IoWorkload) -> Vec<(&'static str, String)> {
    use etalon_model::{Arrival, CacheMode, End, FileLayout, FsyncPolicy, SyncMode};
    let usual = IoWorkload::default();
    let mut all = vec![
        ("op", quoted(&io.operation.to_string())),
        (
            "block_size",
            quoted(&io.block_size.to_string().replace(' ', "")),
        ),
        ("queue_depth", io.queue_depth.to_string()),
        ("jobs", io.jobs.to_string()),
        ("backend", quoted(io.backend.name())),
    ];
    let mut add = |when: bool, key, value: String| {
        if when {
            all.push((key, value));
        }
    };
    let size = |bytes: etalon_units::Bytes| quoted(&bytes.get().to_string());
    let span = |time: etalon_units::Nanos| quoted(&format!("{}ns", time.get()));
    add(io.file_size.get() > 0, "file_size", size(io.file_size));
    add(io.offset.get() > 0, "offset", size(io.offset));
    add(io.range.get() > 0, "range", size(io.range));
    add(io.layout == FileLayout::Shared, "shared", "true".into());
    add(
        io.read_percent != usual.read_percent,
        "read_percent",
        io.read_percent.to_string(),
    );
    let has_cache = !matches!(io.cache, CacheMode::AsFound | CacheMode::Direct);
    add(
        has_cache,
        "cache",
        quoted(&io.cache.to_string().replace(' ', "")),
    );
    let is_buffered = !io.direct && !has_cache && io.cache == CacheMode::AsFound;
    add(is_buffered, "buffered", "true".into());
    add(io.sync == SyncMode::DSync, "sync", quoted("dsync"));
    add(io.sync == SyncMode::Sync, "sync", quoted("sync"));
    if io.operation.writes() {
        let key = if io.fdatasync { "fdatasync" } else { "fsync" };
        let when = match io.fsync {
            FsyncPolicy::Never => "never".to_owned(),
            FsyncPolicy::End => "end".to_owned(),
            FsyncPolicy::Every(n) => n.to_string(),
        };
        add(true, key, quoted(&when));
    }
    match io.end {
        End::Time(time) => add(true, "time", span(time)),
        End::Bytes(bytes) => add(true, "bytes", size(bytes)),
        End::Pass => add(true, "one_pass", "true".into()),
    }
    add(io.warm_up.get() > 0, "warm_up", span(io.warm_up));
    if let Arrival::Fixed { rate } = io.arrival {
        add(true, "rate", quoted(&rate.to_string()));
    }
    all
}
