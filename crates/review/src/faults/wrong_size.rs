//! `wrong-size`

use etalon_language::{figure, say};

use crate::tools::Command;
use crate::{Fault, FaultCheck, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "wrong-size",
    about: "A block size is not the one that the text tells.",
    advice: "Write block sizes with their unit (bs=16K), which no finger can slip in.",
    find,
};

/// A block size in bytes that is nearly a power of two, and is not.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let commands = Command::all(material.page, "dd");
    commands.iter().filter_map(odd).collect()
}

fn odd(command: &Command) -> Option<Fault> {
    let text = command.operand("bs")?;
    let bytes: u64 = text.parse().ok()?;
    let meant = (9..26).map(|shift| 1_u64 << shift).find(|power| {
        let off = power.abs_diff(bytes) as f64 / *power as f64;
        off > 0.0 && off < 0.02
    })?;
    Some(CHECK.at(
        command.line,
        say!(
            "fault-wrong-size",
            typed = bytes.to_string(),
            kib = figure(meant / 1024),
            meant = figure(meant),
        ),
    ))
}
