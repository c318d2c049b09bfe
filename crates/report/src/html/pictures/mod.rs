//! The pictures, a file for each kind; each kind draws what it finds something for.

mod before_after;
mod course;
mod lanes;
mod latency;
mod load;
mod machine;
mod pages;
mod position;
mod radar;
mod ratio;
mod rebuild;
mod recorded_time;
mod rounds;
mod sets;
mod sizes;
mod summary;

use etalon_language::say;
use etalon_picture::{Drawing, RowsChart, XyChart};

use super::HtmlReport;
use super::tag::{both, note, section as wrapped, text};

/// One picture, drawn for a wide and for a narrow screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Its name, for links and files.
    pub name: String,
    /// What is seen, as a sentence.
    pub claim: String,
    /// What it shows, in which unit, of how many runs.
    pub note: String,
    /// For a page or a file.
    pub wide: Drawing,
    /// For a phone.
    pub narrow: Drawing,
    /// Whether two stand side by side.
    half: bool,
    /// The numbers behind a scene that the page's script can turn, as JSON.
    scene: Option<String>,
    /// What it is folded away under, with its neighbours of the same.
    fold: Option<String>,
}

/// Width of a picture over the whole page, over half of it, and on a phone.
const WIDE: f64 = 1104.0;
const HALF: f64 = 528.0;
const NARROW: f64 = 350.0;

/// Every kind, in the order of the page.
const KINDS: [fn(&HtmlReport<'_>) -> Vec<Picture>; 13] = [
    summary::pictures,
    ratio::pictures,
    before_after::pictures,
    pages::pictures,
    sizes::pictures,
    position::pictures,
    latency::pictures,
    load::pictures,
    course::pictures,
    machine::pictures,
    rebuild::pictures,
    radar::pictures,
    rounds::pictures,
];

pub(super) fn of(report: &HtmlReport<'_>) -> Vec<Picture> {
    let mut pictures: Vec<Picture> = KINDS.iter().flat_map(|kind| kind(report)).collect();
    for (n, picture) in pictures.iter_mut().enumerate() {
        picture.name = format!("{:02}-{}", n + 1, picture.name);
    }
    pictures
}

pub(super) fn section(report: &HtmlReport<'_>, pictures: &[Picture]) -> String {
    if pictures.is_empty() {
        return wrapped(
            "pictures",
            &say!("report-pictures"),
            &note(&say!("picture-none")),
        );
    }
    let groups = pictures.chunk_by(|a, b| a.fold == b.fold);
    let mut body: String = groups.map(group).collect();
    let more = report.subjects[0]
        .cells
        .len()
        .saturating_sub(super::DETAILED);
    if more > 0 {
        let first = super::DETAILED;
        body.push_str(&note(&say!(
            "picture-first-workloads",
            count = first,
            more = more
        )));
    }
    wrapped(
        "pictures",
        &say!("report-pictures"),
        &format!("<div class=\"pics\">{body}</div>"),
    )
}

/// Neighbours, open or folded away together.
fn group(pictures: &[Picture]) -> String {
    let figures: String = pictures.iter().map(figure).collect();
    let Some(name) = pictures.first().and_then(|picture| picture.fold.as_ref()) else {
        return figures;
    };
    let summary = say!("picture-fold", name = name, count = pictures.len());
    format!(
        "<details class=\"full more\"><summary>{}</summary><div class=\"pics\">{figures}</div></details>\n",
        text(&summary)
    )
}

/// Says below the last of these pictures of how many more there are none.
fn more_than(pictures: &mut [Picture], left: usize) {
    if let Some(last) = pictures.last_mut().filter(|_| left > 0) {
        last.note = format!("{} {}", last.note, say!("picture-more", count = left));
    }
}

fn figure(picture: &Picture) -> String {
    let class = if picture.half { "half" } else { "full" };
    let scene = picture.scene.as_ref();
    let scene = scene.map_or_else(String::new, |data| {
        format!("<script type=\"application/json\" class=\"scene\">{data}</script>")
    });
    format!(
        "<figure class=\"{class}\" id=\"p-{}\"><figcaption><b>{}</b><span>{}</span></figcaption>{}{scene}</figure>\n",
        picture.name,
        text(&picture.claim),
        text(&picture.note),
        both(&picture.wide, &picture.narrow, &picture.claim),
    )
}

impl Picture {
    /// A chart over two axes; half a page wide, or all of it.
    fn of_xy(name: &str, claim: String, note: String, chart: &XyChart<'_>, half: bool) -> Picture {
        let width = if half { HALF } else { WIDE };
        let height = if half { 330.0 } else { 300.0 };
        Picture {
            wide: chart.draw(width, height),
            narrow: chart.draw(NARROW, 270.0),
            half,
            ..Picture::plain(name, claim, note)
        }
    }

    fn of_rows(name: &str, claim: String, note: String, chart: &RowsChart<'_>) -> Picture {
        Picture {
            wide: chart.draw(WIDE),
            narrow: chart.draw(NARROW),
            ..Picture::plain(name, claim, note)
        }
    }

    fn plain(name: &str, claim: String, note: String) -> Picture {
        Picture {
            name: name.to_owned(),
            claim,
            note,
            wide: Drawing::default(),
            narrow: Drawing::default(),
            half: false,
            scene: None,
            fold: None,
        }
    }
}

#[cfg(test)]
mod tests;
