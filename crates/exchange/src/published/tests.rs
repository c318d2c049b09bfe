//! Texts of every program become runs; what is not known stays absent; what cannot be read names its line.

use etalon_model::{Experiment, Unit, Verdict, Workload};

use super::*;
use crate::samples::experiment;
use crate::{to_csv, to_fio_json};

fn read(text: &str) -> Vec<Run> {
    read_published(text, 7).unwrap()
}

/// Cell, figure and unit of each run.
fn told(text: &str) -> Vec<(String, f64, Unit)> {
    let runs = read(text).into_iter();
    runs.map(|run| (run.cell.clone(), run.figure(), run.unit()))
        .collect()
}

fn one(text: &str) -> (String, f64, Unit) {
    let mut all = told(text);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

const B: Unit = Unit::BytesPerSecond;
const OPS: Unit = Unit::OperationsPerSecond;

#[test]
fn every_program_has_its_figure_and_its_name() {
    let cases: [(&str, &str, f64, Unit); 11] = [
        (
            "# dd if=/dev/zero of=/mnt/f bs=1M conv=fsync\n1342177280 bytes (1.3 GB, 1.2 GiB) copied, 5.07159 s, 265 MB/s",
            "dd write, 1 MiB",
            265e6,
            B,
        ),
        (
            "/dev/sda:\n Timing O_DIRECT disk reads: 338 MB in  3.00 seconds = 112.50 MB/sec",
            "hdparm Timing O_DIRECT disk reads",
            112.5 * 1_048_576.0,
            B,
        ),
        (
            "# iozone -I -i 0 -s 1g -r 64\n 1048576 64 250000",
            "iozone write, 64 KiB of 1 GiB, direct",
            250_000.0 * 1024.0,
            B,
        ),
        (
            "a: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, ioengine=libaio, iodepth=32\n  read: IOPS=12.3k, BW=48.0MiB/s (50.4MB/s)(2884MiB/60001msec)",
            "fio read, 4 KiB",
            12_300.0,
            OPS,
        ),
        (
            r#"{"fio version": "fio-3.33", "global options": {"rw": "write", "bs": "1M"}, "jobs": [{"jobname": "seq", "write": {"io_bytes": 5, "bw_bytes": 1000, "iops": 2.5, "runtime": 10}}]}"#,
            "fio seq, 1 MiB",
            1000.0,
            B,
        ),
        (
            "sysbench --file-total-size=4G --file-test-mode=rndrd fileio run\n    read, MiB/s:                  12.34",
            "sysbench read, of 4 GiB",
            12.34 * 1_048_576.0,
            B,
        ),
        (
            "\tDirectory creates per second =  1014",
            "fdtree directory creates",
            1014.0,
            OPS,
        ),
        (
            "ISO date,operation,MiB/s [last]\n2024,READ,100.5",
            "elbencho READ",
            100.5 * 1_048_576.0,
            B,
        ),
        (
            "<PhoronixTestSuite>\n<Result><Title>IOzone</Title><Description>Read Performance</Description><Scale>MB/s</Scale><Data><Entry><Value>120.5</Value></Entry></Data></Result></PhoronixTestSuite>",
            "Phoronix Test Suite IOzone Read Performance",
            120.5e6,
            B,
        ),
        (
            "Moyenne :     sde    309,50 213753,60      0,00",
            "sar transfers",
            309.5,
            OPS,
        ),
        (
            "Device             tps    kB_read/s    kB_wrtn/s\nsda              12,50       100,00        20,00",
            "iostat transfers",
            12.5,
            OPS,
        ),
    ];
    for (text, name, value, unit) in cases {
        let (cell, figure, of) = one(text);
        assert_eq!((cell.as_str(), of), (name, unit), "{text}");
        assert!((figure / value - 1.0).abs() < 1e-9, "{text}: {figure}");
    }
    let bonnie =
        "1.97,1.98,host,1,1700000000,16G,,1105,99,238193,12,117423,8,2534,98,331122,11,284.5,9,16";
    assert_eq!(told(bonnie).len(), 4);
    assert_eq!(told(bonnie)[3].1, 284.5);
}

#[test]
fn a_french_page_with_curly_quotes_and_hard_spaces_says_the_same() {
    let english = "# dd if=/dev/zero of=/mnt/f bs=1M conv=fsync\n1342177280 bytes (1.3 GB, 1.2 GiB) copied, 5.07159 s, 265 MB/s";
    let french = "<html><p>“# dd if=/dev/zero of=/mnt/f bs=1M conv=fsync”</p><p>1342177280\u{a0}octets (1,3\u{a0}GB, 1,2\u{a0}GiB) copi&eacute;s, 5,07159\u{202f}s, 265\u{a0}MB/s</p></html>";
    let (english, french) = (read(english), read(french));
    assert_eq!(french[0].cell, english[0].cell);
    assert_eq!(french[0].figure(), english[0].figure());
    assert_eq!(french[0].measurement, english[0].measurement);
}

#[test]
fn what_a_text_does_not_tell_is_absent() {
    let run = &read("         1048576      64   250000")[0];
    let published = run.circumstances.published.as_ref().unwrap();
    assert_eq!((published.program.as_str(), published.line), ("iozone", 1));
    assert_eq!((&published.command, &published.place), (&None, &None));
    assert_eq!(
        (run.measurement.direct, run.measurement.backend),
        (None, None)
    );
    let Workload::Task(task) = &run.workload else {
        panic!()
    };
    assert_eq!((task.jobs, task.queue_depth, task.seed), (None, None, None));
    assert!(task.parameters.is_empty());
    let text = serde_json::to_string(&run.circumstances).unwrap();
    assert!(!text.contains("\"command\""), "{text}");
}

#[test]
fn figures_of_a_kind_are_runs_of_a_cell_and_others_are_told_apart() {
    let timing = |device: &str, rate: &str| {
        format!("{device}:\n Timing buffered disk reads: 340 MB in  3.01 seconds = {rate} MB/sec\n")
    };
    let text =
        timing("/dev/sda", "112.96") + &timing("/dev/sda", "113.5") + &timing("/dev/sdb", "90.0");
    let runs = read(&text);
    let cells: Vec<(&str, u32)> = runs
        .iter()
        .map(|run| (run.cell.as_str(), run.block))
        .collect();
    let name = "hdparm Timing buffered disk reads";
    let (a, b) = (format!("{name} (/dev/sda)"), format!("{name} (/dev/sdb)"));
    assert_eq!(cells, [(a.as_str(), 0), (a.as_str(), 1), (b.as_str(), 0)]);
}

#[test]
fn jobs_of_fio_are_called_by_their_names() {
    let head = |name: &str, group: u32, rw: &str, block: &str| {
        format!("{name}: (g={group}): rw={rw}, bs=(R) {block}-{block}, ioengine=psync, iodepth=1\n")
    };
    let result = |name: &str, group: u32, lines: &str| {
        format!(
            "{name}: (groupid={group}, jobs=1): err= 0: pid=1: Mon Nov 30 14:43:04 2026\n{lines}"
        )
    };
    let heads = head("seq", 0, "read", "1024KiB") + &head("mix", 1, "randrw", "4096B");
    let read = "  read: IOPS=15.7k, BW=61.3MiB/s (64.3MB/s)(61.4MiB/1001msec)\n";
    let write = "  write: IOPS=15.7k, BW=61.3MiB/s (64.3MB/s)(61.4MiB/1001msec); 0 zone resets\n";
    let mixed = result("mix", 1, &format!("{read}{write}"));
    let cells: Vec<String> = told(&(heads + &result("seq", 0, read) + &mixed))
        .into_iter()
        .map(|(cell, ..)| cell)
        .collect();
    assert_eq!(
        cells,
        [
            "fio seq, 1 MiB",
            "fio mix, 4 KiB (random read)",
            "fio mix, 4 KiB (random write)"
        ]
    );
}

#[test]
fn clones_of_a_job_of_fio_are_one_run_of_all_their_rates() {
    let clone = "c: (groupid=0, jobs=1): err= 0: pid=1: Mon Nov 30 14:43:04 2026\n  write: IOPS=1000, BW=50.0MiB/s (52.4MB/s)(500MiB/10000msec); 0 zone resets\n";
    let head = "c: (g=0): rw=write, bs=(R) 51.2KiB-51.2KiB, ioengine=psync, iodepth=1\n...\n";
    let runs = read(&(head.to_owned() + &clone.repeat(8)));
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].figure(), 400.0 * 1_048_576.0);
    let published = runs[0].circumstances.published.as_ref().unwrap();
    assert_eq!(published.quoted, "50.0MiB/s + … + 50.0MiB/s");
}

#[test]
fn six_documents_in_a_file_are_six_runs_of_a_cell_and_a_broken_rest_is_named() {
    let document = "{\n\"fio version\": \"fio-3.33\",\n\"jobs\": [\n{\"jobname\": \"seq\", \"groupid\": 0, \"job options\": {\"rw\": \"read\", \"size\": \"4g\"}, \"read\": {\"io_bytes\": 5, \"bw_bytes\": 1000, \"iops\": 2.5, \"runtime\": 10}}]\n}\n";
    let runs = read(&document.repeat(6));
    let cells: Vec<(&str, u32)> = runs
        .iter()
        .map(|run| (run.cell.as_str(), run.block))
        .collect();
    assert_eq!(
        cells,
        [0, 1, 2, 3, 4, 5].map(|at| ("fio seq, of 4 GiB", at))
    );
    let rest = document.repeat(6) + &document[..100];
    let error = read_published(&rest, 0).unwrap_err().to_string();
    assert!(
        error.starts_with("line 34: ") && error.contains("fio's"),
        "{error}"
    );
}

#[test]
fn what_cannot_be_read_names_its_line() {
    let error = |text: &str| read_published(text, 0).unwrap_err().to_string();
    let cut = error("x\n 1342177280 bytes (1.3 GB) copied, 5.0\n");
    assert!(
        cut.starts_with("line 2: ") && cut.contains("dd's") && cut.contains("'1342177280"),
        "{cut}"
    );
    let nothing = error("\n\nHello \u{1b}[2J world\n");
    assert!(
        nothing.contains("line 3 is 'Hello \\x1b[2J world'"),
        "{nothing}"
    );
    let broken = error("{\n\"fio version\": \"fio-3.33\",\n\"jobs\": [\n");
    assert!(
        broken.starts_with("line 3: ") || broken.starts_with("line 4: "),
        "{broken}"
    );
    let table = error(
        "experiment_id,cell,ended,figure,unit\n1,a,complete,12,op/s\n1,a,complete,nan,op/s\n",
    );
    assert!(
        table.starts_with("line 3: ") && table.contains("'figure'"),
        "{table}"
    );
}

#[test]
fn a_row_of_our_table_is_named_by_its_line_however_lines_end() {
    let head = "experiment_id,cell,ended,figure,unit";
    let table = |good: &str, bad: &str, end: &str| [head, good, bad, ""].join(end);
    let line = |text: &str| {
        let error = read_published(text, 0).unwrap_err().to_string();
        error.split(": ").next().unwrap().to_owned()
    };
    // A name in two lines, by either line end; a row that a spreadsheet left empty; columns that are missing.
    let two_lines = [
        "1,\"a\nb\",complete,12,op/s",
        "1,\"a\r\nb\",complete,12,op/s",
    ];
    for end in ["\r\n", "\n"] {
        for bad in ["1,a,complete,nan,op/s", "1,a,complete"] {
            let told = line(&table("1,a,complete,12,op/s", bad, end));
            assert_eq!(told, "line 3", "{end:?} {bad}");
            for good in two_lines {
                assert_eq!(line(&table(good, bad, end)), "line 4", "{end:?} {good:?}");
            }
            let empty = format!("1,a,complete,12,op/s{end}{end}");
            assert_eq!(line(&table(&empty, bad, end)), "line 5", "{end:?} {bad}");
        }
        let quoted = table("1,a,complete,nan,op/s", "", end);
        assert_eq!(line(&format!("\u{feff}{quoted}")), "line 2", "{end:?}");
    }
    let kept = read(&table(two_lines[1], "1,b,complete,3,op/s", "\r\n"));
    let lines = kept
        .iter()
        .map(|run| run.circumstances.published.as_ref().unwrap().line);
    assert_eq!(lines.collect::<Vec<u64>>(), [2, 4]);
    let few = read_published(&table("1,a,complete", "", "\n"), 0).unwrap_err();
    assert_eq!(
        few.to_string(),
        "line 2: 3 columns, where the head of the table has 5; export the experiment again"
    );
}

#[test]
fn our_own_table_comes_back_with_the_same_figures() {
    let mut experiment = experiment();
    experiment.runs[1].cell = "=1+1".to_owned();
    let mut table = Vec::new();
    to_csv(&experiment, &mut table).unwrap();
    let runs = read(&String::from_utf8(table).unwrap());
    let told = |runs: &[Run]| -> Vec<(String, f64, Unit)> {
        runs.iter()
            .map(|run| (run.cell.clone(), run.figure(), run.unit()))
            .collect()
    };
    assert_eq!(told(&runs), told(&experiment.runs));
    // What is imported is exported again as it is, with nothing where nothing is known.
    experiment.runs = runs;
    let mut again = Vec::new();
    to_csv(&experiment, &mut again).unwrap();
    let again = String::from_utf8(again).unwrap();
    assert_eq!(told(&read(&again)), told(&experiment.runs));
    let row = again.lines().nth(1).unwrap();
    assert!(
        row.contains(",complete,true,undecided,,,,,500.0,op/s,500.0,,"),
        "{row}"
    );
}

/// Cell and block of each run, and whether the block is what the text tells.
fn blocks(text: &str) -> Vec<(String, u32, Option<u32>)> {
    let runs = read(text).into_iter();
    runs.map(|run| (run.cell.clone(), run.block, run.known_block()))
        .collect()
}

#[test]
fn our_own_table_keeps_its_blocks_and_no_other_text_has_any() {
    let head = "experiment_id,cell,block,ended,counted,figure,unit\n";
    let rows = "1,a,0,complete,false,9,op/s\n1,a,1,complete,true,9,op/s\n1,b,0,complete,true,9,op/s\n1,b,1,complete,true,9,op/s\n";
    let row = |cell: &str, block, told| (cell.to_owned(), block, told);
    assert_eq!(
        blocks(&format!("{head}{rows}")),
        [
            row("a", 1, Some(1)),
            row("b", 0, Some(0)),
            row("b", 1, Some(1))
        ]
    );
    // Two experiments in one table have no common block.
    let two = format!("{head}{rows}2,b,1,complete,true,9,op/s\n");
    assert!(blocks(&two).iter().all(|(.., told)| told.is_none()));
    let error = read_published(&format!("{head}1,a,x,complete,true,9,op/s\n"), 0);
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("line 2: ") && error.contains("'block'"),
        "{error}"
    );
    let timing =
        "/dev/sda:\n Timing O_DIRECT disk reads: 338 MB in  3.00 seconds = 112.50 MB/sec\n";
    let mut imported = experiment();
    imported.runs = read(&timing.repeat(2));
    assert_eq!(imported.runs[1].known_block(), None);
    // Nor does its export make one up.
    assert!(
        blocks(&table(&imported))
            .iter()
            .all(|(.., told)| told.is_none())
    );
}

#[test]
fn a_run_that_does_not_count_is_not_read_from_our_table() {
    let rows =
        "1,a,complete,true,12,op/s\n1,a,complete,false,90,op/s\n1,a,complete,FALSE,80,op/s\n";
    let head = "experiment_id,cell,ended,counted,figure,unit\n";
    let figures: Vec<f64> = read(&format!("{head}{rows}"))
        .iter()
        .map(Run::figure)
        .collect();
    assert_eq!(figures, [12.0]);
}

/// The sample with its cell invalid for these findings.
fn invalid(reasons: &[&str]) -> Experiment {
    let mut experiment = experiment();
    let reasons = reasons.iter().map(|&code| code.to_owned()).collect();
    experiment.cells[0].verdict = Verdict::Invalid { reasons };
    experiment
}

fn table(experiment: &Experiment) -> String {
    let mut table = Vec::new();
    to_csv(experiment, &mut table).unwrap();
    String::from_utf8(table).unwrap()
}

#[test]
fn what_etalon_called_invalid_comes_back_as_invalid() {
    let experiment = invalid(&["page-cache", "steal"]);
    for text in [table(&experiment), to_fio_json(&experiment).unwrap()] {
        let runs = read(&text);
        assert!(
            !runs.is_empty() && runs.iter().all(Run::is_invalid),
            "{text}"
        );
        let codes: Vec<&str> = runs[0].findings.iter().map(|found| &*found.code).collect();
        assert_eq!(codes, ["page-cache", "steal"]);
    }
    let mut valid = experiment;
    valid.cells[0].verdict = Verdict::Valid;
    for text in [table(&valid), to_fio_json(&valid).unwrap()] {
        assert!(
            read(&text).iter().all(|run| run.findings.is_empty()),
            "{text}"
        );
    }
}

#[test]
fn what_is_invalid_for_no_finding_names_its_line() {
    for reasons in [&[][..], &[""], &["Page cache"]] {
        let experiment = invalid(reasons);
        let error = |text: &str| read_published(text, 0).unwrap_err().to_string();
        let told = error(&table(&experiment));
        assert!(told.contains("column 'cell_reasons' is '"), "{told}");
        let told = error(&to_fio_json(&experiment).unwrap());
        assert!(
            told.starts_with("line ") && told.contains("'random read,"),
            "{told}"
        );
    }
}

#[test]
fn our_document_for_fio_comes_back_with_its_figures() {
    let text = to_fio_json(&experiment()).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (_, figure, unit) = one(&text);
    assert_eq!(
        (Some(figure), unit),
        (document["jobs"][0]["read"]["iops"].as_f64(), OPS)
    );
    let published = read(&text)[0].circumstances.published.clone();
    assert_eq!(
        published.map(|told| told.program).as_deref(),
        Some("etalon")
    );
}
