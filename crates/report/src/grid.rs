//! Columns of text with two spaces between them.

/// Between two columns.
pub(crate) const GAP: &str = "  ";

/// Which side of its column a text stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Names and words.
    Left,
    /// Figures.
    Right,
}

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
                .map(|(at, ((cell, width), side))| match side {
                    Side::Left => paint(at, format!("{cell:width$}")),
                    Side::Right => paint(at, format!("{cell:>width$}")),
                })
                .collect();
            text.push_str(cells.join(GAP).trim_end());
            text.push('\n');
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let widest = |column: usize| {
            let cells = self.lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
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
}
