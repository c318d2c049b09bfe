//! A table whose cells are shaded by their figures.

use crate::drawing::{fitted, text_width};
use crate::{Anchor, Class, Drawing, Point};

/// One figure.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatCell {
    /// Column, from 0.
    pub column: usize,
    /// Row, from 0.
    pub row: usize,
    /// The figure, for the shade.
    pub value: f64,
    /// The figure in words; nothing where there is no room for words.
    pub text: String,
    /// What a reader who points at it is told.
    pub tip: String,
    /// Whether it is not to be relied on.
    pub doubtful: bool,
}

/// A table of figures, the darker the greater.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatMap {
    /// What it shows, with its unit.
    pub title: String,
    /// The columns' names.
    pub columns: Vec<String>,
    /// What the columns are.
    pub columns_title: String,
    /// The rows' names, from the top.
    pub rows: Vec<String>,
    /// What the rows are.
    pub rows_title: String,
    /// The figures; what is not there stays empty.
    pub cells: Vec<HeatCell>,
    /// The figure of the darkest shade, the same for all maps of a picture.
    pub most: f64,
    /// Height of a row in pixels.
    pub row_height: f64,
}

impl HeatMap {
    /// The map at this width.
    pub fn draw(&self, width: f64) -> Drawing {
        let height = self.rows.len() as f64 * self.row_height + 66.0;
        let mut drawing = Drawing::new(width, height);
        let names = self.rows.iter().map(|name| text_width(name));
        let left = names.fold(text_width(&self.rows_title) * 0.6, f64::max) + 10.0;
        let step = (width - left) / self.columns.len().max(1) as f64;
        let title = Point::new(0.0, 14.0);
        drawing.text(Class::Strong, title, Anchor::Start, &self.title[..]);
        for cell in &self.cells {
            self.cell(cell, left, step, &mut drawing);
        }
        self.names(left, step, width, &mut drawing);
        drawing
    }

    fn top(&self, row: usize) -> f64 {
        26.0 + row as f64 * self.row_height
    }

    fn cell(&self, cell: &HeatCell, left: f64, step: f64, drawing: &mut Drawing) {
        let corner = Point::new(left + cell.column as f64 * step, self.top(cell.row));
        let (width, height) = (step - 1.0, self.row_height - 1.0);
        if cell.doubtful {
            drawing
                .rect(Class::Doubtful, corner, width, height)
                .tip(cell.tip.clone());
        } else {
            // Ink stays readable on the darkest cell.
            let shade =
                0.05 + 0.6 * (cell.value / self.most.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            let mark = drawing.rect(Class::Ramp, corner, width, height);
            mark.opacity(shade).tip(cell.tip.clone());
        }
        let class = if cell.doubtful {
            Class::DoubtText
        } else {
            Class::Label
        };
        if !cell.text.is_empty() && text_width(&cell.text) <= step + 2.0 {
            let middle = Point::new(
                corner.x + step / 2.0,
                corner.y + self.row_height / 2.0 + 4.0,
            );
            drawing.text(class, middle, Anchor::Middle, &cell.text[..]);
        }
    }

    fn names(&self, left: f64, step: f64, width: f64, drawing: &mut Drawing) {
        for (n, name) in self.rows.iter().enumerate() {
            let at = Point::new(left - 6.0, self.top(n) + self.row_height / 2.0 + 4.0);
            drawing.text(Class::Tick, at, Anchor::End, &name[..]);
        }
        let below = self.top(self.rows.len()) + 13.0;
        let widest = self
            .columns
            .iter()
            .map(|name| text_width(name))
            .fold(1.0, f64::max);
        let every = (widest / step).ceil().max(1.0) as usize;
        for (n, name) in self.columns.iter().enumerate().step_by(every) {
            let at = Point::new(left + (n as f64 + 0.5) * step, below);
            drawing.text(Class::Tick, at, Anchor::Middle, &name[..]);
        }
        let titles = format!("down: {}, across: {}", self.rows_title, self.columns_title);
        let at = Point::new(width, below + 17.0);
        drawing.text(Class::Note, at, Anchor::End, fitted(&titles, width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_is_darkest_and_the_doubtful_is_not_shaded() {
        let cell = |column, value, doubtful| HeatCell {
            column,
            row: 0,
            value,
            text: "9".to_owned(),
            tip: String::new(),
            doubtful,
        };
        let map = HeatMap {
            columns: vec!["a".into(), "b".into(), "c".into()],
            rows: vec!["r".into()],
            cells: vec![
                cell(0, 5.0, false),
                cell(1, 10.0, false),
                cell(2, 10.0, true),
            ],
            most: 10.0,
            row_height: 24.0,
            ..HeatMap::default()
        };
        let marks = map.draw(300.0).marks;
        let shades: Vec<f64> = marks.iter().filter_map(|mark| mark.opacity).collect();
        assert!(shades.len() == 2 && shades[0] < shades[1] && shades[1] <= 0.65);
        assert!(marks.iter().any(|mark| mark.class == Class::Doubtful));
    }
}
