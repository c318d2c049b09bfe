//! Every JSON document begins with one envelope.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::{Validator, validator_for};
use serde_json::Value;

use crate::common::{Ground, Home, Image, Loop, Said};

const IO: &str = "--op randread --file-size 4M --time 100ms --runs 1";

/// The command line of each document, its format, and its kind; `DIR` is a place to measure on.
fn documents() -> Vec<(String, &'static str, &'static str)> {
    let all: [(&str, &str, &str); 22] = [
        ("measure DIR IO --json", "etalon-summary", "measure"),
        ("quick DIR --budget 3s --json", "etalon-summary", "quick"),
        (
            "together --runs 1 --json -- DIR IO1 -- DIR IO1",
            "etalon-summary",
            "together",
        ),
        (
            "metadata DIR --files 20 --runs 1 --json",
            "etalon-summary",
            "metadata",
        ),
        (
            "work command DIR --set step=true --runs 1 --json",
            "etalon-summary",
            "work",
        ),
        (
            "dd if=/dev/zero of=DIR/c bs=4k count=8 --runs 2 --json",
            "etalon-tool",
            "dd",
        ),
        (
            "dd if=/dev/zero of=DIR/c bs=4k count=8 --json",
            "etalon-tool",
            "dd",
        ),
        (
            "iozone -s 256 -r 4 -i 0 -f DIR/t --runs 1 --json",
            "etalon-tool",
            "iozone",
        ),
        (
            "fdtree -d 1 -l 1 -f 1 -s 1 -o DIR --runs 1 --json",
            "etalon-tool",
            "fdtree",
        ),
        ("stack DIR --json", "etalon-stack", "stack"),
        (
            "watch DIR --count 1 --interval 100ms --json",
            "etalon-samples",
            "watch",
        ),
        ("list --json", "etalon-list", "list"),
        ("tag 1 word --json", "etalon-changed", "tag"),
        ("note 1 text --json", "etalon-changed", "note"),
        ("show 1 --json", "etalon-summary", "measure"),
        (
            "show 1 --environment --json",
            "etalon-environment",
            "measure",
        ),
        ("export 1 --json", "etalon-experiment", "measure"),
        ("compare 6@1 6@2 --json", "etalon-comparison", "compare"),
        ("checks --json", "etalon-checks", "checks"),
        ("restore --json", "etalon-restored", "restore"),
        ("work list --json", "etalon-works", "work"),
        (
            "passport DIR --budget 26s --json",
            "etalon-passport",
            "passport",
        ),
    ];
    let line = |line: &str| line.replace("IO1", "--op randread --file-size 4M --time 100ms");
    all.map(|(words, format, kind)| (line(words).replace("IO", IO), format, kind))
        .into()
}

/// What `etalon schema` says, and each of its alternatives by the format that it is of.
struct Schemas {
    whole: Validator,
    one: BTreeMap<String, Validator>,
}

impl Schemas {
    /// Asked for and read once: to read them takes longer than to write most documents.
    fn told() -> &'static Schemas {
        static SCHEMAS: OnceLock<Schemas> = OnceLock::new();
        SCHEMAS.get_or_init(|| {
            let schema = Home::new().run(["schema"]).json();
            let alternatives = schema["oneOf"].as_array().unwrap().iter();
            let one = alternatives.map(|one| {
                let format = one["properties"]["format"]["const"].as_str().unwrap();
                let mut one = one.clone();
                one["$defs"] = schema["$defs"].clone();
                (format.to_owned(), validator_for(&one).unwrap())
            });
            Schemas {
                one: one.collect(),
                whole: validator_for(&schema).unwrap(),
            }
        })
    }
}

/// Fails with what is wrong where a document is not as `etalon schema` says.
fn is_valid(document: &Value) {
    let format = document["format"].as_str().unwrap();
    // The alternative alone tells what is wrong; the whole would only say that none fits.
    let validator = &Schemas::told().one[format];
    let wrong: Vec<String> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    for key in ["schema_version", "kind", "experiment"] {
        let mut less = document.clone();
        less.as_object_mut().unwrap().remove(key);
        assert!(!validator.is_valid(&less), "{format} without {key}");
    }
    assert!(wrong.is_empty(), "{format}: {wrong:#?}");
    assert!(Schemas::told().whole.is_valid(document), "{format}");
}

pub(crate) fn check(said: &Said, format: &str, kind: &str) -> Value {
    assert!(matches!(said.code, Some(0 | 3)), "{kind}: {said:?}");
    let document = said.json();
    is_valid(&document);
    assert_eq!(document["format"], format, "{said:?}");
    assert_eq!(document["kind"], kind, "{said:?}");
    assert_eq!(document["schema_version"], 3, "{said:?}");
    for key in ["experiment", "target"] {
        assert!(document.get(key).is_some(), "{key}: {said:?}");
    }
    document
}

#[test]
fn every_document_has_the_envelope() {
    // What takes a budget of its own goes on beside the others, elsewhere.
    let (passports, others): (Vec<_>, Vec<_>) = documents()
        .into_iter()
        .partition(|(.., kind)| *kind == "passport");
    std::thread::scope(|scope| {
        scope.spawn(|| have_the_envelope(passports));
        have_the_envelope(others);
    });
}

/// Prints these documents in a home of their own.
fn have_the_envelope(documents: Vec<(String, &str, &str)>) {
    let (home, ground) = (Home::new(), Ground::new());
    for (line, format, kind) in documents {
        let line = line.replace("DIR", ground.name());
        let said = home.run_in_time(&line.split(' ').collect::<Vec<_>>());
        let document = check(&said, format, kind);
        let is_kept = matches!(
            format,
            "etalon-summary" | "etalon-passport" | "etalon-experiment" | "etalon-environment"
        );
        assert_eq!(
            document["experiment"].is_u64() && document["target"].is_object(),
            is_kept || (format == "etalon-tool" && !document["experiment"].is_null()),
            "{line}: {document}"
        );
    }
}

/// What goes on with, repeats, moves and looks at what the first lines have made; `DIR` is a place to
/// measure on, `HOME` one for files. A plan is gone on with once its last blocks are taken away.
const LATER: [(&str, &str, &str); 18] = [
    (
        "measure DIR FAKE --runs 1 --json",
        "etalon-summary",
        "measure",
    ),
    ("continue 1 --runs 1 --json", "etalon-summary", "measure"),
    ("run HOME/plan.toml DIR --json", "etalon-summary", "plan"),
    ("resume 2 --json", "etalon-summary", "plan"),
    ("rerun 2 --blocks 1 --json", "etalon-summary", "plan"),
    ("import HOME/one.json --json", "etalon-changed", "import"),
    ("merge HOME/other.sqlite --json", "etalon-changed", "merge"),
    ("rm 1 --json", "etalon-changed", "rm"),
    ("review HOME/page.txt --json", "etalon-review", "review"),
    ("verify HOME/one.json --json", "etalon-verified", "verify"),
    ("presets --json", "etalon-presets", "presets"),
    ("presets record-sweep --json", "etalon-presets", "presets"),
    ("lab list --json", "etalon-lab", "lab"),
    ("lab check --json", "etalon-lab", "lab"),
    ("lab simulate raid5 --size 256M --json", "etalon-lab", "lab"),
    (
        "lab simulate raid5 --size 256M --rebuild --json",
        "etalon-lab",
        "lab",
    ),
    ("lab powercut --cuts 5 --json", "etalon-lab", "lab"),
    ("show 2 --findings --json", "etalon-summary", "plan"),
];

const FAKE: &str = "--op randread --file-size 1M --time 50ms --backend fake";

/// Takes the later half of a plan's runs away, as a kill does that comes in its midst.
fn interrupt(home: &Home, experiment: i64) {
    let store = rusqlite::Connection::open(home.store()).unwrap();
    let runs = "DELETE FROM run WHERE experiment_id = ?1 AND block >= 3";
    assert!(store.execute(runs, [experiment]).unwrap() > 0);
    let state = "UPDATE experiment SET state = 'interrupted' WHERE id = ?1";
    assert_eq!(store.execute(state, [experiment]).unwrap(), 1);
}

#[test]
fn what_goes_on_repeats_moves_or_looks_has_it_too() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = home.path().to_str().unwrap().to_owned();
    let file = |name: &str| home.path().join(name);
    crate::plans::plan(&home, crate::plans::FAKE);
    std::fs::write(file("page.txt"), "1048576 bytes copied, 0.1 s, 10 MB/s\n").unwrap();
    for (line, format, kind) in LATER {
        if line.starts_with("resume") {
            interrupt(&home, 2);
        }
        let words = line.replace("FAKE", FAKE).replace("DIR", ground.name());
        let said = home.run(words.replace("HOME", &place).split(' '));
        if line.starts_with("lab check") {
            let document = said.json();
            is_valid(&document);
            assert!(document["needs"].is_array(), "{document}");
            continue;
        }
        check(&said, format, kind);
        if line.starts_with("measure") {
            let exported = home.run(["export", "1", "--json"]).out;
            std::fs::write(file("one.json"), exported).unwrap();
            std::fs::copy(home.store(), file("other.sqlite")).unwrap();
        }
    }
}

/// Whoever gives a command `--json` finds a line here that asks for it.
#[test]
fn no_command_with_a_document_is_without_its_line() {
    let home = Home::new();
    let earlier = documents().into_iter().map(|(line, ..)| line);
    let later = LATER.iter().map(|(line, ..)| (*line).to_owned());
    let lines: Vec<String> = earlier.chain(later).collect();
    for command in crate::manners::subcommands(&home) {
        let help = home.run([&command, "--help"]).out;
        let is_asked = lines
            .iter()
            .any(|line| line.split(' ').next() == Some(&command));
        // The device of hdparm takes root, and a test of its own.
        let mut options = help.lines().map(str::trim_start);
        let has_one =
            options.any(|line| line.split(' ').next() == Some("--json")) && command != "hdparm";
        assert!(!has_one || is_asked, "{command} --json is in no test");
    }
}

#[test]
fn readings_of_a_device_have_it_too() {
    if !crate::common::root_for("readings_of_a_device_have_it_too") {
        return;
    }
    let (home, disk) = (Home::new(), Loop::new(Image::new(64)));
    let device = disk.device.to_str().unwrap();
    let said = home.run(["hdparm", "-t", "--runs", "1", "--json", device]);
    let document = check(&said, "etalon-tool", "hdparm");
    assert_eq!(document["experiment"], 1);
    assert_eq!(document["cells"][0]["unit"], "B/s");
    assert!(document["tool"]["readings"].is_array(), "{document}");
    let mut untyped = document.clone();
    untyped["tool"]["readings"] = "many".into();
    let is_valid = Schemas::told().whole.is_valid(&untyped);
    assert!(!is_valid, "the field has a type");
}
