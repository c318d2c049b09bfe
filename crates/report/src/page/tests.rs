//! Whole pages against `golden/`; ETALON_GOLDEN=write writes those files anew.

use std::path::PathBuf;

use etalon_model::{
    AffectedRuns, CacheMode, Evidence, Finding, Headline, IoWorkload, Operation, Precision,
    SaidPart, Severity, TaskFigure, TaskWorkload, Unit, Verdict, Workload,
};
use etalon_units::Bytes;

use super::*;
use crate::samples;

fn quick_cell(name: &str, operation: Operation, depth: u32, value: f64, half: f64) -> Cell {
    let mut cell = samples::cells().remove(0);
    cell.name = name.to_owned();
    cell.workload = IoWorkload {
        operation,
        queue_depth: depth,
        block_size: Bytes::kib(if name.starts_with('s') { 1024 } else { 4 }).into(),
        ..IoWorkload::default()
    }
    .into();
    let is_large = matches!(operation, Operation::Read | Operation::Write);
    cell.unit = match is_large {
        true => Unit::BytesPerSecond,
        false => Unit::OperationsPerSecond,
    };
    for estimate in [&mut cell.mean, &mut cell.median] {
        estimate.value = value;
        let interval = estimate.interval.as_mut().unwrap();
        (interval.low, interval.high) = (value * (1.0 - half), value * (1.0 + half));
    }
    cell.headline = Headline::Mean;
    cell.values = vec![value; 8];
    cell
}

fn names_cell(name: &str, step: &str, value: f64, half: f64) -> Cell {
    let mut cell = quick_cell(name, Operation::RandRead, 1, value, half);
    let task = TaskWorkload::of_texts("metadata", step, TaskFigure::Rate, [].into());
    cell.workload = task.into();
    cell
}

fn finding(code: &str, severity: Severity, message: &str) -> Finding {
    Finding::new(code, severity, message, "Do what the check says.")
}

fn buffered_loop() -> Finding {
    let said = "loop7 goes through the page cache below it.";
    Finding {
        advice: "losetup --direct-io=on /dev/loop7".to_owned(),
        ..finding("buffered-loop", Severity::Warn, said)
    }
}

/// Seven rows as a quick check makes them, with findings of every weight.
fn quick_cells() -> Vec<Cell> {
    use Operation::{RandRead, RandWrite, Read, Write};
    let mut cells = vec![
        quick_cell("streaming read", Read, 1, 1.1388e9, 0.04),
        quick_cell("random read 4 KiB, depth 1", RandRead, 1, 18_300.0, 0.044),
        quick_cell("random read 4 KiB, depth 32", RandRead, 32, 83_400.0, 0.13),
        quick_cell("streaming write", Write, 1, 1.88e9, 0.05),
        quick_cell("random write 4 KiB, depth 1", RandWrite, 1, 18_900.0, 0.03),
        names_cell("create files", "create", 3_200.0, 0.41),
        names_cell("stat files", "stat", 676_000.0, 0.02),
    ];
    let busy = finding("cpu-bound", Severity::Warn, "the jobs kept busy.");
    cells[6].findings.push(busy.clone());
    let mut cache = finding(
        "cache-below",
        Severity::Warn,
        "repeats came 1.3 times as fast.",
    );
    cache.evidence = vec![Evidence::new("reread_ratio", 1.3)];
    let mut rare = finding("steal", Severity::Warn, "2 % was taken.");
    rare.affected = Some(AffectedRuns {
        runs_affected: 1,
        runs: 8,
        left_out: false,
    });
    for cell in cells.iter_mut().take(3) {
        cell.findings.extend([cache.clone(), rare.clone()]);
    }
    cells[5]
        .findings
        .push(finding("write-amplification", Severity::Info, "1.2 bytes."));
    for index in [2, 5] {
        cells[index].precision = Some(Precision {
            asked: 0.05,
            reached: false,
            needed_ns: Some(Nanos::secs(90)),
        });
    }
    cells
}

fn direct(cell: &mut Cell, direct: bool) {
    if let Workload::Io(io) = &mut cell.workload {
        io.direct = direct;
    }
}

/// The same where random reads came from the page cache, and one row has three runs.
fn lying_cells() -> Vec<Cell> {
    let mut cells = quick_cells();
    cells[1].verdict = Verdict::Invalid {
        reasons: vec!["page-cache".to_owned()],
    };
    cells[1].device_share = Some(0.0);
    direct(&mut cells[1], false);
    cells[1].findings.push(finding(
        "page-cache",
        Severity::Invalid,
        "0 % from the devices.",
    ));
    let few = &mut cells[5];
    for estimate in [&mut few.mean, &mut few.median] {
        estimate.runs = 3;
        estimate.interval = None;
    }
    few.verdict = Verdict::Undecided {
        needed: Some(Nanos::secs(20)),
    };
    cells
}

fn page_of(cells: &[Cell], look: Look) -> String {
    let mut target = samples::target();
    target.beneath = "/ ext4 (rw,relatime) on sda: SSD, 256 GiB, rotational, scheduler none".into();
    Page {
        kind: ExperimentKind::Quick,
        experiment: None,
        target: &target,
        choices: &[Choice::note("Working set 1 GiB: a test sample.")],
        notes: &[],
        cells,
        runs: &[],
        digest: None,
        elapsed: Nanos::secs(58),
        store: "",
        look,
    }
    .to_string()
}

fn at(width: usize) -> Look {
    Look {
        width: Some(width),
        ..Look::default()
    }
}

fn is_golden(name: &str, text: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/page/golden");
    let path = folder.join(format!("{name}.txt"));
    if std::env::var_os("ETALON_GOLDEN").is_some_and(|how| how == "write") {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, golden, "{name}");
}

fn fits(text: &str, width: usize) {
    for line in text.lines() {
        assert!(line.chars().count() <= width, "{width}: {line}");
    }
}

#[test]
fn pages_of_all_widths_are_as_they_were() {
    for width in [60, 80, 120, 200] {
        let text = page_of(&quick_cells(), at(width));
        fits(&text, width);
        is_golden(&format!("quick-{width}"), &text);
    }
}

#[test]
fn pages_of_every_language_fit_and_write_figures_their_own_way() {
    let mut cells = lying_cells();
    cells[6].findings.clear();
    cells[6]
        .findings
        .push(finding("unsteady", Severity::Warn, "it moved."));
    for language in [Language::French, Language::Dutch] {
        for width in [60, 80] {
            let look = Look {
                language,
                ..at(width)
            };
            let text = page_of(&cells, look);
            fits(&text, width);
            is_golden(&format!("lie-{width}-{}", language.tag()), &text);
        }
    }
    // Whoever speaks next speaks English.
    assert_eq!(Language::spoken(), Language::English);
}

#[test]
fn a_lie_is_the_first_remark_and_no_part_of_the_answer() {
    let text = page_of(&lying_cells(), at(80));
    fits(&text, 80);
    is_golden("lie-80", &text);
    assert!(!text.contains("18.3 k reads"), "{text}");
}

#[test]
fn one_figure_of_many_that_is_left_is_not_the_answer() {
    let mut cells = quick_cells();
    for cell in cells.iter_mut().take(6) {
        cell.verdict = Verdict::Invalid {
            reasons: vec!["foreign-io".to_owned()],
        };
    }
    let page = page_of(&cells, at(80));
    let above: Vec<&str> = page.lines().take_while(|l| !l.contains("result")).collect();
    assert!(above.iter().any(|l| l.contains("6 of 7")), "{page}");
    assert!(!above.iter().any(|l| l.contains("stat files")), "{page}");
}

#[test]
fn all_columns_and_findings_fit_too() {
    let look = Look {
        details: true,
        findings: true,
        ..at(80)
    };
    let text = page_of(&lying_cells(), look);
    is_golden("details-80", &text);
    for part in [
        "95 % interval",
        "median",
        "verdict",
        "[steal]",
        "[write-amplification]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// The quick cells, of which memory took the names.
fn cells_of_memory() -> Vec<Cell> {
    let mut cells = quick_cells();
    let unsynced = finding("not-durable", Severity::Warn, "nothing was synced.");
    cells[5].findings.push(unsynced);
    cells
}

#[test]
fn names_that_memory_took_are_marked_beside_io_and_one_line_says_so() {
    let page = page_of(&cells_of_memory(), at(80));
    fits(&page, 80);
    let flat = page.replace("\n  ", " ");
    let said = "m create files: the rate at which memory takes them, as nothing is synced; with an fsync of each: \
                etalon metadata /data --operations create --durability each.";
    assert!(flat.contains(said), "{page}");
    let rows = |page: &str| -> Vec<String> {
        let lines = page.lines().filter(|line| line.trim_end().ends_with(" m"));
        lines.map(str::to_owned).collect()
    };
    // An interval that is too wide is said first.
    assert_eq!(rows(&page), [""; 0]);
    let mut cells = cells_of_memory();
    cells[5].precision = None;
    let marked = rows(&page_of(&cells, at(80)));
    assert_eq!(marked.len(), 1, "{marked:?}");
    assert!(marked[0].starts_with("create files"), "{marked:?}");
    // Alone, the same finding is a warning.
    assert!(page_of(&cells[5..], at(80)).contains("! "), "{page}");
}

#[test]
fn where_durable_names_were_measured_the_line_names_their_row() {
    let mut cells = cells_of_memory();
    let mut durable = names_cell("create files with fsync", "create", 900.0, 0.05);
    let each = [("durability".to_owned(), "each".to_owned())];
    let task = TaskWorkload::of_texts("metadata", "create", TaskFigure::Rate, each.into());
    durable.workload = task.into();
    cells.push(durable);
    let flat = page_of(&cells, at(80)).replace("\n  ", " ");
    let said = "as nothing is synced; create files with fsync waits for the disk each time.";
    assert!(flat.contains(said), "{flat}");
}

#[test]
fn a_cold_run_that_reads_on_is_told_to_read_each_place_once() {
    let mut cells = lying_cells();
    direct(&mut cells[1], false);
    let Workload::Io(io) = &mut cells[1].workload else {
        panic!("{:?}", cells[1].workload)
    };
    io.cache = CacheMode::Cold;
    let flat = page_of(&cells, at(80)).replace("\n  ", " ");
    assert!(flat.contains("read each place once (--one-pass"), "{flat}");
}

#[test]
fn where_a_server_stands_in_between_its_page_cache_is_named() {
    let mut cells = lying_cells();
    let cache = finding("server-cache", Severity::Info, "a server.");
    cells[1].findings.push(cache);
    for (is_direct, said) in [
        (true, "this is the page cache of the server, not the disk"),
        (true, "Use a file of 20 times the server's memory."),
        (
            false,
            "the page cache of this machine, the client, or of the server",
        ),
    ] {
        direct(&mut cells[1], is_direct);
        let flat = page_of(&cells, at(80)).replace("\n  ", " ");
        assert!(flat.contains(said), "{flat}");
    }
}

#[test]
fn what_fits_no_table_stands_in_cards() {
    let text = page_of(&quick_cells(), at(40));
    fits(&text, 40);
    is_golden("cards-40", &text);
}

#[test]
fn in_ascii_nothing_else_is_printed() {
    for cells in [quick_cells(), lying_cells()] {
        let look = Look {
            ascii: true,
            ..at(80)
        };
        let text = page_of(&cells, look);
        fits(&text, 80);
        assert!(text.is_ascii(), "{text}");
    }
}

#[test]
fn a_page_without_a_terminal_is_eighty_columns_wide() {
    let text = page_of(&quick_cells(), Look::default());
    assert_eq!(text, page_of(&quick_cells(), at(80)));
}

#[test]
fn remarks_are_few_and_grouped_and_the_gravest_come_first() {
    let mut cells = lying_cells();
    for index in 0..8 {
        let code = format!("cause-{index}");
        let finding = finding(&code, Severity::Warn, "something else.");
        cells[0].findings.push(finding);
    }
    let text = page_of(&cells, at(200));
    let below = &text[text.find("\n✗ ").unwrap() + 1..];
    let below = below.split("\n\n").next().unwrap();
    let marks = ["✗", "?", "~", "!"];
    let remarks = below
        .lines()
        .filter(|line| marks.iter().any(|m| line.starts_with(m)));
    assert_eq!(remarks.count(), MOST_REMARKS, "{text}");
    assert!(below.starts_with("✗ "), "{text}");
    let grouped = page_of(&lying_cells(), at(200));
    assert!(grouped.contains("3 of 7 rows: A cache below"), "{grouped}");
}

#[test]
fn every_row_has_its_interval_or_says_why_not() {
    let text = page_of(&lying_cells(), at(80));
    let row = text
        .lines()
        .find(|l| l.starts_with("create files"))
        .unwrap();
    assert!(row.contains("? 3 of 6"), "{row}");
    assert!(
        text.contains("How sure") || text.contains("Good to within"),
        "{text}"
    );
}

#[test]
fn rows_without_time_show_what_they_have_and_one_time_for_the_rest() {
    let mut cells = quick_cells();
    cells[5].precision = None;
    for cell in &mut cells[1..3] {
        cell.verdict = Verdict::Undecided { needed: None };
        for estimate in [&mut cell.mean, &mut cell.median] {
            (estimate.runs, estimate.interval) = (3, None);
        }
    }
    let lacking = Choice::Dropped {
        rows: vec![
            cells[1].name.clone(),
            cells[2].name.clone(),
            "create files".into(),
        ],
        least_runs: 6,
        needed_ns: Nanos::secs(40),
        budget_ns: Nanos::secs(70),
    };
    let page = Page {
        kind: ExperimentKind::Quick,
        experiment: None,
        target: &samples::target(),
        choices: &[Choice::note("A test sample."), lacking],
        notes: &[],
        cells: &cells,
        runs: &[],
        digest: None,
        elapsed: Nanos::secs(20),
        store: "",
        look: at(80),
    }
    .to_string();
    fits(&page, 80);
    assert!(page.contains("18.3 k IOPS  ? 3 of 6"), "{page}");
    let said = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "Too few runs for a ±: random read 4 KiB QD1, random read 4 KiB QD32, create files. 6 runs of each take about 40.0 s: --budget 70s would do. A test sample.";
    assert!(said.contains(told), "{said}");
    assert!(!said.contains("Finer") && !said.contains("no ±"), "{said}");
}

#[test]
fn names_at_memory_speed_are_no_answer_of_a_disk() {
    let mut cells = quick_cells();
    for cell in &mut cells {
        if cell.workload.io().is_some() {
            let reasons = vec!["capped".to_owned()];
            cell.verdict = etalon_model::Verdict::Invalid { reasons };
        }
    }
    let page = page_of(&cells, at(80));
    assert!(page.contains("figures are INVALID"), "{page}");
    assert!(
        !page.contains("From ") && !page.contains("Good to"),
        "{page}"
    );
}

#[test]
fn what_is_advised_can_be_typed_for_any_path_and_store() {
    let mut target = samples::target();
    target.path = "/mnt/my disk".to_owned();
    let mut cells = cells_of_memory();
    let typed = |cells: &[Cell]| {
        let page = Page {
            kind: ExperimentKind::Quick,
            experiment: None,
            target: &target,
            choices: &[],
            notes: &[],
            cells,
            runs: &[],
            digest: None,
            elapsed: Nanos::secs(58),
            store: " --store 'my runs'",
            look: at(200),
        };
        let text = page.to_string();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let finer = "Finer: etalon '/mnt/my disk' --budget 4m --precision 5% --store 'my runs'";
    let text = typed(&cells);
    assert!(text.contains(finer), "{text}");
    let synced =
        "etalon metadata '/mnt/my disk' --operations create --durability each --store 'my runs'.";
    assert!(text.contains(synced), "{text}");
    for cell in &mut cells {
        for estimate in [&mut cell.mean, &mut cell.median] {
            (estimate.runs, estimate.interval) = (3, None);
        }
    }
    let text = typed(&cells);
    let more = "an interval takes 6 runs. Finer: etalon '/mnt/my disk' --budget";
    assert!(text.contains(more), "{text}");
}

#[test]
fn how_sure_speaks_of_the_rows_that_it_names() {
    let sure = |cells: &[Cell]| {
        let text = page_of(cells, at(200));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mut cells = quick_cells();
    cells[5].precision = None;
    let low_high = |cell: &mut Cell, half: f64| {
        for estimate in [&mut cell.mean, &mut cell.median] {
            let value = estimate.value;
            let interval = estimate.interval.as_mut().unwrap();
            (interval.low, interval.high) = (value * (1.0 - half), value * (1.0 + half));
        }
    };
    low_high(&mut cells[3], 12.59);
    let said = sure(&cells);
    let told =
        "Good to within 13 % on this machine today, except sequential write (varies by more).";
    assert!(said.contains(told), "{said}");
    assert!(!said.contains("within 1259 %"), "{said}");
    assert!(
        said.contains("! sequential write: wider than ± 50 %"),
        "{said}"
    );
    for cell in &mut cells {
        low_high(cell, 0.0);
    }
    assert!(sure(&cells).contains("Good to within 0.1 %"));
    // A few slow runs: half the width is 5 %, and the lower end lies 10 % below.
    for cell in &mut cells {
        for estimate in [&mut cell.mean, &mut cell.median] {
            let interval = estimate.interval.as_mut().unwrap();
            (interval.low, interval.high) = (estimate.value * 0.9, estimate.value);
        }
    }
    let said = sure(&cells);
    assert!(said.contains("Good to within 10 %"), "{said}");
    assert!(
        said.contains("5.0 %"),
        "the column has half the width: {said}"
    );
    let mut ordered = vec![cells.remove(1)];
    if let Workload::Io(io) = &mut ordered[0].workload {
        io.arrival = etalon_model::Arrival::Fixed { rate: 100.0 };
    }
    let said = sure(&ordered);
    assert!(said.contains("The rate was set"), "{said}");
    assert!(!said.contains("0.0 % on"), "{said}");
}

#[test]
fn what_varies_too_much_says_so_with_the_reason_and_no_time() {
    let mut cells = quick_cells();
    cells[5].precision = Some(Precision {
        asked: 0.001,
        reached: false,
        needed_ns: Some(Nanos::secs(25_000)),
    });
    cells[5].values = vec![1000.0, 3200.0, 5100.0];
    let text = page_of(&cells, at(200));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = "Too variable here to be made more precise: the fastest run of create files is 5.1 times the slowest.";
    assert!(text.contains(why), "{text}");
    assert!(!text.contains("--budget"), "{text}");
}

#[test]
fn a_task_without_parameters_is_its_name_alone() {
    let (mut cell, _) = samples::step();
    let Workload::Task(task) = &mut cell.workload else {
        panic!("a step is a task");
    };
    task.parameters.clear();
    let page = page_of(&[cell], at(80));
    assert!(page.contains("\narchive.\n"), "{page}");
}

#[test]
fn runs_that_were_left_out_count_in_what_is_advised() {
    let (cell, run) = samples::step();
    let mut cell = cell;
    for estimate in [&mut cell.mean, &mut cell.median] {
        (estimate.runs, estimate.interval) = (5, None);
    }
    cell.verdict = Verdict::Undecided { needed: None };
    let page = Page {
        kind: ExperimentKind::Work,
        experiment: None,
        target: &samples::target(),
        choices: &[],
        notes: &[],
        cells: &[cell],
        runs: &vec![run; 7],
        digest: None,
        elapsed: Nanos::secs(58),
        store: "",
        look: at(120),
    }
    .to_string();
    assert!(page.contains("2 of 7 were left out"), "{page}");
    assert!(page.contains("--runs 9"), "{page}");
    assert!(!page.contains("--runs 6"), "{page}");
}

#[test]
fn without_an_asked_precision_nothing_is_missing() {
    let mut cells = quick_cells();
    for cell in &mut cells {
        cell.precision = None;
    }
    let page = page_of(&cells, at(80));
    assert!(page.contains("Good to within 13 %"), "{page}");
    assert!(!page.contains('~') && !page.contains("Finer"), "{page}");
}

#[test]
fn a_step_shows_when_it_returned_and_who_worked() {
    let (cell, run) = samples::step();
    let mut unfinished = run.clone();
    unfinished.measurement.ended = etalon_model::Ended::DiskFull;
    unfinished.measurement.duration = Nanos::secs(900);
    // The result is a median, and so are its parts.
    let mut stalled = run.clone();
    stalled.measurement.duration = Nanos::secs(90);
    // What was left out of the result is left out of them.
    let mut disturbed = stalled.clone();
    disturbed.findings = vec![finding("steal", Severity::Invalid, "9 % was taken.")];
    let text = Page {
        kind: ExperimentKind::Work,
        experiment: Some(3),
        target: &samples::target(),
        choices: &[],
        notes: &[],
        cells: &[cell],
        digest: None,
        runs: &[
            run.clone(),
            stalled,
            run,
            unfinished,
            disturbed.clone(),
            disturbed,
        ],
        elapsed: Nanos::secs(58),
        store: "",
        look: at(120),
    }
    .to_string();
    assert!(text.contains("\narchive: format zstd.\n"), "{text}");
    assert!(text.contains("experiment 3"), "{text}");
    let row = text.lines().find(|line| line.contains("300 ms")).unwrap();
    for part in ["3.00 s", "2.00 s", "300 ms", "200 ms", "1.50 s"] {
        assert!(row.contains(part), "{part} in {row}");
    }
    assert!(!text.contains("p99"), "{text}");
}

#[test]
fn metadata_operations_show_their_latencies() {
    let mut cells = samples::cells();
    for cell in &mut cells {
        let (step, _) = samples::step();
        cell.workload = step.workload;
        let task = cell.workload.task_mut().unwrap();
        task.figure = TaskFigure::Rate;
    }
    let text = page_of(&cells[..1], at(80));
    let row = text
        .lines()
        .find(|line| line.contains("75.0 µs  "))
        .unwrap();
    assert!(row.contains("13.2 k/s"), "{row}");
    assert!(!text.contains("IOPS"), "{text}");
}

#[test]
fn what_the_cells_of_a_task_have_in_common_stands_above_them() {
    let task = |record: &str| {
        let texts = [("record", record), ("size", "1 GiB"), ("sync", "")];
        let texts = texts.map(|(name, value)| (name.to_owned(), value.to_owned()));
        TaskWorkload::of_texts("archive", "unpack", TaskFigure::Time, texts.into())
    };
    let (small, large) = (task("4 KiB"), task("1 MiB"));
    assert_eq!(in_words(&[&small, &large]).unwrap(), "archive: size 1 GiB.");
    assert_eq!(
        in_words(&[&small]).unwrap(),
        "archive: record 4 KiB, size 1 GiB."
    );
    assert_eq!(in_words(&[]), None);
}

#[test]
fn what_to_do_fits_the_case() {
    let mut cells = quick_cells();
    cells[0].findings = vec![buffered_loop()];
    let text = page_of(&cells, at(100));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("losetup --direct-io=on /dev/loop7"), "{text}");
}

#[test]
fn what_a_tool_is_advised_is_what_its_finding_says() {
    for code in ["page-cache", "one-run", "cpu-bound", "unsteady"] {
        let mut cell = samples::cells().remove(0);
        let found = finding(code, Severity::Warn, "Something was found.");
        let advised = |cell: &Cell| words::words(&found, cell, "vda").to_do == found.advice;
        assert!(!advised(&cell), "{code}");
        let copy = TaskWorkload::of_texts("dd", "copy", TaskFigure::Time, [].into());
        cell.workload = copy.into();
        assert!(advised(&cell), "{code}");
    }
}

#[test]
fn what_is_left_open_is_said_in_the_findings_own_words() {
    let cell = samples::cells().remove(0);
    let mut unseen = finding("page-cache", Severity::Warn, "storage was asked for 0 %.");
    unseen.evidence = vec![Evidence::new("asked_read_share", 0.0)];
    let mut arc = finding("direct-fell-back", Severity::Warn, "the cache of ZFS.");
    let mut said = SaidPart::new("the cache of {filesystem}.");
    said.names.insert("filesystem".to_owned(), "ZFS".to_owned());
    arc.said = vec![said];
    for found in [&unseen, &arc] {
        let words = words::words(found, &cell, "");
        assert_eq!(words.meaning, found.message);
        assert_eq!(words.to_do, found.advice);
    }
    unseen.severity = Severity::Invalid;
    let meaning = words::words(&unseen, &cell, "").meaning;
    assert!(meaning.contains("this is the page cache"), "{meaning}");
}

#[test]
fn the_page_cache_below_a_loop_device_has_one_remark_and_the_way_out() {
    let mut cells = lying_cells();
    direct(&mut cells[1], true);
    cells[1].findings.push(buffered_loop());
    let text = page_of(&cells, at(100));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(text.matches("losetup").count(), 1, "{text}");
    assert!(text.contains("/dev/loop7"), "{text}");
    assert!(!text.contains("--buffered"), "{text}");
}

#[test]
fn below_the_target_the_first_line_of_the_page_says_that_it_is_memory() {
    let mut cells = samples::cells();
    let memory = finding("in-memory", Severity::Warn, "tmpfs at /dev/shm.");
    cells[1].findings.push(memory);
    let first = |cells: &[Cell]| {
        let text = page_of(cells, at(80));
        let mut lines = text.lines().skip(1).filter(|line| !line.is_empty());
        lines.next().unwrap_or_default().trim().to_owned()
    };
    assert_eq!(
        first(&cells),
        "This is memory, not a disk: tmpfs at /dev/shm."
    );
    cells[1].findings.clear();
    assert!(!first(&cells).contains("memory"), "{}", first(&cells));
}

#[test]
fn several_invalid_figures_are_told_in_the_plural_and_memory_below_in_the_language() {
    let mut cells = quick_cells();
    for cell in &mut cells[..2] {
        cell.findings.clear();
        cell.verdict = Verdict::Invalid {
            reasons: vec!["steal".to_owned()],
        };
    }
    let said = "loop0 (file /x) serves everything from memory.";
    let mut below = finding("cache-below", Severity::Warn, said);
    let mut part = SaidPart::new("{devices} serves everything from memory.");
    let device = "loop0 (file /x)".to_owned();
    part.names.insert("devices".to_owned(), device);
    below.said = vec![part];
    cells[2].findings = vec![below];
    let told = |all: &[String]| all.join(" ").replace('\u{a0}', " ");
    Language::French.speak(|| {
        let answer = told(&answer(ExperimentKind::Quick, &cells));
        assert!(answer.contains("2 valeurs sur 7 : INVALIDES."), "{answer}");
        let remarks = remarks(&samples::target(), &cells);
        let remarks: Vec<String> = remarks.into_iter().map(|remark| remark.text).collect();
        let remarks = told(&remarks);
        assert!(
            remarks.contains("loop0 (file /x) sert tout depuis la mémoire. Lisez-le"),
            "{remarks}"
        );
    });
}

#[test]
fn a_page_without_rows_has_no_empty_table() {
    let text = page_of(&[], at(80));
    assert!(!text.contains("valid"), "{text}");
}

#[test]
fn a_cause_that_spoils_some_rows_and_touches_others_is_told_once() {
    let mut cells = samples::cells();
    cells.truncate(2);
    let weights = [Severity::Invalid, Severity::Warn];
    for (cell, severity) in cells.iter_mut().zip(weights) {
        cell.findings = vec![finding("cpu-starved", severity, "No processor.")];
        cell.verdict = Verdict::Valid;
    }
    cells[0].verdict = Verdict::Invalid {
        reasons: vec!["cpu-starved".to_owned()],
    };
    let told = remarks::remarks(&samples::target(), &cells);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].text.contains("To a lesser degree it holds for"),
        "{told:?}"
    );
    let marked = (&told[0].cells, &told[0].lesser);
    let names = [0, 1].map(|at| vec![cells[at].name.clone()]);
    assert_eq!(marked, (&names[0], &names[1]));
}

#[test]
fn a_row_of_which_runs_count_and_were_left_out_by_one_cause_is_one_row() {
    let mut cells = samples::cells();
    cells.truncate(2);
    let of = |message: &str, runs_affected, left_out| {
        let mut found = finding("foreign-io", Severity::Warn, message);
        found.affected = Some(AffectedRuns {
            runs_affected,
            runs: 8,
            left_out,
        });
        found
    };
    cells[0].findings = vec![of("3 %.", 6, false), of("8 %.", 2, true)];
    cells[1].findings.clear();
    let told = remarks::remarks(&samples::target(), &cells);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].cells, [cells[0].name.clone()]);
    let all = findings::sentences(&cells).join("\n");
    assert!(all.contains("3 % (in 6 of 8 runs)"), "{all}");
    assert!(
        all.contains("8 % (in 2 of 8 runs, left out of the figures)"),
        "{all}"
    );
}

/// A finding that so many of eight runs have.
fn of_runs(code: &str, runs_affected: u32) -> Finding {
    let mut found = finding(code, Severity::Invalid, "It was so.");
    found.affected = Some(AffectedRuns {
        runs_affected,
        runs: 8,
        left_out: false,
    });
    found
}

fn invalid(cell: &mut Cell, findings: Vec<Finding>) {
    let reasons = findings.iter().map(|f| f.code.clone()).collect();
    cell.findings = findings;
    cell.verdict = Verdict::Invalid { reasons };
}

#[test]
fn a_cause_of_few_runs_is_not_what_spoils_a_row_that_another_spoils() {
    let mut cells = quick_cells();
    invalid(
        &mut cells[0],
        vec![of_runs("stalled", 2), of_runs("capped", 7)],
    );
    invalid(
        &mut cells[1],
        vec![of_runs("stalled", 3), of_runs("foreign-io", 3)],
    );
    let told = remarks::remarks(&samples::target(), &cells);
    let spoiled: Vec<&Remark> = told.iter().filter(|r| r.mark == "✗").collect();
    let of = |names: &[usize]| -> Vec<String> {
        names.iter().map(|at| cells[*at].name.clone()).collect()
    };
    // Together they spoil the second row, of which neither has half of the runs.
    let found: Vec<&Vec<String>> = spoiled.iter().map(|r| &r.cells).collect();
    assert_eq!(found, [&of(&[0]), &of(&[1]), &of(&[1])], "{told:?}");
    assert_eq!(spoiled[1].lesser, of(&[0]), "{told:?}");
}

#[test]
fn what_spoils_most_rows_is_the_first_remark() {
    let mut cells = quick_cells();
    invalid(
        &mut cells[0],
        vec![of_runs("stalled", 8), of_runs("capped", 8)],
    );
    invalid(&mut cells[1], vec![of_runs("capped", 8)]);
    let told = remarks::remarks(&samples::target(), &cells);
    assert_eq!(told[0].cells.len(), 2, "{told:?}");
    assert_eq!(told[1].cells.len(), 1, "{told:?}");
}

#[test]
fn a_row_that_says_little_is_marked_whatever_else_is_remarked() {
    let mut cells = quick_cells();
    let causes = (0..5).map(|at| of_runs(&format!("cause-{at}"), 8));
    invalid(&mut cells[0], causes.collect());
    let wide = &mut cells[4];
    for estimate in [&mut wide.mean, &mut wide.median] {
        let interval = estimate.interval.as_mut().unwrap();
        (interval.low, interval.high) = (0.0, estimate.value * 2.0);
    }
    let page = page_of(&cells, at(80));
    let row = page
        .lines()
        .find(|line| line.starts_with("random write"))
        .unwrap();
    assert!(row.trim_end().ends_with('!'), "{page}");
    assert!(
        page.contains("! random write 4 KiB QD1: wider than"),
        "{page}"
    );
    assert_eq!(page.matches("\n✗ ").count(), MOST_REMARKS - 1, "{page}");
}

/// Reads that are so much slower than writes that a page says so, in both cells all else being the same.
fn unlike_cells(change: impl Fn(&mut IoWorkload)) -> [Cell; 2] {
    use Operation::{RandRead, RandWrite};
    let mut read = quick_cell("random read", RandRead, 1, 100.0, 0.01);
    let write = quick_cell("random write", RandWrite, 1, 10_000.0, 0.01);
    change(read.workload.io_mut().unwrap());
    [read, write]
}

fn answer_of(kind: ExperimentKind, cells: &[Cell]) -> String {
    answer::answer(kind, cells).join(" ")
}

#[test]
fn only_what_the_operation_makes_differ_is_told_as_a_difference_of_it() {
    let told = |kind, change: fn(&mut IoWorkload)| answer_of(kind, &unlike_cells(change));
    let (measure, together) = (ExperimentKind::Measure, ExperimentKind::Together);
    let alike = told(measure, |_| ());
    assert!(
        alike.contains("Small writes are 100.0 times as fast"),
        "{alike}"
    );
    let rate = etalon_model::Arrival::Fixed { rate: 100.0 };
    let others: [fn(&mut IoWorkload); 4] = [
        |io| io.block_size = Bytes::kib(64).into(),
        |io| io.block_size = Bytes::mib(1).into(),
        |io| io.direct = !io.direct,
        |io| {
            io.think = Some(etalon_model::Think {
                time: Nanos::millis(1),
                every: 1,
            });
        },
    ];
    for change in others {
        let told = told(measure, change);
        assert!(!told.contains("times as fast"), "{told}");
    }
    let mut cells = unlike_cells(|_| ());
    for cell in &mut cells {
        cell.workload.io_mut().unwrap().arrival = rate;
    }
    for kind in [measure, together] {
        let told = answer_of(kind, &cells);
        assert!(
            told.contains("The rate was set") && !told.contains("times as fast"),
            "{told}"
        );
    }
    // Each may have had a disk of its own.
    let told = told(together, |_| ());
    assert!(!told.contains("times as fast"), "{told}");
}

#[test]
fn accesses_of_megabytes_are_no_small_ones() {
    let cells = [1, 2].map(|mib| {
        let name = format!("random read {mib} MiB");
        let mut cell = quick_cell(&name, Operation::RandRead, 1, 100.0 / mib as f64, 0.01);
        cell.workload.io_mut().unwrap().block_size = Bytes::mib(mib).into();
        cell
    });
    let told = answer_of(ExperimentKind::Measure, &cells);
    assert!(
        !told.contains("Small") && told.contains("random read 2 MiB"),
        "{told}"
    );
}

/// A sweep of a thousand depths is not told one by one.
#[test]
fn of_many_queue_depths_the_ends_and_the_best_are_named() {
    let of = |depths: &[(u32, f64)]| {
        let cells: Vec<Cell> = depths
            .iter()
            .map(|(depth, rate)| {
                let name = format!("random read 4 KiB, depth {depth}");
                quick_cell(&name, Operation::RandRead, *depth, *rate, 0.01)
            })
            .collect();
        let told = answer::answer(ExperimentKind::Measure, &cells);
        told.into_iter()
            .find(|told| told.starts_with("Small"))
            .unwrap()
    };
    let sweep = [
        (1, 5e3),
        (2, 9e3),
        (4, 15e3),
        (8, 21e3),
        (16, 19e3),
        (32, 18e3),
    ];
    assert_eq!(
        of(&sweep),
        "Small accesses: 5000 reads a second one at a time; 21.0 k reads a second at queue depth 8; \
         18.0 k reads a second at queue depth 32."
    );
    // Four are still told whole, and the best may be an end.
    assert_eq!(of(&sweep[..4]).matches(';').count(), 3);
    let rising = [(1, 1e3), (2, 2e3), (3, 3e3), (4, 4e3), (5, 5e3)];
    assert_eq!(of(&rising).matches(';').count(), 1);
}
