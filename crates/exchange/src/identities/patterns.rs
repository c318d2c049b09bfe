//! UUIDs and addresses of version 4, which are known by their form.

/// Lengths of the groups of a UUID (RFC 9562, 4).
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

/// `text` with each UUID and each address hidden by `hidden`.
pub(super) fn hide(text: &str, hidden: impl Fn(&str) -> String) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let mut out = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find(is_part) {
        let end = rest[begin..]
            .find(|c| !is_part(c))
            .map_or(rest.len(), |end| begin + end);
        out.push_str(&rest[..begin]);
        out.push_str(&word(&rest[begin..end], &hidden));
        rest = &rest[end..];
    }
    out + rest
}

fn word(text: &str, hidden: impl Fn(&str) -> String) -> String {
    let bare = text.trim_end_matches('.');
    if is_address(bare) {
        return format!("{}{}", hidden(bare), &text[bare.len()..]);
    }
    match uuid_in(text) {
        Some(at) => {
            let (uuid, behind) = text[at..].split_at(UUID_LENGTH);
            format!("{}{}{behind}", &text[..at], hidden(uuid))
        }
        None => text.to_owned(),
    }
}

const UUID_LENGTH: usize = 36;

/// Where a UUID begins, as in `luks-UUID`.
fn uuid_in(text: &str) -> Option<usize> {
    let last = text.len().checked_sub(UUID_LENGTH)?;
    (0..=last).find(|at| is_uuid(&text[*at..*at + UUID_LENGTH]))
}

fn is_uuid(text: &str) -> bool {
    let groups = text.split('-');
    let lengths = groups.map(|group| (group.len(), group.bytes().all(|b| b.is_ascii_hexdigit())));
    lengths.eq(GROUPS.map(|length| (length, true)))
}

/// Four numbers below 256; those of this machine itself are nobody's.
fn is_address(text: &str) -> bool {
    let numbers: Vec<Option<u8>> = text.split('.').map(|part| part.parse().ok()).collect();
    let is_whole = numbers.len() == 4 && numbers.iter().all(Option::is_some);
    is_whole && !matches!(numbers[0], Some(0 | 127))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_and_addresses_are_found_in_a_sentence() {
        let hide = |text: &str| hide(text, |_| "X".to_owned());
        for (text, hidden) in [
            (
                "root=UUID=0b8a8c48-93ec-4097-905c-2cbf3ed767ce ro",
                "root=UUID=X ro",
            ),
            ("luks-0b8a8c48-93ec-4097-905c-2cbf3ed767ce, x", "luks-X, x"),
            ("addr=192.168.1.20.", "addr=X."),
            (
                "127.0.0.1 and 6.1.0-56 and 2.10",
                "127.0.0.1 and 6.1.0-56 and 2.10",
            ),
            (
                "0b8a8c48-93ec-4097-905c-2cbf3ed767cg",
                "0b8a8c48-93ec-4097-905c-2cbf3ed767cg",
            ),
            ("é 1.2.3.4", "é X"),
        ] {
            assert_eq!(hide(text), hidden);
        }
    }
}
