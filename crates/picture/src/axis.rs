//! Axes with their ticks and titles.

use crate::drawing::{shortened, text_width};
use crate::{Anchor, Class, Drawing, Point, Scale};

/// One axis of a chart.
#[derive(Debug, Clone, Copy)]
pub struct Axis<'a> {
    /// From figures to places.
    pub scale: Scale,
    /// What it counts, with its unit and its base: `MiB/s, from 0` or `ms, log axis`.
    pub title: &'a str,
    /// A figure as its ticks say it.
    pub format: fn(f64) -> String,
}

/// The part of a drawing in which figures stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Frame {
    pub(crate) fn x(&self, scale: &Scale, value: f64) -> f64 {
        self.left + scale.share(value).clamp(-0.02, 1.02) * (self.right - self.left)
    }

    pub(crate) fn y(&self, scale: &Scale, value: f64) -> f64 {
        self.bottom - scale.share(value).clamp(-0.02, 1.02) * (self.bottom - self.top)
    }

    /// The figures that are told along the axis below.
    pub(crate) fn x_ticks(&self, scale: &Scale) -> Vec<f64> {
        scale.ticks(((self.right - self.left) / 80.0).max(2.0) as usize)
    }

    /// The axis below, with its title at the right end.
    pub(crate) fn draw_x(&self, axis: &Axis<'_>, drawing: &mut Drawing) {
        let ends = (
            Point::new(self.left, self.bottom),
            Point::new(self.right, self.bottom),
        );
        drawing.line(Class::Axis, ends.0, ends.1);
        for tick in self.x_ticks(&axis.scale) {
            let x = self.x(&axis.scale, tick);
            let (from, to) = (Point::new(x, self.bottom), Point::new(x, self.bottom + 4.0));
            drawing.line(Class::Axis, from, to);
            let said = (axis.format)(tick);
            let half = text_width(&said) * 0.55;
            let within = x.clamp(half.min(x), (drawing.width - half).max(half));
            let below = Point::new(within, self.bottom + 17.0);
            drawing.text(Class::Tick, below, Anchor::Middle, said);
        }
        let place = Point::new(self.right, self.bottom + 34.0);
        let title = shortened(axis.title, self.right);
        drawing.text(Class::Note, place, Anchor::End, title);
    }

    /// The axis at the left with lines of the grid, and its title above.
    pub(crate) fn draw_y(&self, axis: &Axis<'_>, drawing: &mut Drawing) {
        let room = ((self.bottom - self.top) / 45.0).max(2.0) as usize;
        for tick in axis.scale.ticks(room) {
            let y = self.y(&axis.scale, tick);
            drawing.line(
                Class::Grid,
                Point::new(self.left, y),
                Point::new(self.right, y),
            );
            let before = Point::new(self.left - 7.0, y + 4.0);
            drawing.text(Class::Tick, before, Anchor::End, (axis.format)(tick));
        }
        let above = Point::new(0.0, self.top - 10.0);
        drawing.text(Class::Note, above, Anchor::Start, axis.title);
    }
}
