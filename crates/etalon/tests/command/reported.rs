//! What is shown and handed on holds what the store holds.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{Ground, Home, is_disturbed};

const MEASURED: &str = "--op randread --file-size 4M --time 100ms --runs 6";

/// A store with one experiment, and what `export --json` says of it.
fn measured() -> (Home, Ground, Value) {
    let (home, ground) = (Home::new(), Ground::new());
    let line = format!("measure {} {MEASURED}", ground.path().display());
    let said = home.run(line.split(' '));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let json = home.run(["export", "1", "--json"]).out;
    let json = serde_json::from_str(&json).unwrap();
    (home, ground, json)
}

/// The values of an attribute of a page, in their order.
fn attribute(page: &str, name: &str) -> Vec<f64> {
    let begin = format!(" {name}=\"");
    let parts = page.split(&begin).skip(1);
    let values = parts.filter_map(|part| part.split('"').next());
    values.map(|value| value.parse().unwrap()).collect()
}

#[test]
fn a_report_says_what_the_store_holds() {
    let (home, _ground, json) = measured();
    let file = home.path().join("report.html");
    let file = file.to_str().unwrap();
    let said = home.run(["report", "1", "-o", file]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let page = fs::read_to_string(file).unwrap();
    let cell = &json["cells"][0];
    let headline = cell["headline"].as_str().unwrap();
    assert_eq!(
        attribute(&page, "data-value"),
        [cell[headline].as_f64().unwrap()]
    );
    // Where the machine disturbed a run, too few are left for an interval, and the page has none either.
    assert!(cell["interval"].is_object() || is_disturbed(cell), "{cell}");
    for (name, key) in [("data-low", "low"), ("data-high", "high")] {
        let bound: Vec<f64> = cell["interval"][key].as_f64().into_iter().collect();
        assert_eq!(attribute(&page, name), bound);
    }
    assert_eq!(
        attribute(&page, "data-runs"),
        [cell["runs"].as_f64().unwrap()]
    );
    let verdict = format!(" data-verdict=\"{}\"", cell["verdict"].as_str().unwrap());
    assert!(page.contains(&verdict), "{verdict}");
    // Named by nobody, a file that is there is left as it is.
    let mut again = home.etalon(["report", "1"]);
    again.current_dir(home.path());
    assert!(again.output().unwrap().status.success());
    assert!(!again.output().unwrap().status.success());
}

#[test]
fn pictures_are_written_as_svg_and_png_and_none_is_replaced() {
    let (home, _ground, _) = measured();
    let charts = home.path().join("charts");
    let deep = home.path().join("none/charts");
    let words = ["report", "1", "--charts", deep.to_str().unwrap()];
    home.run(words).refused(1, &["cannot make the directory"]);
    let words = ["report", "1", "--charts", charts.to_str().unwrap()];
    let said = home.run(words);
    assert_eq!(said.code, Some(0), "{said:?}");
    let names: Vec<String> = said.out.lines().map(str::to_owned).collect();
    assert!(names.len() >= 4, "{names:?}");
    for name in &names {
        let bytes = fs::read(name).unwrap();
        let begins: &[u8] = if name.ends_with(".png") {
            b"\x89PNG"
        } else {
            b"<svg "
        };
        assert!(bytes.starts_with(begins), "{name}");
    }
    assert_ne!(home.run(words).code, Some(0));
    // A report as well where one is named.
    let (more, page) = (home.path().join("more"), home.path().join("page.html"));
    let [more, file] = [&more, &page].map(|path| path.to_str().unwrap());
    let said = home.run(["report", "1", "--charts", more, "-o", file]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(said.out.lines().count(), names.len() + 1, "{said:?}");
    assert!(
        fs::read_to_string(&page)
            .unwrap()
            .starts_with("<!doctype html>")
    );
}

#[test]
fn a_bundle_comes_back_byte_for_byte_and_a_changed_figure_is_named() {
    let (home, _ground, json) = measured();
    let name = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let (one, two, store) = (name("1.etalon"), name("2.etalon"), name("other.sqlite"));
    let lines: [&[&str]; 4] = [
        &["export", "1", "--bundle", "-o", &one],
        &["import", &one, "--store", &store],
        &["export", "1", "--bundle", "-o", &two, "--store", &store],
        &["verify", &two],
    ];
    for line in lines {
        let said = home.run(line);
        assert_eq!(said.code, Some(0), "{line:?}: {said:?}");
    }
    assert!(fs::read(&one).unwrap() == fs::read(&two).unwrap());
    let mut changed = json;
    let median = changed["cells"][0]["median"].as_f64().unwrap();
    changed["cells"][0]["median"] = (median * 1.01).into();
    let file = name("changed.json");
    fs::write(&file, changed.to_string()).unwrap();
    let said = home.run(["verify", &file]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.contains(": median: the file says "), "{said:?}");
}

/// What stands in the box of the page that has a button to copy it, as people see it.
fn command_of(page: &str) -> String {
    let (_, rest) = page.split_once("<code id=\"c1\">").unwrap();
    let (line, _) = rest.split_once("</code>").unwrap();
    let entities = [
        ("&#39;", "'"),
        ("&quot;", "\""),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ];
    let plain = |line: String, (entity, sign): (&str, &str)| line.replace(entity, sign);
    entities.into_iter().fold(line.to_owned(), plain)
}

#[test]
fn the_printed_command_measures_the_same_again() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.path().join("it's $(x)");
    fs::create_dir(&place).unwrap();
    let words =
        "measure . --op randrw --read-percent 30 -b 8k --file-size 2M --bytes 256k --runs 2";
    let mut first = home.etalon(words.split(' '));
    first.current_dir(&place);
    let first = first.output().unwrap();
    assert!(matches!(first.status.code(), Some(0 | 3)), "{first:?}");
    let file = home.path().join("report.html");
    home.run(["report", "1", "-o", file.to_str().unwrap()]);
    let line = command_of(&fs::read_to_string(&file).unwrap());
    assert!(line.starts_with("cd '"), "{line}");

    let own = Path::new(env!("CARGO_BIN_EXE_etalon")).parent().unwrap();
    let line = format!("PATH={}:$PATH; {line}", own.display());
    let mut shell = home.in_home(Command::new("bash"), ["-c", &line]);
    let again = shell.output().unwrap();
    assert!(
        matches!(again.status.code(), Some(0 | 3)),
        "{line}: {again:?}"
    );
    let done = |id: &str| {
        let document = home.run(["export", id, "--json"]).json();
        let of_runs = document["runs"].as_array().unwrap().iter();
        let of_runs: Vec<Value> = of_runs.map(|run| run["workload"].clone()).collect();
        (
            document["seed"].clone(),
            document["target"]["path"].clone(),
            of_runs,
        )
    };
    assert_eq!(done("1"), done("2"), "{line}");
}

/// A store with random reads of the modelled device, swept by these words.
fn modelled(sweep: &str) -> Home {
    let (home, ground) = (Home::new(), Ground::new());
    let words =
        format!("{sweep} --op randread --file-size 4M --backend fake --time 300ms --runs 6");
    let place = ground.path().to_str().unwrap();
    let said = home.run(["measure", place].into_iter().chain(words.split(' ')));
    assert_eq!(said.code, Some(0), "{said:?}");
    home
}

#[test]
fn the_report_of_what_was_killed_has_its_figures_and_says_that_there_were_more_to_come() {
    let home = crate::languages::modelled();
    let file = home.path().join("report.html");
    let file = file.to_str().unwrap();
    let pages = || {
        [&["1"][..], &["4"], &["1", "2"]].map(|ids| {
            let said = home.run([&["report"], ids, &["-o", file]].concat());
            assert_eq!(said.code, Some(0), "{said:?}");
            fs::read_to_string(file).unwrap()
        })
    };
    let compared = |page: &String| {
        let table = page.split("class=\"res cmp\"").nth(1);
        table.and_then(|rest| rest.split("</table>").next().map(str::to_owned))
    };
    let figures = |page: &String| (attribute(page, "data-value"), compared(page));
    let ended = pages();
    let store = rusqlite::Connection::open(home.store()).unwrap();
    // As a process leaves them that is killed: whoever made these is long gone.
    store
        .execute_batch("DELETE FROM cell; UPDATE experiment SET state = 'running'")
        .unwrap();
    let killed = pages();
    let tables = ended.each_ref().map(|page| compared(page).is_some());
    assert_eq!(tables, [false, true, true]);
    assert_eq!(
        killed.each_ref().map(figures),
        ended.each_ref().map(figures)
    );
    let alone = "The measurement was interrupted before its end.";
    let of_two = "Interrupted before the end: ";
    let marks = [alone, alone, of_two];
    let marked = killed
        .each_ref()
        .map(|page| marks.iter().position(|mark| page.contains(mark)));
    assert_eq!(marked, [Some(0), Some(0), Some(2)]);
}

#[test]
fn a_report_reads_no_histogram_and_no_series_but_of_the_runs_that_are_drawn() {
    let home = modelled("-q 1,4");
    let file = home.path().join("report.html");
    let page = || {
        let said = home.run(["report", "1", "-o", file.to_str().unwrap()]);
        assert_eq!(said.code, Some(0), "{said:?}");
        fs::read_to_string(&file).unwrap()
    };
    let before = page();
    let store = rusqlite::Connection::open(home.store()).unwrap();
    // Of each of the two workloads one run is drawn.
    let spoil = "UPDATE run SET record_json = '{}', read_histogram = x'00', write_histogram = x'00', series = x'00' \
                 WHERE (SELECT count(*) FROM run AS other WHERE other.cell = run.cell AND other.position < run.position) \
                 <> 3";
    assert_eq!(store.execute(spoil, []).unwrap(), 10);
    assert!(page() == before);
    // What is not looked at there is found where all is.
    let said = home.run(["export", "1", "--csv"]);
    assert_ne!(said.code, Some(0), "{said:?}");
}

#[test]
fn a_page_leaves_series_unread_that_are_too_long_for_it_and_says_so() {
    let home = modelled("-q 1");
    let store = rusqlite::Connection::open(home.store()).unwrap();
    let spoil = |bytes: u32| {
        let spoil = "UPDATE run SET series = zeroblob(?1) WHERE position = 0";
        assert_eq!(store.execute(spoil, [bytes]).unwrap(), 1);
        home.run(["show", "1"])
    };
    let said = spoil(63 << 20);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("damaged"), "{said:?}");
    let said = spoil(64 << 20);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("were left unread"), "{said:?}");
    let said = home.run(["show", "1", "--json"]);
    assert_eq!(said.code, Some(1), "{said:?}");
}

#[test]
fn files_for_fio_plot_are_one_job_each_with_the_figures_of_the_store() {
    let home = modelled("-b 4k,64k -q 1,4");
    let stored = home.run(["export", "1", "--json"]).json();
    let directory = home.path().join("fio");
    let words = ["export", "1", "--fio-files", directory.to_str().unwrap()];
    let said = home.run(words);
    assert_eq!(said.code, Some(0), "{said:?}");
    let cells = stored["cells"].as_array().unwrap();
    let names: Vec<&str> = said.out.lines().collect();
    assert_eq!(names.len(), cells.len());
    for (name, cell) in names.iter().zip(cells) {
        let document: Value = serde_json::from_slice(&fs::read(name).unwrap()).unwrap();
        let [job] = &document["jobs"].as_array().unwrap()[..] else {
            panic!("{name}")
        };
        let workload = &cell["workload"];
        let options = &job["job options"];
        assert_eq!(options["iodepth"], workload["queue_depth"].to_string());
        let size = if workload["block_size_bytes"] == 4096 {
            "4k"
        } else {
            "64k"
        };
        let parts = [
            size,
            &format!(
                "randread-iodepth-{}-numjobs-1.json",
                workload["queue_depth"]
            ),
        ];
        assert!(
            Path::new(name).ends_with(parts.iter().collect::<std::path::PathBuf>()),
            "{name}"
        );
        assert_eq!(options["bs"], size);
        assert_eq!(job["read"]["total_ios"], cell["operations"]);
    }
    // What is there is not written over.
    assert_ne!(home.run(words).code, Some(0));
}
