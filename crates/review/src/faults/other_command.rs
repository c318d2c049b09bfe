//! `other-command`

use etalon_language::{figure, say};

use crate::tools::Command;
use crate::{Fault, FaultCheck, Line, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "other-command",
    about: "The command that ran is not the one that the text describes.",
    advice: "Take the description from the command: fdtree's -l are levels, -d directories a level, -f files a directory.",
    find,
};

/// fdtree's options with the words that describe them.
const OPTIONS: [(&str, &[&str]); 3] = [
    ("-l", &["level", "niveau", "depth", "profondeur"]),
    ("-d", &["director", "repertoire", "dossier"]),
    ("-f", &["file", "fichier"]),
];
/// Lines around a command that describe it.
const NEAR: usize = 12;

fn find(material: &Material<'_>) -> Vec<Fault> {
    let page = material.page;
    let mut commands = Command::all(page, "fdtree.bash");
    commands.extend(Command::all(page, "fdtree"));
    commands
        .iter()
        .filter_map(|command| exchanged(material, command))
        .take(1)
        .collect()
}

/// Two options whose described numbers are each other's.
fn exchanged(material: &Material<'_>, command: &Command) -> Option<Fault> {
    let first = command.line.saturating_sub(NEAR);
    let last = (command.line + NEAR).min(material.page.lines.len());
    let around: Vec<&Line> = material.page.lines[first..last].iter().collect();
    let said = |words: &[&str]| {
        around
            .iter()
            .find_map(|line| described(material, line, words))
    };
    let ran = |option: &str| {
        command
            .option(option)
            .and_then(|text| text.parse::<f64>().ok())
    };
    let (levels, directories) = (ran("-l")?, ran("-d")?);
    let (told_levels, told_directories) = (said(OPTIONS[0].1)?, said(OPTIONS[1].1)?);
    let swapped = levels == told_directories && directories == told_levels && levels != directories;
    swapped.then(|| {
        let told = say!(
            "fault-other-command",
            told_levels = figure(told_levels),
            told_directories = figure(told_directories),
            levels = figure(levels),
            directories = figure(directories),
        );
        CHECK.at(command.line, told)
    })
}

/// The number directly before or after one of the words.
fn described(material: &Material<'_>, line: &Line, words: &[&str]) -> Option<f64> {
    let word = words.iter().find_map(|word| line.find(word))?;
    let numbers = material.page.numbers(line);
    let whole = numbers
        .iter()
        .filter(|n| n.decimals == 0 && !line.text[..n.start].ends_with('-'));
    let near = whole
        .filter(|n| n.end <= word && word - n.end <= 4 || n.start > word && n.start - word <= 24);
    near.min_by_key(|n| n.start.abs_diff(word)).map(|n| n.value)
}
