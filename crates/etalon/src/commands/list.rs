//! `etalon list`.

use std::collections::BTreeMap;

use etalon_exchange::{DocumentFormat, Envelope, ListBody, ListedExperiment};
use etalon_language::say;
use etalon_model::{CellSummary, ExperimentSummary, RunId};
use etalon_report::{ListPage, ListedRow};
use etalon_store::{Remark, Store};
use etalon_tools::Exit;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::subcommand::Subcommand;
use crate::cli::ListArgs;
use crate::output;
use crate::stores;
use crate::unjudged;

impl Subcommand for ListArgs {
    const NAME: &'static str = "list";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

/// One experiment with all that the list tells of it.
struct Listed {
    summary: ExperimentSummary,
    cells: Vec<CellSummary>,
    remark: Remark,
}

fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let (listed, exit) = match stores::open_read_only(&args.store) {
        Ok(store) => read(args, &store)?,
        // Without --store, a store that was never begun is an empty one.
        Err(error) if args.store.named().is_none() && stores::is_missing(&error) => {
            (Vec::new(), Exit::Done)
        }
        Err(error) => return Err(error),
    };
    let text = if args.json {
        document(listed)?
    } else if listed.is_empty() && exit == Exit::Done {
        output::look().speak(|| nothing(args))
    } else {
        page(&listed)
    };
    match args.json {
        true => output::print(&text)?,
        false => output::print_page(&text)?,
    }
    Ok(exit)
}

fn read(args: &ListArgs, store: &Store) -> anyhow::Result<(Vec<Listed>, Exit)> {
    let (summaries, exit) = stores::sound(store.list_sound()?);
    let mut remarks: BTreeMap<RunId, Remark> = store.remarks()?;
    let mut meant = Vec::new();
    for summary in summaries {
        let remark = remarks.remove(&summary.id).unwrap_or_default();
        if is_meant(args, &summary, &remark) {
            meant.push((summary, remark));
        }
    }
    let more = meant.len().saturating_sub(args.last.unwrap_or(usize::MAX));
    let listed = meant.drain(more..).map(|(mut summary, remark)| {
        Ok(Listed {
            cells: unjudged::listed_as_it_is(store, &mut summary)?,
            summary,
            remark,
        })
    });
    let listed: anyhow::Result<_> = listed.collect();
    Ok((listed?, exit))
}

fn is_meant(args: &ListArgs, summary: &ExperimentSummary, remark: &Remark) -> bool {
    let of_target = args.target.as_ref().is_none_or(|target| {
        let resolved = target.canonicalize().unwrap_or_else(|_| target.clone());
        resolved == std::path::Path::new(&summary.target_path)
            || *target == std::path::Path::new(&summary.target_path)
    });
    let of_kind = args.kind.is_none_or(|kind| kind == summary.kind);
    let tagged = args
        .tag
        .as_ref()
        .is_none_or(|tag| remark.tags.contains(tag));
    of_target && of_kind && tagged
}

fn nothing(args: &ListArgs) -> String {
    let is_choice =
        args.target.is_some() || args.kind.is_some() || args.tag.is_some() || args.last.is_some();
    let said = match is_choice {
        true => say!("list-none-like"),
        false => say!("list-nothing"),
    };
    said + "\n"
}

fn page(listed: &[Listed]) -> String {
    let rows: Vec<ListedRow> = listed.iter().map(row).collect();
    let look = output::look();
    ListPage { rows: &rows, look }.to_string()
}

fn row(listed: &Listed) -> ListedRow {
    let e = &listed.summary;
    let sound = listed.cells.iter().filter(|cell| cell.verdict != "invalid");
    let tags = listed.remark.tags.iter().map(|tag| format!(" #{tag}"));
    ListedRow {
        id: e.id,
        when: local_time(e.started_unix_ns),
        kind: e.kind,
        state: e.state,
        runs: e.runs,
        cells: (e.cells, e.valid_cells),
        figures: sound
            .map(|cell| (cell.name.clone(), cell.unit, cell.median))
            .collect(),
        target: format!("{}{}", e.target_path, tags.collect::<String>()),
    }
}

/// A moment as people of the place write it.
pub(super) fn local_time(unix_ns: i64) -> String {
    Timestamp::from_nanosecond(i128::from(unix_ns)).map_or_else(
        |_| "at no known time".to_owned(),
        |time| {
            time.to_zoned(TimeZone::system())
                .strftime("%Y-%m-%d %H:%M")
                .to_string()
        },
    )
}

fn document(listed: Vec<Listed>) -> anyhow::Result<String> {
    let experiments = listed.into_iter().map(entry).collect();
    let body = ListBody { experiments };
    Ok(Envelope::new(DocumentFormat::List, "list", body).to_text()?)
}

fn entry(listed: Listed) -> ListedExperiment {
    ListedExperiment {
        summary: listed.summary,
        note: listed.remark.note,
        tags: listed.remark.tags,
        figures: listed.cells,
    }
}
