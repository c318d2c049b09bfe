//! What a person reads of comparisons, at several widths.

use etalon_model::{
    Cell, Comparison, ComparisonVerdict, Finding, Severity, Standing, Unit, WorkloadDifference,
};

use super::*;
use crate::samples;

fn cell(name: &str) -> Cell {
    let mut cell = samples::cells().remove(0);
    cell.name = name.to_owned();
    cell
}

/// Four rows: a win, a loss, one of each word without a difference.
fn comparisons() -> Vec<(Comparison, Cell)> {
    let named = [
        ("random write 4 KiB, depth 1", Standing::Faster, 1.252),
        ("create files", Standing::Slower, 0.5),
        ("random read 4 KiB, depth 32", Standing::NotShown, 0.98),
        ("stat files", Standing::Equal, 1.003),
    ];
    let of = |(name, standing, ratio): (&str, Standing, f64)| {
        let mut comparison = samples::comparison();
        comparison.name = name.to_owned();
        let arm = &mut comparison.arms[1];
        arm.standing = Some(standing);
        if let Some(of) = arm.of_baseline.as_mut() {
            of.value = ratio;
            of.interval = of.interval.map(|mut interval| {
                (interval.low, interval.high) = (ratio - 0.02, ratio + 0.02);
                interval
            });
        }
        (comparison, cell(name))
    };
    named.map(of).to_vec()
}

fn page(comparisons: &[(Comparison, Cell)], look: Look) -> String {
    page_like(comparisons, None, look)
}

fn page_like(comparisons: &[(Comparison, Cell)], like: Option<&str>, look: Look) -> String {
    let rows: Vec<ComparedRow<'_>> = comparisons
        .iter()
        .map(|(comparison, cell)| ComparedRow { comparison, cell })
        .collect();
    ComparisonPage {
        typed: &["1".to_owned(), "2".to_owned()],
        names: &["none".to_owned(), "bfq".to_owned()],
        like,
        ..bare(&rows, look)
    }
    .to_string()
}

/// The rows alone.
fn bare<'a>(rows: &'a [ComparedRow<'a>], look: Look) -> ComparisonPage<'a> {
    ComparisonPage {
        rows,
        typed: &[],
        names: &[],
        baseline: 0,
        by: &[],
        missing: &[],
        differing: None,
        gate: None,
        like: None,
        mending: &[],
        store: "",
        look,
    }
}

#[test]
fn what_differs_in_each_row_is_said_once() {
    let mut all = comparisons();
    for (at, row) in all.iter_mut().enumerate() {
        let differs = |condition: &str, values: [String; 2]| WorkloadDifference {
            condition: condition.to_owned(),
            values: values.map(Some).to_vec(),
        };
        row.0.differences = vec![
            differs(
                "end",
                [format!("after {at}.1 s"), format!("after {at}.2 s")],
            ),
            differs("warm-up", ["0 ns".to_owned(), "1 s".to_owned()]),
        ];
    }
    let told = page(&all, wide(80)).replace("\n  ", " ");
    let said = "The workloads differ in: end (another in each row), warm up (0 ns, 1 s).";
    assert!(told.contains(said), "{told}");
}

#[test]
fn the_block_size_of_a_mix_stays_in_its_name() {
    let mut all = comparisons();
    all[0].1 = cell("randread 4 KiB:50+64 KiB:50");
    let io = all[0].1.workload.io_mut().unwrap();
    io.block_size = "4k:50,64k:50".parse().unwrap();
    let told = page(&all, wide(100));
    assert!(told.contains("random read 4 KiB:50+64 KiB:50"), "{told}");
}

#[test]
fn rows_that_memory_decides_are_named_with_what_their_ratios_allow_for() {
    let mut rows = comparisons();
    for row in [1, 3] {
        rows[row].0.session_spread = Some(0.1);
    }
    let on_one_line = |rows: &[(Comparison, Cell)]| page(rows, wide(80)).replace("\n  ", " ");
    let told = on_one_line(&rows);
    let said =
        "create files, stat files: memory decides these figures, and they lie about 10 % apart";
    assert!(told.contains(said), "{told}");
    let told = on_one_line(&rows[1..2]);
    assert!(told.contains("All rows: memory decides"), "{told}");
    assert!(!on_one_line(&comparisons()).contains("memory decides"));
}

fn wide(width: usize) -> Look {
    Look {
        width: Some(width),
        ..Look::default()
    }
}

#[test]
fn the_answer_comes_first_with_its_interval() {
    let text = page(&comparisons(), wide(80));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "bfq (experiment 2) against none (experiment 1)");
    assert_eq!(
        &lines[2..8],
        [
            "bfq is 1.25 times as fast as none in random write 4 KiB QD1 (95 %: 1.23-1.27).",
            "none is 2.00 times as fast as bfq in create files (95 %: 1.92-2.08).",
            "Equal within 2 %: stat files.",
            "No difference shown: random read 4 KiB QD32.",
            "",
            lines[7],
        ],
        "{text}"
    );
    assert!(text.contains("Measured one after the other"), "{text}");
}

#[test]
fn runs_that_are_too_few_are_no_finding() {
    let mut all = comparisons();
    let without_interval = |row: &mut (Comparison, Cell)| {
        let arm = &mut row.0.arms[1];
        arm.standing = Some(Standing::NotShown);
        arm.of_baseline.as_mut().unwrap().interval = None;
    };
    without_interval(&mut all[0]);
    let text = page(&all, wide(120));
    for told in [
        "Too few runs to tell: random write 4 KiB QD1.",
        "No difference shown: random read 4 KiB QD32.",
    ] {
        assert!(text.contains(told), "{text}");
    }
    let row = text.lines().rfind(|line| line.starts_with("random write"));
    assert!(row.unwrap_or_default().ends_with("too few runs"), "{text}");
    all.iter_mut().for_each(without_interval);
    let text = page(&all, wide(80));
    let told = "Too few runs to tell whether anything differs.";
    assert!(text.contains(told), "{text}");
    assert!(!text.contains("No difference"), "{text}");
    assert!(text.contains("etalon continue ID adds runs."), "{text}");
    let guest = Finding::new("lab-guest", Severity::Warn, "", "");
    all[1].1.findings.push(guest);
    let text = page(&all, wide(120));
    assert!(
        text.contains("--blocks: a guest's disks are gone."),
        "{text}"
    );
    assert!(!text.contains("etalon continue"), "{text}");
}

#[test]
fn too_few_runs_of_one_experiment_are_made_again() {
    let mut all = comparisons();
    for (comparison, _) in &mut all {
        comparison.arms[1].of_baseline.as_mut().unwrap().interval = None;
    }
    let rows: Vec<ComparedRow<'_>> = all
        .iter()
        .map(|(comparison, cell)| ComparedRow { comparison, cell })
        .collect();
    let names = ["together", "alone"].map(str::to_owned);
    let text = ComparisonPage {
        names: &names,
        ..bare(&rows, wide(120))
    }
    .to_string();
    assert!(text.contains("again with more of them."), "{text}");
    assert!(!text.contains("etalon continue"), "{text}");
}

#[test]
fn an_arm_that_is_left_out_is_named_with_its_cause() {
    let mut all = comparisons();
    all.truncate(1);
    let arms = &mut all[0].0.arms;
    arms.push(arms[1].clone());
    let out = &mut arms[1];
    (out.of_baseline, out.standing) = (None, None);
    out.left_out = Some("bfq is invalid (steal).".to_owned().into());
    let rows = [ComparedRow {
        comparison: &all[0].0,
        cell: &all[0].1,
    }];
    let names = ["none", "bfq", "kyber"].map(str::to_owned);
    for width in [60, 80, 120] {
        let text = ComparisonPage {
            typed: &names,
            names: &names,
            ..bare(&rows, wide(width))
        };
        let text = text.to_string();
        let row = text
            .lines()
            .rfind(|line| line.contains(" B ") || line.contains(" bfq "));
        let row = row.unwrap_or_default();
        assert!(row.ends_with("left out") && !row.contains("IOPS"), "{text}");
        let text = text.replace("\n  ", " ");
        let told = "Left out of random write 4 KiB QD1: bfq is invalid (steal).";
        assert!(text.contains(told), "{text}");
        assert!(
            text.contains("kyber is 1.25 times as fast as none"),
            "{text}"
        );
    }
}

#[test]
fn of_three_arms_the_one_that_is_equal_is_named() {
    let mut all = comparisons();
    all.truncate(1);
    let arms = &mut all[0].0.arms;
    arms.push(arms[1].clone());
    arms[1].standing = Some(Standing::Equal);
    let rows = [ComparedRow {
        comparison: &all[0].0,
        cell: &all[0].1,
    }];
    let names = ["none", "bfq", "kyber"].map(str::to_owned);
    let text = ComparisonPage {
        typed: &names,
        names: &names,
        ..bare(&rows, wide(120))
    };
    let text = text.to_string();
    let told = "Equal within 2 %: random write 4 KiB QD1 (bfq).";
    assert!(text.contains(told), "{text}");
}

#[test]
fn every_width_has_the_ratio_its_interval_and_a_word() {
    for width in [60, 80, 120] {
        let text = page(&comparisons(), wide(width));
        let too_wide = text.lines().find(|line| line.chars().count() > width);
        assert_eq!(too_wide, None, "{text}");
        let row = text.lines().find(|line| line.starts_with("random write"));
        let row = row.unwrap_or_default().to_owned();
        let last = row.split_whitespace().rev().take(3).collect::<Vec<_>>();
        assert_eq!(last, ["faster", "1.23-1.27", "1.25"], "{text}");
    }
    let wide = page(&comparisons(), wide(120));
    assert!(
        wide.contains("no difference shown") && wide.contains("equal within 2 %"),
        "{wide}"
    );
    let narrow = page(&comparisons(), super::tests::wide(60));
    assert!(
        narrow.contains("none shown") && narrow.contains("within 2 %"),
        "{narrow}"
    );
}

#[test]
fn eighty_columns_have_the_figures_of_a_row_with_a_long_name() {
    let mut all = comparisons();
    all[1].1.name = "create files, with an fsync of each".to_owned();
    let text = page(&all, wide(80));
    let row = text
        .lines()
        .rfind(|line| line.starts_with("create files, "))
        .unwrap_or_default();
    let heading = text.lines().find(|line| line.ends_with("95 %"));
    assert!(heading.is_some_and(|line| line.contains("none")), "{text}");
    assert!(row.ends_with("0.48-0.52") && row.contains("IOPS"), "{text}");
}

#[test]
fn of_two_times_the_shorter_is_the_faster() {
    let mut all = comparisons();
    all.truncate(1);
    let (comparison, cell) = &mut all[0];
    (comparison.unit, cell.unit) = (Unit::Seconds, Unit::Seconds);
    comparison.arms[1].standing = Some(Standing::Slower);
    let text = page(&all, wide(80));
    assert!(
        text.contains("none is 1.25 times as fast as bfq in"),
        "{text}"
    );
}

#[test]
fn a_refused_row_is_one_line_with_the_command() {
    let mut all = comparisons();
    let refused = &mut all[2].0;
    refused.arms.clear();
    refused.verdict = ComparisonVerdict::Refused {
        reasons: vec![
            "file size is 512 MiB in none and 4 GiB in bfq."
                .to_owned()
                .into(),
        ],
        declare: vec!["file-size".to_owned()],
    };
    let text = page(&all, wide(120)).replace("\n  ", " ");
    let line = "Not compared: random read 4 KiB QD32: file size is 512 MiB in none and 4 GiB in bfq. \
                To compare it all the same: etalon compare 1 2 --by file-size";
    assert!(text.contains(line), "{text}");
    assert_eq!(text.matches("random read").count(), 1, "{text}");
}

#[test]
fn the_command_after_a_refusal_asks_for_what_was_asked_for() {
    let (mut refused, cell) = comparisons().remove(0);
    refused.arms.clear();
    refused.verdict = ComparisonVerdict::Refused {
        reasons: vec!["arrival differs.".to_owned().into()],
        declare: vec!["queue-depth".to_owned(), "arrival".to_owned()],
    };
    let rows = [ComparedRow {
        comparison: &refused,
        cell: &cell,
    }];
    let fact = EnvironmentDifference {
        key: "sysctl.vm.swappiness".to_owned(),
        values: vec![None, None],
    };
    let text = ComparisonPage {
        typed: &["8".to_owned(), "9".to_owned()],
        names: &["none".to_owned(), "bfq".to_owned()],
        baseline: 1,
        by: &["kernel".to_owned(), "queue-depth".to_owned()],
        differing: Some(Differing {
            devices: &[],
            facts: &vec![fact; 9],
            undeclared: &[],
            is_identity: |_| false,
            unknown: &[],
            unread: &[],
        }),
        ..bare(&rows, wide(120))
    }
    .to_string()
    .replace("\n  ", " ");
    let asked = "etalon compare 8 9 --base 9 --by kernel,queue-depth";
    assert!(text.contains(&format!("{asked},arrival")), "{text}");
    assert!(text.contains(&format!("{asked} --details")), "{text}");
}

#[test]
fn rows_that_speed_made_unlike_name_the_check_that_would_compare_them_once() {
    let mut all = comparisons();
    let refuse = |comparison: &mut Comparison, conditions: &[&str]| {
        comparison.arms.clear();
        comparison.verdict = ComparisonVerdict::Refused {
            reasons: vec![format!("{} differs.", conditions.join(" and ")).into()],
            declare: conditions.iter().map(|&one| one.to_owned()).collect(),
        };
    };
    refuse(&mut all[0].0, &["file-size"]);
    refuse(&mut all[2].0, &["queue-depth", "backend"]);
    refuse(&mut all[3].0, &["file-size", "durability"]);
    let command = "etalon quick /mnt/first --like 2";
    let on_one_line = |like| page_like(&all, like, wide(120)).replace("\n  ", " ");
    let text = on_one_line(Some(command));
    let said = format!("To compare them: {command}\n");
    assert_eq!(text.matches(&said).count(), 1, "{text}");
    // Another check changes nothing of what was asked for.
    assert_eq!(
        text.matches("To compare it all the same").count(),
        1,
        "{text}"
    );
    assert!(text.contains("--by file-size,durability"), "{text}");
    let without = on_one_line(None);
    assert_eq!(without.matches("--by").count(), 3, "{without}");
}

#[test]
fn a_long_name_is_shortened_and_the_table_stays_within_the_page() {
    let mut all = comparisons();
    all[0].1 = cell(&format!("{}depth 32", "a workload of a plan, ".repeat(3)));
    for width in [60, 80] {
        let text = page(&all, wide(width));
        let wide = text.lines().find(|line| line.chars().count() > width);
        assert_eq!(wide, None, "{text}");
        let row = text.lines().find(|line| line.contains('…'));
        assert!(row.is_some_and(|row| row.contains("1.25")), "{text}");
    }
}

#[test]
fn letters_and_spread_stand_in_the_details_with_a_legend() {
    let short = page(&comparisons(), wide(80));
    assert!(
        !short.contains("letters") && !short.contains("CV"),
        "{short}"
    );
    let look = Look {
        details: true,
        ..wide(80)
    };
    let text = page(&comparisons(), look);
    for word in [
        "SD",
        "CV",
        "% of all",
        "% of base",
        "letters: ",
        "bfq / none",
        "1.25 (1.23-1.27)",
        "bfq: 95 % interval of the mean 66.6 … 67.6 IOPS;",
        "the base is none",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let too_wide = text.lines().find(|line| line.chars().count() > 80);
    assert_eq!(too_wide, None, "{text}");
}

#[test]
fn the_legend_says_among_what_a_difference_counts() {
    use etalon_language::Language;
    for (language, said) in [
        (
            Language::English,
            "only where it stands among all pairs of all rows of the page (Holm; from 21 rows on",
        ),
        (
            Language::French,
            "parmi toutes les paires de toutes les lignes de la page (Holm ; à partir de 21 lignes",
        ),
        (
            Language::Dutch,
            "tussen alle paren van alle rijen van de pagina (Holm; vanaf 21 rijen",
        ),
    ] {
        let legend = spoken(language, super::details::legend);
        assert!(legend.contains(said), "{legend}");
    }
    let english = super::details::legend().join(" ");
    assert!(!english.contains("expected to show one"), "{english}");
}

#[test]
fn a_ratio_that_is_not_that_of_the_figures_says_so() {
    let mut all = comparisons();
    assert!(page(&all, wide(80)).contains("mean ratio"));
    all.truncate(1);
    let same = page(&all, wide(80));
    assert!(
        same.contains(" ratio") && !same.contains("mean ratio"),
        "{same}"
    );
    assert!(!same.contains("geometric means"), "{same}");
    all[0].0.arms[1].median.value = 134.0;
    all[0].0.arms[1].headline = etalon_model::Headline::Median;
    let other = page(&all, wide(80)).replace("\n  ", " ");
    assert!(other.contains("mean ratio"), "{other}");
    assert!(
        other.contains("A mean ratio is that of the runs' geometric means"),
        "{other}"
    );
}

#[test]
fn what_was_not_compared_follows_the_answer_with_what_to_do() {
    let all = comparisons();
    let rows: Vec<ComparedRow<'_>> = all[2..3]
        .iter()
        .map(|(comparison, cell)| ComparedRow { comparison, cell })
        .collect();
    let missing = ["random write 4 KiB, depth 1".to_owned()];
    let text = ComparisonPage {
        rows: &rows,
        typed: &["1".to_owned(), "2".to_owned()],
        names: &["none".to_owned(), "bfq".to_owned()],
        baseline: 0,
        by: &[],
        missing: &missing,
        differing: None,
        gate: None,
        like: None,
        mending: &[Mending {
            arm: 1,
            trouble: Trouble::Invalid,
            command: "etalon show 2 --findings".to_owned(),
        }],
        store: "",
        look: wide(120),
    }
    .to_string();
    let at = |words: &str| {
        text.find(words)
            .unwrap_or_else(|| panic!("{words}: {text}"))
    };
    let answer = at("No difference is shown in any row compared");
    let missing = at("Not compared, as not every arm has it: random write");
    let command = at("What to change before bfq is measured again: etalon show 2 --findings");
    assert!(answer < missing && missing < command, "{text}");
}

#[test]
fn what_differs_is_said_in_a_few_words() {
    let mut all = comparisons();
    all[0].0.differences.push(WorkloadDifference {
        condition: "file-size".to_owned(),
        values: ["1 GiB", "2 GiB"]
            .map(|size| Some(size.to_owned()))
            .to_vec(),
    });
    let rows: Vec<ComparedRow<'_>> = all
        .iter()
        .map(|(comparison, cell)| ComparedRow { comparison, cell })
        .collect();
    let fact = |key: &str, values: [&str; 2]| EnvironmentDifference {
        key: key.to_owned(),
        values: values.map(|value| Some(value.to_owned())).to_vec(),
    };
    let facts = [
        fact("fs.fs_type", ["xfs", "btrfs"]),
        fact("fs.detail.inode_size", ["512", "0"]),
        fact("layer.sda.queue.read_ahead", ["128", "4096"]),
        fact("fs.uuid", ["x", "y"]),
        fact("service.innodb_flush_method", ["fsync", "O_DIRECT"]),
    ];
    let differing = Differing {
        devices: &["sda".to_owned(), "sdb".to_owned()],
        facts: &facts,
        undeclared: &facts[2..3],
        is_identity: |key| key.ends_with("uuid"),
        unknown: &[],
        unread: &[],
    };
    assert_eq!(
        differing.summary(&rows, "1 2"),
        [
            "The workloads differ in: file size (1 GiB, 2 GiB).",
            "What differs: filesystem (xfs, btrfs), device (sda, sdb), innodb_flush_method (fsync, O_DIRECT), sda read ahead (128, 4096), 2 more facts.",
            "All of it: etalon compare 1 2 --details",
        ]
    );
    assert_eq!(
        differing.mark().unwrap(),
        "! Not compared, yet different: sda read ahead (128, 4096). The difference may be theirs. Make them equal, or declare them with --by."
    );
    let unread = [("2".to_owned(), vec!["memory.module.0".to_owned()])];
    let as_user = Differing {
        unread: &unread,
        ..differing
    };
    let told = as_user.summary(&rows, "1 2");
    assert_eq!(
        told[1],
        "Not known of 2, since whoever measured it could not read it: memory.module.0."
    );
    // Reports of several experiments have the same among their notes.
    let noted = as_user.notes(&[], &rows, &["1".to_owned(), "2".to_owned()]);
    assert_eq!(noted[1], told[1]);
    let keys = (0..5).map(|n| format!("memory.module.{n}"));
    let many = [("2".to_owned(), keys.collect())];
    let unlike = Differing {
        facts: &[],
        unread: &many,
        ..differing
    };
    let told = unlike.summary(&rows, "1 2");
    assert!(
        told[1].ends_with("memory.module.3, 1 more fact."),
        "{told:?}"
    );
    assert_eq!(told[3], "All of it: etalon compare 1 2 --details");
    let declared = Differing {
        undeclared: &[],
        ..differing
    };
    assert_eq!(declared.mark(), None);
}

#[test]
fn ascii_has_nothing_else() {
    let look = Look {
        ascii: true,
        details: true,
        ..wide(80)
    };
    let text = page(&comparisons(), look);
    assert!(text.is_ascii(), "{text}");
}

fn spoken(language: etalon_language::Language, said: impl FnOnce() -> Vec<String>) -> String {
    let said = language.speak(said).join(" ");
    said.replace(['\u{a0}', '\u{202f}'], " ")
}

#[test]
fn a_refused_row_has_no_command_that_nobody_typed() {
    let (mut refused, cell) = comparisons().remove(0);
    refused.verdict = ComparisonVerdict::Refused {
        reasons: vec!["bfq is invalid (steal).".to_owned().into()],
        declare: vec!["pattern".to_owned()],
    };
    let rows = [ComparedRow {
        comparison: &refused,
        cell: &cell,
    }];
    let names = ["none".to_owned(), "bfq".to_owned()];
    assert_eq!(
        spoken(etalon_language::Language::French, || not_compared(
            &rows,
            &[],
            &names
        )),
        "Non comparé : random write 4 KiB QD1 : bfq is invalid (steal)."
    );
}

#[test]
fn what_differs_is_told_in_the_language_with_its_comma() {
    let fact = EnvironmentDifference {
        key: "space.in_use".to_owned(),
        values: ["24.9 %", "31.2 %"]
            .map(|value| Some(value.to_owned()))
            .to_vec(),
    };
    let differing = Differing {
        devices: &[],
        facts: std::slice::from_ref(&fact),
        undeclared: std::slice::from_ref(&fact),
        is_identity: |_| false,
        unknown: &[],
        unread: &[],
    };
    let typed = ["1".to_owned(), "2".to_owned()];
    let missing = ["streaming read".to_owned()];
    let notes = || differing.notes(&missing, &[], &typed);
    assert_eq!(
        spoken(etalon_language::Language::French, notes),
        "Non comparé, car absent d’un côté : sequential read. \
         Ce qui diffère : espace occupé (24,9 %, 31,2 %)."
    );
    let mark = || Vec::from_iter(differing.mark());
    let mark = spoken(etalon_language::Language::French, mark);
    assert!(mark.starts_with("! Non comparé"), "{mark}");
}
