//! Parameters that have no effect beside others.

use super::*;

/// Why a value is refused, before anything is made.
fn refused(name: &str, given: &[(&str, &str)]) -> String {
    let place = place();
    let error = run_on(place.path(), name, given, &GO).unwrap_err();
    assert!(matches!(error, WorkError::Parameter(_)), "{name}: {error}");
    assert_eq!(entries(place.path()), 0);
    error.to_string()
}

/// Whether each of these is told as a condition.
fn told(record: &WorkRecord, names: &[&str]) -> Vec<bool> {
    names
        .iter()
        .map(|name| record.parameters.contains_key(*name))
        .collect()
}

#[test]
fn what_is_generated_nowhere_is_refused_beside_an_input() {
    for work in ["copy-tree", "grep-tree", "backup", "archive"] {
        let told = refused(work, &[("input", "/data"), ("size", "1G")]);
        let expected = "parameter size: '1G' is not left as it is with input: ";
        assert!(told.starts_with(expected), "{work}: {told}");
        let told = refused(work, &[("input", "/data"), ("files", "mail")]);
        assert!(
            told.starts_with("parameter files: 'mail'"),
            "{work}: {told}"
        );
    }
}

#[test]
fn a_level_of_no_compression_is_refused() {
    for work in ["backup", "archive"] {
        let told = refused(work, &[("format", "none"), ("level", "3")]);
        assert!(told.starts_with("parameter level: '3'"), "{work}: {told}");
    }
    let told = refused("backup", &[("level", "3")]);
    assert!(told.contains("format=none"), "{told}");
}

#[test]
fn a_build_takes_only_what_its_sources_have() {
    let mine = place();
    let tree = mine.path().display().to_string();
    let told = refused("build", &[("config", "tinyconfig")]);
    assert!(told.starts_with("parameter config: 'tinyconfig'"), "{told}");
    for name in [("config", "tinyconfig"), ("units", "7")] {
        let told = refused("build", &[("tree", &tree), name]);
        assert!(
            told.starts_with(&format!("parameter {}: ", name.0)),
            "{told}"
        );
    }
    fs::write(mine.path().join("Kconfig"), "").unwrap();
    let told = refused("build", &[("tree", &tree), ("units", "7")]);
    assert!(told.contains("with tree"), "{told}");
    let kernel =
        [("tree", &*tree), ("config", "tinyconfig")].map(|(n, v)| (n.to_owned(), v.to_owned()));
    let build = find("build").unwrap();
    let values = Values::parse(build.parameters(), &kernel).unwrap();
    assert!(build.check(&values).is_ok());
}

#[test]
fn what_has_no_effect_is_no_condition() {
    let mine = place();
    fs::write(mine.path().join("one"), "one").unwrap();
    let input = mine.path().display().to_string();
    let names = ["input", "files", "size", "level"];
    let backup = done("backup", &[("input", &input)]);
    assert_eq!(told(&backup, &names), [true, false, false, false]);
    let packed = done("backup", &[("size", "100K"), ("format", "gzip")]);
    assert_eq!(told(&packed, &names), [true; 4]);
    let copied = done("copy-tree", &[("input", &input)]);
    assert_eq!(told(&copied, &names), [true, false, false, false]);
}

#[test]
fn as_many_compilers_are_told_as_there_were() {
    let jobs = |given: &[(&str, &str)]| done("build", given).parameters["jobs"].clone();
    let processors = etalon_host::processor::count().to_string();
    assert_eq!(jobs(&[("units", "1")]), [processors]);
    assert_eq!(jobs(&[("units", "1"), ("jobs", "3")]), ["3"]);
}
