//! `mixed-settings`

use etalon_language::say;

use crate::tools::{Command, IozoneOptions};
use crate::{Fault, FaultCheck, Material, Row, Table};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "mixed-settings",
    about: "A mean or a standard deviation was taken over different record or file sizes, as if they were repetitions.",
    advice: "Repeat each setting, and take mean and deviation of its own runs.",
    find,
};

/// Words for a spread.
const SPREAD: [&str; 8] = [
    "standard deviation",
    "ecart type",
    "ecart-type",
    "ecarts types",
    "stddev",
    "std dev",
    "sigma",
    "moyenne et",
];
/// Words for a mean.
const MEAN: [&str; 4] = ["moyenne", "mean", "average", "avg"];

fn find(material: &Material<'_>) -> Vec<Fault> {
    let mut faults: Vec<Fault> = material.tables.iter().filter_map(in_table).collect();
    faults.extend(in_words(material));
    faults.truncate(2);
    faults
}

/// A row called mean under rows that are called by growing sizes.
fn in_table(table: &Table) -> Option<Fault> {
    let sizes = table.rows.iter().filter(|row| is_size(row)).count();
    let summed = table.rows.iter().find(|row| {
        let label = row.label.to_lowercase();
        MEAN.iter().chain(&SPREAD).any(|word| label.contains(word))
    })?;
    (sizes >= 3).then(|| {
        CHECK.at(
            summed.line,
            say!(
                "fault-mixed-settings-rows",
                label = summed.label,
                count = sizes,
            ),
        )
    })
}

fn is_size(row: &Row) -> bool {
    let word = row.label.split_whitespace().last().unwrap_or("");
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
    digits.parse::<u64>().is_ok_and(|n| n.is_power_of_two()) && !digits.is_empty()
}

/// A deviation told in a page whose iozone commands differ in their record sizes, each made once.
fn in_words(material: &Material<'_>) -> Option<Fault> {
    let line = material
        .page
        .lines
        .iter()
        .find(|line| line.says(&SPREAD[..7]))?;
    let commands = Command::all(material.page, "iozone");
    let options: Vec<IozoneOptions> = commands.iter().map(IozoneOptions::of).collect();
    let mut records: Vec<&str> = options.iter().filter_map(|all| all.value('r')).collect();
    let all = records.len();
    records.sort_unstable();
    records.dedup();
    (records.len() >= 3 && records.len() == all).then(|| {
        let sizes = records.join(", ");
        CHECK.at(
            line.number,
            say!("fault-mixed-settings-said", sizes = sizes),
        )
    })
}
