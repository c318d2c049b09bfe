//! A sheet of pixels on which shapes are filled and lines are drawn, smooth at their edges.

use crate::Point;

/// Red, green and blue.
pub(super) type Rgb = [u8; 3];

/// A sheet of pixels.
pub(super) struct Sheet {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<Rgb>,
}

/// Places within a pixel, along each side, that are asked whether a shape covers them.
const SAMPLES: usize = 4;

impl Sheet {
    pub(super) fn new(width: usize, height: usize, ground: Rgb) -> Sheet {
        let pixels = vec![ground; width * height];
        Sheet {
            width,
            height,
            pixels,
        }
    }

    /// Lays a colour over a pixel, as much as `cover` says.
    fn blend(&mut self, x: usize, y: usize, colour: Rgb, cover: f64) {
        let cover = cover.clamp(0.0, 1.0);
        if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
            for (old, new) in pixel.iter_mut().zip(colour) {
                *old = (f64::from(*old) * (1.0 - cover) + f64::from(new) * cover).round() as u8;
            }
        }
    }

    /// The pixels from `low` to `high` on an axis of `size` pixels.
    fn span(low: f64, high: f64, size: usize) -> std::ops::Range<usize> {
        let end = |value: f64| value.clamp(0.0, size as f64) as usize;
        end(low.floor())..end(high.ceil())
    }

    /// Fills the shape within points, by the even-odd rule.
    pub(super) fn fill(&mut self, points: &[Point], colour: Rgb, opacity: f64) {
        let (low, high) = ends(points.iter().map(|p| p.y));
        for y in Sheet::span(low, high, self.height) {
            let mut cover = vec![0u8; self.width];
            for n in 0..SAMPLES {
                let level = y as f64 + (n as f64 + 0.5) / SAMPLES as f64;
                add_line(points, level, &mut cover);
            }
            for (x, hits) in cover.iter().enumerate().filter(|(_, hits)| **hits > 0) {
                let share = f64::from(*hits) / (SAMPLES * SAMPLES) as f64;
                self.blend(x, y, colour, share * opacity);
            }
        }
    }

    /// A straight line with round ends.
    pub(super) fn line(&mut self, from: Point, to: Point, width: f64, colour: Rgb, opacity: f64) {
        let reach = width / 2.0 + 1.0;
        let (left, right) = ends([from.x, to.x].into_iter());
        let (top, bottom) = ends([from.y, to.y].into_iter());
        for y in Sheet::span(top - reach, bottom + reach, self.height) {
            for x in Sheet::span(left - reach, right + reach, self.width) {
                let middle = Point::new(x as f64 + 0.5, y as f64 + 0.5);
                let cover = width / 2.0 + 0.5 - distance(middle, from, to);
                if cover > 0.0 {
                    self.blend(x, y, colour, cover.min(1.0) * opacity);
                }
            }
        }
    }
}

/// Counts the samples of each pixel that lie within the shape at one level.
fn add_line(points: &[Point], level: f64, cover: &mut [u8]) {
    let next = points.iter().cycle().skip(1);
    let mut crossings: Vec<f64> = points
        .iter()
        .zip(next)
        .filter(|(a, b)| (a.y <= level) != (b.y <= level))
        .map(|(a, b)| a.x + (level - a.y) / (b.y - a.y) * (b.x - a.x))
        .collect();
    crossings.sort_by(f64::total_cmp);
    let place = |x: f64| (x * SAMPLES as f64 - 0.5).ceil().max(0.0) as usize;
    for pair in crossings.chunks_exact(2) {
        let last = cover.len() * SAMPLES;
        for sample in place(pair[0])..place(pair[1]).min(last) {
            cover[sample / SAMPLES] += 1;
        }
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

fn distance(at: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx * dx + dy * dy;
    let along = match length > 0.0 {
        true => (((at.x - from.x) * dx + (at.y - from.y) * dy) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    (at.x - from.x - along * dx).hypot(at.y - from.y - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Rgb = [0, 0, 0];

    #[test]
    fn a_square_covers_its_pixels_and_half_of_those_at_its_edge() {
        let mut sheet = Sheet::new(6, 6, [255; 3]);
        let corner = |x, y| Point::new(x, y);
        let square = [
            corner(1.0, 1.0),
            corner(3.5, 1.0),
            corner(3.5, 4.0),
            corner(1.0, 4.0),
        ];
        sheet.fill(&square, BLACK, 1.0);
        let row = |y: usize| {
            sheet.pixels[y * 6..(y + 1) * 6]
                .iter()
                .map(|p| p[0])
                .collect::<Vec<_>>()
        };
        assert_eq!(row(2), [255, 0, 0, 128, 255, 255]);
        assert_eq!(row(5), [255; 6]);
    }

    #[test]
    fn a_line_is_as_wide_as_it_should_be_and_may_leave_the_sheet() {
        let mut sheet = Sheet::new(5, 5, [255; 3]);
        sheet.line(
            Point::new(-9.0, 2.5),
            Point::new(99.0, 2.5),
            1.0,
            BLACK,
            1.0,
        );
        let column: Vec<u8> = (0..5).map(|y| sheet.pixels[y * 5 + 2][0]).collect();
        assert_eq!(column, [255, 255, 0, 255, 255]);
    }
}
