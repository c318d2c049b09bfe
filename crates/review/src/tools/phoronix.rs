//! The Phoronix Test Suite's `composite.xml`, and its results copied as text.

use crate::quantity::rate_unit;
use crate::{Action, Figure, Page, Tool};

/// The results of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let text: Vec<&str> = page.lines.iter().map(|line| line.text.as_str()).collect();
    let text = text.join("\n");
    if !text.contains("<PhoronixTestSuite") {
        return copied(page);
    }
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(at) = text[start..].find("<Result>") {
        let begin = start + at;
        let end = text[begin..]
            .find("</Result>")
            .map_or(text.len(), |at| begin + at);
        let line = text[..begin].matches('\n').count() + 1;
        found.extend(result(&text[begin..end], line));
        start = end.max(begin + 1);
    }
    found
}

fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let open = format!("<{name}>");
    let start = text.find(&open)? + open.len();
    let end = text[start..].find(&format!("</{name}>"))?;
    Some(text[start..start + end].trim())
}

fn result(text: &str, line: usize) -> Option<Figure> {
    let title = element(text, "Title")?;
    let description = element(text, "Description").unwrap_or_default();
    let value: f64 = element(text, "Value")?.parse().ok()?;
    Some(figure(
        line,
        title,
        description,
        value,
        element(text, "Scale").unwrap_or_default(),
    ))
}

fn figure(line: usize, title: &str, description: &str, value: f64, scale: &str) -> Figure {
    let said = format!("{title} {description}").to_lowercase();
    let action = match (
        said.contains("random"),
        said.contains("write"),
        said.contains("read"),
    ) {
        (true, true, false) => Action::RandomWrite,
        (true, false, true) => Action::RandomRead,
        (false, true, false) => Action::Write,
        (false, false, true) => Action::Read,
        _ => Action::Other,
    };
    let mut figure = Figure::new(
        Tool::Phoronix,
        line,
        action,
        &format!("{title} {description}"),
    );
    figure.bytes_per_second = rate_unit(scale).map(|unit| value * unit);
    figure.operations_per_second = scale.to_lowercase().contains("iops").then_some(value);
    figure.quoted = format!("{value} {scale}");
    figure
}

/// `Average: 123.45 MB/s` under a test's name, as the terminal prints it.
fn copied(page: &Page) -> Vec<Figure> {
    if !page.says(&["phoronix"]) {
        return Vec::new();
    }
    let lines = page.lines.iter().enumerate();
    let found = lines.filter_map(|(at, line)| {
        line.text.trim().strip_prefix("Average:")?;
        let number = page.numbers(line).into_iter().next()?;
        let above: Vec<&str> = page.before(at, 8).map(|line| line.text.trim()).collect();
        let title = above
            .iter()
            .copied()
            .find(|text| text.ends_with(':') && !text.starts_with("Test Results"))?;
        Some(figure(
            line.number,
            title.trim_end_matches(':'),
            "",
            number.value,
            &number.unit,
        ))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_the_file_and_of_the_terminal() {
        let xml = "<PhoronixTestSuite>\n<Result><Title>IOzone</Title><Description>Read Performance</Description><Scale>MB/s</Scale><Data><Entry><Value>120.5</Value></Entry></Data></Result></PhoronixTestSuite>";
        let found = figures(&Page::read(xml));
        assert_eq!(
            (found[0].action, found[0].bytes_per_second),
            (Action::Read, Some(120.5e6))
        );
        let text = "phoronix-test-suite benchmark iozone\n    IOzone Write Performance:\n        100.1\n    Average: 100.2 MB/s\n";
        assert_eq!(
            figures(&Page::read(text))[0].bytes_per_second,
            Some(100.2e6)
        );
    }
}
