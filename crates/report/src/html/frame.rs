//! What stands around every page: its head, the bar at its top, and where style and script come from.

use etalon_language::{Language, say};
use etalon_picture::style_sheet;

use super::packed::{SCRIPT, STYLE};
use super::tag;

const SIGNS: &str = include_str!("signs.svg");

/// The style sheet of a report: colours, marks of drawings, type and layout.
pub fn report_style() -> String {
    style_sheet() + &STYLE
}

/// The script of a report: light or dark by choice, the nearest mark, surfaces that turn. Pages work without it.
pub fn report_script() -> &'static str {
    &SCRIPT
}

/// A page around its body. Everything here is HTML, and none of it comes from outside.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Elements of the head: the style sheet, or a link to it.
    pub head: &'a str,
    /// The left side of the bar at the top.
    pub bar: &'a str,
    /// What stands at the end of the page: its scripts.
    pub end: &'a str,
}

impl Frame<'_> {
    /// The page with this title, which is text, and this body, which is HTML. The body has the `main` element.
    pub fn page(&self, title: &str, body: &str) -> String {
        format!(
            "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\">\
             <title>{}</title>\n{}</head>\n<body data-words=\"{}\">\n{SIGNS}{}{body}{}</body></html>\n",
            Language::spoken().tag(),
            tag::text(title),
            self.head,
            tag::text(&words().join("|")),
            self.bar(),
            self.end,
        )
    }

    fn bar(&self) -> String {
        format!(
            "<a class=\"skip\" href=\"#results\">{}</a><header class=\"bar\">{}\
             <button id=\"theme\" type=\"button\" hidden>{}</button></header>\n",
            tag::text(&say!("report-skip")),
            self.bar,
            tag::text(&say!("script-dark")),
        )
    }
}

/// What the script says, in its order.
fn words() -> [String; 6] {
    [
        say!("script-light"),
        say!("script-dark"),
        say!("script-copied"),
        say!("script-turn"),
        say!("script-side"),
        say!("script-above"),
    ]
}
