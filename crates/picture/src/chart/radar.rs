//! Figures on spokes around a middle.

use std::f64::consts::TAU;

use crate::drawing::fitted;
use crate::{Anchor, Class, Drawing, Point};

/// A figure on its spoke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RadarFigure {
    /// The figure.
    pub value: f64,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// Whether it is not to be relied on.
    pub doubtful: bool,
}

/// One condition: a figure for each spoke.
#[derive(Debug, Clone, PartialEq)]
pub struct RadarSeries {
    /// What it is called.
    pub name: String,
    /// Its figures, in the order of the spokes.
    pub figures: Vec<RadarFigure>,
}

/// Figures on spokes, from zero in the middle.
#[derive(Debug, Clone, PartialEq)]
pub struct Radar {
    /// The spokes' names.
    pub spokes: Vec<String>,
    /// The conditions.
    pub series: Vec<RadarSeries>,
    /// The figure of the outer ring.
    pub most: f64,
    /// What the outer ring says.
    pub ring: String,
}

impl Radar {
    /// The chart at this width; it is about as high as wide.
    pub fn draw(&self, width: f64) -> Drawing {
        let height = (width * 0.8).min(420.0);
        let mut drawing = Drawing::new(width, height);
        let middle = Point::new(width / 2.0, height / 2.0 + 6.0);
        let radius = height / 2.0 - 40.0;
        self.ground(middle, radius, &mut drawing);
        for (n, series) in self.series.iter().enumerate() {
            self.series(series, (n % 12) as u8, middle, radius, &mut drawing);
            let at = Point::new(4.0, 14.0 + n as f64 * 16.0);
            drawing.text(
                Class::Name((n % 12) as u8),
                at,
                Anchor::Start,
                &series.name[..],
            );
        }
        drawing
    }

    fn at(&self, middle: Point, length: f64, spoke: usize) -> Point {
        let angle = TAU * spoke as f64 / self.spokes.len().max(1) as f64;
        Point::new(
            middle.x + length * angle.sin(),
            middle.y - length * angle.cos(),
        )
    }

    fn ring(&self, middle: Point, length: f64) -> Vec<Point> {
        (0..self.spokes.len())
            .map(|n| self.at(middle, length, n))
            .collect()
    }

    fn ground(&self, middle: Point, radius: f64, drawing: &mut Drawing) {
        for part in [0.5, 1.0] {
            drawing.area(Class::Grid, self.ring(middle, radius * part));
        }
        for (n, name) in self.spokes.iter().enumerate() {
            drawing.line(Class::Grid, middle, self.at(middle, radius, n));
            let at = self.at(middle, radius + 14.0, n);
            let (anchor, room) = match at.x - middle.x {
                side if side > 10.0 => (Anchor::Start, drawing.width - at.x),
                side if side < -10.0 => (Anchor::End, at.x),
                _ => (Anchor::Middle, drawing.width),
            };
            drawing.text(
                Class::Label,
                Point::new(at.x, at.y + 4.0),
                anchor,
                fitted(name, room),
            );
        }
        let below = Point::new(drawing.width, drawing.height - 4.0);
        drawing.text(Class::Note, below, Anchor::End, &self.ring[..]);
    }

    fn series(&self, one: &RadarSeries, colour: u8, middle: Point, radius: f64, to: &mut Drawing) {
        let length = |value: f64| radius * (value / self.most).clamp(0.0, 1.0);
        let place = |(n, value): (usize, f64)| self.at(middle, length(value), n);
        let values = one.figures.iter().map(|figure| figure.value).enumerate();
        to.area(Class::Line(colour), values.map(place).collect());
        for (n, figure) in one.figures.iter().enumerate() {
            if let Some((low, high)) = figure.interval {
                to.line(Class::Thin(colour), place((n, low)), place((n, high)));
            }
            let class = match figure.doubtful {
                true => Class::Hollow,
                false => Class::Dot(colour),
            };
            to.dot(class, place((n, figure.value)), 3.0);
        }
    }
}
