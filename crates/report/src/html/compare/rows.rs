//! The table of a comparison.

use etalon_language::say;
use etalon_model::{ComparisonArm, Standing, Unit};

use super::super::tag::text;
use super::{ends, speed};
use crate::comparison::{ComparedRow, ratio_text};
use crate::figures::ABSENT;
use crate::role::{figure, label};

/// Two conditions stand side by side, a workload a row; each of several has a row of its own.
pub(in crate::html) fn table(rows: &[ComparedRow<'_>], names: &[String]) -> String {
    let (heads, body): (_, String) = match names {
        [base, other] => (
            side_by_side(base, other),
            rows.iter().map(|row| pair(row, names)).collect(),
        ),
        _ => (
            below_each_other(&names[0]),
            rows.iter().map(|row| several(row, names)).collect(),
        ),
    };
    format!(
        "<table class=\"res cmp\" role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">{heads}</tr></thead><tbody role=\"rowgroup\">{body}</tbody></table>",
    )
}

fn side_by_side(base: &str, other: &str) -> String {
    [
        head("", &say!("report-workload")),
        head("r", base),
        head("r", other),
        head("r", &say!("report-ratio", base = base)),
        head("ver", &say!("report-verdict")),
    ]
    .concat()
}

fn below_each_other(base: &str) -> String {
    [
        head("", &say!("report-workload")),
        head("", ""),
        head("r", &say!("report-result")),
        head("r", &say!("report-ratio", base = base)),
        head("ver", &say!("report-verdict")),
    ]
    .concat()
}

fn head(class: &str, name: &str) -> String {
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    match name {
        // A heading of nothing is none.
        "" => format!("<td role=\"cell\"{class}></td>"),
        _ => format!(
            "<th role=\"columnheader\" scope=\"col\"{class}>{}</th>",
            text(name)
        ),
    }
}

/// A row, whose cells say on a phone what the head of their column says else.
fn pair(row: &ComparedRow<'_>, names: &[String]) -> String {
    let arms = row.comparison.arms.iter().zip(names);
    let values: String = arms.map(|(arm, name)| value(row, arm, name)).collect();
    let other = row.comparison.arms.get(1);
    let other = other.filter(|arm| arm.of_baseline.is_some());
    format!(
        "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\" class=\"nm\">{}</th>{values}{}</tr>\n",
        text(&label(row.cell)),
        outcome(row, other, &names[0]),
    )
}

/// A row for each condition, the base first; the workload stands once.
fn several(row: &ComparedRow<'_>, names: &[String]) -> String {
    let arms = &row.comparison.arms;
    let workload = format!(
        "<th role=\"rowheader\" scope=\"rowgroup\" rowspan=\"{}\" class=\"nm\">{}</th>",
        arms.len(),
        text(&label(row.cell))
    );
    let rows = arms.iter().zip(names).enumerate().map(|(n, (arm, name))| {
        let other = (n > 0).then_some(arm);
        let other = other.filter(|arm| arm.of_baseline.is_some() || arm.left_out.is_some());
        format!(
            "<tr role=\"row\">{}<th role=\"rowheader\" scope=\"row\" class=\"lv\">{}</th>{}{}</tr>\n",
            match n {
                0 => workload.as_str(),
                _ => "",
            },
            text(name),
            value(row, arm, &say!("report-result")),
            outcome(row, other, &names[0]),
        )
    });
    rows.collect()
}

fn value(row: &ComparedRow<'_>, arm: &ComparisonArm, head: &str) -> String {
    let said = match arm.left_out {
        Some(_) => ABSENT.to_owned(),
        None => figure(row.cell, arm.estimate().value),
    };
    format!(
        "<td role=\"cell\" class=\"val r\" data-l=\"{}\">{}</td>",
        text(head),
        text(&said)
    )
}

/// Ratio and verdict; two empty cells of the base.
fn outcome(row: &ComparedRow<'_>, other: Option<&ComparisonArm>, base: &str) -> String {
    let Some(arm) = other else {
        return "<td role=\"cell\" class=\"pm r\"></td><td role=\"cell\" class=\"ver\"></td>"
            .to_owned();
    };
    format!(
        "<td role=\"cell\" class=\"pm r\" data-l=\"{}\">{}</td><td role=\"cell\" class=\"ver\" data-l=\"{}\">{}</td>",
        text(&say!("report-ratio", base = base)),
        ratio(arm, row.comparison.unit),
        text(&say!("report-verdict")),
        standing(arm),
    )
}

fn ratio(arm: &ComparisonArm, unit: Unit) -> String {
    match speed(arm, unit) {
        Some((value, Some(interval))) => format!(
            "<b>{}</b><small>{}</small>",
            ratio_text(value),
            ends(interval)
        ),
        Some((value, None)) => format!(
            "{}<small>{}</small>",
            ratio_text(value),
            text(&say!("no-interval"))
        ),
        None => String::new(),
    }
}

fn standing(arm: &ComparisonArm) -> String {
    let (class, word) = match arm.standing {
        Some(Standing::Faster) => ("valid", say!("report-faster")),
        Some(Standing::Slower) => ("invalid", say!("report-slower")),
        Some(Standing::Equal) => ("eq", say!("report-equivalent")),
        _ if arm.left_out.is_some() => ("undecided", say!("compare-is-left-out")),
        _ if arm.has_too_few_runs() => ("undecided", say!("compare-too-few")),
        _ => ("undecided", say!("report-no-difference")),
    };
    format!("<span class=\"v v-{class}\">{}</span>", text(&word))
}
