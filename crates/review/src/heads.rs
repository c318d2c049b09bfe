//! What the heads and labels of a table tell of its numbers: whether they are runs and what these come to.

use crate::{Row, Table};

/// Heads of columns that are means or totals of those before them.
const RESULTS: [&str; 9] = [
    "mean",
    "average",
    "avg",
    "moyenne",
    "total",
    "totaal",
    "sum",
    "somme",
    "gemiddelde",
];
/// Heads of columns that are runs.
const RUNS: [&str; 3] = ["run", "essai", "pass"];

impl Table {
    /// Whether the numbers of a row may be runs and what they come to. Where each number has a head, one of them has to
    /// tell of a mean or a total: other columns are different things. Where none has, figures with decimals may be, as
    /// programs print them; of whole numbers the line above has to say so.
    pub(crate) fn may_be_runs(&self, row: &Row) -> bool {
        if self.is_of_monitor() {
            return false;
        }
        let is_printed = || row.values.iter().any(|n| n.decimals > 0);
        let is_told = || is_printed() || self.has_head(&RUNS);
        self.tells_result() || !self.has_heads(row) && is_told()
    }

    /// Whether a head tells of a mean or a total.
    pub(crate) fn tells_result(&self) -> bool {
        self.has_head(&RESULTS)
    }

    /// Whether it is a monitor's, whose columns are shares of processors and devices, and whose rows are moments.
    fn is_of_monitor(&self) -> bool {
        let is_share = |head: &String| head.starts_with('%') && head.len() > 1;
        self.columns.iter().any(is_share) || self.rows.iter().any(|row| is_moment(&row.label))
    }

    fn has_head(&self, words: &[&str]) -> bool {
        let has = |head: &String| words.iter().any(|word| head.to_lowercase().contains(word));
        self.columns.iter().any(has)
    }

    /// Whether the line above is one of heads, as many as a row has numbers and a label of two cells at most.
    fn has_heads(&self, row: &Row) -> bool {
        let ends_sentence = |head: &String| head.ends_with([':', '.', '!', '?']);
        let all = row.values.len() + row.percents.len();
        let counts = row.values.len()..=all + 2;
        counts.contains(&self.columns.len()) && !self.columns.last().is_some_and(ends_sentence)
    }
}

/// Whether a label begins as rows of sar and mpstat do: with the time of day, or as their averages.
fn is_moment(label: &str) -> bool {
    let label = label.to_lowercase();
    let word = label.split_whitespace().next().unwrap_or_default();
    let parts: Vec<&str> = word.split(':').collect();
    let is_two_digits = |part: &&str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
    let is_time = parts.len() == 3 && parts.iter().all(is_two_digits);
    is_time || matches!(word, "average:" | "moyenne:") || label.starts_with("moyenne :")
}

#[cfg(test)]
mod tests {
    use crate::{Page, tables};

    /// Whether the first row of the first table may be runs.
    fn may_be(text: &str) -> bool {
        let found = tables(&Page::read(text));
        found[0].may_be_runs(&found[0].rows[0])
    }

    #[test]
    fn columns_with_heads_of_their_own_are_no_runs() {
        let rows = "\next4 | 70.10 | 72.30 | 76.20 | 74.10\nxfs | 71.10 | 72.20 | 73.30 | 72.20\n";
        for (head, expected) in [
            ("", true),
            ("Measured in MB/s on both:", true),
            ("hdparm -t | 1 | 2 | 3 | TOTAL | |", true),
            ("disk | run 1 | run 2 | run 3 | mean", true),
            ("MB/s | 64k | 128k | 256k | 512k", false),
            ("MB/s | run 1 | run 2 | run 3 | run 4", false),
            ("fs 64k 128k 256k 512k", false),
            ("| | read | write | rewrite | reread", false),
        ] {
            assert_eq!(may_be(&format!("{head}{rows}")), expected, "{head}");
        }
    }

    #[test]
    fn rows_of_monitors_are_no_runs() {
        let rows = |first: &str, second: &str| {
            format!("{first} 30.10 10.20 20.30 60.60\n{second} 30.10 10.20 20.30 60.60\n")
        };
        for (first, second) in [
            ("12:00:02 all", "12:00:03 all"),
            ("12:00:02 AM sda", "Average: sda"),
            ("Average: sda", "Average: sdb"),
            ("Moyenne : sda", "Moyenne : sdb"),
        ] {
            assert!(!may_be(&rows(first, second)), "{first}");
        }
        let headed = format!("CPU %usr %sys %iowait %idle\n{}", rows("all", "0"));
        assert!(!may_be(&headed));
        assert!(may_be(&rows("noop", "cfq")));
    }
}
