//! The runs of an experiment as one table: RFC 4180, a header, a run a row.

use std::collections::BTreeMap;
use std::io::Write;

use etalon_model::{
    Backend, BlockSizes, Ended, Experiment, Run, TaskWorkload, Unit, Verdict, Workload,
};
use serde::Serialize;

use crate::counted::Counted;
use crate::formula::write_as_text;
use crate::{ExportError, LatencyJson};

/// One row; the fields are the columns, in order, and an empty column is a figure that is not known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRow<'a> {
    /// The experiment's number.
    pub experiment_id: i64,
    /// The cell's name.
    pub cell: &'a str,
    /// The block of the experiment, from 0; empty where another program measured and did not tell it.
    pub block: Option<u32>,
    /// The place in the order of all runs, from 0.
    pub position: u32,
    /// When the run started, since 1970-01-01 UTC.
    pub started_unix_ns: i64,
    /// How long it took with preparation and clean-up; empty, as the measure of all that etalon did not see, where
    /// another program measured.
    pub elapsed_ns: Option<u64>,
    /// What I/O was done; empty for a task.
    pub operation: Option<&'static str>,
    /// Which task was done; empty for I/O.
    pub task: Option<&'a str>,
    /// Which part of the task.
    pub step: Option<&'a str>,
    /// The task's parameters, `name=value` each, separated by semicolons.
    pub parameters: Option<String>,
    /// Size of one operation, where all have the same.
    pub block_size_bytes: Option<u64>,
    /// Sizes of the operations and how often each is drawn, where they differ.
    pub block_sizes: Option<String>,
    /// Size of each file, where it was given.
    pub file_size_bytes: Option<u64>,
    /// Number of threads or processes, where it is known.
    pub jobs: Option<u32>,
    /// Operations kept in flight per job, where it is known.
    pub queue_depth: Option<u32>,
    /// The backend that did the work; empty for a task.
    pub backend: Option<&'static str>,
    /// Whether `O_DIRECT` was in force, where that is one thing.
    pub direct: Option<bool>,
    /// How the run ended: `complete`, `interrupted`, `disk-full`, `failed` or `overload`.
    pub ended: &'static str,
    /// Whether it counts in the figures of its cell.
    pub counted: bool,
    /// The verdict on its cell: `valid`, `invalid` or `undecided`; empty where that has not been judged.
    pub cell_verdict: Option<&'static str>,
    /// The codes of the findings for which its cell is invalid, separated by spaces.
    pub cell_reasons: Option<String>,
    /// The timed part.
    pub duration_ns: Option<u64>,
    /// Operations within it.
    pub operations: Option<u64>,
    /// Bytes moved within it.
    pub bytes: Option<u64>,
    /// The run's figure, which the cell's `values` have where it counts.
    pub figure: f64,
    /// The unit of the figure, as the cell has it.
    pub unit: Unit,
    /// Operations per second.
    pub operations_per_s: Option<f64>,
    /// Bytes per second.
    pub bytes_per_s: Option<f64>,
    /// Mean latency.
    pub latency_mean_ns: Option<u64>,
    /// Median latency; empty where the count does not allow it, as with the next two.
    pub latency_p50_ns: Option<u64>,
    /// 99th percentile.
    pub latency_p99_ns: Option<u64>,
    /// 99.9th percentile.
    pub latency_p999_ns: Option<u64>,
    /// Longest latency.
    pub latency_max_ns: Option<u64>,
    /// Processor time of the tool in user mode, where it was counted.
    pub cpu_user_ns: Option<u64>,
    /// Processor time of the tool in the kernel, where it was counted.
    pub cpu_system_ns: Option<u64>,
    /// Bytes that the devices read meanwhile.
    pub device_read_bytes: Option<u64>,
    /// Bytes that the devices wrote meanwhile.
    pub device_write_bytes: Option<u64>,
    /// Share of the bytes read that the devices served, 1 for all.
    pub device_read_share: Option<f64>,
    /// Share of the bytes written that the devices took, 1 for all.
    pub device_write_share: Option<f64>,
    /// Decides the run's random choices.
    pub seed: Option<u64>,
    /// The codes of the findings, separated by spaces.
    pub findings: String,
    /// Of a plan the levels that were in force, `factor=level` each, separated by semicolons.
    pub levels: Option<String>,
    /// What was learnt of them, `factor NAME=VALUE` each, separated by semicolons.
    pub level_facts: Option<String>,
}

impl<'a> RunRow<'a> {
    /// The rows of an experiment, in the order of its runs.
    pub fn all(experiment: &'a Experiment) -> impl Iterator<Item = RunRow<'a>> {
        let counted = Counted::of(experiment);
        let cells = experiment.cells.iter();
        let verdicts: BTreeMap<&str, &Verdict> =
            cells.map(|cell| (&*cell.name, &cell.verdict)).collect();
        let runs = experiment.runs.iter();
        runs.map(move |run| RunRow {
            counted: counted.has(run),
            ..RunRow::of(experiment.header.id, run, verdicts.get(&*run.cell).copied())
        })
    }

    fn of(experiment_id: i64, run: &'a Run, verdict: Option<&Verdict>) -> RunRow<'a> {
        let m = &run.measurement;
        let latency = LatencyJson::of(&m.latency());
        let task = run.workload.task();
        let sizes = run.workload.io().map(|io| &io.block_size);
        RunRow {
            experiment_id,
            cell: &run.cell,
            block: run.known_block(),
            position: run.position,
            started_unix_ns: run.started_unix_ns,
            elapsed_ns: seen(run, run.elapsed.get()),
            operation: run.workload.io().map(|io| io.operation.name()),
            task: task.map(|task| task.work.as_str()),
            step: task.map(|task| task.step.as_str()),
            parameters: task.map(parameters),
            block_size_bytes: run.workload.block_size().map(|size| size.get()),
            block_sizes: sizes
                .filter(|sizes| sizes.is_mix())
                .map(BlockSizes::to_string),
            file_size_bytes: file_size(&run.workload),
            jobs: run.workload.jobs(),
            queue_depth: run.workload.queue_depth(),
            backend: m.backend.map(Backend::name),
            direct: m.direct,
            ended: ended_word(&m.ended),
            counted: true,
            cell_verdict: verdict.map(Verdict::word),
            cell_reasons: verdict.and_then(reasons),
            duration_ns: known(run, m.duration.get()),
            operations: seen(run, m.operations()),
            bytes: known(run, m.bytes().get()),
            figure: run.figure(),
            unit: run.unit(),
            operations_per_s: run.operations_per_second(),
            bytes_per_s: run.bytes_per_second(),
            latency_mean_ns: latency.mean,
            latency_p50_ns: latency.p50,
            latency_p99_ns: latency.p99,
            latency_p999_ns: latency.p999,
            latency_max_ns: latency.max,
            cpu_user_ns: m.cpu_user.map(|span| span.get()),
            cpu_system_ns: m.cpu_system.map(|span| span.get()),
            device_read_bytes: run.device.as_ref().map(|d| d.read_bytes.get()),
            device_write_bytes: run.device.as_ref().map(|d| d.written_bytes.get()),
            device_read_share: run.device_read_share(),
            device_write_share: run.device_write_share(),
            seed: run.workload.seed(),
            findings: codes(run),
            levels: levels(run),
            level_facts: level_facts(run),
        }
    }
}

/// What only the one who measures sees.
fn seen<T>(run: &Run, value: T) -> Option<T> {
    run.circumstances.published.is_none().then_some(value)
}

/// What a text may tell: zero stands there for what it does not.
fn known(run: &Run, value: u64) -> Option<u64> {
    seen(run, value).or((value > 0).then_some(value))
}

fn file_size(workload: &Workload) -> Option<u64> {
    let size = match workload {
        Workload::Io(io) => Some(io.file_size),
        Workload::Task(task) => task.file_size,
    };
    size.map(|size| size.get()).filter(|size| *size > 0)
}

fn parameters(task: &TaskWorkload) -> String {
    let pairs = task.parameters.iter();
    let words: Vec<String> = pairs
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    words.join(";")
}

fn codes(run: &Run) -> String {
    let codes: Vec<&str> = run.findings.iter().map(|f| f.code.as_str()).collect();
    codes.join(" ")
}

fn reasons(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Invalid { reasons } => Some(reasons.join(" ")),
        _ => None,
    }
}

fn levels(run: &Run) -> Option<String> {
    let levels = run.circumstances.levels.iter();
    joined(levels.map(|level| format!("{}={}", level.factor, level.level)))
}

fn level_facts(run: &Run) -> Option<String> {
    let levels = run.circumstances.levels.iter();
    joined(levels.flat_map(|level| {
        let learnt = level.learnt().into_iter();
        learnt.map(|fact| format!("{} {}={}", level.factor, fact.name, fact.value))
    }))
}

fn joined(parts: impl Iterator<Item = String>) -> Option<String> {
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(";"))
}

fn ended_word(ended: &Ended) -> &'static str {
    match ended {
        Ended::Complete => "complete",
        Ended::Interrupted => "interrupted",
        Ended::DiskFull => "disk-full",
        Ended::Failed { .. } | Ended::Broken { .. } => "failed",
        Ended::Overload => "overload",
    }
}

/// Writes the runs of `experiment` as CSV (RFC 4180: CR LF, quotes doubled within quotes). The
/// header is written only when there is a run. A text that a spreadsheet would run as a formula has an
/// apostrophe before it.
///
/// # Errors
/// [`ExportError::Csv`] or [`ExportError::Flush`] when `out` takes no more.
pub fn to_csv(experiment: &Experiment, out: impl Write) -> Result<(), ExportError> {
    let mut table = csv::Writer::from_writer(Vec::new());
    for row in RunRow::all(experiment) {
        table.serialize(row)?;
    }
    let table = table.into_inner().map_err(|error| error.into_error())?;
    write_as_text(&table, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;

    fn table(experiment: &Experiment) -> String {
        let mut out = Vec::new();
        to_csv(experiment, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_row_per_run_below_a_header_with_units() {
        let text = table(&experiment());
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(lines.len(), 5, "header, three rows and the end of the last");
        assert_eq!(
            lines[0],
            "experiment_id,cell,block,position,started_unix_ns,elapsed_ns,operation,\
             task,step,parameters,block_size_bytes,block_sizes,file_size_bytes,jobs,queue_depth,backend,direct,ended,counted,cell_verdict,cell_reasons,duration_ns,operations,bytes,\
             figure,unit,operations_per_s,bytes_per_s,latency_mean_ns,latency_p50_ns,latency_p99_ns,\
             latency_p999_ns,latency_max_ns,cpu_user_ns,cpu_system_ns,device_read_bytes,\
             device_write_bytes,device_read_share,device_write_share,seed,findings,levels,level_facts"
        );
        assert_eq!(
            lines[1],
            "7,\"random read, \"\"4 KiB\"\"\",0,0,1700000000000000000,3000000000,randread,\
             ,,,4096,,,1,,sync,true,complete,true,undecided,,2000000000,1000,4096000,\
             500.0,op/s,500.0,2048000.0,105,100,100,,5003,10,20,4096000,0,1.0,,0,page-cache,,"
        );
    }

    #[test]
    fn levels_stand_with_what_was_learnt_of_them() {
        use etalon_model::{LevelFact, LevelRecord};
        let mut experiment = experiment();
        let level = |factor: &str, level: &str, facts| LevelRecord {
            factor: factor.to_owned(),
            level: level.to_owned(),
            facts,
            rebuild: None,
        };
        experiment.runs[0].circumstances.levels = vec![
            level(
                "array",
                "md-1",
                vec![LevelFact::figure("created in", 0.2, 1, "s")],
            ),
            level("nomerges", "2", Vec::new()),
        ];
        let text = table(&experiment);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let last = |row: &csv::StringRecord| row.iter().rev().take(2).collect::<Vec<_>>().join("|");
        assert_eq!(
            last(&rows[0]),
            "array created in=0.2 s|array=md-1;nomerges=2"
        );
        assert_eq!(last(&rows[1]), "|");
    }

    #[test]
    fn a_run_that_is_in_no_figure_of_its_cell_is_told_so() {
        use etalon_model::{Finding, Severity};
        let mut experiment = experiment();
        experiment.runs[1].findings = vec![Finding::new("steal", Severity::Invalid, "", "")];
        experiment.cells[0].values = vec![500.0, 600.0];
        let text = table(&experiment);
        let rows: Vec<&str> = text.lines().skip(1).collect();
        let told = ["complete,true,", "complete,false,", "complete,true,"];
        for (row, told) in rows.iter().zip(told) {
            assert!(row.contains(told), "{row}");
        }
    }

    #[test]
    fn what_is_quoted_reads_back() {
        let mut experiment = experiment();
        experiment.runs[0].cell = "a\r\n\"b\", c".into();
        let text = table(&experiment);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let first = reader.records().next().unwrap().unwrap();
        assert_eq!(&first[1], "a\r\n\"b\", c");
    }

    #[test]
    fn a_name_that_a_spreadsheet_would_run_is_text() {
        let mut experiment = experiment();
        experiment.runs[0].cell = "=cmd|' /C calc'!A0".into();
        assert!(table(&experiment).contains("\r\n7,'=cmd|' /C calc'!A0,0,"));
    }

    #[test]
    fn every_column_is_described() {
        let description = include_str!("../../../docs/schema.md");
        let text = table(&experiment());
        for column in text.lines().next().unwrap().split(',') {
            assert!(description.contains(&format!("`{column}`")), "{column}");
        }
    }

    #[test]
    fn an_output_that_breaks_off_is_an_error() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let error = to_csv(&experiment(), Full).unwrap_err().to_string();
        assert!(error.contains("incomplete"), "{error}");
        assert!(crate::to_json(&experiment(), Full).is_err());
    }
}
