//! Pieces of HTML.

use etalon_picture::{Drawing, escape, inline};

/// Text from outside.
pub(super) fn text(text: &str) -> String {
    escape(text)
}

/// A section with its heading.
pub(super) fn section(id: &str, heading: &str, body: &str) -> String {
    format!(
        "<section id=\"{id}\"><h2>{}</h2>\n{body}</section>\n",
        text(heading)
    )
}

/// A remark below a heading.
pub(super) fn note(said: &str) -> String {
    format!("<p class=\"note\">{}</p>\n", text(said))
}

/// A verdict's or a warning's sign, which the word beside it says too.
pub(super) fn sign(name: &str) -> String {
    format!("<svg class=\"mk v-{name}\" aria-hidden=\"true\"><use href=\"#m-{name}\"/></svg>")
}

/// A drawing at two widths, of which the page shows the one that fits.
pub(super) fn both(wide: &Drawing, narrow: &Drawing, label: &str) -> String {
    inline(wide, "w", label) + &inline(narrow, "n", label)
}

/// Names and values, a row each.
pub(super) fn pairs<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let rows = pairs.map(|(key, value)| format!("<dt>{}</dt><dd>{}</dd>", text(key), text(value)));
    format!("<dl class=\"kv\">{}</dl>\n", rows.collect::<String>())
}

/// A table that may be wider than the page: it scrolls, by key as well.
pub(super) fn wide(label: &str, table: &str) -> String {
    format!(
        "<div class=\"tab\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">{table}</div>",
        text(label)
    )
}

/// What unfolds.
pub(super) fn details(summary: &str, body: &str) -> String {
    format!(
        "<details><summary>{}</summary><div>{body}</div></details>\n",
        text(summary)
    )
}

/// What unfolds on a screen, and stays folded on paper: lists that nobody reads from the first to the last line.
pub(super) fn long(summary: &str, body: &str) -> String {
    format!(
        "<details class=\"long\"><summary>{}</summary><div>{body}</div></details>\n",
        text(summary)
    )
}
