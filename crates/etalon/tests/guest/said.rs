//! What the guest wrote of each case.

use std::collections::HashMap;

/// The end of a case, and what was said until then.
#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) code: Option<i32>,
    pub(crate) out: Vec<String>,
    pub(crate) err: Vec<String>,
}

impl Case {
    /// Whether one of these texts, separated by `|`, was said.
    pub(crate) fn says(&self, texts: &str) -> bool {
        // Sentences of pages are broken at a width.
        let joined = |lines: &[String]| {
            let words = lines.iter().flat_map(|line| line.split_whitespace());
            words.collect::<Vec<_>>().join(" ")
        };
        let said = [joined(&self.out), joined(&self.err)];
        let lines = || self.out.iter().chain(&self.err).chain(&said);
        texts
            .split('|')
            .any(|text| lines().any(|line| line.contains(text)))
    }

    /// dd's own lines, as GNU dd would print them, without times.
    pub(crate) fn lines_of_dd(&self) -> Vec<String> {
        let own = self.err.iter().filter(|line| !line.starts_with("etalon: "));
        own.map(|line| {
            let line = line.strip_prefix("/usr/bin/").unwrap_or(line);
            line.split(" copied, ").next().unwrap_or(line).to_owned()
        })
        .collect()
    }
}

/// The cases by name; fails where the guest did not come to its end.
pub(crate) fn cases(said: &str, console: &str) -> HashMap<String, Case> {
    let mut cases: HashMap<String, Case> = HashMap::new();
    let mut name = String::new();
    for line in said.lines() {
        let line = line.trim_end_matches('\r');
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        let case = cases.entry(name.clone()).or_default();
        match mark {
            "case" => rest.clone_into(&mut name),
            "o" => case.out.push(rest.to_owned()),
            "e" => case.err.push(rest.to_owned()),
            "code" => case.code = rest.parse().ok(),
            "" | "done" => {}
            _ => panic!("the guest {line}:\n{console}"),
        }
    }
    assert!(said.trim_end().ends_with("done"), "no end:\n{console}");
    cases
}
