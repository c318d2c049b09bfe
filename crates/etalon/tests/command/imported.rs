//! What other programs printed is kept, shown, compared, exported and reported like what etalon measured, and says whose it is.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use crate::common::{Home, finish, start};

const IOZONE: &str = "# iozone -I -i 0 -i 1 -s 1g -r 64
         1048576      64   250000   251000  300000   310000
         1048576      64   252000   255000  302000   310500
";

const FIO: &str = r#"{"fio version": "fio-3.33", "global options": {"rw": "randread", "bs": "4k", "direct": "1"},
"jobs": [
{"jobname": "a", "read": {"io_bytes": 4096000, "bw_bytes": 409600, "iops": 100.5, "runtime": 10000}}]}
"#;

/// A store with the experiments of these texts.
fn imported(texts: &[&str]) -> Home {
    let home = Home::new();
    for (at, text) in texts.iter().enumerate() {
        let file = home.path().join(format!("text {at}"));
        fs::write(&file, text).unwrap();
        let said = home.run(["import", file.to_str().unwrap()]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    home
}

#[test]
fn a_text_of_others_goes_through_every_command_that_shows() {
    let home = imported(&[IOZONE, IOZONE, FIO]);
    let report = home.path().join("report.html");
    let report = report.to_str().unwrap();
    let lines: [&[&str]; 12] = [
        &["show", "1", "--details"],
        &["show", "1", "--findings", "--json"],
        &["show", "1", "--dots"],
        &["compare", "1", "2"],
        &["report", "1", "2", "-o", report],
        &["report", "3", "-o", report],
        &["export", "1", "--json"],
        &["export", "1", "--csv"],
        &["export", "1", "--markdown"],
        &["export", "1", "--metrics"],
        &["export", "3", "--fio"],
        &["list"],
    ];
    for line in lines {
        let said = home.run(line);
        assert_eq!(said.code, Some(0), "{line:?}: {said:?}");
        assert!(!said.out.contains("seed 0"), "{line:?}: {}", said.out);
    }
    for experiment in home.experiments() {
        assert_eq!(experiment["kind"], "imported");
    }
    let document = home.run(["export", "3", "--json"]).json();
    let cell = &document["cells"][0];
    assert_eq!(
        (&cell["verdict"], &cell["unit"]),
        (&"undecided".into(), &"op/s".into())
    );
    assert_eq!(
        (cell["median"].as_f64(), &cell["interval"]),
        (Some(100.5), &serde_json::Value::Null)
    );
    // What the text does not tell is absent, and the rest is as it says.
    let measurement = &document["runs"][0]["measurement"];
    for key in [
        "fsyncs",
        "metadata",
        "series",
        "final_fsync_ns",
        "jobs",
        "writes",
    ] {
        assert!(measurement.get(key).is_none(), "{key}: {measurement}");
    }
    assert_eq!(measurement["duration_ns"], 10_000_000_000u64);
    assert_eq!(
        (&cell["operations"], &cell["bytes"]),
        (&serde_json::Value::Null, &4_096_000.into())
    );
    let published = &document["runs"][0]["circumstances"]["published"];
    assert_eq!(
        (&published["program"], &published["line"]),
        (&"fio".into(), &3.into())
    );
    let page = fs::read_to_string(report).unwrap();
    assert!(
        page.contains("Measured by others") && page.contains("etalon import "),
        "{page}"
    );
}

#[test]
fn what_goes_out_as_a_table_comes_in_with_the_same_figures() {
    let home = imported(&[IOZONE]);
    let figures = |id: &str| {
        let document = home.run(["export", id, "--json"]).json();
        let cells = document["cells"].as_array().unwrap().iter();
        let told = cells.map(|cell| {
            (
                cell["name"].clone(),
                cell["values"].clone(),
                cell["unit"].clone(),
            )
        });
        told.collect::<Vec<_>>()
    };
    let table = home.path().join("table.csv");
    let table = table.to_str().unwrap();
    for line in [
        &["export", "1", "--csv", "-o", table][..],
        &["import", table],
    ] {
        assert_eq!(home.run(line).code, Some(0), "{line:?}");
    }
    assert_eq!(figures("1"), figures("2"));
    assert_eq!(figures("1").len(), 4);
}

#[test]
fn a_text_that_cannot_be_read_names_its_line_and_leaves_no_trace() {
    let home = Home::new();
    let file = home.path().join("text");
    for (text, told) in [
        (
            "x\n 123 bytes (1 kB) copied, 5\n",
            "line 2: this looks like dd's",
        ),
        ("\nnothing here\n", "line 2 is 'nothing here'"),
        ("a\0b\n", "is no text"),
        ("{\"a\": 1}", ""),
    ] {
        fs::write(&file, text).unwrap();
        let said = home.run(["import", file.to_str().unwrap()]);
        assert_ne!(said.code, Some(0), "{text}: {said:?}");
        assert!(said.err.contains(told), "{text}: {said:?}");
    }
    assert!(!home.store().exists());
}

#[test]
fn a_text_comes_from_standard_input_too() {
    let home = Home::new();
    let mut command = home.etalon(["import", "-"]);
    command.stdin(Stdio::piped());
    let mut child = start(command);
    child
        .stdin
        .take()
        .unwrap()
        .write_all(FIO.as_bytes())
        .unwrap();
    let said = finish(child);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(home.experiments().len(), 1);
}
