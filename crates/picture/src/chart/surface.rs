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
    /// The ends of its interval; the figure itself where it has none.
    pub interval: (f64, f64),
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
    /// The upright axis, from 0: its places and their names.
    pub z: Vec<(f64, String)>,
    /// What the upright axis counts.
    pub z_title: String,
    /// The figure at its top.
    pub most: f64,
    /// The conditions.
    pub sets: Vec<SurfaceSet>,
}

/// From where it is seen: to the side and from above, in radians.
const VIEW: (f64, f64) = (0.6, 0.5);

/// Length of the line behind a name.
const SAMPLE: f64 = 24.0;

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
        for (z, name) in &self.z {
            let corner = eye.see(-1.0, -1.0, *z).0;
            drawing.line(Class::Grid, eye.see(-1.0, 1.0, *z).0, corner);
            drawing.line(Class::Grid, corner, eye.see(1.0, -1.0, *z).0);
            let at = eye.see(-1.0, 1.0, *z).0;
            drawing.text(
                Class::Tick,
                Point::new(at.x - 5.0, at.y + 4.0),
                Anchor::End,
                &name[..],
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

    /// Each with a line as the edges of its facets are: of two of one colour one is dashed.
    fn names(&self, drawing: &mut Drawing) {
        let (right, left) = (drawing.width, drawing.width - SAMPLE);
        for (n, set) in self.sets.iter().enumerate() {
            let (condition, foot) = ((n % 12) as u8, 14.0 + 16.0 * n as f64);
            let at = Point::new(left - 6.0, foot);
            drawing.text(Class::Name(condition), at, Anchor::End, &set.name[..]);
            let ends = [left, right].map(|x| Point::new(x, foot - 4.0));
            drawing.line(Class::Thin(condition), ends[0], ends[1]);
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
        let upright = |(at, name): &(f64, String)| format!("[{at},\"{}\"]", quoted(name));
        let mut json = format!(
            "{{\"x\":[{}],\"y\":[{}],\"z\":[{}],\"most\":{},\"xt\":\"{}\",\"yt\":\"{}\",\"zt\":\"{}\",\"sets\":[",
            axis(&self.x),
            axis(&self.y),
            self.z.iter().map(upright).collect::<Vec<_>>().join(","),
            self.most,
            quoted(&self.x_title),
            quoted(&self.y_title),
            quoted(&self.z_title),
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
        Some(p) => {
            let (low, high) = p.interval;
            format!(
                "[{:.4},{low:.4},{high:.4},{}]",
                p.value,
                u8::from(p.doubtful)
            )
        }
        None => "0".to_owned(),
    };
    format!("[{}]", row.iter().map(point).collect::<Vec<_>>().join(","))
}

/// Text within quotes of JSON within a page.
fn quoted(text: &str) -> String {
    escape(text).replace('\\', "\\\\")
}

fn whisker(eye: &Eye, at: (f64, f64), point: SurfacePoint, colour: u8) -> Facet {
    let (low, high) = point.interval;
    let seen = [low, high].map(|value| eye.see(at.0, at.1, value));
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
                interval: (value - 1.0, value + 1.0),
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
            z: vec![(30.0, "30".to_owned())],
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

    /// The ends of the marks of a class, as they are drawn.
    fn ends(drawing: &Drawing, class: Class) -> Vec<[Point; 2]> {
        let marks = drawing.marks.iter().filter(|mark| mark.class == class);
        let ends = marks.filter_map(|mark| match &mark.shape {
            crate::Shape::Path { points, .. } => points[..].try_into().ok(),
            _ => None,
        });
        ends.collect()
    }

    #[test]
    fn an_upright_line_ends_where_the_interval_does() {
        let mut surface = surface("one");
        surface.sets.truncate(1);
        surface.most = 140.0;
        surface.z = [60.0, 102.0].map(|at| (at, format!("{at}"))).to_vec();
        surface.sets[0].points = vec![vec![Some(SurfacePoint {
            value: 100.0,
            interval: (60.0, 102.0),
            doubtful: false,
        })]];
        let drawing = surface.draw(528.0);
        let [[low, high]] = ends(&drawing, Class::Line(0))[..] else {
            panic!()
        };
        // Two lines of the grid go up at the corner behind the figure for each place of the axis.
        let rise = |from: Point, to: Point| from.y - to.y;
        let grid = ends(&drawing, Class::Grid);
        let corners: Vec<Point> = grid[6..].iter().step_by(2).map(|line| line[1]).collect();
        let [foot, top] = corners[..] else { panic!() };
        assert!((rise(low, high) - rise(foot, top)).abs() < 1e-9);
        assert!((low.y - foot.y).abs() < 1e-9, "{low:?} {foot:?}");
        let data = surface.data();
        assert!(data.contains("[100.0000,60.0000,102.0000,0]"), "{data}");
        assert!(data.contains("\"z\":[[60,\"60\"],[102,\"102\"]]"), "{data}");
    }

    #[test]
    fn two_conditions_of_one_colour_are_told_apart() {
        let mut surface = surface("one");
        surface.sets = vec![surface.sets[0].clone(); 7];
        let drawing = surface.draw(528.0);
        for class in [Class::Facet, Class::Thin] {
            for n in [0, 6] {
                let mut marks = drawing.marks.iter();
                assert!(marks.any(|mark| mark.class == class(n)), "{:?}", class(n));
            }
        }
        for class in [Class::Facet, Class::DoubtFacet, Class::Thin] {
            assert_ne!(class(0).style().dash, class(6).style().dash);
        }
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
