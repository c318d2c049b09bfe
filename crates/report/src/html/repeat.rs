//! How to measure the same again.

use etalon_language::say;
use etalon_model::{ExperimentKind, NewExperiment, RunId};
use etalon_units::{shell_line, shell_word};
use serde_json::Value;

use super::tag::{section as wrapped, text};
use super::{HtmlReport, Subject};

/// The kinds that decide nothing by a seed, and have no option for one.
const WITHOUT_SEED: [ExperimentKind; 5] = [
    ExperimentKind::Dd,
    ExperimentKind::Hdparm,
    ExperimentKind::Iozone,
    ExperimentKind::Fdtree,
    ExperimentKind::Imported,
];

/// The command that measures the same again, with a button to copy it; nothing where it was not kept.
pub(super) fn command(subject: &Subject) -> String {
    let Some(line) = line(subject) else {
        return String::new();
    };
    format!(
        "<span class=\"cmd\"><code id=\"c1\">{}</code><button type=\"button\" data-copy=\"c1\" hidden>{}</button></span>",
        text(&line),
        text(&say!("report-copy"))
    )
}

fn line(subject: &Subject) -> Option<String> {
    repeat_line(subject.header().id, &subject.header().begun)
}

/// The command that made an experiment, with its seed, as a shell takes it. Experiments of older versions have not kept
/// it: theirs is written from what is known, and none where that is not enough.
pub fn repeat_line(id: RunId, begun: &NewExperiment) -> Option<String> {
    let typed = &begun.settings["command"];
    let Some(words) = words_of(&typed["words"]) else {
        return line_of_older(id, begun);
    };
    let line = format!("etalon {}", shell_line(&with_seed(words, begun)));
    Some(match typed["directory"].as_str() {
        Some(directory) => format!("cd {} && {}", shell_word(directory), line.trim_end()),
        None => line.trim_end().to_owned(),
    })
}

fn words_of(kept: &Value) -> Option<Vec<String>> {
    let words = kept.as_array()?.iter().map(|word| word.as_str());
    words.map(|word| word.map(str::to_owned)).collect()
}

/// The words with the seed that was drawn, where none was typed. What follows `--` are workloads with options of their own.
fn with_seed(mut words: Vec<String>, begun: &NewExperiment) -> Vec<String> {
    if words.starts_with(&["lab".to_owned(), "run".to_owned()]) {
        return with_seed_in_guest(words, begun.seed);
    }
    let mut options = words.iter().take_while(|word| *word != "--");
    let is_typed = options.any(|word| word == "--seed" || word.starts_with("--seed="));
    if !is_typed && !WITHOUT_SEED.contains(&begun.kind) {
        let behind = words.first().is_some_and(|word| !word.starts_with('-'));
        let seed = ["--seed".to_owned(), begun.seed.to_string()];
        words.splice(usize::from(behind)..usize::from(behind), seed);
    }
    words
}

/// A guest's command has its own options behind `--`; before it a seed is that of the disks.
fn with_seed_in_guest(mut words: Vec<String>, seed: u64) -> Vec<String> {
    let dashes = words.iter().position(|word| word == "--");
    let behind = dashes.map_or(&[][..], |at| &words[at + 1..]);
    let mut behind = behind.iter();
    if behind.any(|word| word == "--seed" || word.starts_with("--seed=")) {
        return words;
    }
    if dashes.is_none() {
        words.push("--".to_owned());
    }
    words.extend(["--seed".to_owned(), seed.to_string()]);
    words
}

fn line_of_older(id: RunId, begun: &NewExperiment) -> Option<String> {
    let (path, seed) = (shell_word(&begun.target.path), begun.seed);
    match begun.kind {
        ExperimentKind::Quick => Some(format!("etalon {path} --like {id} --seed {seed}")),
        ExperimentKind::Passport => Some(format!("etalon passport {path} --seed {seed}")),
        ExperimentKind::Plan | ExperimentKind::Measure => Some(format!("etalon rerun {id}")),
        kind if WITHOUT_SEED.contains(&kind) => {
            let words = words_of(&begun.settings["words"])?;
            Some(format!("etalon {kind} {}", shell_line(&words)))
        }
        _ => None,
    }
}

pub(super) fn section(report: &HtmlReport<'_>) -> String {
    let mut body = String::new();
    for subject in report.subjects {
        let begun = &subject.header().begun;
        let settings = serde_json::to_string_pretty(&begun.settings).unwrap_or_default();
        body.push_str(&format!(
            "<h3>{}</h3><p>{}</p>{}<p class=\"note\">{}</p><pre>{}</pre>\n",
            text(&heading(subject)),
            text(&seed(subject)),
            shown(subject),
            text(&say!("report-settings")),
            lines(&settings),
        ));
    }
    body.push_str(&format!(
        "<h3>{}</h3><pre>{}</pre>\n",
        text(&say!("report-this")),
        text(report.command)
    ));
    wrapped("repeat", &say!("report-repeat-heading"), &body)
}

fn heading(subject: &Subject) -> String {
    let begun = &subject.header().begun;
    say!(
        "report-repeat-experiment",
        number = subject.header().id.to_string(),
        kind = begun.kind.to_string(),
        path = begun.target.path,
    )
}

/// What the runs were made with.
fn seed(subject: &Subject) -> String {
    let begun = &subject.header().begun;
    let (count, version) = (subject.runs.len(), &begun.tool_version);
    match begun.kind {
        ExperimentKind::Imported => {
            say!("report-repeat-no-seed", count = count, version = version)
        }
        _ => say!(
            "report-repeat-seed",
            seed = begun.seed.to_string(),
            count = count,
            version = version,
        ),
    }
}

fn shown(subject: &Subject) -> String {
    match line(subject) {
        Some(line) => format!("<pre>{}</pre>", text(&line)),
        None => format!("<p>{}</p>", text(&say!("report-no-command"))),
    }
}

/// Text of several lines.
fn lines(said: &str) -> String {
    said.lines().map(|line| text(line) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use etalon_model::TargetRecord;
    use serde_json::json;

    use super::*;

    fn begun(kind: ExperimentKind, settings: Value) -> NewExperiment {
        NewExperiment {
            kind,
            started_unix_ns: 0,
            target: TargetRecord {
                path: "/srv/it's".to_owned(),
                ..TargetRecord::default()
            },
            settings,
            seed: 42,
            tool_version: String::new(),
            owner: None,
        }
    }

    fn typed(kind: ExperimentKind, words: &[&str]) -> String {
        let settings = json!({ "command": { "words": words } });
        repeat_line(7, &begun(kind, settings)).unwrap()
    }

    #[test]
    fn the_seed_is_told_once_and_before_the_workloads() {
        let line = typed(ExperimentKind::Quick, &[]);
        assert_eq!(line, "etalon --seed 42");
        let line = typed(ExperimentKind::Quick, &["/srv/a b", "--budget", "20s"]);
        assert_eq!(line, "etalon '/srv/a b' --seed 42 --budget 20s");
        let line = typed(ExperimentKind::Measure, &["measure", "/srv", "--seed=5"]);
        assert_eq!(line, "etalon measure /srv --seed=5");
        let line = typed(
            ExperimentKind::Together,
            &["together", "--", "/srv", "--seed", "5"],
        );
        assert_eq!(line, "etalon together --seed 42 -- /srv --seed 5");
        let line = typed(ExperimentKind::Dd, &["dd", "if=/dev/zero"]);
        assert_eq!(line, "etalon dd if=/dev/zero");
    }

    #[test]
    fn the_seed_of_a_plan_in_a_guest_stands_among_its_own_options() {
        let line = |words: &str| {
            let words: Vec<&str> = words.split(' ').collect();
            typed(ExperimentKind::Plan, &words)
        };
        assert_eq!(line("lab run bcache"), "etalon lab run bcache -- --seed 42");
        let said = line("lab run p.toml --seed 3 -- /dev/vda");
        assert_eq!(said, "etalon lab run p.toml --seed 3 -- /dev/vda --seed 42");
        let said = line("lab run p.toml -- --seed=5");
        assert_eq!(said, "etalon lab run p.toml -- --seed=5");
    }

    #[test]
    fn what_was_typed_beside_a_directory_begins_there() {
        let command = json!({ "words": ["measure", "."], "directory": "/home/a b" });
        let begun = begun(ExperimentKind::Measure, json!({ "command": command }));
        let line = repeat_line(7, &begun).unwrap();
        assert_eq!(line, "cd '/home/a b' && etalon measure --seed 42 .");
    }

    #[test]
    fn older_experiments_are_repeated_by_what_is_known_of_them() {
        let line = |kind| repeat_line(7, &begun(kind, json!({ "words": ["-d", "a b"] })));
        assert_eq!(
            line(ExperimentKind::Quick).unwrap(),
            "etalon \"/srv/it's\" --like 7 --seed 42"
        );
        assert_eq!(
            line(ExperimentKind::Fdtree).unwrap(),
            "etalon fdtree -d 'a b'"
        );
        assert_eq!(line(ExperimentKind::Plan).unwrap(), "etalon rerun 7");
        assert_eq!(line(ExperimentKind::Together), None);
        let unknown = begun(ExperimentKind::Dd, Value::Null);
        assert_eq!(repeat_line(7, &unknown), None);
    }
}
