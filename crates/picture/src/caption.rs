//! What stands above and below a picture that is a file of its own, in as many lines as it takes.

use crate::{Anchor, Class, Drawing, Point};

/// The widest that letters of a title and of a note are on average, among usual fonts without serifs.
const LETTERS: (f64, f64) = (8.2, 7.0);
/// From one line to the next.
const LINE: f64 = 17.0;

/// The title and the note of a picture, broken at its width.
pub(crate) struct Caption {
    title: Vec<String>,
    note: Vec<String>,
}

impl Caption {
    pub(crate) fn of(width: f64, title: &str, note: &str) -> Caption {
        Caption {
            title: broken(title, width / LETTERS.0),
            note: broken(note, width / LETTERS.1),
        }
    }

    /// The drawing between them; nothing of it is above zero.
    pub(crate) fn around(&self, drawing: &Drawing) -> Drawing {
        let top = 40.0 + more(&self.title);
        let foot = top + drawing.height + 24.0;
        let mut framed = Drawing::new(drawing.width, foot + more(&self.note) + 12.0);
        let mut lines = |class: Class, from: f64, lines: &[String]| {
            let mut at = Point::new(0.0, from);
            for line in lines {
                framed.text(class, at, Anchor::Start, line);
                at.y += LINE;
            }
        };
        lines(Class::Strong, 26.0, &self.title);
        lines(Class::Note, foot, &self.note);
        framed.put(drawing, Point::new(0.0, top));
        framed
    }
}

/// What the lines behind the first take.
fn more(lines: &[String]) -> f64 {
    lines.len().saturating_sub(1) as f64 * LINE
}

/// Lines of so many letters; a longer word has one of its own.
fn broken(text: &str, letters: f64) -> Vec<String> {
    let most = letters as usize;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let fits = |line: &&mut String| line.chars().count() + 1 + word.chars().count() <= most;
        match lines.last_mut().filter(fits) {
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    #[test]
    fn no_word_is_lost_and_no_line_is_too_long() {
        let note = "Every dot is a run, the band the 95 % interval; grey is warm-up.";
        let lines = broken(note, 20.0);
        assert_eq!(lines.join(" "), note);
        assert!(
            lines.iter().all(|line| line.chars().count() <= 20),
            "{lines:?}"
        );
        assert_eq!(broken("one-long-word and", 5.0), ["one-long-word", "and"]);
    }

    #[test]
    fn a_picture_is_as_much_higher_as_its_lines_need_and_stands_below_its_title() {
        let mut drawing = Drawing::new(140.0, 50.0);
        drawing.dot(Class::Run, Point::new(5.0, 5.0), 2.0);
        let framed = |title: &str, note: &str| Caption::of(140.0, title, note).around(&drawing);
        let short = framed("title", "note");
        let long = framed(
            "a title of two lines",
            "a note that takes three lines of twenty each",
        );
        assert_eq!((short.height, long.height), (126.0, 126.0 + 3.0 * LINE));
        let dot = |drawing: &Drawing| match drawing.marks.last().map(|mark| mark.shape.clone()) {
            Some(Shape::Circle { at, .. }) => at.y,
            other => panic!("{other:?}"),
        };
        assert_eq!((dot(&short), dot(&long)), (45.0, 45.0 + LINE));
    }
}
