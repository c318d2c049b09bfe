//! The machine and its settings, every fact of them.

use etalon_language::say;
use std::collections::BTreeMap;

use super::Subject;
use super::tag::{details, note, pairs, section as wrapped};
use crate::environment::{changed, not_kept};

pub(super) fn section(subjects: &[Subject]) -> String {
    let Some(first) = subjects[0].environments.first() else {
        return wrapped(
            "environment",
            &say!("report-environment"),
            &note(&not_kept()),
        );
    };
    let hash = first.manifest.hash.to_string();
    let mut body = note(&say!("report-environment-note", hash = hash));
    let mut groups: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (key, value) in &first.manifest.facts {
        let group = key.split('.').next().unwrap_or(key);
        groups.entry(group).or_default().push((key, value));
    }
    body.push_str("<div class=\"env\">");
    for (group, facts) in groups {
        let summary = say!("report-facts", group = group, count = facts.len());
        body.push_str(&details(&summary, &pairs(facts.into_iter())));
    }
    for later in &subjects[0].environments[1..] {
        let changes = first.manifest.changes_to(&later.manifest);
        let changes: String = changes
            .iter()
            .map(|change| note(&changed(change)))
            .collect();
        body.push_str(&details(&say!("report-changed-later"), &changes));
    }
    let missing = first.manifest.missing.iter();
    let missing: String = missing
        .map(|m| note(&format!("{}: {}", m.what, m.why)))
        .collect();
    if !missing.is_empty() {
        body.push_str(&details(&say!("report-not-known"), &missing));
    }
    wrapped(
        "environment",
        &say!("report-environment"),
        &(body + "</div>"),
    )
}
