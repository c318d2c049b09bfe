//! Pages and reports in French and in Dutch; what programs read is the same in every language.

use etalon_model::Choice;

use crate::common::{Home, Said, run};
use crate::golden::unpacked;

/// A home with the kept store of the modelled device.
pub(crate) fn modelled() -> Home {
    let home = Home::new();
    let store = unpacked(&home, "modelled.sqlite");
    std::fs::copy(store, home.store()).unwrap();
    home
}

fn in_locale(home: &Home, line: &str, variables: &[(&str, &str)]) -> Said {
    let mut command = home.etalon(line.split(' '));
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    run(command)
}

#[test]
fn the_language_is_that_of_the_option_else_of_the_locale() {
    let home = modelled();
    let said = |line, variables: &[(&str, &str)]| in_locale(&home, line, variables).out;
    let english = said("show 1", &[]);
    let (french, dutch) = (said("show 1 --lang fr", &[]), said("show 1 --lang nl", &[]));
    assert!(english != french && french != dutch && dutch != english);
    for (line, variables, page) in [
        (
            "show 1",
            [("LC_ALL", "fr_BE.UTF-8"), ("LANG", "nl_BE")],
            &french,
        ),
        (
            "show 1",
            [("LC_MESSAGES", "nl_NL"), ("LANG", "fr_FR")],
            &dutch,
        ),
        (
            "show 1",
            [("LC_ALL", "de_DE.UTF-8"), ("LANG", "fr_FR")],
            &english,
        ),
        (
            "show 1",
            [("LC_CTYPE", "fr_FR.UTF-8"), ("LANG", "")],
            &english,
        ),
        (
            "show 1 --lang en",
            [("LC_ALL", "fr_FR.UTF-8"), ("LANG", "")],
            &english,
        ),
    ] {
        assert_eq!(&said(line, &variables), page, "{line} {variables:?}");
    }
    let refused = in_locale(&home, "show 1 --lang de", &[]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.err.contains("'de'") && refused.err.contains("en, fr, nl"),
        "{refused:?}"
    );
}

/// Lets the first experiment have a choice, which its document tells as a sentence.
fn chosen(home: &Home) {
    let choices = serde_json::to_string(&[Choice::Continued { runs: 6 }]).unwrap();
    let store = rusqlite::Connection::open(home.store()).unwrap();
    let insert = "INSERT INTO choice VALUES (1, ?1)";
    store.execute(insert, [choices]).unwrap();
}

#[test]
fn what_programs_read_is_the_same_in_every_language() {
    let home = modelled();
    chosen(&home);
    let page = in_locale(&home, "show 1", &[("LANG", "fr_FR")]);
    assert!(page.out.contains("Poursuivi"), "{page:?}");
    for line in [
        "show 1 --json",
        "show 1 --json --findings",
        "show 1 --environment --json",
        "compare 1 2 --json",
        "list --json",
        "export 1 --json",
        "export 1 --csv",
        "export 1 --markdown",
        "checks --json",
        "presets --json",
    ] {
        let english = in_locale(&home, line, &[]);
        let french = in_locale(&home, line, &[("LC_ALL", "fr_FR.UTF-8")]);
        assert!(!english.out.is_empty(), "{line}: {english:?}");
        assert_eq!(
            (french.code, french.out),
            (english.code, english.out),
            "{line}"
        );
    }
}

#[test]
fn pages_of_every_language_fit_80_columns() {
    let home = modelled();
    for line in [
        "show 1",
        "show 1 --findings",
        "show 1 --details --width 80",
        "show 2",
        "show 3",
        "show 4",
        "show 5",
        "compare 1 2",
        "compare 1 2 --by fake",
    ] {
        for language in ["fr", "nl"] {
            let line = format!("{line} --lang {language}");
            let said = in_locale(&home, &line, &[("LC_ALL", "C.UTF-8")]);
            let wide = said.out.lines().filter(|line| line.chars().count() > 80);
            assert_eq!(wide.collect::<Vec<_>>(), [""; 0], "{line}");
            assert!(!said.out.is_empty(), "{said:?}");
        }
    }
}

#[test]
fn presets_and_reviews_are_in_the_language_of_their_reader() {
    let home = modelled();
    let page = home.store().with_file_name("page.txt");
    let text = "dd if=/dev/zero of=/a bs=1M\n1073741824 bytes (1.1 GB) copied, 9.4 s, 214 MB/s\n";
    std::fs::write(&page, text).unwrap();
    let review = format!("review {}", page.display());
    let document = format!("{review} --json");
    let said = |line: &str, lang: &str| in_locale(&home, line, &[("LANG", lang)]).out;
    for lang in ["fr_FR.UTF-8", "nl_NL.UTF-8"] {
        let own = said("presets", lang) + &said(&review, lang);
        let left = ["anybody", "none:", "of files", "line 2", "Copy the program"];
        let left: Vec<_> = left.into_iter().filter(|word| own.contains(word)).collect();
        assert!(left.is_empty(), "{lang}: {left:?} in {own}");
        assert!(own.contains("1,07 GB"), "{own}");
        assert_eq!(said(&document, lang), said(&document, "C.UTF-8"));
    }
    let plain = said(&format!("{review} --lang fr --ascii"), "C.UTF-8");
    assert!(
        plain.is_ascii() && plain.contains("est affiche."),
        "{plain}"
    );
}

#[test]
fn what_options_add_to_a_page_is_in_its_language_too() {
    let home = modelled();
    let published = home.path().join("published.txt");
    let text = "dd if=/dev/zero of=/a bs=1M\n1073741824 bytes (1.1 GB) copied, 9.4 s, 114 MB/s\n";
    std::fs::write(&published, text).unwrap();
    let imported = home.run(["import", published.to_str().unwrap()]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    for (line, english) in [
        (
            "show 1 --percentiles 50,99",
            &["95 % interval", "runs", "  valid\n", "latency", "3.20 ms"][..],
        ),
        ("show 1 --environment", &["No environment"]),
        ("show 1 --stack", &["No environment"]),
        ("show 4", &["Expected:"]),
        ("show 6", &["imported,", "read their text", "No check"]),
        ("compare 1 2 --details", &["No environment"]),
    ] {
        let said = |lang: &str| in_locale(&home, line, &[("LANG", lang)]).out;
        let plain = said("C.UTF-8");
        let missing = english.iter().find(|word| !plain.contains(**word));
        assert_eq!(missing, None, "{line}: {plain}");
        for lang in ["fr_FR.UTF-8", "nl_NL.UTF-8"] {
            let own = said(lang);
            let left = english.iter().find(|word| own.contains(**word));
            assert_eq!(left, None, "{line} in {lang}: {own}");
        }
    }
}

#[test]
fn a_page_in_ascii_has_no_accents() {
    let home = modelled();
    let said = in_locale(&home, "show 1 --lang fr --ascii", &[]);
    assert!(said.out.is_ascii(), "{}", said.out);
    assert!(said.out.contains("resultat"), "{}", said.out);
}

#[test]
fn help_and_lists_are_in_the_language_of_their_reader() {
    let home = modelled();
    let said = |line: &str, lang: &str| in_locale(&home, line, &[("LANG", lang)]).out;
    for line in [
        "--help",
        "-h",
        "help measure",
        "quick -h",
        "lab run --help",
        "help",
        "list",
        "checks page-cache",
    ] {
        let english = said(line, "C.UTF-8");
        for lang in ["fr_FR.UTF-8", "nl_NL.UTF-8"] {
            let own = said(line, lang);
            assert!(!own.is_empty() && own != english, "{line}: {own}");
            let left = [
                "Usage:",
                "Commands:",
                "Print help",
                "when",
                "Read with O_DIRECT",
            ];
            let left: Vec<_> = left.into_iter().filter(|word| own.contains(word)).collect();
            assert!(left.is_empty(), "{line} in {lang}: {left:?} in {own}");
            // Without a terminal a list is as wide as it is long.
            let wide = own.lines().find(|line| line.chars().count() > 80);
            assert!(
                line == "list" || wide.is_none(),
                "{line} in {lang}: {wide:?}"
            );
        }
    }
    let plain = said("quick --lang fr --help", "C");
    assert!(
        plain.is_ascii() && plain.contains("document JSON au lieu de"),
        "{plain}"
    );
}
