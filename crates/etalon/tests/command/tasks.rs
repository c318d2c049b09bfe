//! Operations on names and real work: kept, shown, compared and exported like everything else.

use serde_json::Value;

use crate::common::{
    Ground, Home, Said, counted_runs, is_disturbed, is_refused_as_disturbed, left_in, undisturbed,
};

/// Few enough names that a pass takes no time, and enough for thirty operations of each kind.
const NAMES: &str = "--operations mkdir,create,stat,unlink --depth 1 --breadth 40 --files 2";

pub(crate) fn words<'a>(first: &[&'a str], rest: &'a str) -> Vec<&'a str> {
    let mut words = first.to_vec();
    words.extend(rest.split(' '));
    words
}

fn metadata(home: &Home, place: &str, rest: &str) -> Said {
    let mut all = words(&["metadata", place], NAMES);
    all.extend(rest.split(' '));
    home.run(all)
}

fn copy(home: &Home, place: &str, rest: &str) -> Said {
    home.run(words(
        &["work", "copy-tree", place, "--set", "files=mail"],
        rest,
    ))
}

pub(crate) fn names_of(cells: &Value) -> Vec<String> {
    let cells = cells.as_array().unwrap().iter();
    cells
        .map(|cell| cell["name"].as_str().unwrap().to_owned())
        .collect()
}

fn has_invalid(cells: &Value) -> bool {
    let mut cells = cells.as_array().unwrap().iter();
    cells.any(|cell| cell["verdict"] == "invalid")
}

/// The one experiment of the store, as `export` gives it.
pub(crate) fn exported(home: &Home, id: &str) -> Value {
    let said = home.run(["export", id, "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    said.json()
}

#[test]
fn operations_on_names_are_kept_shown_and_exported() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = metadata(&home, ground.name(), "--runs 6");
    for part in ["result", "±", "p50", "k/s", "Kept as"] {
        assert!(said.out.contains(part), "no {part}: {said:?}");
    }
    assert!(said.out.starts_with(ground.name()), "{said:?}");
    assert!(said.out.contains("\nmetadata: "), "{said:?}");
    let list = home.experiments();
    assert_eq!((list.len(), &list[0]["kind"]), (1, &"metadata".into()));
    assert_eq!(list[0]["state"], "finished");
    assert_eq!(list[0]["cells"], 4);
    let document = exported(&home, "1");
    let cells = &document["cells"];
    // A cell that a stolen processor left without an interval is undecided, which is no failure.
    let some_invalid = has_invalid(cells);
    assert_eq!(
        said.code,
        Some(if some_invalid { 3 } else { 0 }),
        "{said:?}"
    );
    assert_eq!(names_of(cells), ["mkdir", "create", "stat", "unlink"]);
    assert_eq!(cells[1]["unit"], "op/s");
    assert_eq!(cells[1]["operations"], counted_runs(&cells[1], 6) * 82);
    assert_eq!(cells[1]["workload"]["type"], "task");
    assert_eq!(cells[1]["workload"]["figure"], "rate");
    assert_eq!(document["runs"].as_array().unwrap().len(), 24);
    assert!(document["runs"][3]["circumstances"]["machine"].is_object());
    let shown = home.run(["show", "1"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let table = |said: &Said| -> Vec<String> {
        let is_row = |line: &&str| line.contains("/s  ");
        let rows = said.out.lines().filter(is_row);
        rows.map(str::to_owned).collect()
    };
    assert_eq!(table(&said).len(), 4, "{said:?}");
    assert_eq!(table(&shown), table(&said));
    let details = home.run(["show", "1", "--details"]);
    for part in ["95 % interval", "p99.9", "verdict"] {
        assert!(details.out.contains(part), "no {part}: {details:?}");
    }
    let csv = home.run(["export", "1", "--csv"]);
    assert_eq!(csv.out.lines().count(), 25, "{csv:?}");
    assert_eq!(left_in(ground.path()), [""; 0]);
}

#[test]
fn one_run_gives_no_interval_which_fails_only_where_that_is_asked() {
    let (home, ground) = (Home::new(), Ground::new());
    let strict = metadata(&home, ground.name(), "--runs 1 --strict");
    assert_eq!(strict.code, Some(3), "{strict:?}");
    let said = metadata(&home, ground.name(), "--runs 1 --seed 5 --json");
    let document = said.json();
    let some_invalid = has_invalid(&document["cells"]);
    assert_eq!(
        said.code,
        Some(if some_invalid { 3 } else { 0 }),
        "{said:?}"
    );
    assert_eq!(document["format"], "etalon-summary");
    assert_eq!(document["kind"], "metadata");
    let cell = &document["cells"][0];
    assert!(
        cell["verdict"] == "undecided" || is_disturbed(cell),
        "{said:?}"
    );
    assert_eq!(cell["interval"], Value::Null);
    let records = document["records"].as_array().unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["workload"]["seed"], 6, "5 and the first run");
    assert_eq!(records[0]["phases"][1]["count"], 82);
}

#[test]
fn left_to_itself_it_repeats_until_there_is_an_interval() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = metadata(&home, ground.name(), "--json");
    let passes = said.json()["records"].as_array().unwrap().len();
    assert!(passes >= 6, "{said:?}");
    let said = metadata(&home, ground.name(), "--precision 99% --json");
    let passes = said.json()["records"].as_array().unwrap().len();
    assert!([6, 8, 10, 13, 16, 20, 25, 30].contains(&passes), "{said:?}");
    let said = metadata(&home, ground.name(), "--precision 0.0001% --json");
    // What is invalid is not repeated in the hope of an interval.
    let document = said.json();
    let cells = document["cells"].as_array().unwrap();
    let disturbed = cells.iter().any(|cell| cell["verdict"] == "invalid");
    assert_eq!(said.code, Some(if disturbed { 3 } else { 5 }), "{said:?}");
    assert!(
        cells
            .iter()
            .all(|cell| cell["precision"]["reached"] == false)
    );
    let passes = document["records"].as_array().unwrap().len();
    assert!(passes == 30 || disturbed, "{said:?}");
}

#[test]
fn steps_of_real_work_are_seconds_until_durable() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = copy(&home, ground.name(), "--set size=1M --runs 6");
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    for part in [
        "step, until durable",
        "returned",
        "\ncopy-tree: ",
        "\nInput: generated: mail ",
        "files mail",
    ] {
        assert!(said.out.contains(part), "no {part}: {said:?}");
    }
    assert_eq!(home.experiments()[0]["kind"], "work");
    let details = home.run(["show", "1", "--details"]);
    for part in ["step, until durable", "returned", "user", "system", "wait"] {
        assert!(details.out.contains(part), "no {part}: {details:?}");
    }
    let document = exported(&home, "1");
    let cell = &document["cells"][0];
    assert_eq!(
        (&cell["name"], &cell["unit"]),
        (&"copy".into(), &"s".into())
    );
    for run in document["runs"].as_array().unwrap() {
        let m = &run["measurement"];
        assert!(
            m["duration_ns"].as_u64() >= m["final_fsync_ns"].as_u64(),
            "{m}"
        );
        assert!(m["metadata"]["operations"].as_u64() > Some(0), "{m}");
    }
    let row = |said: &Said| {
        said.out
            .lines()
            .find(|l| l.contains("copy  "))
            .map(str::to_owned)
    };
    let shown = home.run(["show", "1"]);
    assert_eq!(row(&shown), row(&said), "{shown:?}");
    assert_eq!(left_in(ground.path()), [""; 0]);
}

/// Two experiments, of which the second copies four hundred times as much, and their comparison.
fn two_times() -> (Home, Said) {
    let (home, ground) = (Home::new(), Ground::new());
    for size in ["100K", "40M"] {
        let rest = format!("--set size={size} --set verify=no --runs 8");
        let said = copy(&home, ground.name(), &rest);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    let said = home.run(["compare", "1", "2", "--by", "size", "--json"]);
    (home, said)
}

/// Whether the machine around the runs spoiled a side, or so many of its runs that it has no interval.
fn is_spoiled(home: &Home, said: &Said) -> bool {
    let lacks_runs = |id| {
        exported(home, id)["cells"]
            .as_array()
            .unwrap()
            .iter()
            .any(is_disturbed)
    };
    is_refused_as_disturbed(&said.json()["comparisons"][0])
        || ["1", "2"].into_iter().any(lacks_runs)
}

#[test]
fn of_two_times_the_shorter_is_the_faster() {
    let (home, said) = undisturbed(two_times, |(home, said)| is_spoiled(home, said));
    let comparison = said.json()["comparisons"][0].clone();
    assert_eq!(comparison["unit"], "s");
    if is_spoiled(&home, &said) {
        return;
    }
    let refused = home.run(["compare", "1", "2"]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(
        refused.out.contains("etalon compare 1 2 --by size"),
        "{refused:?}"
    );
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(comparison["verdict"]["greater"], "2");
    assert_eq!(comparison["arms"][1]["standing"], "slower");
    assert_eq!(comparison["arms"][0]["is_best"], true);
    assert_eq!(comparison["arms"][1]["is_best"], false);
    let said = home.run(["compare", "1", "2", "--by", "size"]);
    assert!(
        said.out.contains("experiment 1 is ")
            && said.out.contains(" times as fast as experiment 2"),
        "{said:?}"
    );
}

#[test]
fn operations_on_names_are_compared_one_by_one() {
    let (home, ground) = (Home::new(), Ground::new());
    for jobs in ["1", "2"] {
        metadata(&home, ground.name(), &format!("--runs 6 --jobs {jobs}"));
    }
    let said = home.run(["compare", "1", "2", "--by", "jobs", "--json"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let comparisons = said.json()["comparisons"].clone();
    assert_eq!(
        names_of(&comparisons),
        ["mkdir", "create", "stat", "unlink"]
    );
    for comparison in comparisons.as_array().unwrap() {
        let is_refused = comparison["verdict"]["verdict"] == "refused";
        assert!(
            !is_refused || is_refused_as_disturbed(comparison),
            "{said:?}"
        );
    }
    let refused = home.run(["compare", "1/mkdir", "2/stat", "--by", "jobs"]);
    let reason = "step is mkdir in 1/mkdir and stat in 2/stat";
    assert!(refused.joined().contains(reason), "{refused:?}");
}
