//! Figures as dots in a terminal: every run, the interval and the result, from 0; and the runs as a sparkline.

use std::fmt;

use etalon_model::Cell;

use crate::ascii::to_ascii;
use crate::grid::{GAP, Side};
use crate::page::{Look, USUAL_WIDTH};
use crate::role::{figure, line_label};
use crate::width::{columns, padded, shortened};

/// Heights of a sparkline, from 0.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Runs that a sparkline shows.
const MOST_BARS: usize = 12;
/// A plot narrower than this shows nothing.
const LEAST_PLOT: usize = 12;

/// A plot of each cell below the others of its unit; `Display` gives it with a line end after it.
#[derive(Debug, Clone)]
pub struct DotsPage<'a> {
    /// The cells, in the order of the table.
    pub cells: &'a [Cell],
    /// How the page is to look.
    pub look: Look,
}

/// What stands around a plot.
struct Sides {
    name: usize,
    result: usize,
    plot: usize,
}

impl fmt::Display for DotsPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.look.speak(|| self.text());
        f.write_str(&match self.look.ascii {
            true => to_ascii(&text),
            false => text,
        })
    }
}

impl DotsPage<'_> {
    fn text(&self) -> String {
        let sides = self.sides();
        let mut seen: Vec<String> = Vec::new();
        let mut text = String::new();
        for cell in self.cells {
            let unit = unit(cell);
            if !seen.contains(&unit) {
                let same = self.cells.iter().filter(|other| self::unit(other) == unit);
                let same: Vec<&Cell> = same.collect();
                text.push_str(&group(&same, &sides));
                seen.push(unit);
            }
        }
        text
    }

    fn sides(&self) -> Sides {
        let widest = |of: &dyn Fn(&Cell) -> String| {
            let texts = self.cells.iter().map(|cell| columns(&of(cell)));
            texts.max().unwrap_or(0)
        };
        let name = widest(&line_label).min(28);
        let result = widest(&|cell| result(cell));
        let taken = name + result + MOST_BARS + 6;
        let width = self.look.width.unwrap_or(USUAL_WIDTH);
        Sides {
            name,
            result,
            plot: width.saturating_sub(taken).clamp(LEAST_PLOT, 60),
        }
    }
}

fn result(cell: &Cell) -> String {
    figure(cell, cell.estimate().value)
}

fn unit(cell: &Cell) -> String {
    format!("{}{}", cell.unit, crate::role::is_metadata(cell))
}

/// The highest figure of a cell: of a run, or of its interval.
fn top(cell: &Cell) -> f64 {
    let interval = cell.estimate().interval.map(|interval| interval.high);
    cell.values
        .iter()
        .copied()
        .chain(interval)
        .fold(0.0, f64::max)
}

fn group(cells: &[&Cell], sides: &Sides) -> String {
    let most = cells.iter().map(|cell| top(cell)).fold(0.0, f64::max);
    let mut text: String = cells.iter().map(|cell| line(cell, most, sides)).collect();
    let Some(highest) = cells.first().map(|cell| figure(cell, most)) else {
        return text;
    };
    let end = sides.plot.saturating_sub(columns(&highest) + 1);
    text.push_str(&format!(
        "{:width$}  0{:end$}{highest}\n",
        "",
        "",
        width = sides.name
    ));
    text
}

fn line(cell: &Cell, most: f64, sides: &Sides) -> String {
    let name = shortened(&line_label(cell), sides.name);
    let parts = [
        padded(&name, sides.name, Side::Left),
        plot(cell, most, sides.plot),
        padded(&result(cell), sides.result, Side::Right),
        sparkline(&cell.values),
    ];
    parts.join(GAP).trim_end_matches(' ').to_owned() + "\n"
}

/// The runs as points, the interval as a bar over them, the result upright.
fn plot(cell: &Cell, most: f64, width: usize) -> String {
    let place = |value: f64| {
        let share = (value / most.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        (share * (width - 1) as f64).round() as usize
    };
    let mut signs = vec![' '; width];
    if let Some(interval) = cell.estimate().interval {
        signs[place(interval.low)..=place(interval.high)].fill('─');
    }
    for value in &cell.values {
        signs[place(*value)] = '·';
    }
    let is_valid = cell.verdict.is_valid();
    if cell.estimate().runs > 0 {
        signs[place(cell.estimate().value)] = if is_valid { '│' } else { '✗' };
    }
    signs.into_iter().collect()
}

/// The last runs, from 0 to the highest.
fn sparkline(values: &[f64]) -> String {
    let last = &values[values.len().saturating_sub(MOST_BARS)..];
    let most = last.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let bar = |value: &f64| BARS[((value / most).clamp(0.0, 1.0) * 7.0).round() as usize];
    last.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::cells;

    fn page(look: Look) -> String {
        let mut cells = cells();
        cells[1].values = vec![3.9e8, 2.0e8, 4.0e8];
        let cells = &cells;
        DotsPage { cells, look }.to_string()
    }

    #[test]
    fn every_unit_has_an_axis_of_its_own_from_zero() {
        let text = page(Look::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert!(lines[0].starts_with("random read 4 KiB QD1") && lines[0].contains('│'));
        assert!(
            lines[1].trim_start().starts_with("0 ") && lines[1].ends_with("13.6 k IOPS"),
            "{text}"
        );
        assert!(
            lines[2].contains('·') && lines[2].ends_with("█▅█"),
            "{text}"
        );
        assert!(lines[3].contains('✗'), "the invalid one: {text}");
        assert!(
            lines.iter().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }

    #[test]
    fn a_name_makes_no_line() {
        let mut cells = cells();
        cells[0].name = "a\n0 IOPS".to_owned();
        let look = Look::default();
        let text = DotsPage {
            cells: &cells,
            look,
        }
        .to_string();
        assert!(text.starts_with("a\\n0 IOPS "), "{text}");
        assert_eq!(text.lines().count(), page(look).lines().count(), "{text}");
    }

    #[test]
    fn plots_begin_below_each_other_whatever_the_names() {
        let mut cells = cells();
        cells.truncate(1);
        cells.extend(cells.clone());
        cells[1].name = "磁盘".to_owned();
        let look = Look::default();
        let text = DotsPage {
            cells: &cells,
            look,
        }
        .to_string();
        let before = |line: &str| line.split_once('─').map(|(before, _)| columns(before));
        let begins: Vec<_> = text.lines().filter_map(before).collect();
        assert_eq!((begins.len(), begins[0]), (2, begins[1]), "{text}");
        cells[1].name = "a name of a row that is too long for this plot".to_owned();
        let text = DotsPage {
            cells: &cells,
            look,
        }
        .to_string();
        assert!(text.contains("a name of a ro…for this plot  "), "{text}");
    }

    #[test]
    fn a_shortened_name_moves_no_plot_in_ascii_either() {
        let mut cells = cells();
        cells.truncate(1);
        cells.extend(cells.clone());
        cells[1].name = "a name of a row that is too long for this plot".to_owned();
        let look = Look {
            ascii: true,
            ..Look::default()
        };
        let text = DotsPage {
            cells: &cells,
            look,
        }
        .to_string();
        assert!(text.contains("a name of a r...or this plot  "), "{text}");
        let begins: Vec<_> = text.lines().filter_map(|line| line.find('-')).collect();
        assert_eq!((begins.len(), begins[0]), (2, begins[1]), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }

    #[test]
    fn ascii_is_ascii_and_a_narrow_page_is_narrow() {
        let look = Look {
            width: Some(72),
            ascii: true,
            ..Look::default()
        };
        let text = page(look);
        assert!(text.is_ascii(), "{text}");
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
    }
}
