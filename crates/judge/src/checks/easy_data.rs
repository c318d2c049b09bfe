//! Data that is easier to store than real data.

use etalon_model::{ContentSample, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::resolution::{BLOCKS, FEW_BLOCKS, Graded, Levels};
use crate::sentence::said;

/// Share of blocks of one value, such as free space in between, beyond which reads are answered from maps instead of media.
const UNIFORM: Levels<'_> = &[(0.05, Severity::Invalid)];
/// Share of blocks equal to others beyond which a deduplicating layer would show.
const REPEATED: Levels<'_> = &[(0.10, Severity::Warn)];
/// Data that shrinks below this share would be stored compressed.
const COMPRESSIBLE: f64 = 0.90;

pub(crate) const CHECK: Check = Check {
    code: "easy-data",
    about: "The data that was read is uniform, repeated or compressible, which layers below may store without storing it.",
    advice: "Fill the target with incompressible data first (etalon measure DIRECTORY lays out its own).",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let content = facts.run.circumstances.content?;
    if facts.run.measurement.reads.operations == 0 || content.blocks == 0 {
        return None;
    }
    let share = |part: u64| part as f64 / content.blocks as f64;
    let (uniform, repeated) = (share(content.uniform), share(content.repeated));
    let blocks = content.blocks as f64;
    let found = [
        BLOCKS.grade_missing(content.uniform as f64, blocks, UNIFORM),
        BLOCKS.grade_missing(content.repeated as f64, blocks, REPEATED),
        shrinks(&content),
    ];
    let found = found.into_iter().flatten();
    let found = found.max_by_key(|found| found.severity)?;
    let message = said!(
        "of {blocks} blocks looked at, {uniform} hold one value only and {repeated} repeat others; compressed they take {share} of their size.",
        blocks = content.blocks,
        uniform = content.uniform,
        repeated = content.repeated,
        share = Percent::from_fraction(content.compressed_share),
    );
    let evidence = [
        ("uniform_share", uniform),
        ("repeated_share", repeated),
        ("compressed_share", content.compressed_share),
    ];
    Some(Outcome::new(found.severity, found.say(message), &evidence))
}

/// By its size compressed, of which few blocks say little.
fn shrinks(content: &ContentSample) -> Option<Graded<'static>> {
    let told = content.compressed_share < COMPRESSIBLE;
    told.then(|| match content.blocks < FEW_BLOCKS {
        true => BLOCKS.held(),
        false => Graded::certain(Severity::Warn),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};

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
        for (blocks, uniform, severity) in [
            (8, 1, Severity::Info),
            (8, 8, Severity::Invalid),
            (1, 1, Severity::Invalid),
        ] {
            run.circumstances.content = Some(ContentSample {
                blocks,
                uniform,
                repeated: 0,
                compressed_share: 0.8,
            });
            assert_eq!(super::run(&facts(&run)).unwrap().severity, severity);
        }
    }
}
