//! Drawings as SVG.

use std::fmt::Write as _;

use crate::caption::Caption;
use crate::style::light_rules;
use crate::{Anchor, Drawing, Mark, Point, Shape, escape};

/// The drawing for a page that has the style sheet; `class` is that of the element, `label` what a
/// screen reader says of it.
pub fn inline(drawing: &Drawing, class: &str, label: &str) -> String {
    let (width, height) = (px(drawing.width), px(drawing.height));
    let mut svg = format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
        escape(label)
    );
    svg.push_str(&body(drawing));
    svg.push_str("</svg>");
    svg
}

/// The drawing as a file of its own, on light paper, with its title above and a note below it, in the lines that they take.
pub fn standalone(drawing: &Drawing, title: &str, note: &str) -> String {
    let framed = Caption::of(drawing.width, title, note).around(drawing);
    let (width, height) = (px(framed.width + 32.0), px(framed.height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         <title>{}</title><style>svg{{background:#fcfbf8}}text{{font:12px sans-serif}}{}</style>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fcfbf8\"/>\
         <g transform=\"translate(16)\">{}</g></svg>\n",
        escape(title),
        light_rules(),
        body(&framed),
    )
}

fn body(drawing: &Drawing) -> String {
    let mut svg = String::new();
    for mark in &drawing.marks {
        put(mark, &mut svg);
    }
    svg
}

fn put(mark: &Mark, svg: &mut String) {
    let name = element(&mark.shape);
    let _ = write!(
        svg,
        "<{name} class=\"{}\"{}",
        mark.class.name(),
        place(&mark.shape)
    );
    if let Some(opacity) = mark.opacity {
        let _ = write!(svg, " opacity=\"{opacity:.2}\"");
    }
    let tip = mark.tip.as_ref();
    let tip = tip.map(|tip| format!("<title>{}</title>", escape(tip)));
    match (&mark.shape, tip) {
        (Shape::Text { text, .. }, _) => {
            let _ = write!(svg, ">{}</text>", escape(text));
        }
        (_, Some(tip)) => {
            let _ = write!(svg, ">{tip}</{name}>");
        }
        (_, None) => svg.push_str("/>"),
    }
}

fn element(shape: &Shape) -> &'static str {
    match shape {
        Shape::Path { .. } => "path",
        Shape::Rect { .. } => "rect",
        Shape::Circle { .. } => "circle",
        Shape::Text { .. } => "text",
    }
}

fn place(shape: &Shape) -> String {
    match shape {
        Shape::Path { points, closed } => {
            format!(" d=\"{}{}\"", path(points), if *closed { "Z" } else { "" })
        }
        Shape::Rect { at, width, height } => format!(
            " x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            px(at.x),
            px(at.y),
            px(width.max(0.0)),
            px(height.max(0.0))
        ),
        Shape::Circle { at, radius } => {
            format!(
                " cx=\"{}\" cy=\"{}\" r=\"{}\"",
                px(at.x),
                px(at.y),
                px(*radius)
            )
        }
        Shape::Text { at, anchor, .. } => {
            format!(
                " x=\"{}\" y=\"{}\"{}",
                px(at.x),
                px(at.y),
                anchored(*anchor)
            )
        }
    }
}

fn anchored(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    }
}

fn path(points: &[Point]) -> String {
    let mut text = String::with_capacity(points.len() * 12);
    for (n, point) in points.iter().enumerate() {
        let sign = if n == 0 { 'M' } else { 'L' };
        let _ = write!(text, "{sign}{} {}", px(point.x), px(point.y));
    }
    text
}

/// A place to a tenth of a pixel; what is no number goes to the edge.
fn px(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let rounded = (value * 10.0).round() / 10.0;
    format!("{rounded}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Class;

    #[test]
    fn marks_become_elements_and_texts_stay_text() {
        let mut drawing = Drawing::new(100.0, 50.0);
        drawing.line(Class::Axis, Point::new(0.0, 0.04), Point::new(10.0, 5.25));
        drawing
            .dot(Class::Dot(1), Point::new(1.0, 2.0), 3.0)
            .tip("<b>");
        drawing.text(
            Class::Note,
            Point::new(9.0, 9.0),
            Anchor::End,
            "</svg><script>",
        );
        let svg = inline(&drawing, "w", "a \"label\"");
        assert_eq!(
            svg,
            "<svg class=\"w\" viewBox=\"0 0 100 50\" role=\"img\" aria-label=\"a &quot;label&quot;\">\
             <path class=\"ax\" d=\"M0 0L10 5.3\"/>\
             <circle class=\"d1\" cx=\"1\" cy=\"2\" r=\"3\"><title>&lt;b&gt;</title></circle>\
             <text class=\"an\" x=\"9\" y=\"9\" text-anchor=\"end\">&lt;/svg&gt;&lt;script&gt;</text></svg>"
        );
    }

    #[test]
    fn what_is_no_number_does_not_break_the_file() {
        let mut drawing = Drawing::new(10.0, 10.0);
        drawing.rect(Class::Band, Point::new(f64::NAN, 1.0), -3.0, f64::INFINITY);
        let svg = standalone(&drawing, "t", "n");
        assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("width=\"-"));
    }
}
