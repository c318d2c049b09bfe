//! `compare`: what it takes, what it refuses, and that it says why.

use crate::common::{Ground, Home, Said, is_disturbed, undisturbed};

/// A store with two experiments of eight runs each, of the modelled device, of which other work on the
/// machine spoiled none.
fn two_experiments() -> (Home, Ground) {
    let words = "--op randread --file-size 8M --backend fake --time 200ms --runs 8";
    let attempt = || {
        let (home, ground) = (Home::new(), Ground::new());
        for _ in 0..2 {
            let words = words.split(' ');
            let said = home.run(["measure", ground.name()].into_iter().chain(words));
            assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
        }
        (home, ground)
    };
    undisturbed(attempt, |(home, _)| {
        ["1", "2"].iter().any(|id| is_spoiled(home, id))
    })
}

fn is_spoiled(home: &Home, id: &str) -> bool {
    let cell = home.run(["show", id, "--json"]).json()["cells"][0].clone();
    is_disturbed(&cell) || cell["runs"] != 8
}

fn document(said: &Said) -> serde_json::Value {
    said.json()["comparisons"][0].clone()
}

#[test]
fn experiments_cells_and_runs_are_arms() {
    let (home, _ground) = two_experiments();
    for (one, two, counts) in [
        ("1", "2", [8, 8]),
        ("1@1-4", "1@5-8", [4, 4]),
        ("1@1-3,7", "2@2,4", [4, 2]),
    ] {
        let said = home.run(["compare", one, two, "--json"]);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
        let comparison = document(&said);
        for (arm, count) in counts.into_iter().enumerate() {
            let values = comparison["arms"][arm]["values"].as_array();
            assert_eq!(values.map(Vec::len), Some(count), "{one} {two}: {said:?}");
        }
    }
}

#[test]
fn a_row_is_named_as_pages_print_it() {
    let (home, _ground) = two_experiments();
    let document = home.run(["show", "1", "--json"]).json();
    let own = document["cells"][0]["name"].as_str().unwrap().to_owned();
    let printed = own
        .replace("randread", "random read")
        .replace(", depth ", " QD");
    assert_ne!(own, printed);
    assert!(home.run(["show", "1"]).out.contains(&printed));
    for name in [&own, &printed] {
        let (one, two) = (format!("1/{name}@1-6"), format!("2/{name}"));
        let said = home.run(["compare", &one, &two]);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    let wrong = home.run(["compare", "1/random writes", "2"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn one_run_is_refused_with_the_reason() {
    let (home, _ground) = two_experiments();
    let said = home.run(["compare", "1@2", "2@3"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    let on_one_line = said.out.replace("\n  ", " ");
    assert!(on_one_line.contains("one run has no interval"), "{said:?}");
}

#[test]
fn the_same_runs_twice_are_refused_with_a_sentence() {
    let (home, _ground) = two_experiments();
    let copy = home.path().join("copy.json");
    std::fs::write(&copy, home.run(["export", "1", "--json"]).out).unwrap();
    for (one, two, words) in [
        ("1", "1", "'1' is named twice"),
        ("1", copy.to_str().unwrap(), "are the same runs"),
        ("1@1-4", "1@4-8", "have runs in common"),
        ("2", "2@3", "have runs in common"),
    ] {
        let said = home.run(["compare", one, two]);
        assert_eq!(said.code, Some(2), "{one} {two}: {said:?}");
        assert!(said.err.contains(words), "{one} {two}: {said:?}");
        assert_eq!(said.out, "", "{said:?}");
    }
}

#[test]
fn the_words_of_by_are_the_field_s_and_unknown_ones_are_refused() {
    let (home, ground) = two_experiments();
    let words = "--op randread --file-size 8M --block-size 8k --backend fake --time 200ms --runs 8";
    let said = home.run(
        ["measure", ground.name()]
            .into_iter()
            .chain(words.split(' ')),
    );
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let refused = home.run(["compare", "1", "3"]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
    let line = "block size is 4 KiB in 1 and 8 KiB in 3. To compare it all the same: etalon compare 1 3 --by block-size";
    assert!(
        refused.out.replace("\n  ", " ").contains(line),
        "{refused:?}"
    );
    for by in ["block-size", "block_size"] {
        let said = home.run(["compare", "1", "3", "--by", by]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.contains("block size (4 KiB, 8 KiB)"), "{said:?}");
    }
    let unknown = home.run(["compare", "1", "3", "--by", "blocksize"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(
        unknown.err.contains("'blocksize'") && unknown.err.contains("block-size"),
        "{unknown:?}"
    );
}

/// A store with an experiment of the modelled device and one whose accesses take so much longer.
fn slower_by(service: &str) -> (Home, Ground) {
    let (home, ground) = (Home::new(), Ground::new());
    for service in ["100us", service] {
        let words = format!(
            "--op randread --file-size 8M --backend fake --fake-service {service} --time 200ms --runs 8"
        );
        let said = home.run(
            ["measure", ground.name()]
                .into_iter()
                .chain(words.split(' ')),
        );
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    (home, ground)
}

#[test]
fn a_report_calls_equal_what_compare_calls_equal() {
    let (home, _ground) = two_experiments();
    let compared = document(&home.run(["compare", "1", "2", "--json"]));
    assert_eq!(compared["margin"], 0.02);
    let file = home.path().join("report.html");
    let said = home.run(["report", "1", "2", "-o", file.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(page.contains("(± 2 %)"), "{page}");
}

#[test]
fn the_gate_fails_only_where_a_loss_beyond_the_margin_is_shown() {
    let (home, _ground) = slower_by("200us");
    let gate = |words: &str| home.run(["compare"].into_iter().chain(words.split(' ')));
    let failed = gate("1 2 --fail-if-slower 5%");
    assert_eq!(failed.code, Some(7), "{failed:?}");
    assert!(
        failed.out.contains("FAILED: slower by more than 5 %"),
        "{failed:?}"
    );
    let document = gate("1 2 --fail-if-slower 5% --json").json();
    assert_eq!(document["gate"]["outcome"], "slower", "{document}");
    // The other way round it is faster, and half of the speed may go.
    for words in ["2 1 --fail-if-slower 5%", "1 2 --fail-if-slower 60%"] {
        let passed = gate(words);
        assert_eq!(passed.code, Some(0), "{passed:?}");
        assert!(
            passed.out.contains("Passed: not slower by more than"),
            "{passed:?}"
        );
    }
    for bad in ["0%", "100%", "-5%", "x"] {
        let wrong = gate(&format!("1 2 --fail-if-slower {bad}"));
        assert_eq!(wrong.code, Some(2), "{wrong:?}");
    }
}

#[test]
fn the_gate_says_when_the_runs_are_too_few_to_tell() {
    let (home, _ground) = slower_by("100us");
    let gate = |words: &str| home.run(["compare"].into_iter().chain(words.split(' ')));
    // Three runs have no interval, and are no loss either.
    let open = gate("1@1-3 2@1-3 --fail-if-slower 5%");
    assert_eq!(open.code, Some(0), "{open:?}");
    assert!(open.out.contains("Too few runs to tell"), "{open:?}");
    assert!(!open.out.contains("times as fast"), "{open:?}");
    let strict = gate("1@1-3 2@1-3 --fail-if-slower 5% --strict");
    assert_eq!(strict.code, Some(3), "{strict:?}");
    // Of one run nothing is compared at all.
    for strict in ["", " --strict"] {
        let none = gate(&format!("1@1 2@1 --fail-if-slower 5%{strict}"));
        assert_eq!(none.code, Some(3), "{none:?}");
        assert!(
            none.out.contains("NOT JUDGED, since not compared"),
            "{none:?}"
        );
    }
}

#[test]
fn a_gate_over_what_is_not_compared_is_not_passed() {
    let (home, ground) = (Home::new(), Ground::new());
    for size in ["4k", "8k"] {
        let words =
            format!("--op randread -b {size} --file-size 8M --backend fake --time 200ms --runs 6");
        let words = ["measure", ground.name()]
            .into_iter()
            .chain(words.split(' '));
        assert!(matches!(home.run(words).code, Some(0 | 3)));
    }
    for words in ["1 2", "1 2 --fail-if-slower 5%"] {
        let refused = home.run(["compare"].into_iter().chain(words.split(' ')));
        assert_eq!(refused.code, Some(3), "{words}: {refused:?}");
        let text = refused.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("block size is 4 KiB in"), "{text}");
        assert!(!text.contains("Too few runs"), "{text}");
    }
    let json = home
        .run(["compare", "1", "2", "--fail-if-slower", "5%", "--json"])
        .json();
    assert_eq!(json["gate"]["outcome"], "not-compared", "{json}");
    assert!(json["gate"]["rows"][0]["reason"].is_string(), "{json}");
}

#[test]
fn runs_that_are_not_there_are_named() {
    let (home, _ground) = two_experiments();
    for (arm, word) in [
        ("1@9", "no run 9"),
        ("1@0", "'@0'"),
        ("1@x", "'@x'"),
        ("1@3-1", "'@3-1'"),
        ("1/nothing@1", "no cell 'nothing'"),
    ] {
        let said = home.run(["compare", arm, "2"]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(word), "{arm}: {said:?}");
    }
}

/// The ends of the first interval in a table.
fn ends(table: &str) -> &str {
    let mut columns = table.lines().flat_map(|line| line.split("  "));
    columns.find(|column| column.contains('…')).unwrap().trim()
}

#[test]
fn a_cell_has_one_interval_on_every_page() {
    let (home, _ground) = two_experiments();
    let compared = home.run(["compare", "1", "2", "--json"]);
    for (arm, id) in [(0, "1"), (1, "2")] {
        let shown = home.run(["show", id, "--json"]).json()["cells"][0].clone();
        let arm = &document(&compared)["arms"][arm];
        assert_eq!(arm["headline"], shown["headline"], "{compared:?}");
        let headline = arm["headline"].as_str().unwrap();
        assert_eq!(arm[headline]["interval"], shown["interval"], "{arm}");
    }
    let page = home.run(["show", "1", "--details"]).out;
    let details = home.run(["compare", "1", "2", "--details"]).out;
    let on_one_line = details.replace("\n  ", " ");
    assert!(on_one_line.contains(ends(&page)), "{page}\n{details}");
}

#[test]
fn dots_show_every_arm_on_one_axis_below_the_page() {
    let (home, _ground) = two_experiments();
    let plain = home.run(["compare", "1", "2", "--width", "72"]);
    let said = home.run(["compare", "1", "2", "--dots", "--width", "72"]);
    assert_eq!(said.code, plain.code, "{said:?}");
    let dots = said.out.strip_prefix(&plain.out).unwrap();
    let lines: Vec<&str> = dots.trim_start().lines().collect();
    // The row's name, a line for each arm, and the axis.
    assert_eq!(lines.len(), 4, "{dots}");
    for arm in &lines[1..3] {
        assert!(arm.contains('│') && arm.contains('█'), "{dots}");
    }
    assert!(lines[3].trim_start().starts_with('0'), "{dots}");
    assert!(
        lines.iter().all(|line| line.chars().count() <= 72),
        "{dots}"
    );
    let said = home.run(["compare", "1", "2", "--dots", "--json"]);
    assert_eq!(said.code, Some(2), "{said:?}");
}
