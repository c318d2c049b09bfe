//! The layout to the letter, from cells with known figures.

use etalon_experiment::run::unobserved;
use etalon_file_ops::{FileOp, Pass};
use etalon_model::{Ended, Finding, Run, Severity, TaskFigure, TaskWorkload, Verdict};
use etalon_units::{Bytes, Nanos, Percent};

use super::super::batch::BatchFigure;
use super::super::logs::Logs;
use super::super::series::{Measured, Series};
use super::super::{
    Cell, GridRow, IozoneGrid, Options, Repeat, Unit, group_text, header, kept, report, row_text,
    time_stamps, verdict_text,
};
use super::parsed;

/// A pass of so many MiB in a second.
pub(super) fn pass(op: FileOp, mib: u64) -> Pass {
    Pass {
        op,
        bytes: Bytes::mib(mib),
        operations: mib * 256,
        started: Nanos(5),
        stopped: Nanos(1_000_000_005),
        paused: Nanos(0),
        cpu: Nanos(250_000_000),
        fetched: Some(Bytes::mib(mib)),
        ended: Ended::Complete,
        direct: false,
        direct_refused: None,
        latencies: Vec::new(),
    }
}

pub(super) fn cell(op: FileOp, row: GridRow, workers: Option<usize>, mib: &[u64]) -> Cell {
    let run = Measured {
        passes: mib.iter().map(|&mib| pass(op, mib)).collect(),
        elapsed: Nanos(1_250_000_000),
    };
    judge(op, row, workers, vec![run.clone(), run.clone(), run])
}

fn judge(op: FileOp, row: GridRow, workers: Option<usize>, measured: Vec<Measured>) -> Cell {
    let repeat = Repeat::Runs(measured.len());
    judge_for(repeat, (op, row, workers), measured)
}

fn judge_for(
    repeat: Repeat,
    (op, row, workers): (FileOp, GridRow, Option<usize>),
    measured: Vec<Measured>,
) -> Cell {
    let series = Series {
        measured,
        ..Series::new(op)
    };
    let figure = BatchFigure {
        series,
        cell: "a figure".to_owned(),
        workload: TaskWorkload::of_texts(
            "iozone",
            "a test",
            TaskFigure::Throughput,
            Default::default(),
        ),
    };
    let pass = etalon_workload::measurable::Pass {
        block: 0,
        position: 0,
    };
    let options = parsed("-a");
    let run = |measured: &Measured| {
        let part = kept::report((&figure, measured), "a part", &options);
        unobserved(part, pass, std::time::UNIX_EPOCH)
    };
    let runs: Vec<Run> = figure.series.measured.iter().map(run).collect();
    let all: Vec<&Run> = runs.iter().collect();
    Cell::judge(figure.clone(), (row, workers), &all, &repeat.goal(None)).unwrap()
}

/// The number behind `=` of the line that begins so.
fn figure(text: &str, begins: &str) -> f64 {
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with(begins));
    let number = line.and_then(|line| line.split('=').nth(1)?.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_else(|| panic!("{begins}: {text}"))
}

/// Of two workers that changed places between runs the slower one was never faster than their mean, and all lines are
/// of the same runs: the workers add up to the figure.
#[test]
fn the_lines_of_a_group_are_of_one_statistic() {
    let of = |mib: [u64; 2]| Measured {
        passes: mib.map(|mib| pass(FileOp::Write, mib)).to_vec(),
        elapsed: Nanos(1_250_000_000),
    };
    for runs in [
        vec![of([100, 900]), of([300, 310]), of([800, 120])],
        vec![of([100, 900]), of([300, 310]), of([800, 120]), of([10, 20])],
    ] {
        let count = runs.len();
        let cell = judge(FileOp::Write, ROW, Some(2), runs);
        let lines = text(|out| group_text::block(out, &cell, &parsed("-t 2")));
        let all = figure(&lines, "Children see");
        let (least, most) = (
            figure(&lines, "Min throughput"),
            figure(&lines, "Max throughput"),
        );
        let average = figure(&lines, "Avg throughput");
        assert!(least <= average && average <= most, "{count}: {lines}");
        assert!((least + most - all).abs() < 0.02, "{count}: {lines}");
        assert!((average * 2.0 - all).abs() < 0.02, "{count}: {lines}");
    }
}

/// A group of two workers whose figure is that of no run: two runs, one of them twice as fast.
pub(super) fn uneven_group() -> Cell {
    let of = |mib: [u64; 2]| Measured {
        passes: mib.map(|mib| pass(FileOp::Rewrite, mib)).to_vec(),
        elapsed: Nanos(1_250_000_000),
    };
    judge(
        FileOp::Rewrite,
        ROW,
        Some(2),
        vec![of([100, 200]), of([200, 400])],
    )
}

/// What is printed of a group of two workers: the figure, the parent's, each worker's.
pub(super) fn printed_figures(cell: &Cell, options: &Options) -> [f64; 4] {
    let lines = text(|out| group_text::block(out, cell, options));
    let workers = ["Child[0]", "Child[1]"].map(|name| {
        let line = lines.lines().find(|line| line.contains(name)).unwrap();
        let rate = line.rsplit('=').next().unwrap().split_whitespace().next();
        rate.unwrap().parse().unwrap()
    });
    let [children, parent] = ["Children see", "Parent sees"].map(|name| figure(&lines, name));
    [children, parent, workers[0], workers[1]]
}

/// The report repeats the figures of the lines above it, in whatever unit.
#[test]
fn the_report_of_a_group_repeats_its_lines() {
    let cell = uneven_group();
    for line in ["-t 2 -C -R", "-t 2 -C -R -O"] {
        let options = parsed(line);
        let [children, ..] = printed_figures(&cell, &options);
        let grid = IozoneGrid::new(&options).unwrap();
        let cells = std::slice::from_ref(&cell);
        let report = text(|out| report::groups(out, cells, &grid, &options));
        let row = format!("\"        Rewrite \" {children:>10.2} \n");
        assert!(report.contains(&row), "{line}: {row}{report}");
    }
}

/// A figure is judged as every figure is: by its interval, not by a width that nobody asked for.
#[test]
fn a_wide_interval_is_valid_and_misses_only_what_was_asked_for() {
    let of = |mib| Measured {
        passes: vec![pass(FileOp::Write, mib)],
        elapsed: Nanos(1_250_000_000),
    };
    let measured = [100, 200, 150, 120, 180, 90, 210].map(of).to_vec();
    let asked = |share| Repeat::Precision(Percent::from_fraction(share));
    for (repeat, misses) in [
        (Repeat::Runs(7), false),
        (asked(0.05), true),
        (asked(5.0), false),
    ] {
        let cell = judge_for(repeat, (FileOp::Write, ROW, None), measured.clone()).judged;
        assert!(cell.verdict.is_valid(), "{:?}", cell.verdict);
        assert_eq!(cell.misses_precision(), misses, "{repeat:?}");
    }
}

/// The figure is found in the table as the verdict states it, in whatever unit.
#[test]
fn the_verdict_states_the_figure_of_the_table() {
    let cells = [cell(FileOp::Write, ROW, None, &[10])];
    for (line, figure) in [
        ("-a", "10240 kB/sec ±0.0 % (95 %, n=3)"),
        ("-a -O", "2560 ops/sec ±0.0 % (95 %, n=3)"),
        ("-a -N", "391 usec/op ±0.0 % (95 %, n=3)"),
    ] {
        let options = parsed(line);
        let table = text(|out| row_text::write(out, ROW, &options, &cells));
        let verdict = text(|out| verdict_text::write(out, &cells, &[], &options));
        assert!(verdict.contains(figure), "{line}: {verdict}");
        let number = figure.split(' ').next().unwrap();
        assert!(
            table.split_whitespace().any(|word| word == number),
            "{table}"
        );
    }
}

#[test]
fn a_finding_of_passes_that_count_and_that_were_left_out_names_its_figure_once() {
    let of = |op| cell(op, ROW, None, &[10]);
    let mut cells = [of(FileOp::Write), of(FileOp::Read)];
    let found = |said| Finding::new("steal", Severity::Warn, said, "");
    cells[0].judged.findings = vec![found("3 %."), found("8 %.")];
    cells[1].judged.findings.clear();
    let verdict = text(|out| verdict_text::write(out, &cells, &[], &parsed("-a")));
    let line = verdict.lines().find(|line| line.contains("[steal]"));
    assert!(!line.unwrap().contains("every figure"), "{verdict}");
}

pub(super) const ROW: GridRow = GridRow {
    size: Bytes::mib(64),
    record: Bytes::kib(4),
};

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// As iozone prints it with -k: no columns for what cannot be queued.
#[test]
fn a_table_of_queued_records_has_nine_columns() {
    let options = parsed("-k 4");
    let head = text(|out| header::table_head(out, &options));
    let line = head.lines().nth(1).unwrap();
    assert_eq!(
        line.trim_end(),
        "              kB  reclen    write    rewrite      read    reread      read     write      read    rewrite       read"
    );
    let mode = text(|out| header::write(out, &options, &[]));
    assert!(
        mode.contains("\tPOSIX Async I/O (no bcopy). Depth 4 \n"),
        "{mode}"
    );
    let copied = text(|out| header::write(out, &parsed("-H 12"), &[]));
    assert!(
        copied.contains("\tPOSIX async I/O (with bcopy). Depth 12\n"),
        "{copied}"
    );
}

/// The sentences with which iozone's header tells its modes.
#[test]
fn modes_are_told_as_iozone_tells_them() {
    for (line, told) in [
        (
            "-J 10",
            "Compute time 0.010000 seconds for reads and writes.",
        ),
        ("-J 10 -X w", "Compute time 0.010000 seconds for reads."),
        ("-X w", "Using write telemetry file \"w\""),
        ("-X w", "Compute time from telemetry files for writes."),
        ("-Y r", "Using read telemetry file \"r\""),
        ("-Y r", "Compute time from telemetry files for reads."),
        (
            "-J 1 -+J",
            ">>> Think time is included in throughput cal. <<<",
        ),
        ("-+b 16,10", "Burst size set to 16 Kbytes."),
        ("-+b 16,10", "Burst sleep duration set to 10 msec"),
        ("-t 2 -+B", ">>> Sequential Mixed workload. <<<"),
        ("-+d", ">>> I/O Diagnostic mode enabled. <<<"),
        ("-+d", "Performance measurements are invalid in this mode."),
        ("-V 3", "Verify Mode. Pattern 3030303"),
        ("-+l", ">>> Record locking mode enabled. <<<"),
        ("-+L", ">>> Record locking, shared file mode enabled. <<<"),
        ("-+w 50", "Dedup activated 50 percent."),
        ("-+w 50 -+y 20", "Dedup within & across 20 percent."),
        ("-+w 50 -+C 20", "Dedup within 20 percent."),
        ("-+w 50 -+S 3", "Dedup manual seed 3 ."),
    ] {
        let mode = text(|out| header::write(out, &parsed(line), &[]));
        assert!(mode.contains(&format!("\n\t{told}\n")), "{line}: {mode}");
    }
    let plain = text(|out| header::write(out, &parsed("-a"), &[]));
    for word in [
        "Compute",
        "Burst",
        ">>>",
        "Dedup",
        "Verify",
        "telemetry",
        "sync I/O",
    ] {
        assert!(!plain.contains(word), "{word}");
    }
}

#[test]
fn time_stamps_of_a_group() {
    let directory = tempfile::tempdir().unwrap();
    let cells = [
        cell(FileOp::Write, ROW, Some(2), &[64, 32]),
        cell(FileOp::BackwardRead, ROW, Some(2), &[64, 32]),
        cell(FileOp::Fwrite, ROW, Some(2), &[64, 32]),
    ];
    let mut logs = Logs::in_directory(directory.path());
    time_stamps::write(&mut logs, &cells).unwrap();
    let log = std::fs::read_to_string(directory.path().join("Child_1.log")).unwrap();
    let names: Vec<&str> = log.lines().map(|line| &line[..26]).collect();
    assert_eq!(
        names,
        [
            "Write test start:         ",
            "Write test finished:      ",
            "Reverse read start:       ",
            "Reverse read finished:    ",
            "fwrite test start:        ",
            "Fwrite test finished:     ",
        ]
    );
    let dates =
        regex::Regex::new(r"^.{26}[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$")
            .unwrap();
    assert!(log.lines().all(|line| dates.is_match(line)), "{log}");
    assert!(directory.path().join("Child_0.log").exists());
    assert!(!directory.path().join("Child_2.log").exists());
}

#[test]
fn a_table() {
    let options = parsed("-i 0 -i 2");
    let cells = [
        cell(FileOp::Write, ROW, None, &[1000]),
        cell(FileOp::Rewrite, ROW, None, &[1500]),
        cell(FileOp::RandomRead, ROW, None, &[1400]),
        cell(FileOp::RandomWrite, ROW, None, &[1300]),
    ];
    let head = text(|out| header::table_head(out, &options));
    assert_eq!(
        head,
        "                                                                    random    random      bkwd     record     stride                                        \n              kB  reclen    write    rewrite      read    reread      read     write      read    rewrite       read    fwrite  frewrite     fread   freread\n"
    );
    let line = text(|out| row_text::write(out, ROW, &options, &cells));
    assert_eq!(
        line.trim_end(),
        "           65536       4   1024000   1536000                     1433600   1331200"
    );
    let grid = IozoneGrid::new(&options).unwrap();
    let grid = IozoneGrid {
        rows: vec![ROW],
        ..grid
    };
    let told = text(|out| report::table(out, &cells[..1], &grid, &options));
    assert_eq!(
        told,
        "Excel output is below:\n\n\"Writer report\"\n        \"4\"  \"8\"  \"16\"  \"32\"  \"64\"  \"128\"  \"256\"  \"512\"  \"1024\"  \"2048\"  \"4096\"  \"8192\"  \"16384\"\n\"65536\"   1024000 \n"
    );
}

#[test]
fn units() {
    let cells = [cell(FileOp::Write, ROW, None, &[1000])];
    for (unit, figure) in [(Unit::Operations, "256000"), (Unit::Microseconds, "4")] {
        let mut options = parsed("-i 0 -+n");
        options.unit = unit;
        let line = text(|out| row_text::write(out, ROW, &options, &cells));
        assert!(
            line.starts_with(&format!("           65536       4{figure:>10}")),
            "{line}"
        );
    }
}

#[test]
fn a_group() {
    let options = parsed("-t 2 -R -C -+u -i 0 -i 1");
    let cells = [
        cell(FileOp::Write, ROW, Some(2), &[64, 32]),
        cell(FileOp::Reread, ROW, Some(2), &[64, 64]),
    ];
    let told = text(|out| group_text::block(out, &cells[0], &options));
    let expected = "
\tChildren see throughput for  2 initial writers \t=   98304.00 kB/sec
\tParent sees throughput for  2 initial writers \t=   78643.20 kB/sec
\tMin throughput per process \t\t\t=   32768.00 kB/sec 
\tMax throughput per process \t\t\t=   65536.00 kB/sec
\tAvg throughput per process \t\t\t=   49152.00 kB/sec
\tMin xfer \t\t\t\t\t=   32768.00 kB
\tCPU Utilization: Wall time    1.250    CPU time    0.500    CPU utilization  40.00 %

\tChild[0] xfer count =   65536.00 kB, Throughput =   65536.00 kB/sec
\tChild[1] xfer count =   32768.00 kB, Throughput =   32768.00 kB/sec
";
    assert_eq!(told, expected);
    let told = text(|out| group_text::block(out, &cells[1], &options));
    assert!(
        told.contains("\tChildren see throughput for 2 re-readers \t=  131072.00 kB/sec\n"),
        "{told}"
    );
    let grid = IozoneGrid::new(&options).unwrap();
    let told = text(|out| report::groups(out, &cells, &grid, &options));
    assert!(
        told.contains("\"  Initial write \"   98304.00 \n"),
        "{told}"
    );
    assert!(
        told.contains("\"        Re-read \"  131072.00 \n"),
        "{told}"
    );
}

#[test]
fn equal_runs_are_valid_and_one_run_is_not() {
    assert_eq!(
        cell(FileOp::Write, ROW, None, &[10]).judged.verdict,
        Verdict::Valid
    );
    let run = Measured {
        passes: vec![pass(FileOp::Read, 1)],
        elapsed: Nanos(1),
    };
    let cell = judge(FileOp::Read, ROW, None, vec![run]);
    assert!(matches!(cell.judged.verdict, Verdict::Undecided { .. }));
}

/// The figures of one line differ in nothing but the number of workers, also where files are the smaller
/// the more there are.
#[test]
fn the_report_of_a_group_has_a_block_for_each_row() {
    for (line, over) in [
        ("-l 1 -u 2 -R -+u -s 64 -s 128 -r 4", ""),
        (
            "-l 1 -u 2 -R -+u -s 64 -s 128 -r 4 -+k",
            "over all processes ",
        ),
    ] {
        let options = parsed(line);
        let grid = IozoneGrid::new(&options).unwrap();
        let of = |(workers, mib): (usize, [u64; 2])| {
            let rows = grid.rows.iter().zip(mib);
            let cell = |(row, mib): (&GridRow, u64)| {
                let row = row.of_each(workers, &options);
                cell(FileOp::Write, row, Some(workers), &vec![mib; workers])
            };
            rows.map(cell).collect::<Vec<_>>()
        };
        let cells: Vec<Cell> = [(1, [1, 2]), (2, [3, 4])]
            .into_iter()
            .flat_map(of)
            .collect();
        let told = text(|out| report::groups(out, &cells, &grid, &options));
        let block = |size: u64, mib: [u64; 2], cpu: [f64; 2]| {
            let rate = mib.map(|mib| mib as f64 * 1024.0);
            format!(
                "\"Throughput report Y-axis is type of test X-axis is number of processes\"
\"File size = {size} kBytes {over}\"
\"Record size = 4 kBytes \"
\"Output is in kBytes/sec\"

\"  Initial write \" {:>10.2}  {:>10.2} 


\"CPU utilization report Y-axis is type of test X-axis is number of processes\"
\"File size = {size} kBytes {over}\"
\"Record size = 4 kBytes \"
\"Output is in CPU%\"

\"  Initial write \" {:>10.2}  {:>10.2} 

",
                rate[0], rate[1], cpu[0], cpu[1]
            )
        };
        let cpu = [20.0, 40.0];
        let expected = [block(64, [1, 6], cpu), block(128, [2, 8], cpu)].join("\n");
        assert_eq!(told, expected, "{line}");
    }
}
