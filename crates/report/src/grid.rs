//! Columns of text with two spaces between them.

pub(crate) use crate::width::Side;
use crate::width::{columns, padded, shortened};

/// Between two columns.
pub(crate) const GAP: &str = "  ";

/// A name that has to be shortened keeps so many columns.
const LEAST_NAME: usize = 20;

/// Lines of equally many texts; the first is the heading.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) sides: Vec<Side>,
    pub(crate) lines: Vec<Vec<String>>,
}

impl Grid {
    /// Columns that the widest line takes.
    pub(crate) fn width(&self) -> usize {
        let gaps = GAP.len() * self.sides.len().saturating_sub(1);
        self.widths().iter().sum::<usize>() + gaps
    }

    /// Only these columns, in this order.
    pub(crate) fn only(&self, columns: &[usize]) -> Grid {
        let pick = |line: &Vec<String>| {
            let picked = columns.iter().filter_map(|&at| line.get(at).cloned());
            picked.collect()
        };
        Grid {
            sides: columns.iter().map(|&at| self.sides[at]).collect(),
            lines: self.lines.iter().map(pick).collect(),
        }
    }

    /// The same, with the names in its first column as short as it takes to fit, if they can be.
    pub(crate) fn fitted(&self, width: usize) -> Grid {
        let beyond = self.width().saturating_sub(width);
        let names = self.only(&[0]).width().saturating_sub(beyond);
        self.with_names_in(names)
    }

    /// The same, with the names in its first column shortened to so many columns.
    pub(crate) fn with_names_in(&self, most: usize) -> Grid {
        let mut grid = self.clone();
        for name in grid.lines.iter_mut().filter_map(|line| line.first_mut()) {
            *name = shortened(name, most.max(LEAST_NAME));
        }
        grid
    }

    /// The lines, each with a line end and no spaces before it.
    pub(crate) fn text(&self) -> String {
        self.painted(|_, text| text)
    }

    /// The same with each text passed through `paint`, with the number of its column, once it is as wide as that.
    pub(crate) fn painted(&self, paint: impl Fn(usize, String) -> String) -> String {
        let widths = self.widths();
        let mut text = String::new();
        for line in &self.lines {
            let cells = line.iter().zip(&widths).zip(&self.sides).enumerate();
            let cells: Vec<String> = cells
                .map(|(at, ((cell, width), side))| paint(at, padded(cell, *width, *side)))
                .collect();
            text.push_str(cells.join(GAP).trim_end());
            text.push('\n');
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let widest = |column: usize| {
            let cells = self.lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| columns(cell)).max().unwrap_or(0)
        };
        (0..self.sides.len()).map(widest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_left_and_figures_right() {
        let line = |texts: [&str; 3]| texts.map(str::to_owned).to_vec();
        let grid = Grid {
            sides: vec![Side::Left, Side::Right, Side::Left],
            lines: vec![line(["", "ratio", ""]), line(["read", "1.5", "faster"])],
        };
        assert_eq!(grid.text(), "      ratio\nread    1.5  faster\n");
        assert_eq!(grid.width(), 4 + 2 + 5 + 2 + 6);
        assert_eq!(grid.only(&[0, 2]).text(), "\nread  faster\n");
    }

    #[test]
    fn wide_signs_shift_no_column_and_long_names_are_shortened() {
        let line = |texts: [&str; 2]| texts.map(str::to_owned).to_vec();
        let grid = Grid {
            sides: vec![Side::Left, Side::Right],
            lines: vec![line(["磁盘", "1"]), line(["disk one", "22"])],
        };
        assert_eq!(grid.text(), "磁盘       1\ndisk one  22\n");
        let long = "a_name_as_long_as_nobody_can_read_it_on_a_terminal";
        let grid = Grid {
            lines: vec![line([long, "1"])],
            ..grid
        };
        let fitted = grid.fitted(30);
        assert_eq!(fitted.width(), 30);
        assert!(fitted.text().contains('…'), "{}", fitted.text());
        // What is left of a name still says which one it is.
        assert_eq!(grid.fitted(5).width(), LEAST_NAME + 3);
    }
}
