//! Where the names of lines stand: beside their own line, away from the others and from one another.

use crate::axis::Frame;
use crate::{Anchor, Point};

/// A name that looks for its place, with the line that it belongs to.
pub(crate) struct Named<'a> {
    /// The name.
    pub(crate) text: &'a str,
    /// Its line as it is drawn.
    pub(crate) line: Vec<Point>,
}

/// A place for a name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    /// Where its base line begins or ends.
    pub(crate) at: Point,
    /// Which end of it stands there.
    pub(crate) anchor: Anchor,
}

/// Bold names are wider than plain text; an interface's font at 12.5 px is at most this wide a sign.
const SIGN: f64 = 8.0;
/// Of a name above and below its base line.
const ABOVE: f64 = 11.0;
const BELOW: f64 = 3.0;
/// Places along a line that are tried.
const TRIED: usize = 40;

/// What a place costs: a name over another is worst, a line through it next, far from the line's end last.
const OVER_NAME: f64 = 200.0;
const OVER_LINE: f64 = 12.0;
const FAR: f64 = 8.0;

#[derive(Clone, Copy)]
struct Rect {
    low: Point,
    high: Point,
}

/// The spot of each name, in their order.
pub(crate) fn spots(frame: &Frame, named: &[Named<'_>]) -> Vec<Spot> {
    let mut taken: Vec<Rect> = Vec::new();
    let mut found = Vec::with_capacity(named.len());
    for one in named {
        let (spot, rect) = best(frame, one, named, &taken);
        taken.push(rect);
        found.push(spot);
    }
    found
}

fn best(frame: &Frame, one: &Named<'_>, all: &[Named<'_>], taken: &[Rect]) -> (Spot, Rect) {
    let width = one.text.chars().count() as f64 * SIGN;
    let mut best: Option<(f64, Spot, Rect)> = None;
    for (far, spot) in candidates(frame, one, width) {
        let rect = rect(spot, width);
        let names = taken.iter().filter(|other| rect.meets(other)).count();
        let lines = all.iter().map(|other| crossings(&rect, &other.line));
        let cost = far * FAR + names as f64 * OVER_NAME + lines.sum::<f64>() * OVER_LINE;
        if best.is_none_or(|(least, ..)| cost < least) {
            best = Some((cost, spot, rect));
        }
    }
    let corner = Point::new(frame.left + 4.0, frame.top + ABOVE);
    let start = Spot {
        at: corner,
        anchor: Anchor::Start,
    };
    best.map_or((start, rect(start, width)), |(_, spot, rect)| (spot, rect))
}

/// Places beside the line within the frame, each with how far it is from the line's end, from 0 to 1.
fn candidates(frame: &Frame, one: &Named<'_>, width: f64) -> Vec<(f64, Spot)> {
    let points = along(&one.line);
    let mut found = Vec::new();
    for (n, point) in points.iter().rev().enumerate() {
        let far = n as f64 / points.len() as f64;
        for rise in [-7.0, 15.0, 4.0] {
            for anchor in [Anchor::End, Anchor::Middle, Anchor::Start] {
                let spot = moved_within(frame, beside(*point, rise, anchor), width);
                found.extend(spot.map(|spot| (far, spot)));
            }
        }
    }
    found
}

/// About as many points of a line as are tried: some of its own, or between those of a short one.
fn along(line: &[Point]) -> Vec<Point> {
    let every = line.len().div_ceil(TRIED).max(1);
    let own: Vec<Point> = line.iter().copied().rev().step_by(every).collect();
    let parts = TRIED.div_ceil(own.len().max(1));
    let between = own.windows(2).flat_map(|pair| {
        let (from, to) = (pair[0], pair[1]);
        (0..parts).map(move |n| {
            let share = n as f64 / parts as f64;
            Point::new(
                from.x + (to.x - from.x) * share,
                from.y + (to.y - from.y) * share,
            )
        })
    });
    let mut points: Vec<Point> = between.chain(own.last().copied()).collect();
    points.reverse();
    points
}

fn beside(point: Point, rise: f64, anchor: Anchor) -> Spot {
    let aside = match anchor {
        Anchor::Start => 6.0,
        Anchor::Middle => 0.0,
        Anchor::End => -6.0,
    };
    Spot {
        at: Point::new(point.x + aside, point.y + rise),
        anchor,
    }
}

/// The spot where the name fits into the frame; a name wider than the frame begins at its left.
fn moved_within(frame: &Frame, spot: Spot, width: f64) -> Option<Spot> {
    let rect = rect(spot, width);
    let upright = rect.low.y >= frame.top - 8.0 && rect.high.y <= frame.bottom - 1.0;
    let across = rect.low.x >= frame.left && rect.high.x <= frame.right + 8.0;
    (upright && across).then_some(spot)
}

fn rect(spot: Spot, width: f64) -> Rect {
    let left = match spot.anchor {
        Anchor::Start => spot.at.x,
        Anchor::Middle => spot.at.x - width / 2.0,
        Anchor::End => spot.at.x - width,
    };
    Rect {
        low: Point::new(left, spot.at.y - ABOVE),
        high: Point::new(left + width, spot.at.y + BELOW),
    }
}

impl Rect {
    fn meets(&self, other: &Rect) -> bool {
        self.low.x < other.high.x
            && other.low.x < self.high.x
            && self.low.y < other.high.y
            && other.low.y < self.high.y
    }
}

/// How much of the name's width lines go through, at most 3.
fn crossings(rect: &Rect, line: &[Point]) -> f64 {
    let within = line.windows(2).map(|pair| inside(rect, pair[0], pair[1]));
    (within.sum::<f64>() / 20.0).min(3.0)
}

/// Length of the part of a stretch that lies within.
fn inside(rect: &Rect, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    let sides = [
        (-dx, from.x - rect.low.x),
        (dx, rect.high.x - from.x),
        (-dy, from.y - rect.low.y),
        (dy, rect.high.y - from.y),
    ];
    for (towards, room) in sides {
        if towards == 0.0 {
            if room < 0.0 {
                return 0.0;
            }
        } else if towards < 0.0 {
            enter = enter.max(room / towards);
        } else {
            leave = leave.min(room / towards);
        }
    }
    (leave - enter).max(0.0) * dx.hypot(dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame {
        left: 40.0,
        top: 28.0,
        right: 516.0,
        bottom: 288.0,
    };

    fn line(points: &[(f64, f64)]) -> Vec<Point> {
        points.iter().map(|(x, y)| Point::new(*x, *y)).collect()
    }

    fn placed(named: &[Named<'_>]) -> Vec<Rect> {
        let spots = spots(&FRAME, named);
        let each = spots.iter().zip(named);
        each.map(|(spot, one)| rect(*spot, one.text.len() as f64 * SIGN))
            .collect()
    }

    #[test]
    fn names_of_lines_that_end_at_the_foot_stay_within_and_apart() {
        let flat = || (0..12).map(|n| (40.0 + 40.0 * f64::from(n), 287.0));
        let points: Vec<(f64, f64)> = flat().collect();
        let named = ["first", "second", "third"].map(|text| Named {
            text,
            line: line(&points),
        });
        let rects = placed(&named);
        for (n, one) in rects.iter().enumerate() {
            assert!(one.high.y <= FRAME.bottom, "below the axis");
            assert!(rects[..n].iter().all(|other| !one.meets(other)));
            assert_eq!(crossings(one, &named[0].line), 0.0, "on the line");
        }
    }

    #[test]
    fn names_of_lines_of_two_points_that_lie_close_find_places_apart() {
        let names = [
            "streaming read",
            "streaming write",
            "random read",
            "random write",
            "create",
        ];
        let ends = [150.0, 152.0, 154.0, 156.0, 158.0];
        let named = names.into_iter().zip(ends).map(|(text, end)| Named {
            text,
            line: line(&[(120.0, 153.0), (430.0, end)]),
        });
        let rects = placed(&named.collect::<Vec<_>>());
        for (n, one) in rects.iter().enumerate() {
            assert!(rects[..n].iter().all(|other| !one.meets(other)), "{n}");
        }
    }

    #[test]
    fn a_name_keeps_off_its_own_line() {
        let steep = Named {
            text: "sequential read",
            line: line(&[(40.0, 250.0), (300.0, 80.0), (516.0, 40.0)]),
        };
        let rects = placed(&[steep]);
        let own = line(&[(40.0, 250.0), (300.0, 80.0), (516.0, 40.0)]);
        assert_eq!(crossings(&rects[0], &own), 0.0);
    }
}
