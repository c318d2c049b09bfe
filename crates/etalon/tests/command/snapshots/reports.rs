//! What a report says in each language: the text of its page, without markup and drawings.

use super::is_as_kept;
use crate::languages::modelled;

/// Elements whose text nobody reads.
const HIDDEN: [&str; 3] = ["script", "style", "svg"];

/// The text of a page, a line for each element.
fn text(page: &str) -> String {
    let (mut text, mut rest) = (String::new(), page);
    while let Some((before, behind)) = rest.split_once('<') {
        text.push_str(before);
        text.push('\n');
        let name = HIDDEN.iter().find(|name| behind.starts_with(**name));
        let end = name.map_or_else(|| ">".to_owned(), |name| format!("</{name}>"));
        rest = behind.split_once(&end).unwrap().1;
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_report_says_the_same_in_every_language() {
    let home = modelled();
    for language in ["en", "fr", "nl"] {
        let file = home.path().join(format!("{language}.html"));
        let name = file.to_str().unwrap();
        let said = home.run(["report", "1", "2", "--lang", language, "-o", name]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let page = std::fs::read_to_string(&file).unwrap();
        assert!(page.contains(&format!("<html lang=\"{language}\">")));
        is_as_kept(&format!("pages/report-{language}.txt"), &text(&page));
    }
}
