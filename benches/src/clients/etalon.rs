//! etalon as a client.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use etalon_model::{Ended, Measurement, Workload};
use etalon_store::Store;
use tempfile::TempDir;

use super::{ClientRun, run};

/// The program, with a home and a target of its own.
#[derive(Debug)]
pub struct Etalon {
    program: PathBuf,
    home: TempDir,
}

impl Etalon {
    /// The program of that name; what it keeps in `directory` goes away with this.
    ///
    /// # Errors
    /// The kernel's.
    pub fn new(program: &Path, directory: &Path) -> anyhow::Result<Etalon> {
        let program = program
            .canonicalize()
            .with_context(|| format!("no '{}'; --etalon names it", program.display()))?;
        let home = TempDir::new_in(directory)?;
        Ok(Etalon { program, home })
    }

    /// Runs `etalon work WORK` once with these parameters, and gives what it did in that step.
    ///
    /// # Errors
    /// Where it fails, or has no such step.
    pub fn step(&self, work: &str, sets: &[String], step: &str) -> anyhow::Result<ClientRun> {
        let store = TempDir::new_in(self.home.path())?;
        let file = store.path().join("store.sqlite");
        let mut command = Command::new(&self.program);
        command
            .args(["work", work, "--runs", "1", "--store"])
            .arg(&file)
            .arg(self.home.path())
            .env("XDG_STATE_HOME", self.home.path())
            .args(sets.iter().flat_map(|set| ["--set", set]));
        run(&mut command)?;
        let measurement = measurement(&file, step)?;
        client_run(&measurement).with_context(|| format!("'{step}' lacks a figure"))
    }
}

fn measurement(file: &Path, step: &str) -> anyhow::Result<Measurement> {
    let store = Store::open_read_only(file)?;
    let all = store.list_sound()?.records;
    let id = all.first().context("etalon kept nothing")?.id;
    let runs = store.experiment(id)?.runs;
    let is_meant =
        |workload: &Workload| matches!(workload, Workload::Task(task) if task.step == step);
    let run = runs.into_iter().find(|run| is_meant(&run.workload));
    let measurement = run
        .with_context(|| format!("no step '{step}'"))?
        .measurement;
    ensure!(
        measurement.ended == Ended::Complete,
        "it ended as {:?}",
        measurement.ended
    );
    Ok(measurement)
}

fn client_run(measurement: &Measurement) -> Option<ClientRun> {
    let cpu = measurement.cpu_user?.get() + measurement.cpu_system?.get();
    Some(ClientRun {
        operations: measurement.metadata.operations as f64,
        seconds: measurement.duration.get() as f64 / 1e9,
        latency: measurement.metadata.latency.mean()?.get() as f64 / 1e3,
        processor: cpu as f64 / 1e9,
    })
}
