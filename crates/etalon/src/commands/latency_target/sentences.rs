//! What the load of an experiment says of its latency target, in the language of the page.

use etalon_experiment::{LatencyAnswer, LatencyStep};
use etalon_language::{figure, say};
use etalon_units::OpRate;

/// The answer in words, a sentence each.
pub(super) fn sentences(answer: &LatencyAnswer) -> Vec<String> {
    let mut said = vec![met(answer), missed(answer)];
    said.extend(invalid(answer));
    said.extend(close(answer));
    said
}

fn met(answer: &LatencyAnswer) -> String {
    let limit = answer.target.limit;
    let percent = figure(answer.target.percentile());
    let Some(step) = &answer.met else {
        return say!("page-target-met-nowhere", percent = percent, limit = limit);
    };
    let (reached, latency) = (iops(step.iops), latency(answer, step));
    match step.rate_iops {
        Some(rate) => say!(
            "page-target-met-at-rate",
            rate = iops(rate),
            percent = percent,
            limit = limit,
            reached = reached,
            latency = latency
        ),
        None => say!(
            "page-target-met-at-depth",
            depth = depth(step),
            percent = percent,
            limit = limit,
            reached = reached,
            latency = latency
        ),
    }
}

fn missed(answer: &LatencyAnswer) -> String {
    let Some(step) = &answer.missed else {
        return say!("page-target-highest");
    };
    let (reached, latency) = (iops(step.iops), latency(answer, step));
    match step.rate_iops {
        Some(rate) => say!(
            "page-target-missed-at-rate",
            rate = iops(rate),
            reached = reached,
            latency = latency
        ),
        None => say!(
            "page-target-missed-at-depth",
            depth = depth(step),
            reached = reached,
            latency = latency
        ),
    }
}

fn invalid(answer: &LatencyAnswer) -> Option<String> {
    let is_invalid = both(answer).any(|step| step.invalid);
    is_invalid.then(|| say!("page-target-invalid", invalid = say!("page-invalid-word")))
}

/// Loads whose interval holds the limit, or that have none.
fn close(answer: &LatencyAnswer) -> Option<String> {
    let limit = answer.target.limit;
    let is_close = |step: &&LatencyStep| {
        step.interval
            .is_none_or(|(low, high)| low <= limit && limit <= high)
    };
    let loads: Vec<String> = both(answer).filter(is_close).map(load).collect();
    (!loads.is_empty()).then(|| say!("page-target-close", loads = loads.join(", ")))
}

fn both(answer: &LatencyAnswer) -> impl Iterator<Item = &LatencyStep> {
    answer.met.iter().chain(&answer.missed)
}

fn load(step: &LatencyStep) -> String {
    match step.rate_iops {
        Some(rate) => say!("page-target-load-rate", rate = iops(rate)),
        None => say!("page-target-load-depth", depth = depth(step)),
    }
}

fn latency(answer: &LatencyAnswer, step: &LatencyStep) -> String {
    // `p99.9` is a name, the same in every language.
    let name = answer.target.percentile().to_string();
    let latency = step.latency;
    match step.interval {
        Some((low, high)) => say!(
            "page-target-latency-within",
            name = name,
            latency = latency,
            low = low,
            high = high
        ),
        None => say!("page-target-latency", name = name, latency = latency),
    }
}

fn depth(step: &LatencyStep) -> u32 {
    step.queue_depth.unwrap_or(1)
}

fn iops(rate: f64) -> String {
    figure(OpRate(rate).iops())
}

#[cfg(test)]
mod tests {
    use etalon_experiment::LatencyTarget;
    use etalon_language::Language;
    use etalon_units::Nanos;

    use super::*;

    fn step(rate_iops: Option<f64>) -> LatencyStep {
        LatencyStep {
            cell: "x".to_owned(),
            queue_depth: None,
            rate_iops,
            iops: 344.0,
            latency: Nanos::millis(60),
            interval: None,
            invalid: true,
        }
    }

    fn answer(met: Option<LatencyStep>, missed: Option<LatencyStep>) -> LatencyAnswer {
        let target = LatencyTarget {
            limit: Nanos::millis(5),
            quantile: 0.99,
        };
        LatencyAnswer {
            target,
            met,
            missed,
        }
    }

    #[test]
    fn words_keep_their_letters_and_what_is_invalid_is_called_so() {
        let answer = answer(None, Some(step(Some(400.0))));
        let said = sentences(&answer).join(" ");
        assert!(said.contains("At 400 IOPS asked for it is more"), "{said}");
        assert!(said.contains("call: at 400 IOPS asked for"), "{said}");
        assert!(said.contains("INVALID"), "{said}");
    }

    /// Every sentence in every language, with the figures of that language.
    #[test]
    fn the_answer_is_in_the_language_of_the_page() {
        let at_depth = LatencyStep {
            queue_depth: Some(16),
            interval: Some((Nanos(4_400_000), Nanos(5_600_000))),
            ..step(None)
        };
        let answers = [
            answer(None, Some(step(Some(400.0)))),
            answer(Some(step(Some(300.0))), None),
            answer(Some(at_depth.clone()), Some(at_depth)),
        ];
        let said = |language: Language| -> Vec<String> {
            language.speak(|| answers.iter().flat_map(sentences).collect())
        };
        let english = said(Language::English);
        assert_eq!(
            english[8],
            "At queue depth 16, 99 % of the operations take at most 5.00 ms: 344 IOPS, p99 60.0 ms (95 %: 4.40 ms-5.60 ms)."
        );
        for (language, limit, latency) in [
            (
                Language::French,
                "5,00 ms : 344 IOPS",
                "p99 60,0 ms (95\u{a0}% : 4,40 ms à 5,60 ms)",
            ),
            (
                Language::Dutch,
                "5,00 ms: 344 IOPS",
                "p99 60,0 ms (95\u{a0}%: 4,40 ms tot 5,60 ms)",
            ),
        ] {
            let own = said(language);
            assert_eq!(own.len(), english.len());
            assert!(own[8].contains(limit), "{}", own[8]);
            assert!(own[8].contains(latency), "{}", own[8]);
            for (own, english) in own.iter().zip(&english) {
                assert!(own != english, "{own}");
            }
        }
    }
}
