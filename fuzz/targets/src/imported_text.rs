//! A text that `etalon import` takes: what other programs printed, whole, cut off or mixed, and our own table.

use etalon_exchange::{read_published, to_csv};
use etalon_model::{
    Experiment, ExperimentHeader, ExperimentKind, ExperimentState, NewExperiment, Run,
    SCHEMA_VERSION, TargetRecord,
};

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let runs = match read_published(&text, 7) {
        Ok(runs) => runs,
        Err(error) => {
            let told = error.to_string();
            assert!(told.contains("line ") && !told.contains('\u{1b}'), "{told}");
            return;
        }
    };
    assert!(!runs.is_empty());
    for run in &runs {
        let published = run.circumstances.published.as_ref();
        let published = published.expect("each says who measured it");
        assert!(published.line >= 1 && !published.program.is_empty());
        assert!(
            run.figure().is_finite() && run.figure() >= 0.0,
            "{}",
            run.figure()
        );
        let text = serde_json::to_string(run).expect("it can be stored");
        assert_eq!(&serde_json::from_str::<Run>(&text).expect("and read"), run);
    }
    comes_back(runs);
}

/// Our own table of them has the same figures.
fn comes_back(runs: Vec<Run>) {
    let told = |runs: &[Run]| -> Vec<(f64, &str)> {
        runs.iter()
            .map(|run| (run.figure(), run.unit().sign()))
            .collect()
    };
    let experiment = Experiment {
        header: ExperimentHeader {
            id: 1,
            schema_version: SCHEMA_VERSION,
            state: ExperimentState::Finished,
            ended_unix_ns: None,
            elapsed_ns: None,
            choices: Vec::new(),
            begun: NewExperiment {
                kind: ExperimentKind::Imported,
                started_unix_ns: 0,
                target: TargetRecord::default(),
                settings: serde_json::Value::Null,
                seed: 0,
                tool_version: String::new(),
                owner: None,
            },
        },
        cells: Vec::new(),
        runs,
    };
    let mut table = Vec::new();
    to_csv(&experiment, &mut table).expect("a table in memory");
    let table = String::from_utf8(table).expect("it is text");
    let again = read_published(&table, 7).expect("our own table is read");
    assert_eq!(told(&again), told(&experiment.runs));
}
