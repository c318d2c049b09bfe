//! Factors that depend on each other, for a person.

use etalon_language::say;
use etalon_model::{FactorInteraction, InteractionLevel};
use etalon_units::{Figure, visible};

use crate::comparison::ratio_text;
use crate::figures::ends;
use crate::role::display_name;
use crate::wrap::paragraph;

/// A sentence for each interaction that is shown, or one that none is; empty where none was tried.
pub fn interactions_page(all: &[FactorInteraction], width: Option<usize>) -> String {
    let shown: Vec<&FactorInteraction> = all.iter().filter(|one| one.is_shown).collect();
    match (all.len(), shown.is_empty()) {
        (0, _) => String::new(),
        (tried, true) => paragraph(&say!("interactions-none", count = tried), width),
        _ => shown
            .iter()
            .map(|one| paragraph(&sentence(one), width))
            .collect(),
    }
}

fn sentence(one: &FactorInteraction) -> String {
    let effect = &one.effect;
    let interval = effect
        .interval
        .map(|interval| ends(&interval, |ratio| Figure::new(ratio_text(ratio), "")));
    say!(
        "interactions-one",
        row = display_name(&visible(&one.workload)),
        change = change(&one.second),
        factor = &*visible(&one.first.factor),
        level = &*visible(&one.first.level),
        ratio = ratio_text(effect.value),
        base = &*visible(&one.first.baseline),
        interval = interval.unwrap_or_default(),
        blocks = effect.runs,
    )
}

fn change(level: &InteractionLevel) -> String {
    say!(
        "interactions-change",
        factor = &*visible(&level.factor),
        level = &*visible(&level.level),
        base = &*visible(&level.baseline)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::{Estimate, Interval};

    #[test]
    fn what_is_shown_is_a_sentence_and_the_rest_is_counted() {
        let level = |factor: &str, level: &str, baseline: &str| InteractionLevel {
            factor: factor.to_owned(),
            level: level.to_owned(),
            baseline: baseline.to_owned(),
        };
        let mut one = FactorInteraction {
            workload: "random read".to_owned(),
            first: level("scheduler", "bfq", "none"),
            second: level("mount", "no\u{1b}atime", "relatime"),
            effect: Estimate {
                value: 0.8,
                interval: Some(Interval {
                    low: 0.75,
                    high: 0.85,
                    level: 0.95,
                }),
                runs: 8,
            },
            adjusted_p: 0.001,
            is_shown: true,
        };
        let page = interactions_page(std::slice::from_ref(&one), Some(80));
        for part in [
            "mount no\\x1batime against",
            "depends on scheduler",
            "0.8",
            "8 blocks",
        ] {
            assert!(page.replace("\n  ", " ").contains(part), "{part}: {page}");
        }
        assert!(
            page.lines().all(|line| line.chars().count() <= 80),
            "{page}"
        );
        one.is_shown = false;
        assert!(interactions_page(&[one], Some(80)).contains("1 tried"));
        assert_eq!(interactions_page(&[], None), "");
    }
}
