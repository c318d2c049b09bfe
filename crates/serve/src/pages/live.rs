//! What is being measured at this moment.

use etalon_language::{figure, say};
use etalon_model::RunId;
use etalon_picture::escape;
use etalon_report::{display_name, figure_in};
use etalon_units::Nanos;

use super::frame::{SiteSection, framed, lost, marked};
use crate::live::{LiveExperiment, LiveRow, LiveSessions};
use crate::session::Left;

/// Without scripts the page asks for itself again.
const AGAIN: &str = "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>";

/// The page as it is now; its script replaces the part that changes.
pub(super) fn page(sessions: &LiveSessions) -> String {
    let title = SiteSection::Live.name();
    let body = format!(
        "<main id=\"results\">{AGAIN}<header class=\"top\"><h1>{}</h1></header>\n\
         <div id=\"live\" data-events=\"/live/events\"{}>{}</div>\n\
         <p class=\"note\">{}</p></main>\n",
        escape(&title),
        lost(),
        fragment(sessions),
        escape(&say!("serve-live-note")),
    );
    framed(SiteSection::Live, Some("/static/live.js"), &title, &body)
}

/// The part that changes.
pub(super) fn fragment(sessions: &LiveSessions) -> String {
    if *sessions == LiveSessions::default() {
        let nothing = escape(&say!("serve-live-nothing"));
        return format!("<p class=\"answer\">{nothing}</p>\n");
    }
    let shown = sessions.experiments.iter().map(session);
    shown.chain(sessions.damaged.iter().map(damaged)).collect()
}

fn damaged(id: &RunId) -> String {
    let said = say!("serve-live-damaged", number = id.to_string());
    format!("<p class=\"note\">{}</p>\n", marked(&said))
}

fn session(session: &LiveExperiment) -> String {
    let rows: String = session.rows.iter().map(row).collect();
    let table = match rows.is_empty() {
        true => String::new(),
        false => format!(
            "<div class=\"tab\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><table class=\"runs\"><thead><tr>{}</tr></thead>\n\
             <tbody>{rows}</tbody></table></div>\n",
            experiment(session),
            heads()
        ),
    };
    let of = say!(
        "serve-live-of",
        kind = session.kind.to_string(),
        target = session.target
    );
    format!(
        "<section><h2><a href=\"/experiment/{}\">{}</a>{}</h2>\n<p class=\"answer\">{}</p>\n{table}</section>\n",
        session.id,
        experiment(session),
        escape(&of),
        escape(&progress(session)),
    )
}

fn experiment(session: &LiveExperiment) -> String {
    let number = session.id.to_string();
    escape(&say!("serve-live-experiment", number = number))
}

fn heads() -> String {
    let heads = [
        (" class=\"l\"", say!("report-workload")),
        ("", say!("column-runs")),
        ("", say!("serve-column-newest")),
        ("", say!("serve-column-ends")),
        ("", say!("serve-column-median")),
    ];
    let heads =
        heads.map(|(class, name)| format!("<th scope=\"col\"{class}>{}</th>", escape(&name)));
    heads.concat()
}

/// `Block 3 of 6, running for 34 s; about 40 s left.`
fn progress(session: &LiveExperiment) -> String {
    let block = match (session.block, session.blocks) {
        (None, _) => say!("serve-live-no-block"),
        (Some(block), Some(blocks)) => say!("serve-live-block-of", number = block, all = blocks),
        (Some(block), None) => say!("serve-live-block", number = block),
    };
    let left = match session.left {
        None => String::new(),
        Some(Left::AtMost(left)) => say!("serve-live-at-most", time = seconds(left)),
        Some(Left::About(left)) => say!("serve-live-about", time = seconds(left)),
    };
    say!(
        "serve-live-progress",
        block = block,
        elapsed = seconds(session.elapsed),
        left = left
    )
}

/// Whole seconds: `34 s`, `2 min 5 s`.
fn seconds(span: Nanos) -> String {
    let all = span.0 / 1_000_000_000;
    match (all / 60, all % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

fn row(row: &LiveRow) -> String {
    let said = |value: f64| escape(&figure_in(value, row.unit, row.is_io).to_string());
    let newest = row.values.last().copied().unwrap_or(f64::NAN);
    let lowest = row.values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = row.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    format!(
        "<tr><th scope=\"row\" class=\"l\">{}</th><td>{}</td><td><b>{}</b></td><td>{} – {}</td><td>{}</td></tr>\n",
        escape(&display_name(&row.cell)),
        row.values.len(),
        said(newest),
        said(lowest),
        said(highest),
        row.latency.map_or_else(|| "–".to_owned(), figure),
    )
}

#[cfg(test)]
mod tests {
    use etalon_model::{ExperimentKind, Unit};

    use super::*;

    #[test]
    fn the_block_the_rates_and_the_time_left_are_told() {
        let mut session = LiveExperiment {
            id: 7,
            kind: ExperimentKind::Measure,
            target: "/srv".to_owned(),
            elapsed: Nanos::secs(125),
            block: Some(3),
            blocks: Some(6),
            left: Some(Left::About(Nanos::secs(40))),
            rows: vec![LiveRow {
                cell: "random read 4 KiB, depth 1".to_owned(),
                is_io: true,
                unit: Unit::OperationsPerSecond,
                values: vec![21_000.0, 19_000.0, 20_000.0],
                latency: Some(Nanos::micros(50)),
            }],
        };
        let said = progress(&session);
        assert_eq!(
            said,
            "Block 3 of 6, running for 2 min 5 s; about 40 s left."
        );
        let page = fragment(&LiveSessions {
            experiments: vec![session.clone()],
            damaged: vec![8],
        });
        for part in [
            "<b>20.0 k IOPS</b>",
            "19.0 k IOPS – 21.0 k IOPS",
            "random read 4 KiB",
            "50",
            "Experiment 8 is damaged",
            "<code>etalon show 8</code>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        session.blocks = None;
        session.left = Some(Left::AtMost(Nanos::secs(9)));
        assert_eq!(
            progress(&session),
            "Block 3, running for 2 min 5 s; at most 9 s left."
        );
        (session.block, session.left) = (None, None);
        assert_eq!(
            progress(&session),
            "No run has ended yet, running for 2 min 5 s."
        );
    }
}
