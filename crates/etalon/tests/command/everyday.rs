//! What people meet on the first day: the locale of a server, manual pages, examples that they copy, and words
//! that are not there.

use std::path::Path;

use crate::common::{Ground, Home, Said, run};

/// A store with a measurement of several workloads and one alone, of the modelled device.
fn measured() -> (Home, Ground) {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    let fake = "--op randread --file-size 8M --backend fake --time 50ms";
    for line in [
        format!("measure {place} {fake} --runs 7"),
        format!("measure {place} {fake} --runs 7"),
    ] {
        let said = home.run(line.split(' '));
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    (home, ground)
}

/// What etalon says of a line of words in a locale.
fn in_locale(home: &Home, locale: &str, line: &str) -> Said {
    let mut command = home.etalon(line.split(' '));
    command.env("LC_ALL", locale);
    run(command)
}

fn has_only_ascii(said: &Said, line: &str) {
    assert!(
        said.out.is_ascii() && said.err.is_ascii(),
        "{line}: {said:?}"
    );
    assert!(!said.out.is_empty(), "{line}: {said:?}");
}

#[test]
fn in_the_c_locale_every_page_is_ascii() {
    let (home, ground) = measured();
    let place = ground.name();
    let mut signs = 0;
    for line in [
        "list".to_owned(),
        "show 1".to_owned(),
        "show 1 --details".to_owned(),
        "show 1 --findings".to_owned(),
        "show 1 --stack".to_owned(),
        "show 1 --environment".to_owned(),
        "compare 1 2".to_owned(),
        "checks".to_owned(),
        "work list".to_owned(),
        "restore".to_owned(),
        format!("stack {place}"),
        format!("watch {place} --plain --count 1 --interval 100ms"),
        format!("measure {place} --op randread --backend fake --file-size 8M --time 50ms --runs 7"),
        format!("iozone -i 0 -s 64 -r 4 -f {place}/file --runs 2"),
        format!("dd if=/dev/zero of={place}/copy bs=64k count=2"),
    ] {
        has_only_ascii_or_is_dd(&in_locale(&home, "C", &line), &line);
        let full = in_locale(&home, "C.UTF-8", &line);
        signs += usize::from(!full.out.is_ascii());
        let _ = std::fs::remove_file(Path::new(place).join("copy"));
        let _ = std::fs::remove_file(Path::new(place).join("file"));
    }
    // Otherwise nothing was shown here.
    assert!(signs >= 5, "only {signs} pages have other signs anywhere");
}

/// dd prints its lines on standard error.
fn has_only_ascii_or_is_dd(said: &Said, line: &str) {
    match line.starts_with("dd ") {
        true => assert!(said.err.is_ascii() && !said.err.is_empty(), "{said:?}"),
        false => has_only_ascii(said, line),
    }
}

#[test]
fn manual_pages_of_the_tools_list_their_options() {
    let home = Home::new();
    let pages = home.path().join("man");
    std::fs::create_dir(&pages).unwrap();
    assert_eq!(home.run(["man", pages.to_str().unwrap()]).code, Some(0));
    for (page, words) in [
        ("dd", &["conv=", "iflag=", "\\-\\-destroy"][..]),
        ("hdparm", &["\\-\\-direct", "\\-T"]),
        ("iozone", &["\\-+b", "\\-i ", "\\-\\-precision"]),
        ("fdtree", &["\\-l LEVELS", "\\-\\-zero"]),
    ] {
        let text = std::fs::read_to_string(pages.join(format!("etalon-{page}.1"))).unwrap();
        for word in words {
            assert!(text.contains(word), "{page}: no {word}");
        }
        let request =
            |line: &&str| line.starts_with('.') && line.len() > 3 && line[1..3].contains('/');
        assert_eq!(text.lines().find(request), None, "{page}");
    }
}

#[test]
fn a_store_is_only_begun_by_what_is_measured() {
    let home = Home::new();
    let file = home.path().join("other.sqlite");
    let store = file.to_str().unwrap();
    for words in [
        &["--store", store, "list"][..],
        &["--store", store, "show", "4"],
        &["compare", "--store", store, "1", "2"],
        &["compare", &format!("{store}:1"), &format!("{store}:2")],
        &["export", "1", "--json", "--store", store],
    ] {
        let said = home.run(words);
        assert!(matches!(said.code, Some(1 | 2)), "{said:?}");
        assert!(said.err.contains("other.sqlite"), "{said:?}");
        assert!(!file.exists(), "{words:?} made a store");
    }
    let (home, _ground) = measured();
    let there = home.store();
    let said = home.run(["--store", there.to_str().unwrap(), "show", "2"]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
}

#[test]
fn a_file_is_no_target_of_a_check_and_the_way_out_fits() {
    let (home, ground) = (Home::new(), Ground::new());
    let file = Path::new(ground.name()).join("file");
    std::fs::write(&file, "kept").unwrap();
    for command in ["quick", "passport"] {
        let said = home.run([command, file.to_str().unwrap()]);
        said.refused(
            1,
            &[
                "measure FILE --op read",
                "name a directory or a block device",
            ],
        );
        assert!(!said.err.contains("regular file"), "{said:?}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "kept");
}

#[test]
fn words_that_are_not_there_end_with_2() {
    let home = Home::new();
    for words in [
        &["plan"][..],
        &["nosuch", "1"],
        &["list", "--nosuch"],
        &["show"],
    ] {
        assert_eq!(home.run(words).code, Some(2), "{words:?}");
    }
}

#[test]
fn what_only_prints_runs_as_the_help_shows_it() {
    let (home, _ground) = measured();
    for line in [
        "list",
        "list --json",
        "checks",
        "checks --json",
        "work list",
        "work list --json",
        "schema",
        "restore",
        "stack",
        "stack --json",
        "completions bash",
        "completions zsh",
        "completions fish",
        "help measure",
        "dd --help",
        "iozone --help",
        "hdparm --help",
        "fdtree --help",
    ] {
        let said = home.run(line.split(' '));
        assert_eq!(said.code, Some(0), "{line}: {said:?}");
        assert!(!said.out.is_empty(), "{line}");
        assert!(!line.ends_with("json") || said.json().is_object(), "{line}");
    }
}
