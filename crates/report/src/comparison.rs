//! A comparison as a table in the manner of a laboratory notebook: the runs side by side, mean and
//! median, percentages with their base, the best marked only where it beats all others.

use std::fmt;

use comfy_table::{CellAlignment, ContentArrangement, Table};
use etalon_model::{Comparison, ComparisonArm, ComparisonVerdict, Estimate, Headline};
use etalon_units::{Percent, visible};

use crate::figures::{ABSENT, interval_of, quantity};
use crate::table::STYLE;
use crate::wrap::Wrap;

/// More runs than this stand in lines below the table, not in columns.
const RUN_COLUMNS: usize = 6;

/// One comparison for a person; `Display` gives it with a line end after it.
#[derive(Debug, Clone, Copy)]
pub struct ComparisonPage<'a> {
    /// What was compared.
    pub comparison: &'a Comparison,
    /// Columns of the terminal; `None` where there is no terminal.
    pub width: Option<usize>,
}

impl fmt::Display for ComparisonPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = self.comparison;
        let wrap = Wrap(self.width);
        wrap.paragraph(f, &heading(c))?;
        if !c.arms.is_empty() {
            let wide = table(c, RUN_COLUMNS);
            let too_wide = |text: &str| {
                let columns = text.lines().map(|line| line.chars().count()).max();
                self.width.is_some_and(|width| columns.unwrap_or(0) > width)
            };
            let runs_below = too_wide(&wide) || c.arms.iter().any(|a| a.values.len() > RUN_COLUMNS);
            let shown = if runs_below { table(c, 0) } else { wide };
            if too_wide(&shown) {
                arms_as_lines(f, c)?;
            } else {
                writeln!(f, "{shown}")?;
            }
            if runs_below {
                for arm in &c.arms {
                    wrap.paragraph(f, &format!("runs of {}: {}", arm.label, runs(c, arm)))?;
                }
            }
        }
        for sentence in sentences(c) {
            wrap.paragraph(f, &sentence)?;
        }
        Ok(())
    }
}

fn heading(c: &Comparison) -> String {
    match c.arms.get(c.baseline) {
        Some(base) => format!("{} (baseline: {})", c.name, base.label),
        None => c.name.clone(),
    }
}

fn table(c: &Comparison, run_columns: usize) -> String {
    let mut table = Table::new();
    let base = visible(&c.arms[c.baseline].label);
    let most = c.arms.iter().map(|arm| arm.values.len()).max().unwrap_or(0);
    let shown = most.min(run_columns);
    let mut header = vec![String::new()];
    header.extend((1..=shown).map(|run| format!("run {run}")));
    header.extend(["mean", "95 % interval", "median", "% of group mean"].map(str::to_owned));
    header.push(format!("% of {base}"));
    header.push("best".to_owned());
    let columns = header.len();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    for arm in &c.arms {
        let mut row = vec![visible(&arm.label).into_owned()];
        row.extend((0..shown).map(|run| match arm.values.get(run) {
            Some(value) => quantity(*value, c.unit),
            None => ABSENT.to_owned(),
        }));
        row.extend(figures(c, arm));
        table.add_row(row);
    }
    for index in 1..columns {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

fn figures(c: &Comparison, arm: &ComparisonArm) -> [String; 6] {
    [
        quantity(arm.mean.value, c.unit),
        interval(c, arm),
        quantity(arm.median.value, c.unit),
        Percent::from_fraction(arm.of_group).to_string(),
        of_baseline(arm.of_baseline.as_ref()),
        mark(arm),
    ]
}

/// The interval that the cell has on its own page; which is that of the mean unless it says otherwise.
fn interval(c: &Comparison, arm: &ComparisonArm) -> String {
    let interval = interval_of(arm.estimate(), c.unit);
    match arm.headline {
        Headline::Mean => interval,
        Headline::Median => format!("{interval}, of the median"),
    }
}

fn of_baseline(ratio: Option<&Estimate>) -> String {
    let percent = |value: f64| format!("{:.1}", value * 100.0);
    match ratio.map(|ratio| (ratio.value, ratio.interval)) {
        None => "100 %".to_owned(),
        Some((value, Some(interval))) => format!(
            "{} % ({} … {})",
            percent(value),
            percent(interval.low),
            percent(interval.high)
        ),
        Some((value, None)) => format!("{} %, no interval", percent(value)),
    }
}

/// `X` for the one that beats all others, else the letters of those it is not separated from.
fn mark(arm: &ComparisonArm) -> String {
    if arm.is_best {
        "X".to_owned()
    } else {
        arm.letters.clone()
    }
}

fn runs(c: &Comparison, arm: &ComparisonArm) -> String {
    let texts: Vec<String> = arm.values.iter().map(|v| quantity(*v, c.unit)).collect();
    texts.join(", ")
}

fn arms_as_lines(f: &mut fmt::Formatter<'_>, c: &Comparison) -> fmt::Result {
    let names = [
        "mean",
        "95 % interval",
        "median",
        "of the group's mean",
        "of the baseline",
        "best",
    ];
    for arm in &c.arms {
        writeln!(f, "{}", visible(&arm.label))?;
        for (name, figure) in names.iter().zip(figures(c, arm)) {
            writeln!(f, "  {name}: {figure}")?;
        }
    }
    Ok(())
}

fn sentences(c: &Comparison) -> Vec<String> {
    let margin = Percent::from_fraction(c.margin);
    let mut sentences = match &c.verdict {
        ComparisonVerdict::Greater { greater, lesser } => {
            let words = match c.unit.less_is_better() {
                true => format!("{lesser} is faster than {greater}"),
                false => format!("{greater} > {lesser}"),
            };
            vec![format!("verdict: {words}{}", absolutes(c))]
        }
        ComparisonVerdict::Equivalent => vec![format!(
            "verdict: equivalent within ±{margin} of the baseline{}",
            absolutes(c)
        )],
        ComparisonVerdict::Undecided => vec![
            "verdict: undecided. Neither a difference nor its absence is shown; more runs would tell."
                .to_owned(),
        ],
        ComparisonVerdict::Best { best } => {
            vec![format!("verdict: {best} beats every other.")]
        }
        ComparisonVerdict::BestGroup { group } => vec![format!(
            "verdict: no single best; not separated from the leader: {}.",
            group.join(", ")
        )],
        ComparisonVerdict::Refused { reasons } => {
            let mut lines = vec!["verdict: refused.".to_owned()];
            lines.extend(reasons.iter().map(|reason| format!("- {reason}")));
            return lines;
        }
    };
    if !c.in_blocks {
        sentences.push(
            "The arms were measured one after the other, not in the same blocks: what drifted between them is part of the difference."
                .to_owned(),
        );
    }
    sentences
}

/// The two means behind the ratio of a pair, because twice nothing is nothing.
fn absolutes(c: &Comparison) -> String {
    let means: Vec<String> = c
        .arms
        .iter()
        .map(|arm| format!("{} {}", arm.label, quantity(arm.mean.value, c.unit)))
        .collect();
    format!(" ({}).", means.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn page(width: Option<usize>) -> String {
        let comparison = samples::comparison();
        ComparisonPage {
            comparison: &comparison,
            width,
        }
        .to_string()
    }

    #[test]
    fn the_base_is_named_wherever_a_percentage_stands() {
        let text = page(None);
        assert!(
            text.contains("(baseline: none)") && text.contains("% of none"),
            "{text}"
        );
        assert!(text.contains("% of group mean"));
        // 67.1 against 53.6 is a quarter more, whatever base a hurried reader takes.
        assert!(text.contains("125.2 % (123.0 … 127.4)"), "{text}");
        assert!(text.contains("verdict: bfq > none"), "{text}");
        assert!(text.contains("run 1") && text.contains("67.1 op/s"));
    }

    #[test]
    fn of_two_times_the_lesser_is_called_faster() {
        let mut comparison = samples::comparison();
        comparison.unit = etalon_model::Unit::Seconds;
        let text = ComparisonPage {
            comparison: &comparison,
            width: None,
        }
        .to_string();
        assert!(
            text.contains("verdict: none is faster than bfq (none 53.6 s"),
            "{text}"
        );
    }

    #[test]
    fn a_narrow_terminal_gets_every_figure_in_lines() {
        let text = page(Some(50));
        assert!(
            text.lines().all(|line| line.chars().count() <= 50),
            "{text}"
        );
        assert!(text.contains("of the baseline: 125.2 %"));
        assert!(text.contains("runs of bfq: 66.9 op/s,"));
    }

    #[test]
    fn a_refusal_gives_its_reasons_and_no_figures() {
        let mut comparison = samples::comparison();
        comparison.arms.clear();
        comparison.verdict = ComparisonVerdict::Refused {
            reasons: vec!["file_size differs.".to_owned()],
        };
        let text = ComparisonPage {
            comparison: &comparison,
            width: None,
        }
        .to_string();
        assert!(
            text.ends_with("verdict: refused.\n- file_size differs.\n"),
            "{text}"
        );
    }
}
