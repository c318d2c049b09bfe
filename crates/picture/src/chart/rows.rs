//! A row for each figure: its interval, its runs and its value.

use crate::axis::Frame;
use crate::drawing::{fitted, text_width};
use crate::{Anchor, Axis, Class, Drawing, Point};

/// One row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DotRow {
    /// What it is called.
    pub name: String,
    /// The figure.
    pub value: f64,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// Every run.
    pub runs: Vec<f64>,
    /// The figure in words, at the right.
    pub text: String,
    /// Whether it is not to be relied on.
    pub doubtful: bool,
    /// Its colour.
    pub colour: u8,
}

/// Rows over one axis.
#[derive(Debug, Clone)]
pub struct RowsChart<'a> {
    /// The axis below.
    pub axis: Axis<'a>,
    /// The rows, from the top.
    pub rows: Vec<DotRow>,
    /// Figures that count as equal, and what that means.
    pub equal: Option<(f64, f64)>,
    /// The figure that others are held against.
    pub base: Option<f64>,
}

const ROW: f64 = 30.0;

impl RowsChart<'_> {
    /// The chart at this width; its height follows from the rows.
    pub fn draw(&self, width: f64) -> Drawing {
        let narrow = width < 480.0;
        let row = if narrow { ROW + 16.0 } else { ROW };
        let height = self.rows.len() as f64 * row + 52.0;
        let mut drawing = Drawing::new(width, height);
        let frame = self.frame(width, height, narrow);
        self.ground(&frame, &mut drawing);
        for (n, one) in self.rows.iter().enumerate() {
            let middle = 8.0 + row * (n as f64 + 0.5) + if narrow { 8.0 } else { 0.0 };
            self.row(&frame, one, middle, narrow, &mut drawing);
        }
        drawing
    }

    fn frame(&self, width: f64, height: f64, narrow: bool) -> Frame {
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| text_width(text)).fold(0.0, f64::max)
        };
        let names = widest(&mut self.rows.iter().map(|row| &row.name)).min(width * 0.34);
        let texts = widest(&mut self.rows.iter().map(|row| &row.text)).min(width * 0.32);
        let (left, right) = if narrow {
            (6.0, 6.0)
        } else {
            (names + 16.0, texts + 16.0)
        };
        Frame {
            left,
            top: 6.0,
            right: width - right,
            bottom: height - 42.0,
        }
    }

    fn ground(&self, frame: &Frame, drawing: &mut Drawing) {
        for tick in frame.x_ticks(&self.axis.scale) {
            let x = frame.x(&self.axis.scale, tick);
            drawing.line(
                Class::Grid,
                Point::new(x, frame.top),
                Point::new(x, frame.bottom),
            );
        }
        if let Some((low, high)) = self.equal {
            let (from, to) = (
                frame.x(&self.axis.scale, low),
                frame.x(&self.axis.scale, high),
            );
            let corner = Point::new(from, frame.top);
            drawing.rect(Class::Equal, corner, to - from, frame.bottom - frame.top);
        }
        if let Some(base) = self.base {
            let x = frame.x(&self.axis.scale, base);
            drawing.line(
                Class::Axis,
                Point::new(x, frame.top),
                Point::new(x, frame.bottom),
            );
        }
        frame.draw_x(&self.axis, drawing);
    }

    fn row(&self, frame: &Frame, row: &DotRow, y: f64, narrow: bool, drawing: &mut Drawing) {
        self.names(frame, row, y, narrow, drawing);
        let x = |value: f64| frame.x(&self.axis.scale, value);
        if let Some((low, high)) = row.interval {
            let class = match row.doubtful {
                true => Class::DoubtBand,
                false => Class::SeriesBand(row.colour),
            };
            let corner = Point::new(x(low), y - 7.0);
            drawing
                .rect(class, corner, x(high) - x(low), 14.0)
                .tip(row.text.clone());
        }
        for (n, run) in row.runs.iter().enumerate() {
            let class = if row.doubtful {
                Class::Hollow
            } else {
                Class::Run
            };
            let lifted = y + [0.0, -4.0, 4.0, -2.0, 2.0][n % 5];
            drawing
                .dot(class, Point::new(x(*run), lifted), 2.2)
                .tip(format!("run {}", n + 1));
        }
        let class = match row.doubtful {
            true => Class::DoubtLine,
            false => Class::Line(row.colour),
        };
        let (from, to) = (
            Point::new(x(row.value), y - 9.0),
            Point::new(x(row.value), y + 9.0),
        );
        drawing
            .line(class, from, to)
            .tip(format!("{}: {}", row.name, row.text));
    }

    fn names(&self, frame: &Frame, row: &DotRow, y: f64, narrow: bool, drawing: &mut Drawing) {
        let text = if row.doubtful {
            Class::DoubtText
        } else {
            Class::Label
        };
        if narrow {
            let (left, right) = (Point::new(6.0, y - 14.0), Point::new(frame.right, y - 14.0));
            let room = frame.right - text_width(&row.text) - 16.0;
            drawing.text(Class::Label, left, Anchor::Start, fitted(&row.name, room));
            drawing.text(text, right, Anchor::End, &row.text[..]);
            return;
        }
        let (left, right) = (
            Point::new(0.0, y + 4.0),
            Point::new(frame.right + 12.0, y + 4.0),
        );
        drawing.text(
            Class::Label,
            left,
            Anchor::Start,
            fitted(&row.name, frame.left - 12.0),
        );
        drawing.text(text, right, Anchor::Start, &row.text[..]);
    }
}
