//! What is exported without identities names neither disk nor directory, and can be used all the same.

use std::path::Path;

use etalon_store::Store;

use crate::common::Home;
use crate::environments::{environment, keep, text_of};
use crate::machine::Machine;

/// The disk of `usb-misaligned` by its serial number and its name by that, and its filesystem.
const NAMES: [&str; 2] = ["0000000000000001", "0b8a8c48-93ec-4097-905c-2cbf3ed767ce"];

/// A store of two experiments on the same disk.
fn measured() -> Home {
    let home = Home::new();
    let mut store = Store::open(&home.store()).unwrap();
    for _ in 0..2 {
        let machine = Machine::unpack(&text_of("usb-misaligned"));
        keep(&mut store, &environment("/mnt/t", &machine.roots()));
    }
    home
}

fn holds_no_name(text: &str, of: &str) {
    for name in NAMES {
        assert!(!text.contains(name), "{of} has {name}");
    }
}

/// The file of an export in this form, without identities.
fn exported(home: &Home, id: &str, form: &str) -> String {
    let file = home.path().join(format!("{id}{form}"));
    let file = file.to_str().unwrap().to_owned();
    let said = home.run(["export", id, form, "--without-identities", "-o", &file]);
    assert_eq!(said.code, Some(0), "{said:?}");
    file
}

#[test]
fn documents_bundles_and_reports_of_them_name_no_disk() {
    let home = measured();
    let plain = home.run(["export", "1", "--json"]).out;
    assert!(NAMES.iter().all(|name| plain.contains(name)), "{plain}");
    let json = exported(&home, "1", "--json");
    holds_no_name(&std::fs::read_to_string(&json).unwrap(), "the document");
    let report = home.path().join("report.html");
    let made = home.run(["report", &json, "-o", report.to_str().unwrap()]);
    assert_eq!(made.code, Some(0), "{made:?}");
    holds_no_name(&std::fs::read_to_string(&report).unwrap(), "the report");
    let bundle = exported(&home, "1", "--bundle");
    let elsewhere = Home::new();
    let taken = elsewhere.run(["import", &bundle]);
    assert_eq!(taken.code, Some(0), "{taken:?}");
    let back = elsewhere.run(["export", "1", "--json"]);
    holds_no_name(&back.out, "the bundle");
    assert!(back.out.contains("hidden-"), "{back:?}");
}

#[test]
fn what_was_measured_is_verified_without_its_path() {
    let home = Home::new();
    let place = home.path().to_str().unwrap();
    let words = "--op randread --file-size 4M --time 100ms --runs 2";
    let words: Vec<&str> = ["measure", place]
        .into_iter()
        .chain(words.split(' '))
        .collect();
    let said = home.run(&words);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let name = home.path().file_name().unwrap().to_str().unwrap();
    let plain = home.run(["export", "1", "--json"]).out;
    assert!(plain.contains(name), "{plain}");
    for form in ["--json", "--bundle"] {
        let file = exported(&home, "1", form);
        let verified = home.run(["verify", &file]);
        assert_eq!(verified.code, Some(0), "{verified:?}");
    }
    for form in ["--json", "--csv", "--markdown", "--metrics", "--fio"] {
        let text = home.run(["export", "1", form, "--without-identities"]).out;
        assert!(!text.contains(name), "{form}: {text}");
    }
}

#[test]
fn two_exports_of_one_disk_are_known_to_be_of_one() {
    let home = measured();
    let [first, second] = ["1", "2"].map(|id| exported(&home, id, "--json"));
    let alike = home.run(["compare", &first, &second, "--json"]).json();
    let differences = alike["environment_differences"].as_array().unwrap();
    assert!(differences.is_empty(), "{differences:?}");
    let serial = |file: &str| {
        let text = std::fs::read_to_string(Path::new(file)).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        document["environments"][0]["facts"]["layer.sdh.kind.serial"].clone()
    };
    assert_eq!(serial(&first), serial(&second));
    // Another user's word is another one.
    let bundle = home.path().join("plain.etalon");
    let bundle = bundle.to_str().unwrap();
    home.run(["export", "1", "--bundle", "-o", bundle]);
    let elsewhere = Home::new();
    elsewhere.run(["import", bundle]);
    assert_ne!(serial(&exported(&elsewhere, "1", "--json")), serial(&first));
}
