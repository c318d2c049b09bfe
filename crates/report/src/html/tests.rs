//! The page holds what the records hold, and nothing of what a name would like it to do.

use etalon_model::{
    Experiment, ExperimentHeader, ExperimentKind, ExperimentState, NewExperiment, SCHEMA_VERSION,
    SeriesPoint,
};
use etalon_units::{Bytes, Nanos};

use super::{HtmlReport, Subject};
use crate::comparison::ComparedRow;
use crate::samples::{self, cells, step, target};

/// Ends a title, a script, an attribute and a comment, and asks for something from outside.
const HOSTILE: &str =
    "</title></script><script src=//evil></script>'\"><img onerror=alert(1)>-->\u{1b}[2J";

fn experiment() -> Experiment {
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
    let subject = || Subject::of(&experiment, String::new());
    let names = ["none".to_owned(), "bfq".to_owned()];
    let page = HtmlReport {
        subjects: &[subject(), subject()],
        question: None,
        rows: &rows,
        names: &names,
        notes: &[],
        command: "",
    }
    .page();
    assert!(page.contains("<h1>none or bfq?</h1>"));
    assert!(
        page.contains("ratio, none = 1") && page.contains("<b>1.25</b><small>1.23 – 1.27</small>")
    );
    assert!(page.contains("times as fast as none, log axis"));
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
fn drawn(experiment: &Experiment, name: &str) -> Vec<super::Picture> {
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
fn tips(picture: &super::Picture) -> Vec<String> {
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
            .contains("250 MiB/s at its beginning, 150 MiB/s at its end"),
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
