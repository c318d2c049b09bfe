//! How to measure the same again.

use etalon_model::ExperimentKind;

use super::tag::{section as wrapped, text};
use super::{HtmlReport, Subject};

/// The command that measures the same again, with a button to copy it.
pub(super) fn command(subject: &Subject) -> String {
    format!(
        "<span class=\"cmd\"><code id=\"c1\">{}</code><button type=\"button\" data-copy=\"c1\" hidden>Copy</button></span>",
        text(&line(subject))
    )
}

fn line(subject: &Subject) -> String {
    let begun = &subject.header().begun;
    let (path, seed) = (quoted(&begun.target.path), begun.seed);
    match begun.kind {
        ExperimentKind::Quick => {
            format!("etalon {path} --like {} --seed {seed}", subject.header().id)
        }
        kind => format!("etalon {kind} {path} --seed {seed}"),
    }
}

/// The path as a shell takes it.
fn quoted(path: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "/._-+:@%".contains(sign);
    match path.chars().all(plain) {
        true => path.to_owned(),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

pub(super) fn section(report: &HtmlReport<'_>) -> String {
    let mut body = String::new();
    for subject in report.subjects {
        let begun = &subject.header().begun;
        let settings = serde_json::to_string_pretty(&begun.settings).unwrap_or_default();
        body.push_str(&format!(
            "<h3>Experiment {}: {} of {}</h3><p>Seed {}, {} runs, etalon {}.</p><pre>{}</pre><p class=\"note\">Settings as they were resolved:</p><pre>{}</pre>\n",
            subject.header().id,
            begun.kind,
            text(&begun.target.path),
            begun.seed,
            subject.runs.len(),
            text(&begun.tool_version),
            text(&line(subject)),
            lines(&settings),
        ));
    }
    body.push_str(&format!(
        "<h3>This report</h3><pre>{}</pre>\n",
        text(report.command)
    ));
    wrapped("repeat", "How to repeat it", &body)
}

/// Text of several lines.
fn lines(said: &str) -> String {
    said.lines().map(|line| text(line) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_path_is_one_word_for_a_shell() {
        assert_eq!(quoted("/srv/a-b_1"), "/srv/a-b_1");
        assert_eq!(quoted("/srv/it's $(x)"), "'/srv/it'\\''s $(x)'");
    }
}
