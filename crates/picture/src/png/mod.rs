//! Drawings as PNG, converted by ourselves.
//!
//! A library that draws any SVG (resvg with its text) brings fonts, shaping and a parser, megabytes that a
//! static program of 15 MB has no room for, and still depends on the fonts of the machine. A drawing is four
//! shapes, so that filling, lines and letters of strokes do.

mod font;
mod sheet;

use std::f64::consts::TAU;
use std::io::Write as _;

use crate::caption::Caption;
use crate::style::{Colour, Style};
use crate::{Anchor, Drawing, Mark, Point, Shape};
use sheet::{Rgb, Sheet};

/// Pixels of the file to a pixel of the drawing, and of one that would be higher than [`HIGH`] with so many.
const FINE: f64 = 2.0;
const LEAST_FINE: f64 = 1.0;
/// A file of so many pixels is opened everywhere, and takes 100 MB of memory to make.
const HIGH: f64 = 8192.0;
/// Higher ones are refused by what shows them: Cairo has 15 bits for a coordinate.
const HIGHEST: f64 = 32_767.0;
/// Between the left and the right edge and the drawing.
const MARGIN: f64 = 16.0;

/// Draws on a sheet with so many pixels to a pixel of the drawing.
struct Pen {
    sheet: Sheet,
    fine: f64,
}

/// The drawing as a PNG file on light paper, with its title above and a note below it, in the lines that they take. It is whole
/// however high it is.
pub fn png(drawing: &Drawing, title: &str, note: &str) -> Vec<u8> {
    let framed = Caption::of(drawing.width, title, note).around(drawing);
    let fine = fine(framed.height);
    let size = |length: f64| (length * fine).ceil().clamp(1.0, HIGHEST) as usize;
    let (width, height) = (size(framed.width + 2.0 * MARGIN), size(framed.height));
    let sheet = Sheet::new(width, height, rgb(Colour::Ground));
    let mut pen = Pen { sheet, fine };
    framed.marks.iter().for_each(|mark| pen.put(mark));
    encoded(&pen.sheet)
}

/// How fine a drawing of this height is.
fn fine(height: f64) -> f64 {
    let height = height.max(1.0);
    let fitting = (HIGH / height).clamp(LEAST_FINE, FINE);
    fitting.min(HIGHEST / height)
}

fn rgb(colour: Colour) -> Rgb {
    let part = |at: usize| {
        let digits = colour.light().get(at..at + 2).unwrap_or("00");
        u8::from_str_radix(digits, 16).unwrap_or(0)
    };
    [part(1), part(3), part(5)]
}

impl Pen {
    fn scaled(&self, point: Point) -> Point {
        Point::new((point.x + MARGIN) * self.fine, point.y * self.fine)
    }

    fn put(&mut self, mark: &Mark) {
        let style = mark.class.style();
        match &mark.shape {
            Shape::Text { at, anchor, text } => self.letters(*at, *anchor, text, &style),
            shape => {
                let (points, closed) = outline(shape);
                let points: Vec<Point> = points.into_iter().map(|p| self.scaled(p)).collect();
                let opacity = style.opacity * mark.opacity.unwrap_or(1.0);
                if let Some(fill) = style.fill.filter(|_| closed && points.len() > 2) {
                    self.sheet.fill(&points, rgb(fill), opacity);
                }
                self.stroke(points, closed, &style);
            }
        }
    }

    fn stroke(&mut self, mut points: Vec<Point>, closed: bool, style: &Style) {
        let Some(colour) = style.stroke else { return };
        if let Some(first) = points.first().copied().filter(|_| closed) {
            points.push(first);
        }
        let width = style.width * self.fine;
        let dash = style
            .dash
            .map(|(on, off)| (on * self.fine, off * self.fine));
        let mut walked = 0.0;
        for pair in points.windows(2) {
            for (from, to) in dashes(pair[0], pair[1], dash, &mut walked) {
                self.sheet.line(from, to, width, rgb(colour), 1.0);
            }
        }
    }

    fn letters(&mut self, at: Point, anchor: Anchor, text: &str, style: &Style) {
        let unit = Point::new(style.font * 0.1, style.font * 0.12);
        let advance = unit.x * 5.25;
        let width = advance * text.chars().count() as f64;
        let left = match anchor {
            Anchor::Start => at.x,
            Anchor::Middle => at.x - width / 2.0,
            Anchor::End => at.x - width,
        };
        let colour = rgb(style.fill.unwrap_or(Colour::Ink));
        let thick = style.font * self.fine * if style.bold { 0.125 } else { 0.085 };
        for (n, sign) in text.chars().enumerate() {
            let corner = Point::new(left + advance * n as f64, at.y - unit.y * 6.0);
            for stroke in font::strokes(sign).split(' ') {
                let (points, _) = stroke.as_bytes().as_chunks::<2>();
                let place = |[x, y]: &[u8; 2]| {
                    let (x, y) = (f64::from(x - b'0'), f64::from(y - b'0'));
                    self.scaled(Point::new(corner.x + x * unit.x, corner.y + y * unit.y))
                };
                let points: Vec<Point> = points.iter().map(place).collect();
                for pair in points.windows(2) {
                    self.sheet.line(pair[0], pair[1], thick, colour, 1.0);
                }
            }
        }
    }
}

/// The points of a shape, and whether the last is joined to the first.
fn outline(shape: &Shape) -> (Vec<Point>, bool) {
    match shape {
        Shape::Path { points, closed } => (points.clone(), *closed),
        Shape::Rect { at, width, height } => {
            let (right, foot) = (at.x + width, at.y + height);
            let corners = [(at.x, at.y), (right, at.y), (right, foot), (at.x, foot)];
            (corners.map(|(x, y)| Point::new(x, y)).to_vec(), true)
        }
        Shape::Circle { at, radius } => {
            let place = |n: i32| {
                let angle = TAU * f64::from(n) / 24.0;
                Point::new(at.x + radius * angle.cos(), at.y + radius * angle.sin())
            };
            ((0..24).map(place).collect(), true)
        }
        Shape::Text { .. } => (Vec::new(), false),
    }
}

/// The parts of a line that are drawn, of a pattern in its own units; `walked` is how far that has come.
fn dashes(
    from: Point,
    to: Point,
    dash: Option<(f64, f64)>,
    walked: &mut f64,
) -> Vec<(Point, Point)> {
    let length = (to.x - from.x).hypot(to.y - from.y);
    let Some((on, off)) = dash else {
        return vec![(from, to)];
    };
    let at = |along: f64| {
        let share = along / length;
        Point::new(
            from.x + (to.x - from.x) * share,
            from.y + (to.y - from.y) * share,
        )
    };
    let mut parts = Vec::new();
    let mut begin = -(*walked % (on + off));
    while begin < length {
        let (start, end) = (begin.max(0.0), (begin + on).min(length));
        if end > start {
            parts.push((at(start), at(end)));
        }
        begin += on + off;
    }
    *walked += length;
    parts
}

/// The file: PNG, second edition (ISO/IEC 15948): 8 bits a colour, rows unfiltered.
fn encoded(sheet: &Sheet) -> Vec<u8> {
    let mut rows = Vec::with_capacity(sheet.pixels.len() * 3 + sheet.height);
    for row in sheet.pixels.chunks(sheet.width) {
        rows.push(0);
        rows.extend(row.iter().flatten());
    }
    let length = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).to_be_bytes();
    let size = [length(sheet.width), length(sheet.height)].concat();
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, b"IHDR", &[&size[..], &[8, 2, 0, 0, 0]].concat());
    chunk(&mut file, b"IDAT", &deflated(&rows));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn deflated(rows: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(rows);
    encoder.finish().unwrap_or_default()
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    let mut sum = crc32fast::Hasher::new();
    sum.update(name);
    sum.update(content);
    file.extend(
        u32::try_from(content.len())
            .unwrap_or(u32::MAX)
            .to_be_bytes(),
    );
    file.extend(name);
    file.extend(content);
    file.extend(sum.finalize().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Class;
    use std::io::Read as _;

    /// Size and pixels of a file of ours.
    fn decoded(file: &[u8]) -> (usize, usize, Vec<u8>) {
        assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
        let word = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        let (width, height, data) = (word(16), word(20), word(33));
        let mut rows = Vec::new();
        let packed = &file[41..41 + data];
        flate2::read::ZlibDecoder::new(packed)
            .read_to_end(&mut rows)
            .unwrap();
        (width, height, rows)
    }

    #[test]
    fn marks_become_pixels_of_their_colour() {
        let mut drawing = Drawing::new(100.0, 40.0);
        drawing.rect(Class::WarnBar, Point::new(10.0, 10.0), 20.0, 10.0);
        drawing.line(
            Class::Line(0),
            Point::new(50.0, 20.0),
            Point::new(90.0, 20.0),
        );
        let (width, height, rows) = decoded(&png(&drawing, "Title", "note"));
        assert_eq!((width, height), (264, 232));
        assert_eq!(rows.len(), height * (width * 3 + 1));
        let pixel = |x: f64, y: f64| {
            let at = Point::new((x + MARGIN) * FINE, (y + 40.0) * FINE);
            let from = at.y as usize * (width * 3 + 1) + 1 + at.x as usize * 3;
            [rows[from], rows[from + 1], rows[from + 2]]
        };
        assert_eq!(pixel(20.0, 15.0), rgb(Colour::Warn));
        assert_eq!(pixel(70.0, 20.0), rgb(Colour::Series(0)));
        assert_eq!(pixel(70.0, 30.0), rgb(Colour::Ground));
    }

    #[test]
    fn the_foot_of_a_long_drawing_is_in_the_file() {
        for high in [6000.0, 9000.0, 40_000.0] {
            let mut drawing = Drawing::new(100.0, high);
            drawing.rect(Class::WarnBar, Point::new(0.0, high - 40.0), 100.0, 40.0);
            let (width, height, rows) = decoded(&png(&drawing, "Title", "note"));
            assert_eq!(rows.len(), height * (width * 3 + 1));
            let foot = (40.0 + high - 20.0) * height as f64 / (40.0 + high + 24.0 + 12.0);
            let from = foot as usize * (width * 3 + 1) + 1 + width / 2 * 3;
            let pixel: Rgb = rows[from..from + 3].try_into().unwrap();
            assert_eq!(pixel, rgb(Colour::Warn), "{high}: {width} x {height}");
        }
        let fine = [1000.0, 6144.0, 9000.0, 65_534.0].map(fine);
        assert_eq!(fine, [FINE, 8192.0 / 6144.0, 1.0, 0.5]);
    }

    #[test]
    fn a_dashed_line_has_gaps_that_go_on_around_a_corner() {
        let (a, b) = (Point::new(0.0, 0.0), Point::new(10.0, 0.0));
        let mut walked = 0.0;
        let parts = dashes(a, b, Some((4.0, 2.0)), &mut walked);
        let ends: Vec<(f64, f64)> = parts.iter().map(|(from, to)| (from.x, to.x)).collect();
        assert_eq!(ends, [(0.0, 4.0), (6.0, 10.0)]);
        assert_eq!(dashes(a, b, Some((4.0, 2.0)), &mut walked)[0].0.x, 2.0);
    }
}
