//! What the disks and the machine do at this moment.

use etalon_model::stack::{DiskActivity, DiskRates, Sample};
use etalon_picture::escape;
use etalon_units::{Nanos, visible};

use super::frame::{Place, framed};
use crate::watch::Sampler;

/// Without scripts the page asks for itself again.
const AGAIN: &str = "<noscript><meta http-equiv=\"refresh\" content=\"2\">\
                     <p class=\"note\">The charts need JavaScript; the table does not.</p></noscript>";
const HEADINGS: [&str; 8] = [
    "reads/s", "read", "wait", "writes/s", "written", "wait", "queue", "busy",
];

/// The page as it is now; its script replaces the table and draws the charts.
pub(super) fn page(sampler: &Sampler) -> String {
    let sample = sampler.latest();
    let body = format!(
        "<main id=\"results\"><header class=\"top\"><h1>Watch</h1><p class=\"answer\">{}</p></header>\n\
         <div id=\"watch\" data-events=\"/watch/events\">{}</div>\n{AGAIN}\
         <section id=\"charts\" hidden><h2>The last two minutes</h2><div class=\"pics\"></div></section>\n\
         <p class=\"note\">Once a second while somebody looks, as <code>etalon watch</code> counts.</p></main>\n",
        escape(sampler.heading()),
        fragment(sample.as_ref()),
    );
    framed(Place::Watch, Some("/static/watch.js"), "Watch", &body)
}

/// The table.
pub(super) fn fragment(sample: Option<&Sample>) -> String {
    let Some(sample) = sample else {
        return "<p class=\"note\">The first figures come in a second.</p>\n".to_owned();
    };
    let heads: String = HEADINGS
        .iter()
        .map(|name| format!("<th scope=\"col\">{name}</th>"))
        .collect();
    let rows = sample.disks.iter().map(|disk| row(disk, sample.span));
    let rows: String = rows.collect();
    format!(
        "<div class=\"tab\"><table class=\"runs\"><thead><tr><th scope=\"col\" class=\"l\">layer</th>{heads}</tr></thead>\n\
         <tbody>{rows}</tbody></table></div>\n{}",
        machine(sample)
    )
}

fn row(disk: &DiskActivity, span: Nanos) -> String {
    let name = escape(&visible(&disk.name));
    let Some(delta) = &disk.delta else {
        return format!(
            "<tr><th scope=\"row\" class=\"l\">{name}</th><td colspan=\"8\">not counted</td></tr>\n"
        );
    };
    let rates = DiskRates::of(delta, span);
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
    let figures = figures.map(|figure| format!("<td>{}</td>", escape(&figure)));
    format!(
        "<tr><th scope=\"row\" class=\"l\">{name}</th>{}</tr>\n",
        figures.concat()
    )
}

fn machine(sample: &Sample) -> String {
    let cpu = sample.cpu.as_ref().map(|cpu| {
        let said = format!(
            "user {}, system {}, interrupts {}, iowait {}, steal {}, idle {}",
            cpu.user, cpu.system, cpu.interrupts, cpu.iowait, cpu.steal, cpu.idle
        );
        ("CPU", said)
    });
    let memory = sample.memory.as_ref().map(|memory| {
        let said = format!(
            "available {}, cached {}, dirty {}, writing back {}",
            memory.available, memory.cached, memory.dirty, memory.writeback
        );
        ("Memory", said)
    });
    let rows = cpu.into_iter().chain(memory);
    let rows = rows.map(|(name, said)| format!("<dt>{name}</dt><dd>{}</dd>", escape(&said)));
    format!("<dl class=\"meta\">{}</dl>\n", rows.collect::<String>())
}
