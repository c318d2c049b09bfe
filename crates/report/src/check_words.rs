//! What a check means, what it found and what to do, in another language than English.

use etalon_judge::Check;
use etalon_language::{ArgumentValue, figure, translation, translation_with};
use etalon_model::{Finding, SaidPart, Sentence};

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

/// The finding's sentence in the language that is spoken; `None` in English, which the record has, and of what is said in
/// English only.
pub(crate) fn found(finding: &Finding) -> Option<String> {
    of_parts(&finding.said)
}

/// The reason in the language that is spoken, where a catalogue has it.
pub(crate) fn reason(of: &Sentence) -> String {
    of_parts(&of.parts).unwrap_or_else(|| of.text.clone())
}

fn of_parts(parts: &[SaidPart]) -> Option<String> {
    let mut said = String::new();
    for part in parts {
        SaidPart::join(&mut said, &of_part(part)?);
    }
    (!said.is_empty()).then_some(said)
}

fn of_part(part: &SaidPart) -> Option<String> {
    let figures = part
        .figures
        .iter()
        .map(|(name, value)| (&**name, figure(value)));
    let names = part.names.iter().map(|(name, value)| {
        let own = fixed(value).unwrap_or_else(|| value.clone());
        (&**name, own)
    });
    let values: Vec<(&str, String)> = figures.chain(names).collect();
    let values = values.iter();
    let values: Vec<_> = values
        .map(|(name, value)| (*name, ArgumentValue::Text(value.into())))
        .collect();
    translation_with(&format!("said-{}", part.key), None, &values)
}

/// What to do about the finding, in the language that is spoken where a catalogue has it.
pub(crate) fn advice(finding: &Finding) -> String {
    fixed(&finding.advice).unwrap_or_else(|| finding.advice.clone())
}

/// A text of a check without placeholders, such as an advice of its own, in the language that is spoken; `None` in English.
pub(crate) fn fixed(english: &str) -> Option<String> {
    translation(&format!("said-{}", SaidPart::new(english).key), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_language::Language;
    use etalon_model::Severity;

    #[test]
    fn a_finding_is_told_in_parts_and_what_no_catalogue_has_is_left_in_english() {
        let unknown = "Do what no catalogue has.";
        let mut finding = Finding::new("steal", Severity::Info, "a figure.", unknown);
        let french = |finding: &Finding| Language::French.speak(|| found(finding));
        assert_eq!(french(&finding), None);
        let mut part = SaidPart::new("; up to {amount} are within the resolution of {source}.");
        part.names
            .insert("source".to_owned(), "/proc/stat".to_owned());
        finding.said.push(part.clone());
        // Records of other versions may lack a value, and keep their own sentence.
        assert_eq!(french(&finding), None);
        part.figures
            .insert("amount".to_owned(), "1.5 MiB".to_owned());
        finding.said = vec![part];
        let said = french(&finding).unwrap();
        assert!(
            said.contains("1,5 MiB") && said.contains("/proc/stat"),
            "{said}"
        );
        assert_eq!(found(&finding), None);
        finding.said.push(SaidPart::new("in no catalogue"));
        assert_eq!(french(&finding), None);
        let told = Language::French.speak(|| advice(&finding));
        assert_eq!(told, finding.advice);
    }
}
