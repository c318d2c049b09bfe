//! `wrong-rate`

use etalon_language::{figure, say};

use crate::quantity::bytes_in_words;
use crate::{Fault, FaultCheck, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "wrong-rate",
    about: "Bytes, time and rate do not belong together.",
    advice: "Copy the program's output whole; compute the rate again from bytes and seconds.",
    find,
};

/// The share by which rounding may move a rate; units of 1000 and 1024 differ by 7 % at most up to gigabytes.
const TOLERANCE: f64 = 0.08;

fn find(material: &Material<'_>) -> Vec<Fault> {
    let figures = material.figures.iter();
    let told = figures.filter_map(|f| Some((f, f.bytes?, f.seconds?, f.bytes_per_second?)));
    let wrong = told.filter(|(_, bytes, seconds, rate)| {
        *seconds > 0.0 && (bytes / seconds / rate - 1.0).abs() > TOLERANCE
    });
    wrong
        .map(|(f, bytes, seconds, _)| {
            CHECK.at(
                f.line,
                say!(
                    "fault-wrong-rate",
                    bytes = bytes_in_words(bytes),
                    seconds = figure(seconds),
                    rate = bytes_in_words(bytes / seconds),
                    quoted = f.quoted,
                ),
            )
        })
        .collect()
}
