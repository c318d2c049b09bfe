//! What a check means, what it found and what to do, in another language than English.

use etalon_judge::Check;
use etalon_language::{ArgumentValue, figure, translation, translation_with};
use etalon_model::{Evidence, Finding, Severity};
use etalon_units::{Bytes, Nanos, Percent};

/// The two texts of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckWords {
    /// What its findings mean.
    pub about: String,
    /// What to do about them.
    pub advice: String,
}

impl CheckWords {
    /// Those in the language that is spoken, as short as pages have them; `None` in English, which the check itself has.
    ///
    /// ```
    /// use etalon_judge::check_of;
    /// use etalon_language::Language;
    /// use etalon_report::CheckWords;
    /// let check = check_of("in-memory").unwrap();
    /// assert_eq!(CheckWords::spoken(check), None);
    /// let french = Language::French.speak(|| CheckWords::spoken(check)).unwrap();
    /// assert_eq!(french.about, "C’est de la mémoire, pas un disque.");
    /// ```
    pub fn spoken(check: &Check) -> Option<CheckWords> {
        let id = format!("check-{}", check.code);
        Some(CheckWords {
            about: translation(&id, None)?,
            advice: translation(&id, Some("advice"))?,
        })
    }

    /// What it means, with what a finding says of its own behind it.
    pub(crate) fn before(&self, said: &str) -> String {
        let [about, said] = [&self.about, said].map(|sentence| sentence.trim_end_matches('.'));
        format!("{about} ({said}).")
    }
}

/// The finding's sentence, made of its evidence; `None` in English, which the record has, and where no catalogue has a
/// sentence for these figures.
pub(crate) fn found(finding: &Finding) -> Option<String> {
    let id = format!("found-{}", finding.code);
    let figures = finding.evidence.iter();
    let figures: Vec<_> = figures.map(|one| (&*one.name, of_unit(one))).collect();
    let values = || {
        let values = figures.iter();
        values.map(|(name, figure)| (*name, ArgumentValue::Text(figure.into())))
    };
    let said = |attribute| translation_with(&id, attribute, &values().collect::<Vec<_>>());
    let is_info = finding.severity == Severity::Info;
    let info = is_info.then(|| said(Some("info"))).flatten();
    info.or_else(|| said(None))
}

/// The figure in the unit that ends its name.
fn of_unit(evidence: &Evidence) -> String {
    let Evidence { name, value } = evidence;
    match name.rsplit('_').next() {
        Some("share") => figure(Percent::from_fraction(*value)),
        Some("bytes") => figure(Bytes(*value as u64)),
        Some("ns") => figure(Nanos(*value as u64)),
        _ => figure(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_language::Language;

    #[test]
    fn a_finding_is_told_by_its_figures_where_a_catalogue_has_a_sentence_for_them() {
        let mut finding = Finding {
            code: "working-set".to_owned(),
            severity: Severity::Warn,
            message: "random reads over 1.5 GiB".to_owned(),
            advice: String::new(),
            evidence: vec![
                Evidence::new("working_set_bytes", 1.5 * 1024.0 * 1024.0 * 1024.0),
                Evidence::new("cache_bytes", 4096.0 * 1024.0 * 1024.0),
            ],
            affected: None,
        };
        let french = |finding: &Finding| Language::French.speak(|| found(finding));
        assert_eq!(
            french(&finding).unwrap(),
            "lectures au hasard sur 1,5 GiB, avec 4 GiB de mémoire pour le cache de pages."
        );
        assert_eq!(found(&finding), None);
        // Records of older versions lack a figure, and keep their own sentence.
        finding.evidence.pop();
        assert_eq!(french(&finding), None);
        finding.code = "steal".to_owned();
        finding.evidence = vec![
            Evidence::new("steal_share", 0.07),
            Evidence::new("tick_share", 0.01),
        ];
        let dutch = |finding: &Finding| Language::Dutch.speak(|| found(finding)).unwrap();
        assert!(
            dutch(&finding).starts_with("de hypervisor nam 7"),
            "{}",
            dutch(&finding)
        );
        finding.severity = Severity::Info;
        assert!(dutch(&finding).contains("mogelijk"), "{}", dutch(&finding));
    }
}
