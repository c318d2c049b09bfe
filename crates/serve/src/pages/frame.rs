//! What stands around every page: links to the others, style and scripts.

use etalon_language::say;
use etalon_picture::escape;
use etalon_report::Frame;

use crate::assets;

/// Which of the pages a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SiteSection {
    Experiments,
    Live,
    Watch,
    Elsewhere,
}

impl SiteSection {
    const ALL: [SiteSection; 3] = [
        SiteSection::Experiments,
        SiteSection::Live,
        SiteSection::Watch,
    ];

    fn path(self) -> &'static str {
        match self {
            SiteSection::Experiments | SiteSection::Elsewhere => "/",
            SiteSection::Live => "/live",
            SiteSection::Watch => "/watch",
        }
    }

    /// What links to it, and what stands above it.
    pub(super) fn name(self) -> String {
        match self {
            SiteSection::Experiments | SiteSection::Elsewhere => say!("serve-experiments"),
            SiteSection::Live => say!("serve-live"),
            SiteSection::Watch => say!("serve-watch"),
        }
    }
}

/// Text of a catalogue as HTML, what stands in `…` as code.
pub(super) fn marked(text: &str) -> String {
    let text = escape(text);
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(n, part)| match n % 2 {
        0 => part.to_owned(),
        _ => format!("<code>{part}</code>"),
    });
    parts.collect()
}

/// What a page's script says where its stream of events breaks off, as an attribute of the part that changes.
pub(super) fn lost() -> String {
    format!(" data-lost=\"{}\"", escape(&say!("serve-lost")))
}

/// A page with this title and this body, which is HTML.
pub(super) fn framed(place: SiteSection, script: Option<&str>, title: &str, body: &str) -> String {
    around(place, script, |frame| {
        frame.page(&say!("serve-title", page = title), body)
    })
}

/// Whatever writes a page in its frame.
pub(super) fn around<T>(
    place: SiteSection,
    script: Option<&str>,
    write: impl FnOnce(&Frame<'_>) -> T,
) -> T {
    write(&Frame {
        head: &assets::style(),
        bar: &bar(place),
        end: &assets::scripts(script),
    })
}

fn bar(place: SiteSection) -> String {
    let links = SiteSection::ALL.map(|of| {
        let current = match of == place {
            true => " aria-current=\"page\"",
            false => "",
        };
        let (path, name) = (of.path(), escape(&of.name()));
        format!("<a href=\"{path}\"{current}>{name}</a>")
    });
    let links = links.concat();
    format!("<span class=\"site\"><b>etalon</b>{links}</span>")
}
