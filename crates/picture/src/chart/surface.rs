//! Figures over two sizes, as surfaces seen from the side: several conditions in one scene.
//!
//! The page's script draws the same from the same numbers ([`Surface::data`]) when it is turned; without
//! script, in print and in files this drawing stands.

use std::fmt::Write as _;

use crate::{Anchor, Class, Drawing, Point, escape};

/// A figure of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// The figure.
    pub value: f64,
    /// Half its interval.
    pub half: f64,
    /// Whether it is not to be relied on.
    pub doubtful: bool,
}

/// One condition; rows along the second axis, each with a figure for every place of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceSet {
    /// What it is called.
    pub name: String,
    /// The figures; `None` where there is none.
    pub points: Vec<Vec<Option<SurfacePoint>>>,
}

/// Surfaces over one ground. Each axis holds its places where their logarithms lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// The first axis: its places and their names.
    pub x: Vec<(f64, String)>,
    /// What the first axis is.
    pub x_title: String,
    /// The second axis.
    pub y: Vec<(f64, String)>,
    /// What the second axis is.
    pub y_title: String,
    /// The upright axis: what it counts, from 0.
    pub z_title: String,
    /// The figure at its top.
    pub most: f64,
    /// The conditions.
    pub sets: Vec<SurfaceSet>,
}

/// From where it is seen: to the side and from above, in radians.
const VIEW: (f64, f64) = (0.6, 0.5);

struct Facet {
    depth: f64,
    class: Class,
    points: Vec<Point>,
}

struct Eye {
    middle: Point,
    flat: f64,
    high: f64,
    most: f64,
}

impl Eye {
    /// Place and depth of a spot, whose ground reaches from -1 to 1.
    fn see(&self, x: f64, y: f64, z: f64) -> (Point, f64) {
        let (side, above) = VIEW;
        let across = x * side.cos() - y * side.sin();
        let depth = x * side.sin() + y * side.cos();
        let up = (z / self.most - 0.38) * self.high * above.cos();
        let at = Point::new(
            self.middle.x + self.flat * across,
            self.middle.y + self.flat * depth * above.sin() - up,
        );
        (at, depth)
    }
}

impl Surface {
    /// The scene at this width.
    pub fn draw(&self, width: f64) -> Drawing {
        let height = width * 0.85;
        let mut drawing = Drawing::new(width, height);
        let eye = Eye {
            middle: Point::new(width * 0.5, height * 0.53),
            flat: width * 0.27,
            high: height * 0.55,
            most: self.most.max(f64::MIN_POSITIVE),
        };
        self.ground(&eye, &mut drawing);
        let mut facets: Vec<Facet> = Vec::new();
        for (n, set) in self.sets.iter().enumerate() {
            self.facets(&eye, set, (n % 12) as u8, &mut facets);
        }
        facets.sort_by(|a, b| a.depth.total_cmp(&b.depth));
        for facet in facets {
            match facet.points.len() {
                2 => drawing.path(facet.class, facet.points),
                _ => drawing.area(facet.class, facet.points),
            };
        }
        self.names(&mut drawing);
        drawing
    }

    fn ground(&self, eye: &Eye, drawing: &mut Drawing) {
        let xs = places(&self.x);
        let ys = places(&self.y);
        for (x, (_, name)) in xs.iter().zip(&self.x) {
            drawing.line(
                Class::Grid,
                eye.see(*x, -1.0, 0.0).0,
                eye.see(*x, 1.0, 0.0).0,
            );
            let at = eye.see(*x, 1.12, 0.0).0;
            drawing.text(
                Class::Tick,
                Point::new(at.x, at.y + 8.0),
                Anchor::End,
                &name[..],
            );
        }
        for (y, (_, name)) in ys.iter().zip(&self.y) {
            drawing.line(
                Class::Grid,
                eye.see(-1.0, *y, 0.0).0,
                eye.see(1.0, *y, 0.0).0,
            );
            let at = eye.see(1.1, *y, 0.0).0;
            drawing.text(
                Class::Tick,
                Point::new(at.x + 2.0, at.y + 6.0),
                Anchor::Start,
                &name[..],
            );
        }
        for part in [0.25, 0.5, 0.75, 1.0] {
            let z = self.most * part;
            let corner = eye.see(-1.0, -1.0, z).0;
            drawing.line(Class::Grid, eye.see(-1.0, 1.0, z).0, corner);
            drawing.line(Class::Grid, corner, eye.see(1.0, -1.0, z).0);
            let at = eye.see(-1.0, 1.0, z).0;
            let figure = format!("{}", (z * 10.0).round() / 10.0);
            drawing.text(
                Class::Tick,
                Point::new(at.x - 5.0, at.y + 4.0),
                Anchor::End,
                figure,
            );
        }
        self.titles(eye, drawing);
    }

    fn titles(&self, eye: &Eye, drawing: &mut Drawing) {
        let top = eye.see(-1.0, 1.0, self.most).0;
        let above = Point::new((top.x - 20.0).max(0.0), top.y - 14.0);
        drawing.text(Class::Note, above, Anchor::Start, &self.z_title[..]);
        let below = Point::new(0.0, drawing.height - 6.0);
        drawing.text(Class::Note, below, Anchor::Start, &self.x_title[..]);
        let end = Point::new(drawing.width, drawing.height - 6.0);
        drawing.text(Class::Note, end, Anchor::End, &self.y_title[..]);
    }

    fn facets(&self, eye: &Eye, set: &SurfaceSet, colour: u8, facets: &mut Vec<Facet>) {
        let (xs, ys) = (places(&self.x), places(&self.y));
        let at = |i: usize, j: usize| *set.points.get(j)?.get(i)?;
        for j in 0..ys.len() {
            for i in 0..xs.len() {
                let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                let found = corners.map(|(i, j)| at(i, j).map(|point| (i, j, point)));
                if let [Some(a), Some(b), Some(c), Some(d)] = found {
                    let four = [a, b, c, d];
                    let seen = four.map(|(i, j, p)| eye.see(xs[i], ys[j], p.value));
                    let doubtful = four.iter().filter(|(_, _, p)| p.doubtful).count() > 1;
                    facets.push(Facet {
                        depth: seen.iter().map(|(_, depth)| depth / 4.0).sum(),
                        class: if doubtful {
                            Class::DoubtFacet(colour)
                        } else {
                            Class::Facet(colour)
                        },
                        points: seen.map(|(point, _)| point).to_vec(),
                    });
                }
                if let Some(point) = at(i, j) {
                    facets.push(whisker(eye, (xs[i], ys[j]), point, colour));
                }
            }
        }
    }

    fn names(&self, drawing: &mut Drawing) {
        for (n, set) in self.sets.iter().enumerate() {
            let at = Point::new(drawing.width, 14.0 + 16.0 * n as f64);
            drawing.text(Class::Name((n % 12) as u8), at, Anchor::End, &set.name[..]);
        }
    }

    /// The numbers as JSON, for the page's script; texts are safe within HTML.
    pub fn data(&self) -> String {
        let axis = |axis: &[(f64, String)]| {
            let places = places(axis);
            let both = places.iter().zip(axis);
            let both = both.map(|(at, (_, name))| format!("[{at:.4},\"{}\"]", quoted(name)));
            both.collect::<Vec<_>>().join(",")
        };
        let mut json = format!(
            "{{\"x\":[{}],\"y\":[{}],\"most\":{},\"z\":\"{}\",\"xt\":\"{}\",\"yt\":\"{}\",\"sets\":[",
            axis(&self.x),
            axis(&self.y),
            self.most,
            quoted(&self.z_title),
            quoted(&self.x_title),
            quoted(&self.y_title),
        );
        for (n, set) in self.sets.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            let _ = write!(json, "{comma}{{\"name\":\"{}\",\"p\":[", quoted(&set.name));
            let rows: Vec<String> = set.points.iter().map(|row| row_json(row)).collect();
            json.push_str(&rows.join(","));
            json.push_str("]}");
        }
        json + "]}"
    }
}

fn row_json(row: &[Option<SurfacePoint>]) -> String {
    let point = |point: &Option<SurfacePoint>| match point {
        Some(p) => format!("[{:.4},{:.4},{}]", p.value, p.half, u8::from(p.doubtful)),
        None => "0".to_owned(),
    };
    format!("[{}]", row.iter().map(point).collect::<Vec<_>>().join(","))
}

/// Text within quotes of JSON within a page.
fn quoted(text: &str) -> String {
    escape(text).replace('\\', "\\\\")
}

fn whisker(eye: &Eye, at: (f64, f64), point: SurfacePoint, colour: u8) -> Facet {
    let ends = [point.value - point.half, point.value + point.half];
    let seen = ends.map(|value| eye.see(at.0, at.1, value));
    Facet {
        depth: seen[0].1 + 0.06,
        class: if point.doubtful {
            Class::DoubtLine
        } else {
            Class::Line(colour)
        },
        points: seen.map(|(point, _)| point).to_vec(),
    }
}

/// Where the places lie between -1 and 1, by their logarithms.
fn places(axis: &[(f64, String)]) -> Vec<f64> {
    let logs: Vec<f64> = axis
        .iter()
        .map(|(at, _)| at.max(f64::MIN_POSITIVE).ln())
        .collect();
    let (first, last) = match (logs.first(), logs.last()) {
        (Some(first), Some(last)) if last > first => (*first, *last),
        _ => return vec![0.0; logs.len()],
    };
    logs.iter()
        .map(|log| -1.0 + 2.0 * (log - first) / (last - first))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(name: &str) -> Surface {
        let point = |value| {
            Some(SurfacePoint {
                value,
                half: 1.0,
                doubtful: value > 25.0,
            })
        };
        let axis = |places: [f64; 3]| places.map(|at| (at, format!("{at}"))).to_vec();
        let set = |name: &str| SurfaceSet {
            name: name.to_owned(),
            points: (0..3)
                .map(|j| (0..3).map(|i| point(f64::from(i * 10 + j * 5))).collect())
                .collect(),
        };
        Surface {
            x: axis([4.0, 16.0, 256.0]),
            x_title: "file size".to_owned(),
            y: axis([1.0, 2.0, 4.0]),
            y_title: "record".to_owned(),
            z_title: "MiB/s, from 0".to_owned(),
            most: 30.0,
            sets: vec![set(name), set("other")],
        }
    }

    #[test]
    fn two_conditions_have_all_their_facets_and_the_doubtful_ones_are_grey() {
        let drawing = surface("one").draw(528.0);
        let count = |class| {
            drawing
                .marks
                .iter()
                .filter(|mark| mark.class == class)
                .count()
        };
        for n in [0, 1] {
            assert_eq!(count(Class::Facet(n)) + count(Class::DoubtFacet(n)), 4);
            assert_eq!(count(Class::Line(n)), 8, "a whisker for each figure");
        }
        assert_eq!(count(Class::DoubtLine), 2);
    }

    #[test]
    fn places_are_where_the_logarithms_lie() {
        let places = places(&surface("a").x);
        assert!((places[0] + 1.0).abs() < 1e-9 && (places[2] - 1.0).abs() < 1e-9);
        assert!((places[1] + 1.0 / 3.0).abs() < 1e-9, "{places:?}");
    }

    #[test]
    fn no_name_ends_the_script_that_holds_the_numbers() {
        let data = surface("</script>\"\\").data();
        assert!(!data.contains('<'), "{data}");
        assert!(data.contains("&quot;"), "{data}");
    }
}
