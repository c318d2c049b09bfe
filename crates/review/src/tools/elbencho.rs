//! elbencho's CSV: a head with `operation` and `MiB/s [last]`, a line a phase.

use crate::{Action, Figure, Line, Page, Tool};

const MIB: f64 = 1_048_576.0;

/// The phases of a page that is such a table.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let Some(at) = page
        .lines
        .iter()
        .position(|line| line.plain.contains("operation,") && line.plain.contains("mib/s"))
    else {
        return Vec::new();
    };
    let head: Vec<&str> = page.lines[at].text.split(',').map(str::trim).collect();
    page.lines[at + 1..]
        .iter()
        .filter_map(|line| figure(&head, line))
        .collect()
}

fn figure(head: &[&str], line: &Line) -> Option<Figure> {
    let fields: Vec<&str> = line
        .text
        .split(',')
        .map(|f| f.trim().trim_matches('"'))
        .collect();
    let field = |name: &str| {
        let at = head
            .iter()
            .position(|column| column.to_lowercase().starts_with(name))?;
        fields.get(at).copied()
    };
    let operation = field("operation")?;
    let rate: Option<f64> = field("mib/s [last]")
        .or(field("mib/s"))
        .and_then(|text| text.parse().ok());
    let random = field("rand").is_some_and(|text| matches!(text, "1" | "true"));
    let action = match (operation.to_lowercase().as_str(), random) {
        ("read", false) => Action::Read,
        ("read", true) => Action::RandomRead,
        ("write", false) => Action::Write,
        ("write", true) => Action::RandomWrite,
        _ => Action::Other,
    };
    let mut figure = Figure::new(Tool::Elbencho, line.number, action, operation);
    figure.bytes_per_second = rate.map(|rate| rate * MIB);
    figure.operations_per_second = field("iops [last]")
        .or(field("entries/s [last]"))
        .and_then(|text| text.parse().ok());
    figure.direct = field("direct io").map(|text| matches!(text, "1" | "true"));
    figure.quoted = rate.map(|rate| format!("{rate} MiB/s")).unwrap_or_default();
    (rate.is_some() || figure.operations_per_second.is_some()).then_some(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_their_names() {
        let page = Page::read(
            "ISO date,operation,rand,direct IO,MiB/s [last]\n2024,WRITE,0,1,1200\n2024,READ,1,1,800\n",
        );
        let told: Vec<_> = figures(&page)
            .iter()
            .map(|f| (f.action, f.bytes_per_second))
            .collect();
        assert_eq!(
            told,
            [
                (Action::Write, Some(1200.0 * MIB)),
                (Action::RandomRead, Some(800.0 * MIB))
            ]
        );
    }
}
