//! A tree of boxes with warnings beside them: a storage stack.

use crate::{Anchor, Class, Drawing, Point};

/// One box.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TreeBox {
    /// What it is.
    pub heading: String,
    /// Facts, a line each.
    pub details: Vec<String>,
    /// What is wrong with it, in a sentence each.
    pub warnings: Vec<String>,
    /// What lies beneath.
    pub children: Vec<TreeBox>,
    /// Share of the bytes read that went through the link above, from 0 to 1.
    pub share: Option<f64>,
}

/// The boxes from the top, each with those beneath it indented.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The topmost boxes.
    pub boxes: Vec<TreeBox>,
}

const STEP: f64 = 26.0;
const LINE: f64 = 17.0;
/// Widths of a sign, plain and bold, in the widest of the page's fonts: a line must not leave its box.
const PLAIN: f64 = 7.1;
const BOLD: f64 = 8.5;

impl Tree {
    /// The tree at this width.
    pub fn draw(&self, width: f64) -> Drawing {
        let mut drawing = Drawing::new(width, 0.0);
        let mut top = 2.0;
        for one in &self.boxes {
            put(one, 1.0, &mut top, &mut drawing);
        }
        drawing.height = top;
        drawing
    }
}

/// Puts a box at `top`, then those beneath, and moves `top` below all of them.
fn put(one: &TreeBox, left: f64, top: &mut f64, drawing: &mut Drawing) {
    let width = drawing.width - left - 1.0;
    let heading = broken(&one.heading, (width - 28.0) / BOLD);
    let signs = (width - 28.0) / PLAIN;
    let details: Vec<String> = one.details.iter().flat_map(|l| broken(l, signs)).collect();
    let warnings: Vec<Vec<String>> = one
        .warnings
        .iter()
        .map(|w| broken(w, (width - 40.0) / BOLD - 2.0))
        .collect();
    let warned: usize = warnings.iter().map(Vec::len).sum();
    let lines = heading.len() - 1 + details.len() + warned;
    let height = 34.0 + LINE * lines as f64 + 6.0 * warnings.len() as f64;
    let class = if one.warnings.is_empty() {
        Class::Box
    } else {
        Class::WarnedBox
    };
    drawing.rect(class, Point::new(left, *top), width, height);
    let mut y = *top + 21.0 - LINE;
    for line in heading {
        y += LINE;
        let at = Point::new(left + 14.0, y);
        drawing.text(Class::Strong, at, Anchor::Start, line);
    }
    y += 1.0;
    for line in details {
        y += LINE;
        drawing.text(
            Class::Label,
            Point::new(left + 14.0, y),
            Anchor::Start,
            line,
        );
    }
    for lines in &warnings {
        warning(lines, left, width, &mut y, drawing);
    }
    let (foot, mut last) = (*top + height, *top + height);
    *top = foot + 12.0;
    for child in &one.children {
        last = *top + 17.0;
        connector(left, last, child, drawing);
        put(child, left + STEP, top, drawing);
    }
    if last > foot {
        drawing.rect(
            Class::Flow,
            Point::new(left + 10.0, foot),
            3.0,
            last - foot + 1.5,
        );
    }
}

/// The way to a child, as thick as its share of the bytes.
fn connector(left: f64, y: f64, child: &TreeBox, drawing: &mut Drawing) {
    let thick = child
        .share
        .map_or(3.0, |share| 2.0 + 10.0 * share.clamp(0.0, 1.0));
    let corner = Point::new(left + 13.0, y - thick / 2.0);
    let mark = drawing.rect(Class::Flow, corner, STEP - 13.0, thick);
    if let Some(share) = child.share {
        mark.tip(format!("{:.0} % of the bytes read", share * 100.0));
    }
}

fn warning(lines: &[String], left: f64, width: f64, y: &mut f64, drawing: &mut Drawing) {
    let corner = Point::new(left + 10.0, *y + 7.0);
    let height = LINE * lines.len() as f64 + 4.0;
    drawing.rect(Class::WarnPaper, corner, width - 20.0, height);
    drawing.rect(Class::WarnBar, corner, 3.0, height);
    *y += 4.0;
    for (n, line) in lines.iter().enumerate() {
        *y += LINE;
        let line = if n == 0 {
            format!("! {line}")
        } else {
            line.clone()
        };
        drawing.text(
            Class::WarnText,
            Point::new(left + 20.0, *y),
            Anchor::Start,
            line,
        );
    }
    *y += 2.0;
}

/// The text in lines of at most so many signs; a longer word, a path say, is broken where its line ends.
fn broken(text: &str, signs: f64) -> Vec<String> {
    let most = signs.max(12.0) as usize;
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let mut rest: Vec<char> = word.chars().collect();
        loop {
            let last = lines.len() - 1;
            let used = lines[last].chars().count();
            let space = usize::from(used > 0);
            if used + space + rest.len() <= most {
                lines[last].push_str(if space > 0 { " " } else { "" });
                lines[last].extend(rest);
                break;
            }
            if used == 0 {
                lines[last].extend(rest.drain(..most));
            }
            lines.push(String::new());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_stands_within_the_box_that_it_is_about() {
        let disk = |name: &str, warnings: Vec<String>| TreeBox {
            heading: name.to_owned(),
            warnings,
            share: Some(0.5),
            ..TreeBox::default()
        };
        let tree = Tree {
            boxes: vec![TreeBox {
                heading: "md0".to_owned(),
                children: vec![
                    disk("sda", vec![]),
                    disk("sdb", vec!["the disk fails".to_owned()]),
                ],
                ..TreeBox::default()
            }],
        };
        let drawing = tree.draw(350.0);
        let boxes: Vec<Class> = drawing
            .marks
            .iter()
            .map(|mark| mark.class)
            .filter(|class| matches!(class, Class::Box | Class::WarnedBox))
            .collect();
        assert_eq!(boxes, [Class::Box, Class::Box, Class::WarnedBox]);
        assert!(drawing.height > 100.0);
    }

    #[test]
    fn long_lines_and_long_words_are_broken_and_nothing_is_lost() {
        let lines = broken(&format!("a b {} c", "x".repeat(50)), 20.0);
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0], "a b");
        assert_eq!(lines.concat().matches('x').count(), 50);
        assert_eq!(lines[3], "xxxxxxxxxx c");
        assert!(
            lines.iter().all(|line| line.chars().count() <= 20),
            "{lines:?}"
        );
    }
}
