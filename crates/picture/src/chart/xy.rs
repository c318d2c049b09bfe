//! Lines, bands and dots over two axes.

use super::names::{self, Named};
use crate::axis::Frame;
use crate::drawing::text_width;
use crate::{Anchor, Axis, Class, Drawing, Point};

/// A dot with what is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// Along the first axis.
    pub x: f64,
    /// Along the second.
    pub y: f64,
    /// What a reader who points at it is told.
    pub tip: String,
    /// Whether it does not count.
    pub doubtful: bool,
}

/// One condition.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// What it is called, at the end of its line.
    pub name: String,
    /// Its line.
    pub line: Vec<(f64, f64)>,
    /// Its interval: place, lower and upper end.
    pub band: Vec<(f64, f64, f64)>,
    /// Its figures.
    pub dots: Vec<Dot>,
    /// Whether the line keeps its level up to the next place.
    pub steps: bool,
    /// Whether its line is thin, for one of many.
    pub thin: bool,
    /// Its colour, where that is not its place in the chart.
    pub colour: Option<u8>,
}

/// A stretch of the first axis that is different.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkedSpan {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// What it is.
    pub name: String,
}

/// A place of the first axis where something changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// The place.
    pub at: f64,
    /// What happens there.
    pub name: String,
}

/// A level over a stretch, with its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Plateau {
    /// Where it begins and ends.
    pub span: (f64, f64),
    /// Its figure.
    pub level: f64,
    /// Its interval.
    pub band: (f64, f64),
    /// What is said of it.
    pub name: String,
}

/// What is marked on a chart beside its conditions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations {
    /// Stretches that are different.
    pub spans: Vec<MarkedSpan>,
    /// Places where something changes.
    pub cuts: Vec<Cut>,
    /// Levels.
    pub plateaus: Vec<Plateau>,
}

/// Lines, bands and dots over two axes.
#[derive(Debug, Clone)]
pub struct XyChart<'a> {
    /// The axis below.
    pub x: Axis<'a>,
    /// The axis at the left.
    pub y: Axis<'a>,
    /// The conditions.
    pub series: Vec<Series>,
    /// What is marked beside the conditions.
    pub annotations: Annotations,
}

impl XyChart<'_> {
    /// The chart at this size.
    pub fn draw(&self, width: f64, height: f64) -> Drawing {
        let mut drawing = Drawing::new(width, height);
        let frame = self.frame(width, height);
        self.spans(&frame, &mut drawing);
        frame.draw_y(&self.y, &mut drawing);
        frame.draw_x(&self.x, &mut drawing);
        for (n, series) in self.series.iter().enumerate() {
            self.series(&frame, series, colour(series, n), &mut drawing);
        }
        self.plateaus(&frame, &mut drawing);
        self.cuts(&frame, &mut drawing);
        self.names(&frame, &mut drawing);
        drawing
    }

    fn frame(&self, width: f64, height: f64) -> Frame {
        let ticks = self.y.scale.ticks(5).into_iter();
        let widest = ticks.map(|tick| text_width(&(self.y.format)(tick)));
        let left = widest.fold(20.0, f64::max) + 12.0;
        Frame {
            left,
            top: 28.0,
            right: width - 12.0,
            bottom: height - 42.0,
        }
    }

    fn place(&self, frame: &Frame, x: f64, y: f64) -> Point {
        Point::new(frame.x(&self.x.scale, x), frame.y(&self.y.scale, y))
    }

    fn spans(&self, frame: &Frame, drawing: &mut Drawing) {
        for span in &self.annotations.spans {
            let (from, to) = (
                frame.x(&self.x.scale, span.from),
                frame.x(&self.x.scale, span.to),
            );
            let corner = Point::new(from, frame.top);
            let mark = drawing.rect(Class::WarmUp, corner, to - from, frame.bottom - frame.top);
            mark.tip(span.name.clone());
        }
    }

    fn cuts(&self, frame: &Frame, drawing: &mut Drawing) {
        let mut free = frame.left;
        for cut in &self.annotations.cuts {
            let x = frame.x(&self.x.scale, cut.at);
            let (from, to) = (Point::new(x, frame.top), Point::new(x, frame.bottom));
            drawing.line(Class::Cut, from, to).tip(cut.name.clone());
            let width = text_width(&cut.name);
            let near_end = x > frame.right - width;
            let (at, anchor) = match near_end {
                true => (x - 4.0, Anchor::End),
                false => (x + 4.0, Anchor::Start),
            };
            // Beside another there is no room for its name; who points at the line is told.
            let begin = if near_end { at - width } else { at };
            if begin < free {
                continue;
            }
            free = begin + width;
            let place = Point::new(at, frame.top + 10.0);
            drawing.text(Class::Note, place, anchor, &cut.name[..]);
        }
    }

    fn plateaus(&self, frame: &Frame, drawing: &mut Drawing) {
        for plateau in &self.annotations.plateaus {
            let (from, to) = plateau.span;
            let corner = self.place(frame, from, plateau.band.1);
            let foot = self.place(frame, to, plateau.band.0);
            let (width, height) = (foot.x - corner.x, (foot.y - corner.y).max(1.0));
            drawing.rect(Class::Band, corner, width, height);
            let ends = [from, to].map(|x| self.place(frame, x, plateau.level));
            drawing
                .line(Class::Median, ends[0], ends[1])
                .tip(plateau.name.clone());
            let above = Point::new(ends[0].x + 4.0, (corner.y - 5.0).max(frame.top + 10.0));
            drawing.text(Class::Strong, above, Anchor::Start, &plateau.name[..]);
        }
    }

    fn series(&self, frame: &Frame, series: &Series, colour: u8, drawing: &mut Drawing) {
        if series.band.len() > 1 {
            let upper = series.band.iter().map(|b| self.place(frame, b.0, b.2));
            let lower = series
                .band
                .iter()
                .rev()
                .map(|b| self.place(frame, b.0, b.1));
            drawing.area(Class::SeriesBand(colour), upper.chain(lower).collect());
        }
        let line = if series.thin {
            Class::Thin
        } else {
            Class::Line
        };
        if series.line.len() > 1 {
            drawing
                .path(line(colour), self.line(frame, series))
                .tip(series.name.clone());
        }
        for dot in &series.dots {
            let class = if dot.doubtful {
                Class::Hollow
            } else {
                Class::Dot(colour)
            };
            let place = self.place(frame, dot.x, dot.y);
            drawing.dot(class, place, 3.4).tip(dot.tip.clone());
        }
    }

    fn line(&self, frame: &Frame, series: &Series) -> Vec<Point> {
        let mut points: Vec<Point> = Vec::with_capacity(series.line.len() * 2);
        for (x, y) in &series.line {
            let next = self.place(frame, *x, *y);
            if let Some(last) = points.last().copied().filter(|_| series.steps) {
                points.push(Point::new(next.x, last.y));
            }
            points.push(next);
        }
        points
    }

    /// The names beside their lines.
    fn names(&self, frame: &Frame, drawing: &mut Drawing) {
        let all = self.series.iter().enumerate();
        let drawn = all.filter(|(_, s)| !s.name.is_empty() && s.line.len() + s.dots.len() > 0);
        let (colours, named): (Vec<u8>, Vec<Named<'_>>) = drawn
            .map(|(n, series)| (colour(series, n), self.named(frame, series)))
            .unzip();
        let spots = names::spots(frame, &named).into_iter();
        for ((spot, colour), one) in spots.zip(colours).zip(&named) {
            drawing.text(Class::Name(colour), spot.at, spot.anchor, one.text);
        }
    }

    fn named<'a>(&self, frame: &Frame, series: &'a Series) -> Named<'a> {
        let mut line = self.line(frame, series);
        if line.is_empty() {
            let dots = series.dots.iter();
            line = dots.map(|dot| self.place(frame, dot.x, dot.y)).collect();
        }
        Named {
            text: &series.name,
            line,
        }
    }
}

fn colour(series: &Series, place: usize) -> u8 {
    series.colour.unwrap_or((place % 12) as u8)
}
