//! What the disks and the machine do at this moment.

use etalon_language::{figure, say};
use etalon_model::stack::{DiskActivity, DiskRates, Sample};
use etalon_picture::escape;
use etalon_units::{Nanos, visible};

use super::frame::{SiteSection, framed, lost, marked};
use crate::watch::Sampler;

/// The page as it is now; its script replaces the table and draws the charts.
pub(super) fn page(sampler: &Sampler) -> String {
    let (sample, title) = (sampler.latest(), SiteSection::Watch.name());
    let body = format!(
        "<main id=\"results\"><header class=\"top\"><h1>{}</h1><p class=\"answer\">{}</p></header>\n\
         <div id=\"watch\" data-events=\"/watch/events\"{} data-words=\"{}\">{}</div>\n{}\
         <section id=\"charts\" hidden><h2>{}</h2><div class=\"pics\"></div></section>\n\
         <p class=\"note\">{}</p></main>\n",
        escape(&title),
        escape(sampler.heading()),
        lost(),
        escape(&words().join("|")),
        fragment(sample.as_ref()),
        again(),
        escape(&say!("serve-watch-charts")),
        marked(&say!("serve-watch-note")),
    );
    framed(SiteSection::Watch, Some("/static/watch.js"), &title, &body)
}

/// Without scripts the page asks for itself again.
fn again() -> String {
    format!(
        "<noscript><meta http-equiv=\"refresh\" content=\"2\"><p class=\"note\">{}</p></noscript>",
        escape(&say!("serve-watch-scripts"))
    )
}

/// What the script says, in its order; `%` and `#` are what it puts in.
fn words() -> [String; 10] {
    [
        say!("serve-chart-throughput", layer = "%"),
        say!("serve-watch-read"),
        say!("serve-watch-written"),
        say!("serve-chart-busy", layer = "%"),
        say!("serve-chart-percent"),
        say!("serve-watch-busy"),
        say!("serve-chart-processors"),
        say!("serve-chart-percent-all"),
        say!("serve-chart-from", unit = "%", lines = "#"),
        say!("serve-chart-now"),
    ]
}

/// The table.
pub(super) fn fragment(sample: Option<&Sample>) -> String {
    let Some(sample) = sample else {
        return format!(
            "<p class=\"note\">{}</p>\n",
            escape(&say!("serve-watch-soon"))
        );
    };
    let rows = sample.disks.iter().map(|disk| row(disk, sample.span));
    let rows: String = rows.collect();
    let layer = escape(&say!("serve-watch-layer"));
    format!(
        "<div class=\"tab\" tabindex=\"0\" role=\"group\" aria-label=\"{layer}\"><table class=\"runs\"><thead><tr>\
         <th scope=\"col\" class=\"l\">{layer}</th>{}</tr></thead>\n<tbody>{rows}</tbody></table></div>\n{}",
        heads(),
        machine(sample)
    )
}

fn heads() -> String {
    let wait = || say!("serve-watch-wait");
    let heads = [
        say!("serve-watch-reads"),
        say!("serve-watch-read"),
        wait(),
        say!("serve-watch-writes"),
        say!("serve-watch-written"),
        wait(),
        say!("serve-watch-queue"),
        say!("serve-watch-busy"),
    ];
    heads
        .map(|name| format!("<th scope=\"col\">{}</th>", escape(&name)))
        .concat()
}

fn row(disk: &DiskActivity, span: Nanos) -> String {
    let name = escape(&visible(&disk.name));
    let cells = match &disk.delta {
        Some(delta) => figures(&DiskRates::of(delta, span)),
        None => format!(
            "<td colspan=\"8\">{}</td>",
            escape(&say!("serve-watch-not-counted"))
        ),
    };
    format!("<tr><th scope=\"row\" class=\"l\">{name}</th>{cells}</tr>\n")
}

/// A cell for each head.
fn figures(rates: &DiskRates) -> String {
    let wait = |wait: Option<Nanos>| wait.map_or_else(|| "–".to_owned(), |w| w.to_string());
    let figures = [
        format!("{:.0}", rates.reads_per_s),
        rates.read_rate.to_string(),
        wait(rates.read_wait),
        format!("{:.0}", rates.writes_per_s),
        rates.write_rate.to_string(),
        wait(rates.write_wait),
        format!("{:.1}", rates.queue),
        rates.utilisation.to_string(),
    ];
    let cells = figures.map(|said| format!("<td>{}</td>", escape(&figure(said))));
    cells.concat()
}

fn machine(sample: &Sample) -> String {
    let cpu = sample.cpu.as_ref().map(|cpu| {
        let said = say!(
            "serve-watch-shares",
            user = cpu.user,
            system = cpu.system,
            interrupts = cpu.interrupts,
            iowait = cpu.iowait,
            steal = cpu.steal,
            idle = cpu.idle,
        );
        ("CPU".to_owned(), said)
    });
    let memory = sample.memory.as_ref().map(|memory| {
        let said = say!(
            "serve-watch-sizes",
            available = memory.available,
            cached = memory.cached,
            dirty = memory.dirty,
            writeback = memory.writeback,
        );
        (say!("serve-watch-memory"), said)
    });
    let rows = cpu.into_iter().chain(memory);
    let rows = rows.map(|(name, said)| format!("<dt>{name}</dt><dd>{}</dd>", escape(&said)));
    format!("<dl class=\"meta\">{}</dl>\n", rows.collect::<String>())
}
