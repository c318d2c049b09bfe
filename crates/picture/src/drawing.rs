//! Marks in pixels: what every chart becomes.

use crate::Class;

/// A place, from the left and from the top, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

impl Point {
    /// A place.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }
}

/// On which side of its place a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// The form of a mark.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Points joined by lines.
    Path {
        /// The points.
        points: Vec<Point>,
        /// Whether the last is joined to the first.
        closed: bool,
    },
    /// A rectangle.
    Rect {
        /// Its upper left corner.
        at: Point,
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
    },
    /// A disc or a ring.
    Circle {
        /// Its middle.
        at: Point,
        /// Its radius.
        radius: f64,
    },
    /// A line of text.
    Text {
        /// Where it stands, on its base line.
        at: Point,
        /// On which side.
        anchor: Anchor,
        /// What it says.
        text: String,
    },
}

/// One mark of a drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Its form.
    pub shape: Shape,
    /// How it looks.
    pub class: Class,
    /// From 0 to 1, where it is not that of the class.
    pub opacity: Option<f64>,
    /// What a reader who points at it is told.
    pub tip: Option<String>,
}

/// A picture: marks on a sheet, the later ones over the earlier ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawing {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// The marks.
    pub marks: Vec<Mark>,
}

impl Drawing {
    /// An empty sheet.
    pub fn new(width: f64, height: f64) -> Drawing {
        let marks = Vec::new();
        Drawing {
            width,
            height,
            marks,
        }
    }

    /// Adds a mark, which can be changed further.
    pub fn mark(&mut self, class: Class, shape: Shape) -> &mut Mark {
        self.marks.push(Mark {
            shape,
            class,
            opacity: None,
            tip: None,
        });
        let last = self.marks.len() - 1;
        &mut self.marks[last]
    }

    /// A straight line.
    pub fn line(&mut self, class: Class, from: Point, to: Point) -> &mut Mark {
        self.path(class, vec![from, to])
    }

    /// Points joined by lines.
    pub fn path(&mut self, class: Class, points: Vec<Point>) -> &mut Mark {
        let closed = false;
        self.mark(class, Shape::Path { points, closed })
    }

    /// A surface within points.
    pub fn area(&mut self, class: Class, points: Vec<Point>) -> &mut Mark {
        let closed = true;
        self.mark(class, Shape::Path { points, closed })
    }

    /// A rectangle.
    pub fn rect(&mut self, class: Class, at: Point, width: f64, height: f64) -> &mut Mark {
        self.mark(class, Shape::Rect { at, width, height })
    }

    /// A dot.
    pub fn dot(&mut self, class: Class, at: Point, radius: f64) -> &mut Mark {
        self.mark(class, Shape::Circle { at, radius })
    }

    /// A line of text.
    pub fn text(&mut self, class: Class, at: Point, anchor: Anchor, text: impl Into<String>) {
        let text = text.into();
        self.mark(class, Shape::Text { at, anchor, text });
    }

    /// The marks of another drawing, its upper left corner here.
    pub(crate) fn put(&mut self, other: &Drawing, corner: Point) {
        let moved = other.marks.iter().cloned().map(|mut mark| {
            mark.shape.moved(corner);
            mark
        });
        self.marks.extend(moved);
    }
}

impl Mark {
    /// Tells a reader who points at it.
    pub fn tip(&mut self, text: impl Into<String>) -> &mut Mark {
        self.tip = Some(text.into());
        self
    }

    /// Makes it this faint.
    pub fn opacity(&mut self, opacity: f64) -> &mut Mark {
        self.opacity = Some(opacity);
        self
    }
}

/// Width of a text in pixels, roughly: a system font's signs are about half as wide as high.
pub(crate) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 6.3
}

/// The text, cut to fit into so many pixels.
pub(crate) fn fitted(text: &str, width: f64) -> String {
    let room = (width / 6.3).max(1.0) as usize;
    match text.chars().count() > room {
        true => text
            .chars()
            .take(room.saturating_sub(1))
            .chain(['…'])
            .collect(),
        false => text.to_owned(),
    }
}

/// The text in lines of so many pixels, broken between words; what is too much for the last of them is cut.
pub(crate) fn wrapped(text: &str, width: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_last = lines.len() == most;
        match lines.last_mut() {
            Some(line) if is_last || lines_up(line, word, width) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| fitted(line, width)).collect()
}

fn lines_up(line: &str, word: &str, width: f64) -> bool {
    text_width(line) + text_width(" ") + text_width(word) <= width
}

/// The text, cut in its middle to fit into so many pixels: its end says what it is counted in.
pub(crate) fn shortened(text: &str, width: f64) -> String {
    let count = text.chars().count();
    let room = (width / 6.3).max(3.0) as usize;
    if count <= room {
        return text.to_owned();
    }
    let end = room / 3;
    let begin: String = text.chars().take(room - end - 1).collect();
    let end = text.chars().skip(count - end);
    begin.chars().chain(['…']).chain(end).collect()
}

impl Shape {
    /// Moves it.
    pub fn moved(&mut self, by: Point) {
        let shift = |point: &mut Point| *point = Point::new(point.x + by.x, point.y + by.y);
        match self {
            Shape::Path { points, .. } => points.iter_mut().for_each(shift),
            Shape::Rect { at, .. } | Shape::Circle { at, .. } | Shape::Text { at, .. } => shift(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_broken_between_words_and_cut_at_the_end_of_the_last_line() {
        let width = 63.0 + 0.1;
        assert_eq!(wrapped("short", width, 3), ["short"]);
        assert_eq!(wrapped("", width, 3), [""; 0]);
        let broken = wrapped("fsync on, commit off", width, 3);
        assert_eq!(broken, ["fsync on,", "commit off"]);
        let cut = wrapped("one two three four five six seven", width, 2);
        assert_eq!(cut, ["one two", "three fou…"]);
        assert_eq!(wrapped("synchronous_commit", width, 2), ["synchrono…"]);
    }

    #[test]
    fn a_title_that_is_too_long_keeps_its_end() {
        assert_eq!(shortened("log axis", 63.1), "log axis");
        let cut = shortened("times as fast as none, log axis", 189.1);
        assert_eq!(cut, "times as fast as no…, log axis");
    }
}
