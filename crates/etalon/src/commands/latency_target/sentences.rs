//! What the load of an experiment says of its latency target, in the language of the page.

use etalon_experiment::{LatencyAnswer, LatencyStep, StepPercentile};
use etalon_language::{figure, say};
use etalon_units::OpRate;

/// The answer in words, a sentence each.
pub(super) fn sentences(answer: &LatencyAnswer) -> Vec<String> {
    let of_loads = [met(answer), not_shown(answer), missed(answer)];
    let reserved = [invalid(answer), without_interval(answer), close(answer)];
    of_loads.into_iter().chain(reserved).flatten().collect()
}

fn met(answer: &LatencyAnswer) -> Option<String> {
    let limit = answer.target.limit;
    let percent = figure(answer.target.percentile());
    let Some(step) = &answer.met else {
        let is_shown = answer.not_shown.is_none();
        return is_shown.then(|| say!("page-target-met-nowhere", percent = percent, limit = limit));
    };
    let (reached, latency) = (iops(step.iops), latency(answer, step));
    Some(match step.rate_iops {
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
    })
}

/// A load of which too few operations ended to say anything.
fn not_shown(answer: &LatencyAnswer) -> Option<String> {
    let step = answer.not_shown.as_ref()?;
    let target = answer.target;
    // Counts of operations are told as they are, not rounded.
    let counts = [step.percentile.operations, target.operations()];
    let [operations, needed] = counts.map(|count| count.to_string());
    Some(say!(
        "page-target-not-shown",
        percent = figure(target.percentile()),
        limit = target.limit,
        load = load(step),
        name = target.percentile().to_string(),
        operations = operations,
        needed = needed
    ))
}

fn missed(answer: &LatencyAnswer) -> Option<String> {
    let Some(step) = &answer.missed else {
        let is_shown = answer.not_shown.is_none();
        return is_shown.then(|| say!("page-target-highest"));
    };
    let (reached, latency) = (iops(step.iops), latency(answer, step));
    Some(match step.rate_iops {
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
    })
}

fn invalid(answer: &LatencyAnswer) -> Option<String> {
    let mut steps = both(answer).chain(&answer.not_shown);
    let is_invalid = steps.any(|step| step.invalid);
    is_invalid.then(|| say!("page-target-invalid", invalid = say!("page-invalid-word")))
}

/// Loads whose percentile has no interval, since single runs have none of their own.
fn without_interval(answer: &LatencyAnswer) -> Option<String> {
    let is_without = |found: &StepPercentile| found.interval.is_none() && found.has_short_runs;
    let loads = loads_where(answer, is_without)?;
    let name = answer.target.percentile().to_string();
    Some(say!("page-target-no-interval", loads = loads, name = name))
}

/// Loads whose interval holds the limit, or that have none for want of runs.
fn close(answer: &LatencyAnswer) -> Option<String> {
    let limit = answer.target.limit;
    let is_close = |found: &StepPercentile| match found.interval {
        Some((low, high)) => low <= limit && limit <= high,
        None => !found.has_short_runs,
    };
    let loads = loads_where(answer, is_close)?;
    Some(say!("page-target-close", loads = loads))
}

/// The loads that show a percentile of which this holds; `None` where there are none.
fn loads_where(answer: &LatencyAnswer, holds: impl Fn(&StepPercentile) -> bool) -> Option<String> {
    let shown = both(answer).filter(|step| step.percentile.latency.is_some());
    let loads: Vec<String> = shown
        .filter(|step| holds(&step.percentile))
        .map(load)
        .collect();
    (!loads.is_empty()).then(|| loads.join(", "))
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
    match (step.percentile.latency, step.percentile.interval) {
        (Some(latency), Some((low, high))) => say!(
            "page-target-latency-within",
            name = name,
            latency = latency,
            low = low,
            high = high
        ),
        (Some(latency), None) => say!("page-target-latency", name = name, latency = latency),
        // Too few for the percentile, and enough that lie beyond the limit.
        (None, _) => say!(
            "page-target-latency-above",
            name = name,
            limit = answer.target.limit
        ),
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
            percentile: StepPercentile {
                operations: 20_000,
                latency: Some(Nanos::millis(60)),
                interval: None,
                has_short_runs: false,
                is_met: None,
            },
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
            not_shown: None,
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
        let mut at_depth = step(None);
        at_depth.queue_depth = Some(16);
        at_depth.percentile.interval = Some((Nanos(4_400_000), Nanos(5_600_000)));
        let mut short = at_depth.clone();
        short.percentile.has_short_runs = true;
        short.percentile.interval = None;
        let mut few = short.clone();
        few.percentile.latency = None;
        few.percentile.operations = 180;
        let answers = [
            answer(None, Some(step(Some(400.0)))),
            answer(Some(step(Some(300.0))), None),
            answer(Some(at_depth.clone()), Some(at_depth)),
            answer(Some(short), Some(few.clone())),
            LatencyAnswer {
                not_shown: Some(few),
                ..answer(None, None)
            },
        ];
        let said = |language: Language| -> Vec<String> {
            language.speak(|| answers.iter().flat_map(sentences).collect())
        };
        let english = said(Language::English);
        assert_eq!(
            english[8],
            "At queue depth 16, 99 % of the operations take at most 5.00 ms: 344 IOPS, p99 60.0 ms (95 %: 4.40 ms-5.60 ms)."
        );
        assert_eq!(
            english[12..],
            [
                "At queue depth 16, 99 % of the operations take at most 5.00 ms: 344 IOPS, p99 60.0 ms.",
                "At queue depth 16 it is more: 344 IOPS, p99 above 5.00 ms.",
                "That is INVALID: the page below says why.",
                "No interval at queue depth 16: single runs have too few operations for a p99 of their own. \
                 Make the runs longer (--time).",
                "Whether 99 % of the operations take at most 5.00 ms at queue depth 16 is not known: p99 takes 1000 \
                 operations, and there were 180. Make the runs longer (--time), or make more of them (--runs).",
                "That is INVALID: the page below says why.",
            ]
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
