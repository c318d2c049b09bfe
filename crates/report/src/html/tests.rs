//! The page holds what the records hold, and nothing of what a name would like it to do.

use etalon_language::Language;
use etalon_model::{
    AffectedRuns, Experiment, ExperimentHeader, ExperimentKind, ExperimentState, NewExperiment,
    SCHEMA_VERSION, SeriesPoint, Severity, Verdict,
};
use etalon_units::{Bytes, Nanos};

use super::{HtmlReport, Subject};
use crate::comparison::ComparedRow;
use crate::samples::{self, cells, step, target};

/// Ends a title, a script, an attribute and a comment, and asks for something from outside.
const HOSTILE: &str =
    "</title></script><script src=//evil></script>'\"><img onerror=alert(1)>-->\u{1b}[2J";

pub(super) fn experiment() -> Experiment {
    let (_, mut run) = step();
    run.cell = cells()[0].name.clone();
    run.measurement.series = (0..400u64)
        .map(|n| SeriesPoint {
            operations: if n < 244 { 412 } else { 268 } + (n * 7919) % 31,
            bytes: Bytes(4096 * 1000),
            latency_sum_ns: 75_000_000,
            latency_max: Nanos(900_000),
        })
        .collect();
    Experiment {
        header: ExperimentHeader {
            id: 7,
            schema_version: SCHEMA_VERSION,
            state: ExperimentState::Finished,
            ended_unix_ns: Some(60_000_000_000),
            elapsed_ns: None,
            choices: Vec::new(),
            begun: NewExperiment {
                kind: ExperimentKind::Quick,
                started_unix_ns: 0,
                target: target(),
                settings: serde_json::json!({}),
                seed: 42,
                tool_version: "0.1.0".to_owned(),
                owner: None,
            },
        },
        cells: cells(),
        runs: vec![run],
    }
}

fn page(experiment: &Experiment) -> String {
    let subject = Subject::of(experiment, "2026-11-22 05:12".to_owned());
    HtmlReport {
        subjects: &[subject],
        question: None,
        rows: &[],
        names: &[],
        notes: &[],
        command: "etalon report 7",
    }
    .page()
}

#[test]
fn what_programs_read_in_a_page_is_the_same_in_every_language() {
    let experiment = experiment();
    let english = page(&experiment);
    let half = english
        .split("± ")
        .find(|text| text.starts_with(|c: char| c.is_ascii_digit()));
    let half = half.and_then(|text| text.split(' ').next()).unwrap();
    assert!(half.contains('.'), "{half}");
    for language in [Language::French, Language::Dutch] {
        let own = language.speak(|| page(&experiment));
        assert!(own.contains(&format!("<html lang=\"{}\">", language.tag())));
        for name in ["data-cell", "data-value", "data-low", "data-high", "id"] {
            assert_eq!(attribute(&own, name), attribute(&english, name), "{name}");
        }
        assert!(
            own.contains(&format!("± {}", half.replace('.', ","))),
            "{half}"
        );
    }
}

#[test]
fn of_several_experiments_the_figures_of_all_are_counted() {
    let of = |verdicts: &[bool]| {
        let mut experiment = experiment();
        experiment.cells.truncate(verdicts.len());
        for (cell, is_valid) in experiment.cells.iter_mut().zip(verdicts) {
            cell.verdict = match is_valid {
                true => Verdict::Valid,
                false => samples::cells()[2].verdict.clone(),
            };
        }
        Subject::of(&experiment, String::new())
    };
    let names = ["b.json".to_owned(), "i.json".to_owned()];
    let answer = |subjects: &[Subject]| {
        let report = HtmlReport {
            subjects,
            question: None,
            rows: &[],
            names: &names,
            notes: &[],
            command: "",
        };
        let page = report.page();
        let (_, top) = page.split_once("<p class=\"answer\">").unwrap();
        top.split_once("</p>").unwrap().0.to_owned()
    };
    let nothing = "Nothing could be compared.";
    for (other, said) in [
        (of(&[true]), "All 2 figures are valid."),
        (
            of(&[false]),
            "Of 2 figures 1 is valid, 1 is invalid (i.json).",
        ),
    ] {
        assert_eq!(answer(&[of(&[true]), other]), format!("{nothing} {said}"));
    }
    let both = answer(&[of(&[true, false]), of(&[false, true])]);
    let said = "Of 4 figures 2 are valid, 2 are invalid (b.json, i.json).";
    assert_eq!(both, format!("{nothing} {said}"));
}

/// The same experiment under two conditions.
fn page_of_two(experiment: &Experiment, rows: &[ComparedRow<'_>]) -> String {
    let subject = || Subject::of(experiment, String::new());
    let names = ["none".to_owned(), "bfq".to_owned()];
    HtmlReport {
        subjects: &[subject(), subject()],
        question: None,
        rows,
        names: &names,
        notes: &[],
        command: "",
    }
    .page()
}

/// The values of an attribute, in the order of the page.
fn attribute(page: &str, name: &str) -> Vec<String> {
    let begin = format!(" {name}=\"");
    let parts = page.split(&begin).skip(1);
    parts
        .filter_map(|part| part.split('"').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_figures_of_the_page_are_those_of_the_records() {
    let experiment = experiment();
    let page = page(&experiment);
    let numbers = |name| -> Vec<f64> {
        attribute(&page, name)
            .iter()
            .map(|text| text.parse().unwrap())
            .collect()
    };
    let of = |figure: fn(&etalon_model::Cell) -> f64| -> Vec<f64> {
        experiment.cells.iter().map(figure).collect()
    };
    assert_eq!(numbers("data-value"), of(|cell| cell.estimate().value));
    assert_eq!(
        numbers("data-low"),
        of(|cell| cell.estimate().interval.unwrap().low)
    );
    assert_eq!(
        numbers("data-high"),
        of(|cell| cell.estimate().interval.unwrap().high)
    );
    assert_eq!(
        numbers("data-runs"),
        of(|cell| f64::from(cell.estimate().runs))
    );
    assert_eq!(
        attribute(&page, "data-verdict"),
        ["valid", "valid", "invalid"]
    );
    assert!(page.contains("<b>13.2 k</b> <span class=\"u\">IOPS</span>"));
}

/// What stands as the answer.
fn answer_of(experiment: &Experiment) -> String {
    let page = page(experiment);
    let after = page.split("<p class=\"answer\">").nth(1).unwrap();
    after.split("</p>").next().unwrap().trim().to_owned()
}

#[test]
fn the_answer_counts_every_figure_once() {
    use etalon_model::Verdict;
    let mut experiment = experiment();
    let answer = answer_of(&experiment);
    assert_eq!(
        answer.to_lowercase().matches("invalid").count(),
        1,
        "{answer}"
    );
    assert!(
        answer.starts_with("1 of 3 figures is INVALID.")
            && answer.ends_with("The other 2 are valid.")
    );
    experiment.cells[0].verdict = Verdict::Undecided { needed: None };
    let answer = answer_of(&experiment);
    assert!(
        answer.ends_with("Of the others 1 is valid, 1 is undecided."),
        "{answer}"
    );
    experiment.cells.truncate(1);
    let answer = answer_of(&experiment);
    assert!(answer.ends_with("The figure is undecided."), "{answer}");
    experiment.cells[0].verdict = Verdict::Invalid {
        reasons: Vec::new(),
    };
    let answer = answer_of(&experiment);
    assert_eq!(
        answer.to_lowercase().matches("invalid").count(),
        1,
        "{answer}"
    );
}

#[test]
fn no_name_becomes_markup() {
    let mut experiment = experiment();
    experiment.header.begun.target.path = HOSTILE.to_owned();
    experiment.header.begun.target.beneath = HOSTILE.to_owned();
    experiment.header.begun.target.devices = vec![HOSTILE.to_owned()];
    experiment.header.begun.tool_version = HOSTILE.to_owned();
    experiment.header.begun.settings = serde_json::json!({ HOSTILE: HOSTILE });
    for cell in &mut experiment.cells {
        cell.name = HOSTILE.to_owned();
        for finding in &mut cell.findings {
            (finding.message, finding.advice) = (HOSTILE.to_owned(), HOSTILE.to_owned());
            finding.code = HOSTILE.to_owned();
            finding.evidence[0].name = HOSTILE.to_owned();
        }
    }
    experiment.runs[0].cell = HOSTILE.to_owned();
    let plain = page(&self::experiment());
    let page = page(&experiment);
    for sign in ["<script", "</script", "<img", "<title", "</title", "-->"] {
        let titles = |page: &str| page.matches(sign).count();
        // Dots have titles, so that equal counts are not asked for them.
        match sign.contains("title") {
            true => assert!(!page.contains(&format!("{sign}></script>")), "{sign}"),
            false => assert_eq!(titles(&page), titles(&plain), "{sign}"),
        }
    }
    assert!(!page.contains('\u{1b}') && !page.contains("src=//evil></"));
}

#[test]
fn nothing_is_asked_of_a_network() {
    let page = page(&experiment());
    for word in [
        "http://", "https://", "url(", "@import", "src=", "<link", "<iframe",
    ] {
        let allowed = if word == "http://" { 1 } else { 0 };
        assert_eq!(page.matches(word).count(), allowed, "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn two_levels_of_a_run_are_drawn_and_a_doubtful_row_is_hollow() {
    let report = page(&experiment());
    assert!(report.contains("within one run: 2 levels"));
    assert!(report.contains("<tr role=\"row\" class=\"invalid\""));
    assert!(report.contains("class=\"ho\"") && report.contains("id=\"f-page-cache\""));
}

#[test]
fn a_comparison_has_its_base_its_ratio_and_its_interval() {
    let experiment = experiment();
    let comparison = samples::comparison();
    let rows = [ComparedRow {
        comparison: &comparison,
        cell: &experiment.cells[0],
    }];
    let page = page_of_two(&experiment, &rows);
    assert!(page.contains("<h1>none or bfq?</h1>"));
    assert!(
        page.contains("ratio, none = 1") && page.contains("<b>1.25</b><small>1.23 – 1.27</small>")
    );
    assert!(page.contains("times as fast as none, log axis"));
    // On a phone the head of the table is not seen.
    for head in ["none", "bfq", "ratio, none = 1", "verdict"] {
        assert!(page.contains(&format!(" data-l=\"{head}\">")), "{head}");
    }
}

#[test]
fn a_ratio_is_never_rounded_to_nothing() {
    let mut experiment = sweep();
    experiment.cells.truncate(48);
    let mut comparison = samples::comparison();
    let of = comparison.arms[1].of_baseline.as_mut().unwrap();
    of.value = 0.003;
    of.interval = of.interval.map(|mut interval| {
        (interval.low, interval.high) = (0.002, 0.004);
        interval
    });
    let row = |cell| ComparedRow {
        comparison: &comparison,
        cell,
    };
    let rows: Vec<ComparedRow<'_>> = experiment.cells.iter().map(row).collect();
    // In the table of rows, in that of sizes, and beside the picture.
    let page = page_of_two(&experiment, &rows);
    for said in [
        "<b>0.0030</b><small>0.0020 – 0.0040</small>",
        "▲ 0.0030<small>0.0020 – 0.0040</small>",
        "0.0030 (0.0020 – 0.0040)",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("0.00 "), "{page}");
}

#[test]
fn each_of_several_conditions_has_a_row_with_its_own_ratio_and_verdict() {
    let experiment = experiment();
    let mut comparison = samples::comparison();
    let mut slow = comparison.arms[1].clone();
    slow.of_baseline.as_mut().unwrap().value = 0.5;
    slow.standing = Some(etalon_model::Standing::Slower);
    comparison.arms.push(slow);
    let rows = [ComparedRow {
        comparison: &comparison,
        cell: &experiment.cells[0],
    }];
    let names = ["none", "bfq", "kyber"].map(str::to_owned);
    let table = super::compare::table(&rows, &names);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4, "{table}");
    assert!(
        lines[0].contains("rowspan=\"3\"") && lines[0].contains("scope=\"row\" class=\"lv\">none<")
    );
    assert!(!lines[0].contains("data-l=\"verdict\""), "{}", lines[0]);
    for (line, parts) in [
        (1, ["bfq", "<b>1.25</b>", "faster"]),
        (2, ["kyber", "<b>0.50</b>", "slower"]),
    ] {
        assert!(
            parts.iter().all(|part| lines[line].contains(part)),
            "{}",
            lines[line]
        );
    }
    assert_eq!(
        table
            .matches("<th role=\"rowheader\" scope=\"rowgroup\"")
            .count(),
        1
    );
}

#[test]
fn a_narrow_or_a_printed_page_has_every_column_of_its_tables() {
    let style = super::report_style();
    assert!(
        !style.contains(".res:not(.cmp)"),
        "both tables become grids"
    );
    let print = style.split("@media print").nth(1).unwrap();
    // As strong as the rules of the screen, which it has to outdo.
    assert!(print.contains(".res .lat,.res .dev"), "{print}");
}

#[test]
fn what_is_imported_was_not_measured_then_and_is_as_sure_as_others_were() {
    let mut experiment = experiment();
    experiment.header.begun.kind = ExperimentKind::Imported;
    let page = page(&experiment);
    assert!(page.contains("<dt>Imported</dt><dd>2026-11-22 05:12. Experiment 7</dd>"));
    assert!(!page.contains("How sure") && !page.contains(">Measured<"));
}

#[test]
fn a_finding_stands_once_and_only_five_are_unfolded() {
    let mut experiment = experiment();
    let sample = experiment
        .cells
        .iter()
        .find_map(|cell| cell.findings.first());
    let mut sample = sample.unwrap().clone();
    sample.severity = Severity::Warn;
    for cell in &mut experiment.cells {
        cell.findings.clear();
        for code in ["a", "b", "c", "d", "e", "f", "g"] {
            sample.code = code.to_owned();
            cell.findings.push(sample.clone());
        }
    }
    experiment.cells[1].findings[6].severity = Severity::Invalid;
    let page = page(&experiment);
    let (_, found) = page.split_once("id=\"findings\"").unwrap();
    let (first, folded) = found.split_once("All other findings (2)").unwrap();
    let count = |text: &str| text.matches("<li id=\"f-").count();
    assert_eq!((count(first), count(folded)), (5, 2));
    assert_eq!(page.matches("<li id=\"f-g\"").count(), 1);
}

#[test]
fn the_levels_of_a_plan_are_drawn_against_the_first_under_the_question_that_it_asks() {
    let experiment = experiment();
    let comparison = samples::comparison();
    let rows = [ComparedRow {
        comparison: &comparison,
        cell: &experiment.cells[0],
    }];
    let subject = Subject::of(&experiment, String::new());
    let names = ["none".to_owned(), "bfq".to_owned()];
    let mut report = HtmlReport {
        subjects: &[subject],
        question: Some("Does <bfq> cost anything?"),
        rows: &rows,
        names: &names,
        notes: &[],
        command: "",
    };
    let page = report.page();
    assert!(page.contains("<h1>Does &lt;bfq&gt; cost anything?</h1>"));
    assert!(page.contains("<b>1.25</b><small>1.23 – 1.27</small>"));
    assert!(page.contains("times as fast as none, log axis"));
    let pictures = report.pictures();
    let of_levels = |picture: &&super::Picture| picture.name.contains("ratio");
    let note = &pictures.iter().find(of_levels).unwrap().note;
    assert!(note.contains("none = 1"), "{note}");
    // What was refused is said, and the answer is that of the figures.
    let refused = ["random read: not compared: other programs".to_owned()];
    (report.rows, report.notes) = (&[], &refused);
    let page = report.page();
    assert!(page.contains("not compared: other programs") && !page.contains("ratio, none = 1"));
    assert!(!page.contains("Nothing could be compared"));
}

#[test]
fn every_picture_has_marks_units_and_a_base() {
    let subject = Subject::of(&experiment(), String::new());
    let report = HtmlReport {
        subjects: &[subject],
        question: None,
        rows: &[],
        names: &[],
        notes: &[],
        command: "",
    };
    let pictures = report.pictures();
    assert!(pictures.len() >= 4, "{}", pictures.len());
    for picture in &pictures {
        assert!(
            picture.wide.marks.len() > 5 && picture.narrow.marks.len() > 5,
            "{}",
            picture.name
        );
        assert!(
            !picture.claim.is_empty() && !picture.note.is_empty(),
            "{}",
            picture.name
        );
        assert!(picture.narrow.width <= 350.0);
        let svg = etalon_picture::inline(&picture.wide, "w", "");
        let based = ["from 0", "log axis", "latency from", "not from 0"];
        assert!(
            based.iter().any(|word| svg.contains(word)),
            "{}",
            picture.name
        );
    }
}

/// The pictures of an experiment whose names contain this.
pub(super) fn drawn(experiment: &Experiment, name: &str) -> Vec<super::Picture> {
    let report = HtmlReport {
        subjects: &[Subject::of(experiment, String::new())],
        question: None,
        rows: &[],
        names: &[],
        notes: &[],
        command: "",
    };
    let mut all = report.pictures();
    all.retain(|picture| picture.name.contains(name));
    all
}

/// What readers who point at a dot are told, read back from the SVG.
pub(super) fn tips(picture: &super::Picture) -> Vec<String> {
    let svg = etalon_picture::inline(&picture.wide, "w", "");
    let parts = svg.split("<title>").skip(1);
    // A line has its name alone.
    parts
        .filter_map(|part| Some(part.split("</title>").next()?.to_owned()))
        .filter(|tip| tip.contains(": "))
        .collect()
}

#[test]
fn the_same_work_on_parts_of_a_device_is_drawn_along_it() {
    let mut experiment = experiment();
    let first = experiment.cells[0].clone();
    let on_part = |n: u64| {
        let mut cell = first.clone();
        cell.name = format!("read, region {n}");
        cell.unit = etalon_model::Unit::BytesPerSecond;
        let value = (250.0 - 50.0 * n as f64) * 1_048_576.0;
        cell.median.value = value;
        cell.mean.value = value;
        let io = etalon_model::IoWorkload {
            operation: etalon_model::Operation::Read,
            offset: Bytes::gib(100 * n),
            range: Bytes::gib(10),
            ..Default::default()
        };
        cell.workload = io.into();
        cell
    };
    experiment.cells = [2, 0].map(on_part).to_vec();
    assert_eq!(
        drawn(&experiment, "position").len(),
        0,
        "two parts are no course"
    );
    experiment.cells = [2, 0, 1].map(on_part).to_vec();
    let [picture] = &drawn(&experiment, "position")[..] else {
        panic!()
    };
    let told = tips(picture);
    let at = |n: usize| format!("10 GiB from {} GiB: {} MiB/s", 100 * n, 250 - 50 * n);
    let at: Vec<String> = (0..3).map(at).collect();
    let at = at.iter().map(|tip| tip.replace("from 0 GiB", "from 0 B"));
    assert_eq!(told, at.collect::<Vec<_>>());
    assert!(
        picture
            .claim
            .contains("250 MiB/s in the first part that was measured (10 GiB from 0 B), 150 MiB/s in the last (10 GiB from 200 GiB)"),
        "{}",
        picture.claim
    );
}

#[test]
fn the_rebuild_beside_a_run_is_a_curve_up_to_where_it_came() {
    use etalon_model::{LevelRecord, RebuildPoint, RebuildRecord};
    use etalon_units::Percent;
    let mut experiment = experiment();
    let point = |n: u64| RebuildPoint {
        at: Nanos::secs(n * 10),
        done: Percent::from_fraction(0.05 * n as f64),
    };
    let rebuild = RebuildRecord {
        device: "md7".to_owned(),
        elapsed: Nanos::secs(40),
        done: Percent::from_fraction(0.2),
        left: Some(Nanos::secs(160)),
        bytes_per_second: Some(104_857_600.0),
        curve: (0..=4).map(point).collect(),
        ..RebuildRecord::default()
    };
    experiment.runs[0].circumstances.levels = vec![LevelRecord {
        rebuild: Some(rebuild),
        ..LevelRecord::default()
    }];
    let [picture] = &drawn(&experiment, "rebuild")[..] else {
        panic!()
    };
    assert!(
        picture.claim.starts_with("md7 beside "),
        "{}",
        picture.claim
    );
    assert!(
        picture.claim.contains("100 MiB/s in the median"),
        "{}",
        picture.claim
    );
    let told = tips(picture);
    assert!(
        told.len() == 1 && told[0].ends_with(": 20.0 % after 40.0 s"),
        "{told:?}"
    );
    experiment.runs[0].circumstances.levels.clear();
    assert!(drawn(&experiment, "rebuild").is_empty());
}

#[test]
fn how_long_it_took_is_the_time_of_its_passes_and_not_of_the_day_between_them() {
    let mut experiment = experiment();
    let second = etalon_model::Run {
        block: 1,
        position: 1,
        ..experiment.runs[0].clone()
    };
    experiment.runs.push(second);
    for (run, started) in experiment.runs.iter_mut().zip([0, 86_400_000_000_000]) {
        (run.started_unix_ns, run.elapsed) = (started, Nanos::secs(20));
    }
    experiment.header.ended_unix_ns = Some(86_420_000_000_000);
    let text = page(&experiment);
    assert!(text.contains("in 40.0 s") && !text.contains("in 24 h"));
}

#[test]
fn what_has_no_end_runs_or_was_interrupted_and_took_no_time() {
    let mut experiment = experiment();
    let runs = std::mem::take(&mut experiment.runs);
    experiment.header.ended_unix_ns = None;
    let judged = std::mem::take(&mut experiment.cells);
    let said = |experiment: &Experiment| {
        let page = page(experiment);
        assert!(!page.contains("in 0 ns"), "{page}");
        let (_, top) = page.split_once("<p class=\"answer\">").unwrap();
        let (answer, rest) = top.split_once("</p>").unwrap();
        let (_, measured) = rest.split_once("<dt>Measured</dt><dd>").unwrap();
        let (measured, _) = measured.split_once("</dd>").unwrap();
        (answer.trim().to_owned(), measured.to_owned())
    };
    experiment.header.state = ExperimentState::Running;
    let (answer, measured) = said(&experiment);
    let running = "No figure is judged yet: the measurement is still running.";
    assert_eq!(answer, running);
    assert_eq!(measured, "2026-11-22 05:12, still running. Experiment 7");

    experiment.header.state = ExperimentState::Interrupted;
    let (_, measured) = said(&experiment);
    let before = "interrupted before its first run ended. Experiment 7";
    assert!(measured.ends_with(before), "{measured}");
    // Up to the end of its last run.
    experiment.runs = runs;
    let (_, measured) = said(&experiment);
    let after = "2026-11-22 05:12, interrupted after 4.00 s. Experiment 7";
    assert_eq!(measured, after);

    experiment.cells = judged;
    let (answer, _) = said(&experiment);
    let cut = "The measurement was interrupted before its end. ";
    assert!(answer.starts_with(cut), "{answer}");
}

/// Processor time for 45 s, of which the run of [`experiment`] is the last 40: it warms up for 5 s, and its rate
/// falls after 24.4 s.
pub(super) fn recorded(experiment: &mut Experiment) {
    use etalon_model::stack::{CpuShares, Recording, Sample};
    let sample = |n: u64| Sample {
        at: Nanos::secs(1000 + n),
        span: Nanos::secs(1),
        disks: Vec::new(),
        cpu: Some(CpuShares::default()),
        memory: None,
        pressure: None,
        processes: Vec::new(),
        cpu_mhz: None,
        throttled: None,
        temperatures: Vec::new(),
        power: Vec::new(),
    };
    let run = &mut experiment.runs[0];
    let io = etalon_model::IoWorkload {
        warm_up: Nanos::secs(5),
        ..Default::default()
    };
    run.workload = io.into();
    run.measurement.duration = Nanos::secs(40);
    run.circumstances.recording = Some(Recording {
        samples: (1..=45).map(sample).collect(),
        ..Recording::default()
    });
}

/// Where the marks of a class lie across a picture, from its left end to its right.
pub(super) fn across(picture: &super::Picture, class: etalon_picture::Class) -> Vec<(f64, f64)> {
    use etalon_picture::Shape;
    let marks = picture.wide.marks.iter().filter(|mark| mark.class == class);
    let ends = marks.filter_map(|mark| match &mark.shape {
        Shape::Rect { at, width, .. } => Some((at.x, at.x + width)),
        Shape::Path { points, .. } => Some((points.first()?.x, points.last()?.x)),
        _ => None,
    });
    ends.collect()
}

#[test]
fn what_the_machine_did_is_marked_where_the_run_warmed_up_and_changed() {
    use etalon_picture::Class;
    let mut experiment = experiment();
    recorded(&mut experiment);
    let [picture] = &drawn(&experiment, "cpu")[..] else {
        panic!()
    };
    assert!(
        picture.note.contains("Grey: ") && picture.note.contains("Dotted: "),
        "{}",
        picture.note
    );
    // The points stand in the middle of each second, so that the axis ends half a second after the last.
    let zones = across(picture, Class::WarmUp);
    let [(at, _)] = across(picture, Class::Cut)[..] else {
        panic!()
    };
    let (begin, end) = zones[0];
    let second = (end - begin) / 5.0;
    assert!(((at - begin) / second - 29.4).abs() < 0.3, "{zones:?} {at}");
    // A recording of something longer is marked nowhere.
    experiment.runs[0].measurement.duration = Nanos::secs(20);
    let [picture] = &drawn(&experiment, "cpu")[..] else {
        panic!()
    };
    assert!(across(picture, Class::Cut).is_empty() && !picture.note.contains("Dotted"));
}

/// Six runs of each of three ways in which pages are asked for, which take 10, 20 and 30 ms.
fn web() -> Experiment {
    use etalon_model::{TaskFigure, TaskWorkload, Unit};
    let mut experiment = experiment();
    let (first, run) = (experiment.cells[0].clone(), experiment.runs[0].clone());
    let ways = [
        "one after another, cold",
        "one after another, warm",
        "4 at once, cold",
    ];
    let work = |way: &str| TaskWorkload::of_texts("web", way, TaskFigure::Rate, [].into());
    let cell = |way: &str| etalon_model::Cell {
        name: way.to_owned(),
        workload: work(way).into(),
        unit: Unit::OperationsPerSecond,
        ..first.clone()
    };
    experiment.cells = ways.map(cell).to_vec();
    experiment.runs.clear();
    for (n, way) in ways.iter().enumerate() {
        for block in 0..6u64 {
            let mut run = run.clone();
            run.cell = (*way).to_owned();
            run.position = experiment.runs.len() as u32;
            let mut latency = etalon_model::LatencyHistogram::new();
            latency.record_n((n as u64 + 1) * 10_000_000 + block, 1000);
            run.measurement.metadata.latency = latency;
            experiment.runs.push(run);
        }
    }
    experiment
}

#[test]
fn response_times_of_web_pages_are_a_radar_of_the_runs_medians() {
    let mut experiment = web();
    let pictures = drawn(&experiment, "radar");
    assert_eq!(pictures.len(), 1);
    assert!(pictures[0].claim.starts_with("Response times of pages"));
    let [rows] = &drawn(&experiment, "times")[..] else {
        panic!()
    };
    let svg = etalon_picture::inline(&rows.wide, "w", "");
    for said in ["10.0 ms", "20.0 ms", "30.0 ms"] {
        assert!(svg.contains(said), "{said}: {svg}");
    }
    // Two ways are no radar, nor are pages that nobody waited for.
    for run in &mut experiment.runs {
        run.measurement.metadata.latency = Default::default();
    }
    assert!(drawn(&experiment, "radar").is_empty());
    experiment.cells.truncate(2);
    assert!(drawn(&experiment, "radar").is_empty());
}

#[test]
fn runs_that_are_left_out_are_in_no_response_time() {
    let mut whole = web();
    for run in &mut whole.runs {
        run.measurement.service = Some(etalon_model::ServiceFacts {
            operation_times: vec![Nanos::millis(10)],
            ..Default::default()
        });
    }
    let mut with = whole.clone();
    let odd = |position: u32| {
        let mut run = whole.runs[0].clone();
        run.position = position;
        run.measurement.metadata.latency = Default::default();
        run.measurement.metadata.latency.record_n(100_000_000, 1000);
        run
    };
    let (mut invalid, mut cut) = (odd(18), odd(19));
    let severity = etalon_model::Severity::Invalid;
    invalid.findings.push(etalon_model::Finding::new(
        "network-bound",
        severity,
        "",
        "",
    ));
    cut.measurement.ended = etalon_model::Ended::Interrupted;
    with.runs.extend([invalid, cut]);
    for cell in &mut with.cells {
        cell.values = vec![cell.median.value; 6];
    }
    let times = |experiment: &Experiment| {
        let [rows] = &drawn(experiment, "times")[..] else {
            panic!()
        };
        etalon_picture::inline(&rows.wide, "w", "")
    };
    assert_eq!(times(&with), times(&whole));
    let pages = |experiment: &Experiment| Subject::of(experiment, String::new()).pages;
    assert_eq!(pages(&with), pages(&whole));

    // Without the runs in memory it asks for those of the one cell that has more than count.
    let mut subject = Subject::begun(with.header.clone(), String::new());
    with.cells
        .iter()
        .for_each(|cell| subject.add_cell(cell.clone()));
    let headlines = with.runs.iter().map(etalon_model::RunHeadline::of);
    headlines.for_each(|run| subject.add_run(run));
    let wanted = subject.wanted_counts();
    assert_eq!(wanted.len(), 1);
    let own = with.runs.iter().filter(|run| run.cell == wanted[0].name);
    subject.leave_out(&wanted[0], &own.collect::<Vec<_>>());
    let counts = [0, 17, 18, 19].map(|position| subject.counts(position));
    assert_eq!(counts, [true, true, false, false]);
}

#[test]
fn runs_that_are_left_out_have_no_course_and_are_marked_in_the_table() {
    let mut with = experiment();
    with.cells.truncate(1);
    with.cells[0].values.truncate(6);
    let at = |position: u32| etalon_model::Run {
        position,
        ..with.runs[0].clone()
    };
    let mut runs: Vec<etalon_model::Run> = (0..7).map(at).collect();
    let severity = Severity::Invalid;
    let found = etalon_model::Finding::new("suspended", severity, "", "");
    runs[3].findings.push(found);
    with.runs = runs;
    // The middle one of all is the one that is left out.
    let subject = Subject::of(&with, String::new());
    assert_eq!(subject.wanted_series(), [(0, 4)]);
    assert_eq!(subject.series[0].position, 4);
    let page = page(&with);
    let (_, table) = page.split_once("<table class=\"runs\">").unwrap();
    let marked = |line: &&str| line.contains("<small>left out of the figures</small>");
    let marked: Vec<&str> = table.lines().filter(marked).collect();
    assert_eq!(marked.len(), 1, "{table}");
    assert!(marked[0].contains("<td>7<td>4<td"), "{marked:?}");
}

#[test]
fn a_dot_has_the_number_that_its_run_has_in_the_table() {
    let mut experiment = experiment();
    experiment.cells.truncate(2);
    let at = |position: u32| etalon_model::Run {
        position,
        cell: experiment.cells[position as usize % 2].name.clone(),
        ..experiment.runs[0].clone()
    };
    let mut runs: Vec<etalon_model::Run> = (0..6).map(at).collect();
    let severity = Severity::Invalid;
    let found = etalon_model::Finding::new("suspended", severity, "", "");
    runs[3].findings.push(found);
    experiment.runs = runs;
    experiment.cells[0].values.truncate(3);
    experiment.cells[1].values.truncate(2);
    let run = |title: &str| title.starts_with("run ").then(|| title[..5].to_owned());
    let numbers = |svg: &str| -> Vec<String> {
        let titles = svg.split("<title>").skip(1);
        titles.filter_map(run).collect()
    };
    let expected = ["run 1", "run 3", "run 5", "run 2", "run 6"];
    let subject = Subject::of(&experiment, String::new());
    assert_eq!(numbers(&super::runs::dots(&subject)), expected);
    let of_results = drawn(&experiment, "results").into_iter();
    let of_results = of_results.map(|picture| etalon_picture::inline(&picture.wide, "w", ""));
    assert_eq!(numbers(&of_results.collect::<String>()), expected);
}

#[test]
fn the_times_of_a_step_have_the_numbers_of_their_runs() {
    let mut experiment = web();
    let numbers = |experiment: &Experiment| -> Vec<String> {
        let tips = tips(&drawn(experiment, "times")[0]).into_iter();
        let of_runs = tips.filter(|tip| tip.starts_with("run "));
        of_runs
            .filter_map(|tip| Some(tip.split(": ").next()?.to_owned()))
            .collect()
    };
    let all: Vec<String> = (1..=18).map(|n| format!("run {n}")).collect();
    assert_eq!(numbers(&experiment), all);
    // The same of times that are the figures of their cells.
    for cell in &mut experiment.cells {
        let (step, figure) = (cell.name.clone(), etalon_model::TaskFigure::Time);
        let work = etalon_model::TaskWorkload::of_texts("build", &step, figure, [].into());
        cell.workload = work.into();
        cell.unit = etalon_model::Unit::Seconds;
        cell.values.truncate(6);
    }
    assert_eq!(numbers(&experiment), all);
}

#[test]
fn each_page_of_a_site_is_a_dot_before_and_after() {
    let mut before = experiment();
    before.cells.truncate(1);
    before.cells[0].name = "one after another, cold".to_owned();
    let run = before.runs[0].clone();
    // Three pages, six times: the second page swings, so that nothing is said of it.
    let site = |experiment: &Experiment, times: &[[u64; 3]]| {
        let runs = times.iter().map(|times| {
            let mut run = run.clone();
            run.cell = experiment.cells[0].name.clone();
            run.measurement.service = Some(etalon_model::ServiceFacts {
                operation_times: times.map(Nanos::millis).to_vec(),
                ..Default::default()
            });
            run
        });
        let runs = runs.collect();
        Subject::of(
            &Experiment {
                runs,
                ..experiment.clone()
            },
            String::new(),
        )
    };
    let names = ["ext4".to_owned(), "xfs".to_owned()];
    let comparison = samples::comparison();
    let row = |comparison| ComparedRow {
        comparison,
        cell: &before.cells[0],
    };
    let of_rows = |subjects: &[Subject], rows: &[ComparedRow<'_>]| {
        let report = HtmlReport {
            subjects,
            question: None,
            rows,
            names: &names,
            notes: &[],
            command: "",
        };
        let mut all = report.pictures();
        all.retain(|picture| picture.name.ends_with("-pages"));
        all
    };
    let said = |subjects: &[Subject]| of_rows(subjects, &[row(&comparison)]);
    let six = |one: [u64; 3], other: [u64; 3]| site(&before, &[one, other, one, other, one, other]);
    let first = six([10, 20, 30], [11, 90, 31]);
    let second = six([5, 40, 60], [6, 50, 70]);
    let [picture] = &said(&[first.clone(), second.clone()])[..] else {
        panic!()
    };
    assert!(
        picture
            .claim
            .ends_with("xfs is faster on 1 of 3 pages, ext4 on 1"),
        "{}",
        picture.claim
    );
    let svg = etalon_picture::inline(&picture.wide, "w", "");
    assert!(svg.contains("page 1: 10.5 ms, then 5.50 ms"), "{svg}");
    assert_eq!(svg.matches("<circle class=\"ho\"").count(), 1, "{svg}");
    assert!(
        picture.note.contains("by chance alone 0.0 pages"),
        "{}",
        picture.note
    );
    // What is not compared has no pages that are faster: it has no row, is left out of its row, or is another workload.
    let two = [first.clone(), second.clone()];
    assert!(of_rows(&two, &[]).is_empty());
    let mut left_out = comparison.clone();
    left_out.arms[1].left_out = Some("its figure is invalid".to_owned().into());
    assert!(of_rows(&two, &[row(&left_out)]).is_empty());
    let mut other_row = row(&comparison);
    let warm = cells().remove(1);
    other_row.cell = &warm;
    assert!(of_rows(&two, &[other_row]).is_empty());
    // Five runs tell nothing of a page.
    let mut few = second;
    few.pages.values_mut().for_each(|runs| runs.truncate(5));
    let [picture] = &said(&[first.clone(), few])[..] else {
        panic!()
    };
    assert!(
        picture
            .claim
            .ends_with("too few runs to tell which are faster")
    );
    let svg = etalon_picture::inline(&picture.wide, "w", "");
    assert_eq!(svg.matches("<circle class=\"ho\"").count(), 3, "{svg}");
    // Another site has other pages, and one without times has none.
    let mut other = first.clone();
    other
        .pages
        .values_mut()
        .flatten()
        .for_each(|run| run.truncate(2));
    assert!(said(&[first.clone(), other]).is_empty());
    assert!(said(&[first]).is_empty());
}

/// `randread` over three file sizes and four record sizes at two depths, and one cell that is in no grid.
fn sweep() -> Experiment {
    use etalon_model::{IoWorkload, Operation};
    let mut experiment = experiment();
    let first = experiment.cells[0].clone();
    let mut cells = Vec::new();
    for (operation, word) in [
        (Operation::RandRead, "randread"),
        (Operation::RandWrite, "randwrite"),
    ] {
        for file in [1, 16, 256] {
            for record in [4, 16, 64, 256] {
                for depth in [1, 8] {
                    let mut cell = first.clone();
                    cell.name = format!("{word} {record} KiB of {file} MiB, depth {depth}");
                    cell.median.value = 1000.0 + cells.len() as f64;
                    let (low, high) = (cell.median.value * 0.97, cell.median.value * 1.03);
                    let level = 0.95;
                    cell.median.interval = Some(etalon_model::Interval { low, high, level });
                    cell.mean = cell.median;
                    let io = IoWorkload {
                        operation,
                        file_size: Bytes::mib(file),
                        block_size: Bytes::kib(record).into(),
                        queue_depth: depth,
                        ..IoWorkload::default()
                    };
                    cell.workload = io.into();
                    cells.push(cell);
                }
            }
        }
    }
    cells.push(experiment.cells[2].clone());
    experiment.cells = cells;
    experiment.runs.clear();
    experiment
}

#[test]
fn a_sweep_is_tables_of_its_sizes_and_every_figure_is_folded_away_once() {
    let experiment = sweep();
    let page = page(&experiment);
    let of_store: Vec<f64> = experiment
        .cells
        .iter()
        .map(|cell| cell.estimate().value)
        .collect();
    let parsed = |name| -> Vec<f64> {
        attribute(&page, name)
            .iter()
            .map(|text| text.parse().unwrap())
            .collect()
    };
    let mut in_tables = parsed("data-figure");
    in_tables.sort_by(f64::total_cmp);
    let mut of_grids = of_store[..48].to_vec();
    of_grids.sort_by(f64::total_cmp);
    assert_eq!(in_tables, of_grids);
    // The cell that is in no grid is a row that is seen, and a row among all.
    assert_eq!(
        parsed("data-value"),
        [&of_store[48..], &of_store[..]].concat()
    );
    let (seen, folded) = page.split_once("<details class=\"long\"").unwrap();
    assert_eq!(seen.matches("<tr role=\"row\" class=").count(), 1);
    assert_eq!(folded.matches("<tr role=\"row\" class=").count(), 49);
    for head in [
        "<th scope=\"col\">1 MiB, QD1</th>",
        "<th scope=\"row\">256 KiB</th>",
        "<b>random write</b>",
    ] {
        assert!(seen.contains(head), "{head}");
    }
    // Twelve shades and the palest.
    assert!(seen.contains("class=\"h12\"") && !seen.contains("class=\"h13\""));
}

#[test]
fn a_finding_of_many_rows_names_a_few() {
    let mut experiment = sweep();
    let finding = experiment.cells[48].findings[0].clone();
    for cell in &mut experiment.cells[..40] {
        cell.findings.push(finding.clone());
    }
    let page = page(&experiment);
    assert!(page.contains("41 of 49 rows: "), "{page}");
    assert!(page.contains(" and 35 more</p>") && page.contains("<summary>35 more rows</summary>"));
}

#[test]
fn what_runs_that_count_and_that_were_left_out_have_is_of_one_row_and_each_is_its_evidence() {
    let mut experiment = experiment();
    let mut sample = experiment.cells[2].findings[0].clone();
    (sample.code, sample.severity) = ("foreign-io".to_owned(), Severity::Warn);
    experiment.cells[2].findings.clear();
    for (message, left_out) in [("three per cent.", false), ("eight per cent.", true)] {
        sample.message = message.to_owned();
        sample.said.clear();
        sample.affected = Some(AffectedRuns {
            runs_affected: 2,
            runs: 8,
            left_out,
        });
        experiment.cells[2].findings.push(sample.clone());
    }
    let page = page(&experiment);
    let (_, found) = page.split_once("id=\"findings\"").unwrap();
    let name = crate::role::label(&experiment.cells[2]);
    assert!(found.contains(&format!("</p><p>{name}</p>")), "{found}");
    for said in ["three per cent (in", "eight per cent (in"] {
        assert!(found.contains(said), "{said}: {found}");
    }
}

#[test]
fn a_sweep_under_two_conditions_is_a_table_of_ratios() {
    let experiment = sweep();
    let comparison = samples::comparison();
    let rows: Vec<ComparedRow<'_>> = experiment.cells[..48]
        .iter()
        .map(|cell| ComparedRow {
            comparison: &comparison,
            cell,
        })
        .collect();
    let page = page_of_two(&experiment, &rows);
    let ratio = comparison.arms[1].of_baseline.unwrap().value.to_string();
    assert_eq!(attribute(&page, "data-ratio"), vec![ratio; 48]);
    assert!(page.contains("▲ 1.25<small>1.23 – 1.27</small>"));
    assert!(page.contains("bfq faster at 24 sizes, slower at 0, of 24"));
    assert!(page.contains("<summary>All 48 workloads, a row each</summary>"));
}

#[test]
fn the_sizes_of_a_tool_are_a_grid_though_it_keeps_them_as_they_were_asked_for_too() {
    use etalon_model::{Parameter, TaskFigure, TaskWorkload};
    let mut experiment = sweep();
    for cell in &mut experiment.cells[..48] {
        let io = cell.workload.io().unwrap().clone();
        let size = |bytes| Parameter::Size { bytes };
        let parameters = [
            ("size".to_owned(), size(io.file_size)),
            ("record".to_owned(), size(io.block_size.largest())),
        ];
        let step = format!("{}, {} at once", io.operation.name(), io.queue_depth);
        let mut task = TaskWorkload::of_texts("iozone", &step, TaskFigure::Throughput, [].into());
        task.parameters = parameters.into();
        (task.file_size, task.block_size) = (Some(io.file_size), Some(io.block_size.largest()));
        cell.workload = task.into();
    }
    let page = page(&experiment);
    assert_eq!(attribute(&page, "data-figure").len(), 48);
    assert_eq!(page.matches("<table class=\"heat\">").count(), 4);
}
