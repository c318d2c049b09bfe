//! What an experiment in a guest of the laboratory tells its host as it happens, a line each: a word, and behind it a record
//! as JSON or a text. What was told is kept by the host, whatever becomes of the guest.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use etalon_lab::guest::PORT;
use etalon_model::{Cell, Choice, ExperimentState, JsonRecord, NewExperiment, Run};
use serde_json::{Value, json};

/// An experiment has begun.
pub(crate) const BEGUN: &str = "begun";
/// The environment of runs that follow, once for each hash.
pub(crate) const ENVIRONMENT: &str = "environment";
/// A run has ended.
pub(crate) const RUN: &str = "run";
/// A judged cell, at the end.
pub(crate) const CELL: &str = "cell";
/// What was chosen, at the end.
pub(crate) const CHOICES: &str = "choices";
/// How far the experiment got.
pub(crate) const ENDED: &str = "ended";
/// A run begins in the cell of this name.
pub(crate) const RUNNING: &str = "running";
/// How far it is.
pub(crate) const LINE: &str = "line";
/// The same where a block begins.
pub(crate) const STEP: &str = "step";
/// What whoever waits wants to know.
pub(crate) const REMARK: &str = "remark";

/// Where the kernel lists what a hypervisor offers (virtio_console).
const PORTS: &str = "/sys/class/virtio-ports";

struct Relay {
    port: File,
    /// Hashes of environments that were told.
    told: BTreeSet<String>,
}

/// The line to the host; none on a machine that is no guest of the laboratory.
static RELAY: OnceLock<Option<Mutex<Relay>>> = OnceLock::new();

fn relay() -> Option<&'static Mutex<Relay>> {
    RELAY.get_or_init(|| {
        let port = File::options().write(true).open(device()?).ok()?;
        let told = BTreeSet::new();
        Some(Mutex::new(Relay { port, told }))
    });
    RELAY.get()?.as_ref()
}

/// The device of the port by which the laboratory listens. The kernel knows it by the name that the host gave it.
fn device() -> Option<PathBuf> {
    let ports = fs::read_dir(PORTS).ok()?.flatten();
    let mut ports = ports.filter(|port| {
        let name = fs::read_to_string(port.path().join("name"));
        name.is_ok_and(|name| name.trim_end() == PORT)
    });
    Some(PathBuf::from("/dev").join(ports.next()?.file_name()))
}

/// Whether anybody listens.
pub(crate) fn is_heard() -> bool {
    relay().is_some()
}

/// Tells a text of one line.
pub(crate) fn text(word: &str, text: &str) {
    with(|relay| relay.line(word, text));
}

/// Tells of an experiment before its first run.
pub(crate) fn begun(new: &NewExperiment) {
    with(|relay| {
        let target = new.target.to_json().unwrap_or_default();
        let begun = json!({
            "started_unix_ns": new.started_unix_ns,
            "target": target,
            "settings": new.settings,
            "seed": new.seed,
        });
        relay.line(BEGUN, &begun.to_string());
    });
}

/// Tells of runs that have ended and are kept here.
pub(crate) fn runs(runs: &[Run]) {
    with(|relay| runs.iter().for_each(|run| relay.run(run)));
}

/// Tells how it ended.
pub(crate) fn ended(cells: &[Cell], choices: &[Choice], state: ExperimentState) {
    with(|relay| {
        cells.iter().for_each(|cell| relay.record(CELL, cell));
        relay.record(CHOICES, &choices.to_vec());
        relay.line(ENDED, state.name());
    });
}

/// An experiment as [`begun`] tells it, on the side of the host, which knows by itself who keeps it; none of what is none.
pub(crate) fn read_begun(text: &str, own: &NewExperiment) -> Option<NewExperiment> {
    let begun: Value = serde_json::from_str(text).ok()?;
    Some(NewExperiment {
        started_unix_ns: begun["started_unix_ns"].as_i64()?,
        target: JsonRecord::from_json(begun["target"].as_str()?).ok()?,
        settings: begun["settings"].clone(),
        seed: begun["seed"].as_u64()?,
        ..own.clone()
    })
}

fn with(tell: impl FnOnce(&mut Relay)) {
    if let Some(relay) = relay() {
        tell(&mut relay.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Relay {
    fn run(&mut self, run: &Run) {
        let environment = run.environment();
        let fresh = environment.filter(|one| self.told.insert(one.manifest.hash.clone()));
        if let Some(environment) = fresh {
            self.record(ENVIRONMENT, environment);
        }
        self.record(RUN, run);
    }

    fn record(&mut self, word: &str, record: &impl JsonRecord) {
        if let Ok(text) = record.to_json() {
            self.line(word, &text);
        }
    }

    /// In one piece, since other threads tell too. A host that hears nothing says so itself.
    fn line(&mut self, word: &str, text: &str) {
        let line = format!("{word} {}\n", text.replace('\n', " "));
        let _ = self.port.write_all(line.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::{ExperimentKind, TargetRecord};

    #[test]
    fn an_experiment_is_read_as_it_was_told() {
        let own = NewExperiment {
            kind: ExperimentKind::Plan,
            started_unix_ns: 1,
            target: TargetRecord::default(),
            settings: Value::Null,
            seed: 0,
            tool_version: "1".to_owned(),
            owner: Some("me".to_owned()),
        };
        let text = r#"{"started_unix_ns":7,"target":"{\"path\":\"/dev/vda\",\"beneath\":\"\",\"devices\":[]}","settings":{"a":1},"seed":18446744073709551615}"#;
        let read = read_begun(text, &own).unwrap();
        assert_eq!((read.started_unix_ns, read.seed), (7, u64::MAX));
        assert_eq!(read.target.path, "/dev/vda");
        assert_eq!((read.kind, read.owner.as_deref()), (own.kind, Some("me")));
        for broken in [
            "",
            "{",
            "{}",
            r#"{"started_unix_ns":7,"target":"x","seed":1}"#,
        ] {
            assert!(read_begun(broken, &own).is_none(), "{broken}");
        }
    }
}
