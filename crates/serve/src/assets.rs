//! The files beside the pages: one style sheet and three scripts, which are part of the program.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use etalon_report::{report_script, report_style};
use hyper::body::Bytes;
use sha2::{Digest as _, Sha384};

const STYLE: &str = include_str!("serve.css");
const LIVE: &str = include_str!("live.js");
const WATCH: &str = include_str!("watch.js");

/// A file beside the pages.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Asset {
    path: &'static str,
    /// Its kind, as HTTP names it.
    pub(crate) mime: &'static str,
    /// What it holds.
    pub(crate) bytes: Bytes,
    /// Its hash, by which a browser refuses another (<https://www.w3.org/TR/SRI/>).
    integrity: String,
}

static ALL: LazyLock<[Asset; 4]> = LazyLock::new(|| {
    let script = "text/javascript; charset=utf-8";
    [
        Asset::new(
            "/static/style.css",
            "text/css; charset=utf-8",
            report_style() + STYLE,
        ),
        Asset::new("/static/report.js", script, report_script().to_owned()),
        Asset::new("/static/live.js", script, LIVE.to_owned()),
        Asset::new("/static/watch.js", script, WATCH.to_owned()),
    ]
});

impl Asset {
    fn new(path: &'static str, mime: &'static str, text: String) -> Asset {
        let hash = BASE64_STANDARD.encode(Sha384::digest(&text));
        Asset {
            path,
            mime,
            bytes: Bytes::from(text),
            integrity: format!("sha384-{hash}"),
        }
    }

    /// The file of that very path.
    pub(crate) fn at(path: &str) -> Option<&'static Asset> {
        ALL.iter().find(|asset| asset.path == path)
    }

    /// Its address, which is another once it holds something else, so that browsers may keep it.
    fn link(&self) -> String {
        let hash = Sha384::digest(&self.bytes);
        let version: String = hash
            .iter()
            .take(6)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!("{}?v={version}", self.path)
    }
}

/// The element that brings the style sheet.
pub(crate) fn style() -> String {
    let asset = &ALL[0];
    let (link, hash) = (asset.link(), &asset.integrity);
    format!("<link rel=\"stylesheet\" href=\"{link}\" integrity=\"{hash}\">")
}

/// The elements that bring the report's script and, with `more`, the script of that path.
pub(crate) fn scripts(more: Option<&str>) -> String {
    let paths = ["/static/report.js"].into_iter().chain(more);
    let elements = paths.filter_map(Asset::at).map(|asset| {
        let (link, hash) = (asset.link(), &asset.integrity);
        format!("<script src=\"{link}\" integrity=\"{hash}\"></script>\n")
    });
    elements.collect()
}
