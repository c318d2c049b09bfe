//! The runs of one row of a table, small, from 0 to 200 % of its median.

use std::fmt::Write as _;

use crate::escape;

/// Where the runs of a row lie; `x` in per cent, so that it takes the width it is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip<'a> {
    /// The figure in the middle.
    pub middle: f64,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// Every run.
    pub runs: &'a [f64],
    /// The verdict's word, for its look.
    pub verdict: &'static str,
    /// What a screen reader says.
    pub label: String,
}

impl Strip<'_> {
    /// The drawing, for a page that has the style sheet.
    pub fn svg(&self) -> String {
        let doubtful = self.verdict != "valid";
        let (band, median, run) = match doubtful {
            true => ("db", "dl", "ho"),
            false => ("bn", "md", "rd"),
        };
        let mut svg = format!(
            "<svg class=\"strip\" width=\"100%\" height=\"26\" role=\"img\" aria-label=\"{}\">\
             <line class=\"ax\" x1=\"0\" x2=\"100%\" y1=\"19.5\" y2=\"19.5\"/>",
            escape(&self.label)
        );
        if let Some((low, high)) = self.interval {
            let (from, to) = (self.share(low), self.share(high));
            let _ = write!(
                svg,
                "<rect class=\"{band}\" x=\"{from:.1}%\" y=\"4\" width=\"{:.1}%\" height=\"15\"/>",
                to - from
            );
        }
        for (n, value) in self.runs.iter().enumerate() {
            let y = [9.0, 14.0, 11.5, 7.0, 12.5][n % 5];
            let _ = write!(
                svg,
                "<circle class=\"{run}\" cx=\"{:.1}%\" cy=\"{y}\" r=\"2.6\"/>",
                self.share(*value)
            );
        }
        let _ = write!(
            svg,
            "<line class=\"{median}\" x1=\"50%\" x2=\"50%\" y1=\"2\" y2=\"21\"/></svg>"
        );
        svg
    }

    /// Place in per cent of the width: the middle at 50, nothing beyond the ends.
    fn share(&self, value: f64) -> f64 {
        let share = value / self.middle * 50.0;
        match share.is_finite() {
            true => share.clamp(0.0, 100.0),
            false => 50.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_a_dot_and_nothing_leaves_the_strip() {
        let strip = Strip {
            middle: 100.0,
            interval: Some((90.0, 500.0)),
            runs: &[100.0, 50.0, -3.0],
            verdict: "invalid",
            label: "3 runs".to_owned(),
        };
        let svg = strip.svg();
        assert_eq!(svg.matches("<circle class=\"ho\"").count(), 3);
        assert!(svg.contains("x=\"45.0%\" y=\"4\" width=\"55.0%\""), "{svg}");
        assert!(svg.contains("cx=\"25.0%\"") && svg.contains("cx=\"0.0%\""));
    }
}
