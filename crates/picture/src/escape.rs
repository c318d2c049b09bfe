//! Text from outside, made harmless in HTML and XML.

use etalon_units::visible;

/// The text with everything that HTML or XML would read as markup written out; what no terminal may
/// see is written out as well, since XML takes no control characters.
pub fn escape(text: &str) -> String {
    let text = visible(text);
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Not characters of XML 1.0 (section 2.2).
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sign_of_markup_is_left() {
        let hostile = "</script><img src=x onerror='alert(1)'>\"&\u{1b}[2J";
        let safe = escape(hostile);
        assert!(!safe.contains(['<', '>', '"', '\'', '\u{1b}']), "{safe}");
        assert!(safe.starts_with("&lt;/script&gt;"));
        assert_eq!(escape("/srv/Größe"), "/srv/Größe");
    }
}
