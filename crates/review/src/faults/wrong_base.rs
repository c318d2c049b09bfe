//! `wrong-base`

use etalon_language::say;

use crate::quantity::short;
use crate::{Fault, FaultCheck, Line, Material, Number, Row, Table};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "wrong-base",
    about: "A percentage is not that of the base that it names.",
    advice: "Name the base: (new - old) / old.",
    find,
};

fn find(material: &Material<'_>) -> Vec<Fault> {
    let mut faults: Vec<Fault> = material.tables.iter().flat_map(in_table).collect();
    let lines = material.page.lines.iter();
    faults.extend(lines.filter_map(|line| in_sentence(material, line)));
    faults
}

/// A row of changes under two rows of figures: each is of the first or of the second row.
fn in_table(table: &Table) -> Vec<Fault> {
    let windows = table.rows.windows(2).enumerate();
    let mut faults = Vec::new();
    for (at, pair) in windows {
        let Some(changes) = table
            .rows
            .get(at + 2)
            .filter(|row| row.values.is_empty() && row.percents.len() > 1)
        else {
            continue;
        };
        faults.extend(changed(&pair[0], &pair[1], changes));
    }
    // Percentages alone are a row of no decimals but their own.
    faults
}

fn changed(first: &Row, second: &Row, changes: &Row) -> Option<Fault> {
    let same =
        first.values.len() == second.values.len() && second.values.len() == changes.percents.len();
    let columns = first
        .values
        .iter()
        .zip(&second.values)
        .zip(&changes.percents);
    let wrong: Vec<String> = columns
        .filter_map(|((old, new), said)| wrong(old, new, said))
        .collect();
    let some = same && !wrong.is_empty();
    some.then(|| {
        CHECK.at(
            changes.line,
            say!(
                "fault-wrong-base-rows",
                changes = wrong.join("; "),
                second = second.label.trim(),
                first = first.label.trim(),
            ),
        )
    })
}

/// A change of which the base is the new value, or that is nothing at all of either.
fn wrong(old: &Number, new: &Number, said: &Number) -> Option<String> {
    let change = (new.value / old.value - 1.0) * 100.0;
    let off = (said.value - change).abs() > 0.6 + change.abs() * 0.02;
    let plausible = said.value.signum() == change.signum() && said.value.abs() < 400.0;
    (off && plausible && change.is_finite()).then(|| {
        say!(
            "fault-wrong-base-change",
            said = said.text,
            new = new.text,
            old = old.text,
            change = short(change),
        )
    })
}

/// `67.1 against 53.6, +20.12 %` in one line: two rates with units, and one change.
fn in_sentence(material: &Material<'_>, line: &Line) -> Option<Fault> {
    let numbers = material.page.numbers(line);
    let (percents, plain): (Vec<&Number>, Vec<&Number>) =
        numbers.iter().partition(|n| n.unit.starts_with('%'));
    let rated: Vec<&&Number> = plain
        .iter()
        .filter(|n| crate::quantity::rate(n).is_some() || n.decimals > 0)
        .collect();
    let ([said], [first, second]) = (percents.as_slice(), rated.as_slice()) else {
        return None;
    };
    let compares = line.says(&[
        "against",
        "contre",
        "versus",
        " vs",
        "faster",
        "slower",
        "plus rapide",
        "moins rapide",
        "gain",
        "than",
        "soit",
    ]) || line.says(&LOSS)
        || moves(line, first, second);
    let changes = [(first, second), (second, first)]
        .map(|(new, old)| (new.value / old.value - 1.0).abs() * 100.0);
    let (low, high) = (changes[0].min(changes[1]), changes[0].max(changes[1]));
    let fits = |change: f64| (said.value.abs() - change).abs() <= 0.6 + change * 0.02;
    let ratio =
        fits(first.value / second.value * 100.0) || fits(second.value / first.value * 100.0);
    let are_rates = rated.iter().all(|n| crate::quantity::rate(n).is_some());
    let falls = said.value < 0.0 || line.says(&LOSS);
    let signed_up = said.value > 0.0 && line.text[..said.start].ends_with('+');
    let wrong = if are_rates && moves(line, first, second) {
        // The first is what it was.
        !fits(changes[1])
    } else if are_rates && falls && !line.says(&GAIN) {
        !fits(low)
    } else if signed_up || line.says(&["faster", "plus rapide"]) {
        !fits(high)
    } else {
        !fits(high) && !fits(low)
    };
    (compares
        && wrong
        && !ratio
        && high < 400.0
        && said.value.abs() < 400.0
        && low > 1.0
        && plausible(said.value.abs(), low, high))
    .then(|| {
        let told = say!(
            "fault-wrong-base-said",
            said = said.text,
            first = first.text,
            second = second.text,
            of_smaller = short(high),
            of_larger = short(low),
        );
        CHECK.at(line.number, told)
    })
}

/// Words for less, and for more.
const LOSS: [&str; 11] = [
    "loss",
    "lost",
    "perte",
    "perd",
    "baisse",
    "drop of",
    "drops by",
    "dropped by",
    "decrease",
    "slower",
    "moins rapide",
];
const GAIN: [&str; 4] = ["faster", "plus rapide", "gain", "increase"];

/// Whether the sentence tells of one rate that becomes another: `from 120 MB/s to 103 MB/s`.
fn moves(line: &Line, first: &Number, second: &Number) -> bool {
    let before = line.text[..first.start].trim_end().to_lowercase();
    let between = line.text.get(first.end..second.start).unwrap_or_default();
    let between = between.trim_end().to_lowercase();
    let from = before.rsplit(' ').next().unwrap_or_default();
    let to = between.rsplit(' ').next().unwrap_or_default();
    matches!(
        (from, to),
        ("from", "to") | ("de", "à" | "a") | ("van", "naar")
    )
}

/// A percentage of other numbers than the two is left alone.
fn plausible(said: f64, low: f64, high: f64) -> bool {
    said > low * 0.7 && said < high * 1.4
}
