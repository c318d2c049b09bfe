//! Active swap areas.

use etalon_model::stack::SwapArea;
use etalon_units::Bytes;

use crate::context::Context;
use crate::mountinfo::unescape;
use crate::text::clean;

/// The kernel keeps no more areas than this (include/linux/swap.h, `MAX_SWAPFILES`).
pub(crate) const MOST_AREAS: usize = 32;

/// The areas of `/proc/swaps`, not yet with what they share; lines that cannot be understood are noted.
pub(crate) fn read(context: &Context<'_>) -> Vec<SwapArea> {
    let text = context.attr_lines(context.roots.procfs.join("swaps"));
    let lines = text.iter().skip(1).filter(|line| !line.trim().is_empty());
    if lines.clone().count() > MOST_AREAS {
        context.note(
            "the rest of /proc/swaps",
            format!("it has more than the {MOST_AREAS} areas that the kernel keeps"),
        );
    }
    let mut areas = Vec::new();
    for line in lines.take(MOST_AREAS) {
        match parse(line) {
            Some(area) => areas.push(area),
            None => context.note(
                "a line of /proc/swaps",
                format!("'{}' is not in the expected form", clean(line)),
            ),
        }
    }
    areas
}

/// `Filename Type Size Used Priority`, sizes in KiB.
fn parse(line: &str) -> Option<SwapArea> {
    let mut words = line.split_whitespace();
    let node = clean(&unescape(words.next()?));
    let kind = clean(words.next()?);
    let mut kib = || {
        words
            .next()?
            .parse::<u64>()
            .ok()?
            .checked_mul(1024)
            .map(Bytes)
    };
    let (size, used) = (kib()?, kib()?);
    Some(SwapArea {
        node,
        kind,
        size,
        used,
        priority: words.next()?.parse().ok()?,
        shares: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_five_words_and_sizes_in_kib() {
        let area = parse("/dev/my\\040swap partition\t2097148\t\t1024\t\t-2").unwrap();
        assert_eq!(
            (area.node.as_str(), area.kind.as_str()),
            ("/dev/my swap", "partition")
        );
        assert_eq!(
            (area.size, area.used, area.priority),
            (Bytes::kib(2_097_148), Bytes::mib(1), -2)
        );
        assert!(parse("/dev/sda2 partition 12").is_none());
    }
}
