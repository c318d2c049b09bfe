//! A row for each figure: its interval, its runs and its value.

use crate::axis::Frame;
use crate::drawing::{text_width, wrapped};
use crate::{Anchor, Axis, Class, Drawing, Point};

/// One run of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct RunDot {
    /// Its figure.
    pub value: f64,
    /// What readers who point at it are told.
    pub tip: String,
}

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
    pub runs: Vec<RunDot>,
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

/// Height of a row.
const ROW: f64 = 30.0;
/// Height of a line of a name.
const LINE: f64 = 14.0;
/// What a longer name says is in the table.
const MOST_LINES: usize = 3;

/// How the rows of a chart are laid out at one width.
struct Layout {
    frame: Frame,
    /// Whether names stand above their rows, and not before them.
    narrow: bool,
    /// The lines of each name.
    names: Vec<Vec<String>>,
    /// Height of each row.
    row: f64,
}

impl Layout {
    /// The middle of a row's band.
    fn middle(&self, n: usize) -> f64 {
        let top = 8.0 + self.row * n as f64;
        match self.narrow {
            // A name of one line, and then the band.
            true => top + self.row - 15.0,
            false => top + self.row / 2.0,
        }
    }
}

impl RowsChart<'_> {
    /// The chart at this width; its height follows from the rows.
    pub fn draw(&self, width: f64) -> Drawing {
        let layout = self.layout(width);
        let height = self.height(layout.row);
        let mut drawing = Drawing::new(width, height);
        self.ground(&layout.frame, &mut drawing);
        for (n, one) in self.rows.iter().enumerate() {
            self.name(&layout, n, &mut drawing);
            self.row(&layout.frame, one, layout.middle(n), &mut drawing);
        }
        drawing
    }

    fn height(&self, row: f64) -> f64 {
        self.rows.len() as f64 * row + 52.0
    }

    fn layout(&self, width: f64) -> Layout {
        let narrow = width < 480.0;
        let frame = self.frame(width, narrow);
        let room = |row: &DotRow| match narrow {
            true => frame.right - text_width(&row.text) - 16.0,
            false => frame.left - 12.0,
        };
        let rows = self.rows.iter();
        let names: Vec<Vec<String>> = rows
            .map(|row| wrapped(&row.name, room(row), MOST_LINES))
            .collect();
        let lines = names.iter().map(Vec::len).max().unwrap_or(1).max(1) as f64;
        let row = match narrow {
            true => ROW + 2.0 + LINE * lines,
            false => ROW.max(LINE * lines + 8.0),
        };
        let bottom = self.height(row) - 42.0;
        Layout {
            frame: Frame { bottom, ..frame },
            narrow,
            names,
            row,
        }
    }

    /// The frame but for its foot, which follows from the rows.
    fn frame(&self, width: f64, narrow: bool) -> Frame {
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
            bottom: 0.0,
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

    fn row(&self, frame: &Frame, row: &DotRow, y: f64, drawing: &mut Drawing) {
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
                .dot(class, Point::new(x(run.value), lifted), 2.2)
                .tip(run.tip.clone());
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

    /// The name, and the figure in words.
    fn name(&self, layout: &Layout, n: usize, drawing: &mut Drawing) {
        let (Some(row), Some(lines)) = (self.rows.get(n), layout.names.get(n)) else {
            return;
        };
        let (y, right) = (layout.middle(n), layout.frame.right);
        let more = LINE * lines.len().saturating_sub(1) as f64;
        // The last line of a name above its band, or the lines around the middle of a band beside it.
        let (left, first, figure, anchor) = match layout.narrow {
            true => (
                6.0,
                y - 14.0 - more,
                Point::new(right, y - 14.0),
                Anchor::End,
            ),
            false => {
                let beside = Point::new(right + 12.0, y + 4.0);
                (0.0, y + 4.0 - more / 2.0, beside, Anchor::Start)
            }
        };
        for (n, line) in lines.iter().enumerate() {
            let place = Point::new(left, first + LINE * n as f64);
            drawing.text(Class::Label, place, Anchor::Start, line.as_str());
        }
        let class = if row.doubtful {
            Class::DoubtText
        } else {
            Class::Label
        };
        drawing.text(class, figure, anchor, &row.text[..]);
    }
}
