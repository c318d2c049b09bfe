//! Settings of databases and servers, as they told them themselves, in which compared arms differ.

use std::collections::{BTreeMap, BTreeSet};

use etalon_model::{EnvironmentDifference, Run, ServiceFacts, Workload};

use crate::environment::joined;

/// What a key begins with.
const KEY: &str = "service.";

/// Parameters of real work whose settings are called otherwise by the engine, besides those of InnoDB, which leave out
/// its name.
const OTHER_NAMES: [(&str, &str); 3] = [
    ("journal", "journal_mode"),
    ("memory", "cache_size"),
    ("sync_binlog", "log_bin"),
];

/// The settings and versions that differ between `arms`, each given as its runs, sorted by key; none where an arm has no
/// database or server. What a parameter of the workload sets is a condition of the workload, and not told again; on a
/// server that stands it sets nothing.
pub fn service_differences(arms: &[Vec<&Run>]) -> Vec<EnvironmentDifference> {
    let all: Vec<SettingValues> = arms.iter().map(|runs| settings_of(runs)).collect();
    if all.iter().any(BTreeMap::is_empty) {
        return Vec::new();
    }
    let keys: BTreeSet<&String> = all.iter().flat_map(BTreeMap::keys).collect();
    let differing = keys.into_iter().filter(|key| {
        let mut values = all.iter().map(|settings| settings.get(*key));
        let first = values.next();
        values.any(|value| Some(value) != first)
    });
    differing
        .map(|key| EnvironmentDifference {
            key: format!("{KEY}{key}"),
            values: all.iter().map(|own| joined(own.get(key))).collect(),
        })
        .collect()
}

/// Values by setting; several where one changed between the runs of an arm.
type SettingValues = BTreeMap<String, BTreeSet<String>>;

fn settings_of(runs: &[&Run]) -> SettingValues {
    let mut found = SettingValues::new();
    for run in runs {
        let Some(service) = &run.measurement.service else {
            continue;
        };
        let own = service.settings.iter();
        let own = own.filter(|(name, _)| !is_set(run, service, name));
        let engine = ("engine".to_owned(), service.engine.clone());
        let own = own.map(|(name, value)| (name.clone(), value.clone()));
        for (name, value) in own.chain([engine]) {
            found.entry(name).or_default().insert(value);
        }
    }
    found
}

/// Whether a parameter of the work has set it, and was read back.
fn is_set(run: &Run, service: &ServiceFacts, setting: &str) -> bool {
    let Workload::Task(task) = &run.workload else {
        return false;
    };
    let names = |parameter: &str| {
        parameter == setting
            || setting.strip_prefix("innodb_") == Some(parameter)
            || OTHER_NAMES.contains(&(parameter, setting))
    };
    !service.stands && task.parameters.keys().any(|parameter| names(parameter))
}

#[cfg(test)]
mod tests {
    use etalon_model::{Parameter, TaskFigure};

    use super::*;
    use crate::samples::task_run;

    fn run(stands: bool, settings: &[(&str, &str)]) -> Run {
        let mut run = task_run(TaskFigure::Time);
        let settings = settings.iter();
        let settings = settings.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        run.measurement.service = Some(ServiceFacts {
            engine: "PostgreSQL 15.18".to_owned(),
            settings: settings.collect(),
            stands,
            ..ServiceFacts::default()
        });
        if let Workload::Task(task) = &mut run.workload {
            let parameters = ["fsync", "flush_method", "memory"];
            let parameters =
                parameters.map(|name| (name.to_owned(), Parameter::Text("any".to_owned())));
            task.parameters.extend(parameters);
        }
        run
    }

    fn keys(a: &Run, b: &Run) -> Vec<String> {
        let found = service_differences(&[vec![a], vec![b]]);
        found.into_iter().map(|one| one.key).collect()
    }

    #[test]
    fn settings_that_differ_are_named_with_their_values() {
        let (a, b) = (
            run(true, &[("fsync", "on"), ("wal_level", "minimal")]),
            run(true, &[("fsync", "off"), ("wal_level", "minimal")]),
        );
        let found = service_differences(&[vec![&a], vec![&b]]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].key, "service.fsync");
        let values: Vec<_> = found[0].values.iter().flatten().collect();
        assert_eq!(values, ["on", "off"]);
        assert_eq!(keys(&a, &a), [""; 0]);
    }

    #[test]
    fn what_a_parameter_sets_is_a_condition_of_the_workload_and_not_told_twice() {
        let (a, b) = (
            run(
                false,
                &[
                    ("innodb_flush_method", "fsync"),
                    ("cache_size", "1"),
                    ("page_size", "1"),
                ],
            ),
            run(
                false,
                &[
                    ("innodb_flush_method", "nosync"),
                    ("cache_size", "2"),
                    ("page_size", "2"),
                ],
            ),
        );
        assert_eq!(keys(&a, &b), ["service.page_size"]);
    }

    #[test]
    fn arms_of_which_one_has_no_database_differ_in_no_setting() {
        let a = run(true, &[("fsync", "on")]);
        assert_eq!(keys(&a, &task_run(TaskFigure::Time)), [""; 0]);
    }
}
