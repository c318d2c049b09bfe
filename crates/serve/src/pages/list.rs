//! The experiments, the newest first, with what they are filtered by and boxes to tick for a comparison.

use std::fmt::Write as _;

use etalon_language::say;
use etalon_model::{CellSummary, ExperimentKind, ExperimentState, ExperimentSummary};
use etalon_picture::escape;
use etalon_report::listed_figure;
use etalon_store::{Remark, Store, state_here};

use super::frame::{SiteSection, framed, marked};
use crate::content::Reporter;
use crate::limits::MOST_LISTED;
use crate::refusal::Refusal;
use crate::route::Filter;

/// Where there is no figure that is not invalid.
const ABSENT: &str = "–";

/// The page of the experiments that are like that.
pub(super) fn page(
    store: &Store,
    filter: &Filter,
    reporter: &dyn Reporter,
) -> Result<String, Refusal> {
    let sound = store.list_sound()?;
    let mut remarks = store.remarks()?;
    let all = sound.records.len();
    let listed = sound.records.into_iter().rev().map(|mut summary| {
        summary.state = state_here(summary.state, summary.owner.as_deref());
        let remark = remarks.remove(&summary.id).unwrap_or_default();
        (summary, remark)
    });
    let meant: Vec<_> = listed
        .filter(|(e, remark)| is_meant(filter, e, remark))
        .collect();
    let mut body = head(filter, all, meant.len(), sound.damaged.len());
    body.push_str(&form(filter));
    let shown = meant.iter().skip(filter.page.saturating_mul(MOST_LISTED));
    let first = store.first_sound_cells()?;
    let valid = escape(&say!("serve-column-valid"));
    let rows = shown.take(MOST_LISTED).map(|(summary, remark)| {
        let figure = first.get(&summary.id).map(figure);
        let figure = figure.unwrap_or_else(|| ABSENT.to_owned());
        let when = reporter.local_time(summary.started_unix_ns);
        row(summary, remark, (&when, &figure, &valid))
    });
    let rows: String = rows.collect();
    body.push_str(&table(&rows));
    body.push_str(&pager(filter, meant.len()));
    body.push_str("</main>\n");
    let title = SiteSection::Experiments.name();
    Ok(framed(SiteSection::Experiments, None, &title, &body))
}

fn is_meant(filter: &Filter, e: &ExperimentSummary, remark: &Remark) -> bool {
    e.target_path.contains(&filter.target)
        && filter.kind.is_none_or(|kind| kind == e.kind)
        && filter.state.is_none_or(|state| state == e.state)
        && (filter.tag.is_empty() || remark.tags.contains(&filter.tag))
}

fn head(filter: &Filter, all: usize, meant: usize, damaged: usize) -> String {
    let mut said = marked(&match (all, filter.is_empty()) {
        (0, _) => say!("serve-none"),
        (1, true) => say!("serve-one"),
        (_, true) => say!("serve-all", count = all),
        (_, false) => say!("serve-some", count = meant, all = all),
    });
    if all > 0 && !filter.is_empty() {
        let _ = write!(
            said,
            " <a href=\"/\">{}</a>",
            escape(&say!("serve-show-all"))
        );
    }
    if damaged > 0 {
        let _ = write!(said, " {}", marked(&say!("serve-damaged", count = damaged)));
    }
    format!(
        "<main id=\"results\"><header class=\"top\"><h1>{}</h1><p class=\"answer\">{said}</p></header>\n",
        escape(&SiteSection::Experiments.name())
    )
}

fn form(filter: &Filter) -> String {
    let kinds = ExperimentKind::ALL.map(|kind| (kind.name(), filter.kind == Some(kind)));
    let states = ExperimentState::ALL.map(|state| (state.name(), filter.state == Some(state)));
    format!(
        "<form class=\"filter\" method=\"get\" action=\"/\">{}{}{}{}<button>{}</button></form>\n",
        input("target", &say!("serve-filter-target"), &filter.target),
        choice("kind", &say!("serve-filter-kind"), &kinds),
        choice("state", &say!("serve-filter-state"), &states),
        input("tag", &say!("serve-filter-tag"), &filter.tag),
        escape(&say!("serve-filter")),
    )
}

fn input(name: &str, label: &str, value: &str) -> String {
    let (label, value) = (escape(label), escape(value));
    format!("<label>{label}<input name=\"{name}\" value=\"{value}\" maxlength=\"256\"></label>")
}

fn choice(name: &str, label: &str, of: &[(&str, bool)]) -> String {
    let options = of.iter().map(|(word, chosen)| {
        let selected = if *chosen { " selected" } else { "" };
        format!("<option{selected}>{word}</option>")
    });
    let options: String = options.collect();
    format!(
        "<label>{}<select name=\"{name}\"><option value=\"\">{}</option>{options}</select></label>",
        escape(label),
        escape(&say!("serve-filter-any"))
    )
}

fn table(rows: &str) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let heads = [
        ("", say!("serve-column-compare")),
        (" class=\"r\"", say!("serve-column-number")),
        ("", say!("serve-column-begun")),
        ("", say!("serve-column-kind")),
        ("", say!("serve-column-first")),
        (" class=\"r\"", say!("serve-column-valid")),
        (" class=\"r\"", say!("column-runs")),
        ("", say!("serve-column-target")),
    ];
    let heads =
        heads.map(|(class, name)| format!("<th scope=\"col\"{class}>{}</th>", escape(&name)));
    format!(
        "<form method=\"get\" action=\"/compare\"><table class=\"list\"><thead><tr>{}</tr></thead>\n<tbody>{rows}</tbody></table>\n\
         <p class=\"act\"><button>{}</button> <small>{}</small></p></form>\n",
        heads.concat(),
        escape(&say!("serve-compare")),
        escape(&say!("serve-tick-two")),
    )
}

/// A row with when the experiment was begun, its first figure and what the column of valid ones is called.
fn row(
    e: &ExperimentSummary,
    remark: &Remark,
    (when, figure, column): (&str, &str, &str),
) -> String {
    let id = e.id;
    format!(
        "<tr><td class=\"tick\"><input type=\"checkbox\" name=\"id\" value=\"{id}\" aria-label=\"{}\"></td>\
         <td class=\"no r\"><a href=\"/experiment/{id}\">{id}</a></td><td class=\"when\">{}</td><td class=\"kind\">{}</td>\
         <td class=\"fig\">{}</td><td class=\"ok r\" data-l=\"{column}\">{}</td><td class=\"n r\">{}</td><td class=\"tgt\">{}</td></tr>\n",
        escape(&say!("serve-tick", number = id.to_string())),
        escape(when),
        e.kind,
        escape(figure),
        valid(e),
        e.runs,
        target(e, remark),
    )
}

/// As `etalon list` has it.
fn figure(cell: &CellSummary) -> String {
    listed_figure(&(cell.name.clone(), cell.unit, cell.median))
}

fn valid(e: &ExperimentSummary) -> String {
    match e.state {
        ExperimentState::Finished => escape(&say!(
            "serve-valid-of",
            count = e.valid_cells,
            all = e.cells
        )),
        state => format!("<span class=\"v-warn\">{state}</span>"),
    }
}

fn target(e: &ExperimentSummary, remark: &Remark) -> String {
    let mut told = escape(&e.target_path);
    for tag in &remark.tags {
        let _ = write!(told, " <small>#{}</small>", escape(tag));
    }
    if !remark.note.is_empty() {
        let _ = write!(
            told,
            "<small class=\"say\">{}</small>",
            escape(&remark.note)
        );
    }
    told
}

/// Links to newer and older ones, where not all are shown.
fn pager(filter: &Filter, meant: usize) -> String {
    let mut links = String::new();
    let mut turn = |page: usize, name: String| {
        let (query, name) = (escape(&filter.query(page)), escape(&name));
        let _ = write!(links, "<a href=\"/?{query}\">{name}</a> ");
    };
    if let Some(newer) = filter.page.checked_sub(1) {
        turn(newer, say!("serve-newer"));
    }
    if filter.page.saturating_add(1).saturating_mul(MOST_LISTED) < meant {
        turn(filter.page + 1, say!("serve-older"));
    }
    match links.is_empty() {
        true => links,
        false => format!("<p class=\"act\">{links}</p>\n"),
    }
}
