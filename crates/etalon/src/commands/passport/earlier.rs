//! The passport that a new one is held against: the last of the same target, wherever it is mounted now.

use etalon_judge::{environment_differences, is_identity, is_same_target};
use etalon_model::{
    EnvironmentDifference, EnvironmentRecord, Experiment, ExperimentKind, ExperimentState,
    ExperimentSummary, RunId,
};
use etalon_store::Store;

/// What there is to hold a new passport against.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// The last passport of the same target.
    pub(super) experiment: Option<Experiment>,
    /// In what machine and storage stack are others than they were then.
    pub(super) differences: Vec<EnvironmentDifference>,
    /// The last one of the same path, where that was of something else and there is none of the same.
    pub(super) of_another: Option<RunId>,
}

impl Earlier {
    /// Of the target at `path`, as it was `now`; `own` is the number of the new passport.
    pub(super) fn find(
        store: &Store,
        path: &str,
        now: Option<&EnvironmentRecord>,
        own: Option<RunId>,
    ) -> anyhow::Result<Earlier> {
        let mut found = Earlier::default();
        let mut list = store.list_sound()?.records;
        list.retain(|record| is_passport(record) && Some(record.id) != own);
        for record in list.iter().rev() {
            let is_here = record.target_path == path;
            let kept = match (store.experiment(record.id), is_here) {
                (Ok(kept), _) => kept,
                (Err(error), true) => return Err(error.into()),
                // It may be of anything.
                (Err(_), false) => continue,
            };
            // Those of older versions keep none, and a path may be all that is known.
            match (is_same_target(last_environment(&kept), now), is_here) {
                (Some(true), _) | (None, true) => return Ok(Earlier::held(kept, now)),
                (Some(false), true) => found.of_another = found.of_another.or(Some(record.id)),
                (_, false) => {}
            }
        }
        Ok(found)
    }

    fn held(kept: Experiment, now: Option<&EnvironmentRecord>) -> Earlier {
        let both = last_environment(&kept).zip(now);
        let mut differences = both.map_or_else(Vec::new, |(then, now)| {
            environment_differences(&[vec![then], vec![now]])
        });
        differences.retain(|difference| !is_identity(&difference.key));
        Earlier {
            differences,
            experiment: Some(kept),
            of_another: None,
        }
    }
}

fn is_passport(record: &ExperimentSummary) -> bool {
    record.kind == ExperimentKind::Passport && record.state == ExperimentState::Finished
}

fn last_environment(kept: &Experiment) -> Option<&EnvironmentRecord> {
    kept.environments().pop()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use etalon_model::stack::Manifest;
    use etalon_model::{EnvironmentMark, Measurement, NewExperiment, Run, TargetRecord, Workload};
    use etalon_units::Nanos;

    use super::*;

    /// An ext4 with this UUID, on a machine with this kernel.
    fn on(uuid: &str, kernel: &str) -> EnvironmentRecord {
        let stack = serde_json::json!({
            "target": "/mnt/stick", "resolved": "/mnt/stick", "kind": "directory", "devices": [], "missing": [],
            "warnings": [], "filesystem": { "fs_type": "ext4", "uuid": uuid, "detail": { "family": "other" } },
        });
        let facts = [("fs.uuid", uuid), ("kernel.release", kernel)];
        let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
        EnvironmentRecord {
            manifest: Manifest {
                facts: facts.into(),
                hash: format!("{uuid} {kernel}"),
                ..Manifest::default()
            },
            stack: serde_json::from_value(stack).unwrap(),
        }
    }

    fn keep(store: &mut Store, path: &str, environment: Option<EnvironmentRecord>) -> RunId {
        let new = NewExperiment {
            kind: ExperimentKind::Passport,
            started_unix_ns: 1,
            target: TargetRecord {
                path: path.to_owned(),
                ..TargetRecord::default()
            },
            settings: serde_json::Value::Null,
            seed: 1,
            tool_version: "0".to_owned(),
            owner: None,
        };
        let id = store.begin_experiment(&new).unwrap();
        let nothing = Measurement::of_nothing(Nanos::secs(1));
        let mut run = Run::of("a", Workload::default(), nothing);
        run.circumstances.environment =
            environment.map(|record| EnvironmentMark::of(Arc::new(record)));
        store.append_runs(id, &[run]).unwrap();
        store
            .finish_experiment(id, 2, ExperimentState::Finished)
            .unwrap();
        id
    }

    fn found(store: &Store, path: &str, now: &EnvironmentRecord) -> (Option<RunId>, Option<RunId>) {
        let found = Earlier::find(store, path, Some(now), None).unwrap();
        (
            found.experiment.map(|kept| kept.header.id),
            found.of_another,
        )
    }

    #[test]
    fn a_passport_is_held_against_one_of_the_same_filesystem_wherever_it_is_mounted() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(&directory.path().join("store")).unwrap();
        let (path, now) = ("/mnt/stick", on("a", "6.1"));
        assert_eq!(found(&store, path, &now), (None, None));
        let elsewhere = keep(&mut store, "/media/stick", Some(on("a", "6.1")));
        let other = keep(&mut store, path, Some(on("b", "6.1")));
        assert_eq!(found(&store, path, &now), (Some(elsewhere), None));
        let new = on("c", "6.1");
        assert_eq!(found(&store, path, &new), (None, Some(other)));
        assert_eq!(found(&store, "/mnt/new", &new), (None, None));
        let unknown = keep(&mut store, path, None);
        assert_eq!(found(&store, path, &new), (Some(unknown), None));
    }

    #[test]
    fn what_changed_since_the_last_passport_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(&directory.path().join("store")).unwrap();
        keep(&mut store, "/mnt/stick", Some(on("a", "6.1")));
        let now = on("a", "6.8");
        let found = Earlier::find(&store, "/mnt/stick", Some(&now), None).unwrap();
        let keys: Vec<&str> = found
            .differences
            .iter()
            .map(|fact| fact.key.as_str())
            .collect();
        assert_eq!(keys, ["kernel.release"]);
    }
}
