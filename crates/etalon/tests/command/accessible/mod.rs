//! Pages for readers who do not see them well or use no mouse, in the browser that they are for: `audit.js` judges what
//! stands there after the scripts have run, on light and dark paper and on a phone.

use std::process::Child;

use crate::common::{Browser, Ground, Home, finish};
use crate::languages::modelled;
use crate::served::served;
use crate::surfaces::table;

const AUDIT: &str = include_str!("audit.js");
const LOOKS: [(&str, u32); 3] = [("light", 1280), ("dark", 1280), ("light", 390)];
/// Charts of what the machine does come with the second sample.
const CHARTS_DRAWN: &str = "new Promise(done => { const look = () => document.querySelector('#charts svg[aria-label]') ? done(true) \
    : requestAnimationFrame(look); look(); })";

/// What is wrong with a page, once for all looks.
fn faults(browser: &mut Browser, address: &str, language: &str) -> Vec<String> {
    browser.visit(address);
    if address.ends_with("/watch") {
        browser.value(CHARTS_DRAWN);
    }
    let mut found = browser.complaints();
    for (scheme, width) in LOOKS {
        browser.look(scheme, width);
        let said = browser.value(&format!("({AUDIT})('{language}')"));
        let said = said.as_array().unwrap().iter();
        found.extend(said.map(|fault| format!("{scheme} {width}: {}", fault.as_str().unwrap())));
    }
    found
}

#[test]
fn every_page_can_be_read_without_good_eyes_and_without_a_mouse() {
    let test = "every_page_can_be_read_without_good_eyes_and_without_a_mouse";
    let Some(mut browser) = Browser::start(test) else {
        return;
    };
    the_audit_finds_what_is_wrong(&mut browser);
    let home = modelled();
    let mut wrong = Vec::new();
    for (address, language) in reports(&home) {
        wrong.extend(
            faults(&mut browser, &address, language)
                .into_iter()
                .map(|f| (address.clone(), f)),
        );
    }
    is_being_measured(&home);
    let all = ["", "experiment/1", "watch", "live", "none"];
    for (language, paths) in [("en", &all[..]), ("fr", &all[3..])] {
        let (server, address) = served(&home, language);
        for path in paths {
            let address = format!("http://{address}/{path}");
            let mut found = faults(&mut browser, &address, language);
            // That there is no such page, the browser tells its console as well.
            found.retain(|fault| !fault.contains("status of 404"));
            wrong.extend(found.into_iter().map(|f| (address.clone(), f)));
        }
        end(server);
    }
    assert!(wrong.is_empty(), "{} faults: {wrong:#?}", wrong.len());
}

/// A page on which each rule is broken once.
fn the_audit_finds_what_is_wrong(browser: &mut Browser) {
    let place = concat!(
        "file://",
        env!("CARGO_MANIFEST_DIR"),
        "/tests/command/accessible/faults.html"
    );
    let found = faults(browser, place, "en");
    for rule in [
        "ReferenceError",
        "picture without a name",
        "heading out of order",
        "table without a head",
        "head of nothing",
        "list of something else",
        "main part",
        "title",
        "language",
        "id twice",
        "link to nothing",
        "field without a label",
        "control without a name",
        "out of reach",
        "hidden and reached",
        "scrolls by mouse alone",
        "zoom",
        "contrast 3.54: <p",
        "contrast 3.54: <text",
    ] {
        assert!(
            found.iter().any(|fault| fault.contains(rule)),
            "{rule}: {found:#?}"
        );
    }
    assert!(
        found.iter().all(|fault| !fault.contains("right")),
        "{found:#?}"
    );
}

/// Reports in files, with their language: of two arms, of a measurement with its storage stack and its findings, and of
/// surfaces beside tables of sizes.
fn reports(home: &Home) -> Vec<(String, &'static str)> {
    let (measured, ground) = (Home::new(), Ground::new());
    let line = format!(
        "measure {} --op randread --file-size 4M --time 50ms --runs 2",
        ground.path().display()
    );
    let said = measured.run(line.split(' '));
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let published = Home::new();
    for disk in [1, 9] {
        let file = published.path().join(format!("{disk}.txt"));
        std::fs::write(&file, table(disk)).unwrap();
        assert_eq!(
            published.run(["import", file.to_str().unwrap()]).code,
            Some(0)
        );
    }
    let of = |(from, experiments, language): (&Home, &str, &'static str)| {
        let file = home.path().join(format!("{language}.html"));
        let file = file.to_str().unwrap();
        let line = format!("report {experiments} --lang {language} -o {file}");
        let said = from.run(line.split(' '));
        assert_eq!(said.code, Some(0), "{line}: {said:?}");
        (format!("file://{file}"), language)
    };
    [
        (home, "1 2", "en"),
        (&measured, "1", "fr"),
        (&published, "1 2", "nl"),
    ]
    .map(of)
    .into()
}

/// Lets the last experiment be one that nobody has ended.
fn is_being_measured(home: &Home) {
    let store = rusqlite::Connection::open(home.store()).unwrap();
    let begun = "UPDATE experiment SET state = 'running', owner = NULL WHERE id = (SELECT max(id) FROM experiment)";
    assert_eq!(store.execute(begun, []).unwrap(), 1);
}

fn end(server: Child) {
    let pid = rustix::process::Pid::from_child(&server);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let said = finish(server);
    assert_eq!(said.code, Some(0), "{said:?}");
}
