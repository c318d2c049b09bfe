//! Layers that compress or deduplicate.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};

/// Share of a file held compressed beyond which the figure is that of the compressor.
const ENCODED: f64 = 0.01;

pub(crate) const CHECK: Check = Check {
    code: "reducing-layer",
    about: "A layer beneath compresses or deduplicates: what reaches the media is not what was written.",
    advice: "Switch it off for the measurement (btrfs: mount without compress), or report it with the result.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let circumstances = &facts.run.circumstances;
    let layers = circumstances.beneath.as_ref().map(|b| &b.reducing);
    let encoded = circumstances.files.and_then(|files| {
        let share = files.encoded?.as_f64() / files.size.as_f64().max(1.0);
        (share > ENCODED).then_some(share)
    });
    let below = circumstances.beneath.as_ref().map(|b| &b.encoded_below);
    if let Some(below) = below.filter(|below| !below.is_empty()) {
        let message = said!(
            "{devices} stands on a file that is held compressed or encrypted.",
            devices = below.join(", "),
        );
        return Some(Outcome::new(
            Severity::Warn,
            message,
            &[("encoded_share", 1.0)],
        ));
    }
    let named = layers.filter(|layers| !layers.is_empty());
    let names = named.map(|layers| layers.join(", "));
    let message = words(names, encoded.map(Percent::from_fraction))?;
    let severity = match encoded {
        Some(_) => Severity::Warn,
        None => Severity::Info,
    };
    let evidence = [("encoded_share", encoded.unwrap_or(0.0))];
    Some(Outcome::new(severity, message, &evidence))
}

/// What the layers of these names do, or the filesystem where none is known to do it.
fn words(layers: Option<String>, encoded: Option<Percent>) -> Option<Sentence> {
    Some(match (layers, encoded) {
        (Some(layers), Some(share)) => said!(
            "{layers} holds {share} of the files compressed or encrypted.",
            layers = layers,
            share = share,
        ),
        (Some(layers), None) => said!(
            "{layers} compresses or deduplicates what it can.",
            layers = layers,
        ),
        (None, Some(share)) => said!(
            "the filesystem holds {share} of the files compressed or encrypted.",
            share = share,
        ),
        (None, None) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::{BeneathFacts, FileFacts};
    use etalon_units::Bytes;

    #[test]
    fn a_compressing_layer_is_named_and_compressed_files_warn() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(BeneathFacts {
            reducing: vec!["btrfs (compress=zstd:3)".to_owned()],
            ..BeneathFacts::default()
        });
        let mut on_loop = run.clone();
        let below = &mut on_loop
            .circumstances
            .beneath
            .as_mut()
            .unwrap()
            .encoded_below;
        below.push("loop2 (/mnt/image)".to_owned());
        let outcome = super::run(&facts(&on_loop)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        assert!(outcome.message.starts_with("loop2 (/mnt/image)"));
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.severity == Severity::Info && outcome.message.contains("zstd"));
        run.circumstances.files = Some(FileFacts {
            size: Bytes::mib(10),
            encoded: Some(Bytes::mib(10)),
            ..FileFacts::default()
        });
        assert_eq!(super::run(&facts(&run)).unwrap().severity, Severity::Warn);
    }
}
