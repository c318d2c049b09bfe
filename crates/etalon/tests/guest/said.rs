//! What the guest wrote of each case.

use std::collections::HashMap;
use std::io::Write as _;

/// A machine that takes longer for what `pace` of begin.sh does, in centiseconds, is too slow to say that anything hangs;
/// one second is usual under emulation.
const SLOW_PACE: u64 = 500;
/// More cases than these cannot go unsettled.
const MOST_UNSETTLED: usize = 3;

/// The end of a case, and what was said until then.
#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) code: Option<i32>,
    /// Centiseconds that a fixed piece of work took just after the guest killed this one for taking too long.
    pub(crate) slow: Option<u64>,
    pub(crate) out: Vec<String>,
    pub(crate) err: Vec<String>,
}

impl Case {
    /// Whether the guest killed it for taking too long on a machine that was too slow just then: neither right nor wrong.
    pub(crate) fn is_unsettled(&self) -> bool {
        self.slow.is_some_and(|pace| pace > SLOW_PACE)
    }

    /// What ended it before its time: a panic, an abort, a SIGKILL that its case did not order, or the guest, which kills
    /// what takes too long although the machine is no slower than others.
    pub(crate) fn died(&self, name: &str, ordered: &[&str]) -> Option<String> {
        let is_ordered = ordered.contains(&name) && self.slow.is_none();
        let is_killed = self.code == Some(137) && !is_ordered && !self.is_unsettled();
        let has_panicked = self.says("panicked|backtrace") || matches!(self.code, Some(101 | 134));
        (is_killed || has_panicked).then(|| format!("{name} hung or panicked: {self:?}"))
    }

    /// Whether one of these texts, separated by `|`, was said.
    pub(crate) fn says(&self, texts: &str) -> bool {
        // Sentences of pages are broken at a width; beside a tool's lines each further part begins as the first does.
        let joined = |lines: &[String]| {
            let lines = lines
                .iter()
                .map(|line| line.trim_start_matches("etalon:   "));
            let words = lines.flat_map(str::split_whitespace);
            words.collect::<Vec<_>>().join(" ")
        };
        let said = [joined(&self.out), joined(&self.err)];
        let lines = || self.out.iter().chain(&self.err).chain(&said);
        texts
            .split('|')
            .any(|text| lines().any(|line| line.contains(text)))
    }

    /// What is wrong where a check ended with a figure that is not invalid, but for those of `rows` that are named as
    /// having too few runs: an emulated machine has not the time for all. A check that failed, or that met the failure where it
    /// prepares its next row, has not all of them.
    pub(crate) fn not_all_invalid(&self, rows: &[&str]) -> Option<String> {
        if self.says("etalon: cannot |Ended early: cannot ") {
            return None;
        }
        let words: Vec<&str> = self.out.iter().flat_map(|l| l.split_whitespace()).collect();
        let text = words.join(" ");
        let said = [" figures are INVALID", " figures is INVALID"];
        let counts = said.iter().find_map(|said| text.split_once(said));
        let invalid = match counts {
            Some((before, _)) => before.rsplit(' ').nth(2).and_then(|some| some.parse().ok()),
            None => text.contains("The figure is INVALID").then_some(1),
        };
        let lacking = text.split_once("Too few runs for a ±: ");
        let lacking = lacking.map_or("", |(_, rest)| rest);
        let lacking = rows.iter().filter(|row| lacking.contains(**row)).count();
        invalid
            .is_none_or(|some: usize| some + lacking < rows.len())
            .then(|| format!("not all of {} rows: {self:#?}", rows.len()))
    }

    /// dd's own lines, as GNU dd would print them, without times.
    pub(crate) fn lines_of_dd(&self) -> Vec<String> {
        let own = self.err.iter().filter(|line| !line.starts_with("etalon: "));
        own.map(|line| {
            let line = line.strip_prefix("/usr/bin/").unwrap_or(line);
            line.split(" copied, ").next().unwrap_or(line).to_owned()
        })
        .collect()
    }
}

#[test]
fn a_sentence_is_found_across_its_lines() {
    let lines = [
        "etalon: fsync of '/disk/file'",
        "etalon:   failed: Input/output error",
    ];
    let case = Case {
        out: lines.map(str::to_owned).to_vec(),
        ..Case::default()
    };
    assert!(case.says("fsync of '/disk/file' failed|something else"));
    assert!(!case.says("fsync of '/disk/file' etalon"));
}

#[test]
fn rows_are_all_invalid_or_have_too_few_runs() {
    let case = |text: &str| Case {
        out: text.lines().map(str::to_owned).collect(),
        ..Case::default()
    };
    let rows = ["sequential read", "random read 4 KiB, depth 1"];
    let is_right = |text: &str| case(text).not_all_invalid(&rows).is_none();
    assert!(is_right("2 of 2 figures are\nINVALID."));
    assert!(is_right(
        "The figure is INVALID.\nToo few runs for a ±: sequential read. 6"
    ));
    assert!(is_right(
        "1 of 2 figures is INVALID.\nToo few runs for a ±: sequential read. 6"
    ));
    assert!(!is_right("1 of 2 figures are INVALID."));
    assert!(!is_right("The figure is INVALID."));
    assert!(!is_right("Large files: read at 100 MiB/s."));
}

/// The cases that were killed on too slow a machine.
fn unsettled(cases: &HashMap<String, Case>) -> Vec<&str> {
    let slow = cases.iter().filter(|(_, case)| case.is_unsettled());
    slow.map(|(name, _)| name.as_str()).collect()
}

/// Names the cases that were killed on too slow a machine; more than a few are wrong.
pub(crate) fn tell_unsettled(cases: &HashMap<String, Case>) -> Option<String> {
    let names = unsettled(cases);
    for name in &names {
        // Past libtest, which would keep the line to itself.
        let _ = writeln!(
            std::io::stderr(),
            "unsettled: {name}: the machine is too slow"
        );
    }
    (names.len() > MOST_UNSETTLED).then(|| format!("unsettled: {}", names.join(", ")))
}

#[test]
fn what_was_killed_for_taking_too_long_is_told_from_what_a_case_has_killed() {
    let of = |lines: &str| {
        cases(&format!("pace 90\ncase a\n{lines}code 137\ndone\n"), "")
            .remove("a")
            .unwrap()
    };
    let (ordered, slow, hung) = (of(""), of("slow 2000\n"), of("slow 95\n"));
    assert!(ordered.died("a", &["a"]).is_none() && ordered.died("a", &[]).is_some());
    assert!(slow.is_unsettled() && slow.died("a", &[]).is_none());
    // A command that hangs on a machine like others is wrong, and no kill that its case ordered.
    assert!(!hung.is_unsettled() && hung.died("a", &[]).is_some());
    assert!(hung.died("a", &["a"]).is_some());
    let both = [("slow", of("slow 2000\n")), ("hung", of("slow 95\n"))];
    let both = both.map(|(name, case)| (name.to_owned(), case));
    assert_eq!(unsettled(&HashMap::from(both)), ["slow"]);
}

/// The cases by name; fails where the guest did not come to its end.
pub(crate) fn cases(said: &str, console: &str) -> HashMap<String, Case> {
    let mut cases: HashMap<String, Case> = HashMap::new();
    let mut name = String::new();
    for line in said.lines() {
        let line = line.trim_end_matches('\r');
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        let case = cases.entry(name.clone()).or_default();
        match mark {
            "case" => rest.clone_into(&mut name),
            "o" => case.out.push(rest.to_owned()),
            "e" => case.err.push(rest.to_owned()),
            "code" => case.code = rest.parse().ok(),
            "slow" => case.slow = rest.parse().ok(),
            "" | "done" | "pace" => {}
            _ => panic!("the guest {line}:\n{console}"),
        }
    }
    assert!(said.trim_end().ends_with("done"), "no end:\n{console}");
    cases
}
