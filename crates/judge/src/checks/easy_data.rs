//! Data that is easier to store than real data.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{Check, Facts, Looks, Outcome};

/// Share of blocks of one value, such as free space in between, beyond which reads are answered from maps instead of media.
const UNIFORM: f64 = 0.05;
/// Share of blocks equal to others beyond which a deduplicating layer would show.
const REPEATED: f64 = 0.10;
/// Data that shrinks below this share would be stored compressed.
const COMPRESSIBLE: f64 = 0.90;

pub(crate) const CHECK: Check = Check {
    code: "easy-data",
    about: "The data that was read is uniform, repeated or compressible, which layers below may store without storing it.",
    advice: "Fill the target with incompressible data first (etalon measure DIRECTORY lays out its own).",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let content = facts.run.circumstances.content?;
    if facts.run.measurement.reads.operations == 0 || content.blocks == 0 {
        return None;
    }
    let share = |part: u64| part as f64 / content.blocks as f64;
    let (uniform, repeated) = (share(content.uniform), share(content.repeated));
    let severity = if uniform > UNIFORM {
        Severity::Invalid
    } else if repeated > REPEATED || content.compressed_share < COMPRESSIBLE {
        Severity::Warn
    } else {
        return None;
    };
    let message = format!(
        "of {} blocks looked at, {} hold one value only and {} repeat others; compressed they take {} of their size.",
        content.blocks,
        content.uniform,
        content.repeated,
        Percent::from_fraction(content.compressed_share)
    );
    let evidence = [
        ("uniform_share", uniform),
        ("repeated_share", repeated),
        ("compressed_share", content.compressed_share),
    ];
    Some(Outcome::new(severity, message, &evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::ContentSample;

    #[test]
    fn zeros_invalidate_text_warns_and_noise_passes() {
        let mut run = read_run();
        let sample = |uniform, repeated, compressed_share| {
            Some(ContentSample {
                blocks: 256,
                uniform,
                repeated,
                compressed_share,
            })
        };
        for (content, severity) in [
            (sample(256, 255, 0.01), Some(Severity::Invalid)),
            (sample(0, 0, 0.4), Some(Severity::Warn)),
            (sample(0, 100, 1.0), Some(Severity::Warn)),
            (sample(0, 0, 1.0), None),
            (sample(8, 7, 0.97), None),
            (sample(16, 15, 0.94), Some(Severity::Invalid)),
        ] {
            run.circumstances.content = content;
            assert_eq!(super::run(&facts(&run)).map(|o| o.severity), severity);
        }
    }
}
