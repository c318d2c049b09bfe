//! What fdtree prints: `Directory creates per second =  123`.

use super::Command;
use crate::{Action, Figure, Line, Page, Tool};

/// The rates of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let lines = page.lines.iter().enumerate();
    lines
        .filter_map(|(at, line)| figure(page, at, line))
        .collect()
}

fn figure(page: &Page, at: usize, line: &Line) -> Option<Figure> {
    let (label, _) = line.plain.split_once("per second")?;
    let label = label.trim().rsplit(['.', ':']).next()?.trim();
    let known = [
        "directory creates",
        "file creates",
        "file removals",
        "directory removals",
    ];
    let label = known.into_iter().find(|known| label.ends_with(known))?;
    let rate = page.numbers(line).pop()?;
    let mut figure = Figure::new(Tool::Fdtree, line.number, Action::Other, label);
    figure.operations_per_second = Some(rate.value);
    figure.command_line = command(page, at).map(|c| c.line);
    figure.quoted = rate.text;
    Some(figure)
}

fn command(page: &Page, at: usize) -> Option<Command> {
    Command::near(page, at, 40, "fdtree.bash").or_else(|| Command::near(page, at, 40, "fdtree"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_rates_are_read() {
        let page = Page::read(
            "./fdtree.bash -d 8 -l 4\n\tDirectory creates per second =  1014\n\tFile creates per second      =  531\n\tKiB per second = 3\n",
        );
        let rates: Vec<_> = figures(&page)
            .iter()
            .map(|f| f.operations_per_second)
            .collect();
        assert_eq!(rates, [Some(1014.0), Some(531.0)]);
    }
}
