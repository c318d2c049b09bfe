//! What stands around every page: links to the others, style and scripts.

use etalon_report::Frame;

use crate::assets;

/// Which of the pages a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Experiments,
    Live,
    Watch,
    Elsewhere,
}

const LINKS: [(Place, &str, &str); 3] = [
    (Place::Experiments, "/", "Experiments"),
    (Place::Live, "/live", "Live"),
    (Place::Watch, "/watch", "Watch"),
];

/// A page with this title and this body, which is HTML.
pub(super) fn framed(place: Place, script: Option<&str>, title: &str, body: &str) -> String {
    around(place, script, |frame| {
        frame.page(&format!("{title} – etalon"), body)
    })
}

/// Whatever writes a page in its frame.
pub(super) fn around<T>(
    place: Place,
    script: Option<&str>,
    write: impl FnOnce(&Frame<'_>) -> T,
) -> T {
    write(&Frame {
        head: &assets::style(),
        bar: &bar(place),
        end: &assets::scripts(script),
    })
}

fn bar(place: Place) -> String {
    let links = LINKS.iter().map(|(of, path, name)| {
        let current = match *of == place {
            true => " aria-current=\"page\"",
            false => "",
        };
        format!("<a href=\"{path}\"{current}>{name}</a>")
    });
    let links: String = links.collect();
    format!("<span class=\"site\"><b>etalon</b>{links}</span>")
}
