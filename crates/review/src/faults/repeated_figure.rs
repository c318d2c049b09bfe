//! `repeated-figure`

use etalon_language::{figure, say};

use crate::{Fault, FaultCheck, Line, Material, Tool};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "repeated-figure",
    about: "Figures of two measurements are the same to the digit.",
    advice: "Look up both results: one was most likely copied from the other.",
    find,
};

/// Digits that do not come again by chance.
const DIGITS: usize = 7;

/// Times of `time(1)`, and figures of programs, that stand twice with as many digits.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let mut seen: Vec<(String, usize)> = Vec::new();
    let mut faults = Vec::new();
    let lines = &material.page.lines;
    for (at, line) in lines.iter().enumerate() {
        for time in times(&lines[at..]) {
            match seen.iter().find(|(other, _)| *other == time) {
                Some((_, first)) if *first != line.number => {
                    faults.push(CHECK.at(
                        line.number,
                        say!(
                            "fault-repeated-figure-line",
                            time = time,
                            line = first.to_string(),
                        ),
                    ));
                }
                Some(_) => {
                    let told = say!("fault-repeated-figure-twice", time = time);
                    faults.push(CHECK.at(line.number, told));
                }
                None => seen.push((time, line.number)),
            }
        }
    }
    faults.extend(programs(material));
    faults.dedup_by_key(|fault| fault.line);
    faults
}

/// Lines that the three times stand on, with empty ones between.
const LINES: usize = 5;

/// The times that begin on the first of these lines as `time(1)` writes them, real, user and sys together or one a line:
/// `75m35.505s`.
fn times(lines: &[Line]) -> Vec<String> {
    let own = lines.first().map_or(0, |line| line.words().len());
    let near = lines.iter().take(LINES);
    let words: Vec<&str> = match lines.first() {
        Some(first) if first.words().contains(&"real") => near.flat_map(Line::words).collect(),
        _ => return Vec::new(),
    };
    let real = (0..own).filter(|at| words.get(*at) == Some(&"real"));
    let trios = real.filter_map(|at| {
        let parts = words.get(at..at + 6)?;
        let long = parts[1].bytes().filter(u8::is_ascii_digit).count() >= 5;
        (long && parts[2] == "user" && parts[4] == "sys").then(|| parts.join(" "))
    });
    trios.collect()
}

/// Copies by dd of the same bytes in the same time, to the microsecond. fio's bytes have four digits, and its time is what
/// was asked for.
fn programs(material: &Material<'_>) -> Vec<Fault> {
    let timed: Vec<(usize, f64, f64)> = material
        .figures
        .iter()
        .filter(|f| f.tool == Tool::Dd)
        .filter_map(|f| Some((f.line, f.bytes?, f.seconds?)))
        .collect();
    let twice = timed
        .iter()
        .enumerate()
        .filter_map(|(at, (line, bytes, seconds))| {
            let first = timed[..at]
                .iter()
                .find(|(_, b, s)| b == bytes && s == seconds)?;
            let digits = format!("{seconds}")
                .bytes()
                .filter(u8::is_ascii_digit)
                .count();
            (digits >= DIGITS - 2).then(|| {
                CHECK.at(
                    *line,
                    say!(
                        "fault-repeated-figure-copy",
                        seconds = figure(seconds),
                        line = first.0.to_string(),
                    ),
                )
            })
        });
    twice.collect()
}
