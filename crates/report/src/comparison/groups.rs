//! What the arms are called in sentences and over columns.

use etalon_judge::condition_name;
use etalon_language::say;
use etalon_units::{shell_line, shell_word};

use crate::width::columns;

/// Longer names do not stand over a column of figures.
const WIDEST_HEADING: usize = 12;

/// The arms of a comparison by their names.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    /// None where they are parts of one experiment, such as levels of a plan, which no command line names.
    typed: Vec<String>,
    names: Vec<String>,
    pub(crate) baseline: usize,
    /// The option of the store that the arms are of, with a space before it; may be empty.
    store: String,
    /// What `--by` declares.
    by: Vec<String>,
}

impl Groups {
    pub(crate) fn new(typed: &[String], names: &[String], baseline: usize) -> Groups {
        Groups {
            typed: typed.to_vec(),
            names: names.to_vec(),
            baseline,
            store: String::new(),
            by: Vec::new(),
        }
    }

    /// The same, of a store that was named.
    pub(crate) fn of_store(self, store: &str) -> Groups {
        Groups {
            store: store.to_owned(),
            ..self
        }
    }

    /// The same, with what `--by` declares.
    pub(crate) fn declaring(self, by: &[String]) -> Groups {
        Groups {
            by: by.to_vec(),
            ..self
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.names.len()
    }

    /// As it stands in a sentence.
    pub(crate) fn name(&self, arm: usize) -> String {
        let name = &self.names[arm];
        match self.typed.get(arm) == Some(name) {
            true => spelled(name),
            false => name.clone(),
        }
    }

    /// As it stands over a column.
    pub(crate) fn heading_of(&self, arm: usize) -> String {
        let fits = |name: &&String| columns(name) <= WIDEST_HEADING;
        let all_fit = self.names.iter().all(|name| fits(&name));
        let is_typed = !self.typed.is_empty();
        let names = match all_fit || !is_typed {
            true => &self.names,
            false => &self.typed,
        };
        match names.iter().all(|name| fits(&name)) {
            true => names[arm].clone(),
            false => letter(arm),
        }
    }

    /// Which arm is which, and which one is the base.
    pub(crate) fn heading(&self) -> String {
        let base = self.with_number(self.baseline);
        let others = (0..self.count()).filter(|&arm| arm != self.baseline);
        let others: Vec<String> = others.map(|arm| self.with_number(arm)).collect();
        say!("compare-heading", others = others.join(", "), base = base)
    }

    /// The words that name the arms on a command line, and their store where it was named.
    pub(crate) fn typed(&self) -> String {
        shell_line(&self.typed) + &self.store
    }

    /// What follows `etalon compare` on a command line that asks for the same, and declares `more`.
    pub(crate) fn asked(&self, more: &[String]) -> String {
        let base = self.typed.get(self.baseline);
        let base = base.filter(|_| self.baseline > 0);
        let base = base.map_or_else(String::new, |arm| format!(" --base {}", shell_word(arm)));
        let is_new = |name: &&String| !self.by.iter().any(|by| condition_name(by) == name.as_str());
        let more = more.iter().filter(is_new);
        let by: Vec<&str> = self.by.iter().chain(more).map(String::as_str).collect();
        let by = match by.is_empty() {
            true => String::new(),
            false => format!(" --by {}", shell_word(by.join(","))),
        };
        format!("{}{base}{by}", self.typed())
    }

    fn with_number(&self, arm: usize) -> String {
        let name = &self.names[arm];
        let named = match self.typed.get(arm) {
            None => name.clone(),
            Some(typed) if name == typed => spelled(name),
            Some(typed) => format!("{name} ({})", spelled(typed)),
        };
        match self.heading_of(arm) == letter(arm) && &letter(arm) != name {
            true => format!("{} = {named}", letter(arm)),
            false => named,
        }
    }
}

/// `experiment 7` for a bare number.
fn spelled(typed: &str) -> String {
    match typed.parse::<u64>() {
        Ok(number) => say!("compare-experiment", number = number.to_string()),
        Err(_) => typed.to_owned(),
    }
}

fn letter(arm: usize) -> String {
    u8::try_from(arm).ok().filter(|arm| *arm < 26).map_or_else(
        || format!("#{arm}"),
        |arm| char::from(b'A' + arm).to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(typed: [&str; 2], names: [&str; 2]) -> Groups {
        Groups::new(&typed.map(str::to_owned), &names.map(str::to_owned), 0)
    }

    #[test]
    fn arms_are_named_by_what_differs_and_their_numbers_stay() {
        let named = groups(["1", "2"], ["btrfs", "xfs"]);
        let expected = "xfs (experiment 2) against btrfs (experiment 1)";
        assert_eq!(named.heading(), expected);
        assert_eq!(named.heading_of(1), "xfs");
        let numbers = groups(["1", "2"], ["1", "2"]);
        assert_eq!(numbers.heading(), "experiment 2 against experiment 1");
        assert_eq!(numbers.heading_of(1), "2");
    }

    #[test]
    fn levels_of_a_plan_are_no_experiments() {
        let names = ["128", "4096"].map(str::to_owned);
        let levels = Groups::new(&[], &names, 0);
        assert_eq!(levels.heading(), "4096 against 128");
        assert_eq!(
            (levels.name(1), levels.heading_of(1)),
            ("4096".into(), "4096".into())
        );
        assert_eq!(levels.typed(), "");
        let long = ["md-5 rebuilding", "md-1 rebuilding"].map(str::to_owned);
        let heading = Groups::new(&[], &long, 0).heading();
        assert_eq!(heading, "B = md-1 rebuilding against A = md-5 rebuilding");
    }

    #[test]
    fn a_command_names_the_store_that_was_named() {
        let named = groups(["1", "2"], ["1", "2"]).of_store(" --store st.sqlite");
        assert_eq!(named.typed(), "1 2 --store st.sqlite");
    }

    #[test]
    fn a_command_asks_for_what_was_asked_for_and_declares_more() {
        let words = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let arms: Vec<String> = words(&["1", "2/random read"]);
        let plain = Groups::new(&arms, &arms, 0);
        assert_eq!(plain.asked(&[]), "1 '2/random read'");
        let more: Vec<String> = words(&["queue-depth", "arrival"]);
        let declared: Vec<String> = words(&["kernel", "queue_depth"]);
        let asked = Groups::new(&arms, &arms, 1).declaring(&declared);
        assert_eq!(
            asked.of_store(" --store st.sqlite").asked(&more),
            "1 '2/random read' --store st.sqlite --base '2/random read' --by kernel,queue_depth,arrival"
        );
    }

    #[test]
    fn an_arm_is_one_word_of_a_command_whatever_stands_in_it() {
        let arms = ["1/it's", "/srv/a$b;c:2"].map(str::to_owned);
        let asked = Groups::new(&arms, &arms, 1).asked(&[]);
        let base = etalon_units::quoted(&arms[1]);
        let first = etalon_units::quoted(&arms[0]);
        assert_eq!(asked, format!("{first} {base} --base {base}"));
        assert_eq!(base, "'/srv/a$b;c:2'");
    }

    #[test]
    fn long_names_are_told_once_and_then_called_by_a_letter() {
        let long = groups(
            ["/srv/a/store.sqlite:1", "2"],
            ["scheduler none", "scheduler bfq"],
        );
        assert_eq!(
            long.heading(),
            "B = scheduler bfq (experiment 2) against A = scheduler none (/srv/a/store.sqlite:1)"
        );
        assert_eq!(long.heading_of(0), "A");
    }
}
