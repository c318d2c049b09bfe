//! The page of `etalon review`.

use std::fmt;

use etalon_language::say;
use etalon_review::{Fault, Review};
use etalon_units::visible;

use crate::wrap::{Wrap, page_width};

/// Faults of one kind that are shown one by one.
const SHOWN: usize = 3;

/// What is wrong with a published measurement, the gravest first.
#[derive(Debug, Clone)]
pub struct ReviewPage<'a> {
    /// Where it was read from.
    pub source: &'a str,
    /// What it holds, and what is wrong with it.
    pub review: &'a Review,
    /// Whether every fault is shown, or only a few of each kind.
    pub all: bool,
    /// Columns of the terminal; none where there is none.
    pub width: Option<usize>,
}

impl fmt::Display for ReviewPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrap = Wrap(Some(page_width(self.width)));
        wrap.paragraph(f, &self.found())?;
        wrap.paragraph(f, &self.verdict())?;
        for group in self.groups() {
            self.group(f, &wrap, group)?;
        }
        Ok(())
    }
}

impl ReviewPage<'_> {
    /// What was read.
    fn found(&self) -> String {
        say!(
            "review-found",
            source = *visible(self.source),
            figures = say!("review-figures", count = self.review.figures.len()),
            tables = say!("review-tables", count = self.review.tables),
        )
    }

    fn verdict(&self) -> String {
        let kinds = self.groups().len();
        match (kinds, self.review.figures.len() + self.review.tables) {
            (0, 0) => say!("review-nothing"),
            (0, _) => say!("review-sound"),
            _ => say!("review-kinds", count = kinds),
        }
    }

    /// Faults of a kind together.
    fn groups(&self) -> Vec<&[Fault]> {
        self.review
            .faults
            .chunk_by(|a, b| a.code == b.code)
            .collect()
    }

    fn group(&self, f: &mut fmt::Formatter<'_>, wrap: &Wrap, group: &[Fault]) -> fmt::Result {
        let shown = if self.all { group.len() } else { SHOWN };
        writeln!(f, "\n{}", group[0].code)?;
        for fault in group.iter().take(shown) {
            let line = fault.line.to_string();
            let text = say!("review-line", line = line, message = fault.message);
            f.write_str(&format!("  {}", wrap.narrower(2).broken(&text, "    ")))?;
        }
        if group.len() > shown {
            let more = say!("review-more", count = group.len() - shown);
            writeln!(f, "  {more}")?;
        }
        f.write_str(&format!(
            "  {}",
            wrap.narrower(2).broken(&group[0].advice, "    ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_language::Language;

    fn page(text: &str, all: bool) -> String {
        page_of_width(text, all, Some(80))
    }

    fn page_of_width(text: &str, all: bool, width: Option<usize>) -> String {
        let review = etalon_review::review(text);
        ReviewPage {
            source: "page.html",
            review: &review,
            all,
            width,
        }
        .to_string()
    }

    #[test]
    fn faults_of_a_kind_stand_together_within_eighty_columns() {
        let copy =
            "dd if=/dev/zero of=/a bs=1M\n1073741824 bytes (1.1 GB) copied, 9.4 s, 114 MB/s\n";
        let text = copy.repeat(5);
        let short = page(&text, false);
        assert!(
            short.starts_with("page.html: 5 figures of benchmark programs, 0 tables of figures.\n"),
            "{short}"
        );
        assert!(
            short.contains("\nno-fsync\n  line 2: ") && short.contains("and 2 more: --all"),
            "{short}"
        );
        assert!(!page(&text, true).contains("more: --all"));
        assert!(
            short.lines().all(|line| line.chars().count() <= 80),
            "{short}"
        );
    }

    #[test]
    fn without_a_terminal_the_page_is_as_wide_as_others() {
        let copy =
            "dd if=/dev/zero of=/a bs=1M\n1073741824 bytes (1.1 GB) copied, 9.4 s, 214 MB/s\n";
        let bare = page_of_width(copy, true, None);
        assert_eq!(bare, page(copy, true));
        let readable = page_of_width(copy, true, Some(100));
        assert_eq!(page_of_width(copy, true, Some(240)), readable);
        assert_ne!(bare, readable);
    }

    #[test]
    fn faults_are_told_in_the_language_of_their_reader() {
        let text =
            "dd if=/dev/zero of=/a bs=1M\n1073741824 bytes (1.1 GB) copied, 9.4 s, 214 MB/s\n";
        let said = |language: Language| language.speak(|| page(text, false));
        let french = said(Language::French);
        for part in [
            "page.html\u{a0}: 1 valeur de programmes de mesure, 0 tableau de valeurs.",
            "ligne 2\u{a0}: 1,07 GB en 9,4 s font 114 MB/s, et 214 MB/s est affiché.",
            "conv=fsync avec dd",
        ] {
            assert!(french.contains(part), "{french}");
        }
        let dutch = said(Language::Dutch);
        for part in [
            "regel 2: 1,07 GB in 9,4 s is 114 MB/s, en er staat 214 MB/s.",
            "conv=fsync bij dd",
        ] {
            assert!(dutch.contains(part), "{dutch}");
        }
        // What is kept as a document is in English, whatever is spoken around it.
        assert!(
            page(text, false).contains("1.07 GB in 9.40 s are")
                || page(text, false).contains("1.07 GB in 9.4 s are")
        );
    }

    #[test]
    fn pages_without_figures_and_without_faults_say_so() {
        assert!(page("a story", false).contains("No measurement was found"));
    }
}
