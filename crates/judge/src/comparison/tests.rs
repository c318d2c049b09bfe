//! Whether arms are told apart, found alike, or refused.

use etalon_model::stack::DevNo;
use etalon_model::{
    CacheMode, ConcurrentRuns, DeviceLimit, DeviceTraffic, Ended, Finding, GateOutcome,
    LimitedQuantity, Limits, PublishedFigure, Run, Sentence, Severity, Standing, TaskFigure,
};
use etalon_units::{Bytes, Nanos, Percent};

use super::*;
use crate::cell::judge_cell;
use crate::check_run;
use crate::goal::Goal;
use crate::samples::{facts, layer, read_run, task_run, with_layers};

pub(super) struct ArmRuns {
    runs: Vec<Run>,
    cell: Cell,
}

pub(super) fn side(values: &[u64], change: impl Fn(&mut Run)) -> ArmRuns {
    let runs: Vec<Run> = values
        .iter()
        .enumerate()
        .map(|(block, &operations)| {
            let mut run = read_run();
            run.block = block as u32;
            run.measurement.reads.operations = operations;
            change(&mut run);
            run
        })
        .collect();
    let all: Vec<&Run> = runs.iter().collect();
    let goal = Goal::new(Some(Percent::from_fraction(0.05)), 6, 30).unwrap();
    ArmRuns {
        cell: judge_cell("a cell", &all, &goal).unwrap(),
        runs,
    }
}

pub(super) fn arm<'a>(label: &str, session: &str, side: &'a ArmRuns) -> Arm<'a> {
    Arm {
        label: label.to_owned(),
        session: session.to_owned(),
        cell: &side.cell,
        runs: side.runs.iter().collect(),
    }
}

pub(super) fn options(by: &[&str]) -> CompareOptions {
    CompareOptions {
        by: by.iter().map(|&name| name.to_owned()).collect(),
        baseline: 0,
        margin: 0.02,
    }
}

pub(super) const SLOW: [u64; 6] = [1000, 1010, 990, 1005, 995, 1002];
pub(super) const FAST: [u64; 6] = [1250, 1240, 1260, 1255, 1245, 1251];

#[test]
fn a_quarter_more_is_told_with_its_ratio_and_base() {
    let (slow, fast) = (side(&SLOW, |_| ()), side(&FAST, |_| ()));
    let arms = [arm("3", "x", &slow), arm("5", "y", &fast)];
    let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
    let greater = ComparisonVerdict::Greater {
        greater: "5".to_owned(),
        lesser: "3".to_owned(),
    };
    assert_eq!(comparison.verdict, greater);
    assert_eq!(comparison.arms[0].of_baseline, None);
    let ratio = comparison.arms[1].of_baseline.unwrap();
    assert!((ratio.value - 1.25).abs() < 0.01 && ratio.interval.is_some());
    assert!(comparison.arms[1].is_best && !comparison.in_blocks);
}

/// Figures of memory 14 % apart, as one disk gave them in two sessions: no difference is shown, nor that there is none.
/// What the devices did shows it, and so do blocks of one session.
#[test]
fn figures_of_memory_in_two_sessions_must_lie_further_apart() {
    let fourteen_more = SLOW.map(|value| value * 114 / 100);
    let memory = |run: &mut Run| run.device = Some(DeviceTraffic::default());
    let device = |_: &mut Run| ();
    let verdict = |values: &[u64], change: fn(&mut Run), session| {
        let (one, two) = (side(&SLOW, change), side(values, change));
        let arms = [arm("1", "x", &one), arm("2", session, &two)];
        let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
        let spread = comparison.session_spread;
        (comparison.verdict, spread)
    };
    let greater = ComparisonVerdict::Greater {
        greater: "2".to_owned(),
        lesser: "1".to_owned(),
    };
    let allowed = Some(session_spread(etalon_model::Unit::OperationsPerSecond));
    assert_eq!(
        verdict(&fourteen_more, memory, "y"),
        (ComparisonVerdict::Undecided, allowed)
    );
    assert_eq!(
        verdict(&SLOW, memory, "y"),
        (ComparisonVerdict::Undecided, allowed)
    );
    assert_eq!(
        verdict(&fourteen_more, device, "y"),
        (greater.clone(), None)
    );
    assert_eq!(
        verdict(&fourteen_more, memory, "x"),
        (greater.clone(), None)
    );
    let twice = SLOW.map(|value| value * 2);
    assert_eq!(verdict(&twice, memory, "y"), (greater, allowed));
}

#[test]
fn an_arm_has_the_interval_of_its_cell() {
    // Random reads a second of a virtual disk, as they were measured: one group, and two.
    let one_group = [9412, 9103, 8788, 9540, 9231, 9077, 9350, 8652, 9904];
    let two_groups = [
        4018, 4022, 4009, 4031, 4015, 4027, 8102, 8093, 8120, 8087, 8111, 8099,
    ];
    for values in [&one_group[..], &two_groups[..], &SLOW] {
        let measured = side(values, |_| ());
        for sessions in [["x", "x"], ["x", "y"]] {
            let arms = sessions.map(|session| arm(session, session, &measured));
            let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
            for compared in &comparison.arms {
                assert_eq!(compared.headline, measured.cell.headline);
                assert_eq!(compared.estimate(), measured.cell.estimate());
                assert!(compared.estimate().interval.is_some());
            }
        }
    }
}

#[test]
fn an_arm_of_some_runs_has_the_interval_of_those() {
    let (whole, part) = (side(&one_more(), |_| ()), side(&SLOW, |_| ()));
    let mut some = arm("some", "x", &whole);
    some.runs.truncate(SLOW.len());
    let arms = [some, arm("part", "x", &part)];
    let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
    assert!(comparison.in_blocks);
    assert_eq!(comparison.arms[0].estimate(), part.cell.estimate());
}

fn one_more() -> Vec<u64> {
    SLOW.into_iter().chain([1500]).collect()
}

#[test]
fn the_same_twice_is_equivalent_not_merely_undecided() {
    let (one, two) = (side(&SLOW, |_| ()), side(&SLOW, |_| ()));
    let arms = [arm("1", "x", &one), arm("2", "y", &two)];
    let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
    assert_eq!(comparison.verdict, ComparisonVerdict::Equivalent);
    assert_eq!(comparison.arms[0].letters, comparison.arms[1].letters);
}

#[test]
fn noise_of_ten_percent_leaves_three_percent_undecided() {
    let noisy =
        |factor: f64| [900.0, 1100.0, 950.0, 1080.0, 1000.0, 970.0].map(|v| (v * factor) as u64);
    let (one, two) = (side(&noisy(1.0), |_| ()), side(&noisy(1.03), |_| ()));
    let arms = [arm("1", "x", &one), arm("2", "y", &two)];
    let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
    assert_eq!(comparison.verdict, ComparisonVerdict::Undecided);
    // The same noise in the same blocks cancels, and the difference shows.
    let arms = [arm("1", "x", &one), arm("2", "x", &two)];
    let paired = compare_arms("a cell", &arms, &options(&[])).unwrap();
    assert!(paired.in_blocks);
    assert!(matches!(paired.verdict, ComparisonVerdict::Greater { .. }));
}

/// Two series that were made one after the other, and both grow faster: what they share is no block.
#[test]
fn published_runs_are_in_blocks_only_where_their_text_tells_them() {
    let rising = |first: u64| [0, 1, 2, 3, 4, 5, 6, 7].map(|step| first + 10 * step);
    let compared = |tells_block| {
        let published = |run: &mut Run| {
            run.circumstances.published = Some(PublishedFigure {
                program: "dd".to_owned(),
                value: run.figure(),
                unit: run.unit(),
                line: 1,
                quoted: String::new(),
                command: None,
                place: None,
                tells_block,
            });
        };
        let sides = [1000, 1005].map(|first| side(&rising(first), published));
        let arms = [arm("a", "x", &sides[0]), arm("b", "x", &sides[1])];
        compare_arms("a cell", &arms, &options(&[])).unwrap()
    };
    let apart = compared(false);
    assert!(!apart.in_blocks);
    assert_eq!(apart.verdict, ComparisonVerdict::Undecided);
    assert_eq!(apart.arms[1].values.len(), 8);
    assert!(compared(true).in_blocks);
}

#[test]
fn another_working_set_is_refused_unless_it_is_the_factor() {
    let small = side(&SLOW, |run| {
        run.workload.io_mut().unwrap().file_size = Bytes::mib(64)
    });
    let large = side(&FAST, |run| {
        run.workload.io_mut().unwrap().file_size = Bytes::gib(4)
    });
    let arms = [arm("3", "x", &small), arm("5", "y", &large)];
    let refused = compare_arms("a cell", &arms, &options(&[])).unwrap();
    let ComparisonVerdict::Refused { reasons, declare } = refused.verdict else {
        panic!("{:?}", refused.verdict);
    };
    assert!(
        reasons[0]
            .text
            .contains("file size is 64 MiB in 3 and 4 GiB in 5."),
        "{reasons:?}"
    );
    assert_eq!(declare, ["file-size"]);
    for by in ["file-size", "file_size", "file size"] {
        let allowed = compare_arms("a cell", &arms, &options(&[by])).unwrap();
        assert!(matches!(allowed.verdict, ComparisonVerdict::Greater { .. }));
        assert_eq!(allowed.differences[0].condition, "file-size");
    }
}

#[test]
fn what_was_declared_stays_declared_beside_what_is_still_open() {
    let plain = side(&SLOW, |_| ());
    let other = side(&FAST, |run| {
        let io = run.workload.io_mut().unwrap();
        (io.file_size, io.queue_depth) = (Bytes::gib(4), 7);
        held(run, &["capped"]);
    });
    let arms = [arm("3", "x", &plain), arm("5", "y", &other)];
    let refused = |by: &[&str]| match compare_arms("a cell", &arms, &options(by)).unwrap().verdict {
        ComparisonVerdict::Refused { declare, .. } => declare,
        _ => Vec::new(),
    };
    // A fact of the machine is no condition, and `jobs` is the same in both.
    let mut by = vec!["kernel", "jobs", "queue_depth"];
    let open = refused(&by);
    assert_eq!(open, ["queue-depth", "file-size", "capped"]);
    assert_eq!(
        refused(&["capped", "file-size"]),
        ["capped", "file-size", "queue-depth"]
    );
    by.extend(open.iter().map(String::as_str));
    assert_eq!(refused(&by), [""; 0]);
}

/// Two arms whose files have these sizes in MiB.
fn of_sizes(sizes: [u64; 2], change: impl Fn(&mut etalon_model::IoWorkload)) -> Comparison {
    let of_size = |values, size| {
        side(values, |run| {
            let io = run.workload.io_mut().unwrap();
            io.file_size = Bytes::mib(size);
            change(io);
        })
    };
    let (one, two) = (of_size(&SLOW, sizes[0]), of_size(&FAST, sizes[1]));
    let arms = [arm("3", "x", &one), arm("5", "y", &two)];
    compare_arms("a cell", &arms, &options(&[])).unwrap()
}

#[test]
fn a_working_set_twice_as_large_is_compared_and_named() {
    let refused =
        |comparison: &Comparison| matches!(comparison.verdict, ComparisonVerdict::Refused { .. });
    let named = of_sizes([512, 1024], |_| ());
    assert!(!refused(&named), "{:?}", named.verdict);
    assert_eq!(
        named.differences[0].values,
        [Some("512 MiB".to_owned()), Some("1 GiB".to_owned())]
    );
    assert!(refused(&of_sizes([512, 1025], |_| ())));
    // Nothing is known of a working set that was whatever was there.
    assert!(refused(&of_sizes([0, 512], |_| ())));
    let in_sequence = |io: &mut etalon_model::IoWorkload| {
        io.operation = etalon_model::Operation::Read;
    };
    assert!(!refused(&of_sizes([512, 4096], in_sequence)));
    assert!(refused(&of_sizes([512, 4097], in_sequence)));
    assert!(refused(&of_sizes([512, 4096], |io| {
        in_sequence(io);
        io.direct = false;
    })));
}

#[test]
fn every_arm_but_the_baseline_has_a_word_and_a_spread() {
    let (slow, fast) = (side(&SLOW, |_| ()), side(&FAST, |_| ()));
    let arms = [arm("3", "x", &slow), arm("5", "y", &fast)];
    let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
    let words = |comparison: &Comparison| {
        let words = comparison.arms.iter().map(|arm| arm.standing);
        words.collect::<Vec<_>>()
    };
    assert_eq!(words(&comparison), [None, Some(Standing::Faster)]);
    // By hand: the six values vary by 7.118 around 1000.33.
    let (sd, cv) = (
        comparison.arms[0].sd.unwrap(),
        comparison.arms[0].cv.unwrap(),
    );
    assert!(
        (sd - 7.1181).abs() < 1e-3 && (cv - 0.0071157).abs() < 1e-6,
        "{sd} {cv}"
    );
    let arms = [arm("5", "y", &fast), arm("3", "x", &slow)];
    let turned = compare_arms("a cell", &arms, &options(&[])).unwrap();
    assert_eq!(words(&turned), [None, Some(Standing::Slower)]);
    let twin = side(&SLOW, |_| ());
    let arms = [
        arm("3", "x", &slow),
        arm("7", "z", &twin),
        arm("5", "y", &fast),
    ];
    let three = compare_arms("a cell", &arms, &options(&[])).unwrap();
    let expected = [None, Some(Standing::Equal), Some(Standing::Faster)];
    assert_eq!(words(&three), expected);
}

#[test]
fn another_cache_state_or_an_invalid_arm_is_refused() {
    let direct = side(&SLOW, |_| ());
    let cached = side(&FAST, |run| run.measurement.direct = Some(false));
    let arms = [arm("3", "x", &direct), arm("5", "y", &cached)];
    let refused = compare_arms("a cell", &arms, &options(&[])).unwrap();
    assert!(format!("{:?}", refused.verdict).contains("cache is O_DIRECT in 3 and page cache"));
    let of_state = |state| {
        move |run: &mut Run| {
            run.measurement.direct = Some(false);
            run.workload.io_mut().unwrap().cache = state;
        }
    };
    let cold = side(&SLOW, of_state(CacheMode::Cold));
    let warm = side(&FAST, of_state(CacheMode::Warm));
    let arms = [arm("3", "x", &cold), arm("5", "y", &warm)];
    let refused = compare_arms("a cell", &arms, &options(&[])).unwrap();
    assert!(format!("{:?}", refused.verdict).contains("cache is page cache, cold in 3"));
    let invalid = side(&FAST, |run| {
        run.findings = crate::check_run(&crate::samples::facts(&Run {
            device: Some(Default::default()),
            ..run.clone()
        }));
    });
    let arms = [arm("3", "x", &direct), arm("5", "y", &invalid)];
    let refused = compare_arms("a cell", &arms, &options(&[])).unwrap();
    assert!(format!("{:?}", refused.verdict).contains("5 is invalid (page-cache)"));
}

/// Gives the run invalid findings with these codes.
pub(super) fn held(run: &mut Run, codes: &[&str]) {
    let invalid = |code: &&str| Finding::new(code, Severity::Invalid, "", "");
    let found = codes.iter().map(invalid);
    run.findings = found.collect();
}

#[test]
fn what_only_a_limit_spoils_is_compared_where_the_limit_is_declared() {
    let free = side(&SLOW, |_| ());
    let capped = side(&FAST, |run| held(run, &["capped"]));
    let compared = |other, by: &[&str]| {
        let arms = [arm("3", "x", &free), arm("5", "y", other)];
        compare_arms("a cell", &arms, &options(by)).unwrap().verdict
    };
    let ComparisonVerdict::Refused { reasons, declare } = compared(&capped, &[]) else {
        panic!("a limit that nobody declared");
    };
    assert_eq!(
        (&*Sentence::all(&reasons), declare.as_slice()),
        ("5 is invalid (capped).", &["capped".to_owned()][..])
    );
    let declared = compared(&capped, &["capped"]);
    assert!(
        matches!(declared, ComparisonVerdict::Greater { .. }),
        "{declared:?}"
    );
    // What spoils a run or two beside the limit leaves those out.
    let eight = [&FAST[..], &FAST[..2]].concat();
    let stolen_once = side(&eight, |run| match run.block {
        0 => held(run, &["capped", "steal"]),
        _ => held(run, &["capped"]),
    });
    let open = compared(&stolen_once, &[]);
    assert!(
        matches!(open, ComparisonVerdict::Refused { ref declare, .. } if declare == &["capped"]),
        "{open:?}"
    );
    let declared = compared(&stolen_once, &["capped"]);
    assert!(
        matches!(declared, ComparisonVerdict::Greater { .. }),
        "{declared:?}"
    );
    // What is more than capped stays so.
    let spoiled = side(&FAST, |run| held(run, &["capped", "steal"]));
    let refused = compared(&spoiled, &["capped"]);
    assert!(matches!(refused, ComparisonVerdict::Refused { declare, .. } if declare.is_empty()));
}

/// 250 MiB/s where 250 are allowed, by a device that moved it in 4000 requests a second.
fn throttled(run: &mut Run) {
    run.circumstances.limits = Some(Limits {
        devices: vec![DeviceLimit {
            file: "io.max".to_owned(),
            moved: None,
            device: DevNo { major: 8, minor: 0 },
            quantity: LimitedQuantity::ReadBytes,
            per_second: 250 << 20,
        }],
        processor: None,
    });
    let mut moved = layer("sda", 250, 0);
    moved.delta.as_mut().unwrap().read_ios = 4000;
    with_layers(run, vec![moved]);
    run.findings = check_run(&facts(run));
}

#[test]
fn what_a_real_limit_on_the_device_spoils_is_compared_where_it_is_declared() {
    let sides = [&SLOW, &FAST].map(|values| side(values, throttled));
    let compared = |by: &[&str]| {
        let arms = [arm("3", "x", &sides[0]), arm("5", "y", &sides[1])];
        compare_arms("a cell", &arms, &options(by)).unwrap().verdict
    };
    let open = compared(&[]);
    assert!(
        matches!(open, ComparisonVerdict::Refused { ref declare, .. } if declare == &["capped"]),
        "{open:?}"
    );
    let declared = compared(&["capped"]);
    assert!(
        matches!(declared, ComparisonVerdict::Greater { .. }),
        "{declared:?}"
    );
}

#[test]
fn a_run_that_was_cut_short_is_in_no_block() {
    let sides = [&SLOW, &FAST].map(|values| side(values, |_| ()));
    let whole = [arm("none", "x", &sides[0]), arm("bfq", "x", &sides[1])];
    let whole = compare_arms("a cell", &whole, &options(&["scheduler"])).unwrap();
    let cut = |side: &ArmRuns| {
        let mut run = side.runs[5].clone();
        run.measurement.ended = Ended::Interrupted;
        run.measurement.reads.operations = 10;
        ArmRuns {
            runs: std::iter::once(run).chain(side.runs.clone()).collect(),
            cell: side.cell.clone(),
        }
    };
    let sides = [cut(&sides[0]), cut(&sides[1])];
    let with_cut = [arm("none", "x", &sides[0]), arm("bfq", "x", &sides[1])];
    let with_cut = compare_arms("a cell", &with_cut, &options(&["scheduler"])).unwrap();
    assert_eq!(with_cut, whole);
}

#[test]
fn one_spoiled_experiment_of_three_leaves_the_labels_of_the_others() {
    let spoiled = side(&FAST, |run| held(run, &["steal"]));
    let (slow, fast) = (side(&SLOW, |_| ()), side(&FAST, |_| ()));
    let of = |third: &ArmRuns, by: &[&str]| {
        let named = [arm("north", "x", &slow), arm("south", "y", &fast)];
        let arms = [&named[..], &[arm("west", "z", third)]].concat();
        let comparison = compare_arms("a cell", &arms, &options(by)).unwrap();
        crate::labels::usable_label_spread(&comparison, &arms, &options(by)).unwrap()
    };
    let found = of(&spoiled, &[]);
    assert_eq!(found.left_out, ["west"]);
    let labels = found.labels.iter().map(|label| label.label.as_str());
    assert_eq!(labels.collect::<Vec<_>>(), ["north", "south"]);
    assert!(found.components.is_some());
    assert_eq!(of(&fast, &[]).left_out, [""; 0]);
    // A limit spoils as well, unless it was declared.
    let capped = side(&FAST, |run| held(run, &["capped"]));
    assert_eq!(of(&capped, &[]).left_out, ["west"]);
    let declared = of(&capped, &["capped"]);
    let west = declared.labels.iter().find(|label| label.label == "west");
    assert_eq!(declared.left_out, [""; 0]);
    assert_eq!(west.unwrap().mean.runs as usize, FAST.len());
    // What the others differ in stands in the way as before.
    let other = side(&FAST, |run| run.workload.io_mut().unwrap().jobs = 8);
    let refused = of(&other, &[]);
    assert!(refused.components.is_none() && refused.reason.unwrap().contains("jobs differs"));
}

/// The disk was shared, and the figure is a part of what it gives.
#[test]
fn what_ran_at_the_same_time_is_a_condition() {
    let beside = |values: &[u64], others: &[&str]| {
        side(values, |run| {
            run.circumstances.concurrent = Some(ConcurrentRuns {
                others: others.iter().map(|&other| other.to_owned()).collect(),
                ..ConcurrentRuns::default()
            });
        })
    };
    let (alone, shared) = (side(&FAST, |_| ()), beside(&SLOW, &["2 write", "3 read"]));
    let verdict = |one, other, by: &[&str]| {
        let arms = [arm("3", "x", one), arm("5", "y", other)];
        compare_arms("a cell", &arms, &options(by)).unwrap().verdict
    };
    let ComparisonVerdict::Refused { reasons, declare } = verdict(&alone, &shared, &[]) else {
        panic!("it is not refused");
    };
    let words = "concurrent workload is none in 3 and 2 write and 3 read in 5.";
    assert_eq!(reasons[0].to_string(), words);
    assert_eq!(declare, [CONCURRENT]);
    let greater = ComparisonVerdict::Greater {
        greater: "3".to_owned(),
        lesser: "5".to_owned(),
    };
    assert_eq!(verdict(&alone, &shared, &[CONCURRENT]), greater);
    let fast = beside(&FAST, &["2 write", "3 read"]);
    assert_eq!(verdict(&fast, &shared, &[]), greater);
}

/// A check measures how long a row may take, and never comes to the same nanosecond twice.
#[test]
fn lengths_that_are_as_good_as_equal_are_no_changed_condition() {
    let of = |length: u64, warm_up: u64| {
        side(&SLOW, move |run| {
            let io = run.workload.io_mut().unwrap();
            io.end = etalon_model::End::Time(Nanos(length));
            io.warm_up = Nanos(warm_up);
        })
    };
    let differences = |length, warm_up| {
        let (one, two) = (of(268_335_916, 1_000_000), of(length, warm_up));
        let arms = [arm("3", "x", &one), arm("5", "y", &two)];
        let found = compare_arms("a cell", &arms, &options(&[])).unwrap();
        let names = found.differences.into_iter().map(|one| one.condition);
        names.collect::<Vec<_>>()
    };
    assert_eq!(differences(268_402_117, 1_000_020), [""; 0]);
    assert_eq!(differences(536_000_000, 0), ["end", "warm-up"]);
}

#[test]
fn of_three_the_best_must_beat_both() {
    let third = [1252, 1243, 1259, 1254, 1246, 1250];
    let sides = [
        side(&SLOW, |_| ()),
        side(&FAST, |_| ()),
        side(&third, |_| ()),
    ];
    let labels = ["a", "b", "c"];
    let arms: Vec<Arm<'_>> = sides
        .iter()
        .zip(labels)
        .map(|(s, l)| arm(l, l, s))
        .collect();
    let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
    let ComparisonVerdict::BestGroup { group } = comparison.verdict else {
        panic!("{:?}", comparison.verdict);
    };
    assert_eq!(group.len(), 2);
    assert!(comparison.arms.iter().all(|arm| !arm.is_best));
}

/// Half a percent that is certain is no difference beside a third arm either.
#[test]
fn of_three_a_difference_within_the_margin_is_none() {
    let of = |level: u64| [0, 5, 3, 1, 4, 2].map(|step| level + step);
    let sides = [100_000, 100_500, 70_000].map(|level| side(&of(level), |_| ()));
    let arms = [0, 1, 2].map(|at| arm(["1", "2", "3"][at], ["x", "y", "z"][at], &sides[at]));
    let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
    let words = comparison.arms.iter().map(|arm| arm.standing);
    let expected = [None, Some(Standing::Equal), Some(Standing::Slower)];
    assert_eq!(words.collect::<Vec<_>>(), expected);
    let group = ["2", "1"].map(str::to_owned).to_vec();
    assert_eq!(comparison.verdict, ComparisonVerdict::BestGroup { group });
    assert!(comparison.arms.iter().all(|arm| !arm.is_best));
    // They are told apart for whoever asks for a narrower margin, and two arms without the third are as they are with it.
    let letters = comparison.arms.iter().map(|arm| arm.letters.as_str());
    assert_eq!(letters.collect::<Vec<_>>(), ["b", "a", "c"]);
    let pair = compare_arms("a cell", &arms[..2], &options(&[])).unwrap();
    assert_eq!(pair.verdict, ComparisonVerdict::Equivalent);
    assert!(pair.arms.iter().all(|arm| !arm.is_best));
    let narrow = CompareOptions {
        margin: 0.001,
        ..options(&[])
    };
    let narrow = compare_arms("a cell", &arms, &narrow).unwrap();
    assert_eq!(narrow.arms[1].standing, Some(Standing::Faster));
    assert!(narrow.arms[1].is_best);
}

/// A step of real work that took so many milliseconds.
fn timed(millis: &[u64], change: impl Fn(&mut Run)) -> ArmRuns {
    side(millis, |run| {
        let took = Nanos::millis(run.measurement.reads.operations);
        let block = run.block;
        *run = task_run(TaskFigure::Time);
        run.block = block;
        run.measurement.duration = took;
        run.device.as_mut().unwrap().write_requests = 1000;
        change(run);
    })
}

#[test]
fn of_times_the_least_is_the_best() {
    let (long, short) = (timed(&FAST, |_| ()), timed(&SLOW, |_| ()));
    let arms = [arm("long", "x", &long), arm("short", "y", &short)];
    let comparison = compare_arms("unpack", &arms, &options(&[])).unwrap();
    assert_eq!(comparison.unit, etalon_model::Unit::Seconds);
    assert_eq!(comparison.arms[0].values[0], 1.25);
    let greater = ComparisonVerdict::Greater {
        greater: "long".to_owned(),
        lesser: "short".to_owned(),
    };
    assert_eq!(comparison.verdict, greater);
    assert!(!comparison.arms[0].is_best && comparison.arms[1].is_best);
    assert_eq!(comparison.arms[1].standing, Some(Standing::Faster));
    let third = timed(&SLOW.map(|millis| millis * 2), |_| ());
    let arms = [&long, &short, &third].map(|side| arm("", "", side));
    let labelled: Vec<Arm<'_>> = arms
        .into_iter()
        .zip(["long", "short", "third"])
        .map(|(arm, label)| Arm {
            label: label.to_owned(),
            session: label.to_owned(),
            ..arm
        })
        .collect();
    let comparison = compare_arms("unpack", &labelled, &options(&[])).unwrap();
    let best = "short".to_owned();
    assert_eq!(comparison.verdict, ComparisonVerdict::Best { best });
}

#[test]
fn another_parameter_of_a_task_is_refused_and_options_of_io_do_not_matter() {
    let set = |name: &'static str, value: &'static str| {
        move |run: &mut Run| {
            let task = run.workload.task_mut().unwrap();
            let value = etalon_model::Parameter::of_text(value).unwrap();
            task.parameters.insert(name.to_owned(), value);
        }
    };
    let plain = timed(&SLOW, |_| ());
    for (name, value, condition, words) in [
        ("level", "9", "level", "level is 3 in 1 and 9 in 2"),
        ("target", "/srv", "set-target", "set target is /mnt in 1"),
    ] {
        let other = timed(&FAST, set(name, value));
        let arms = [arm("1", "x", &plain), arm("2", "y", &other)];
        let refused = compare_arms("unpack", &arms, &options(&[])).unwrap();
        assert!(
            format!("{:?}", refused.verdict).contains(words),
            "{refused:?}"
        );
        let allowed = compare_arms("unpack", &arms, &options(&[condition])).unwrap();
        assert!(matches!(allowed.verdict, ComparisonVerdict::Greater { .. }));
    }
    let other = timed(&FAST, |run| {
        run.workload.task_mut().unwrap().queue_depth = Some(9)
    });
    let arms = [arm("1", "x", &plain), arm("2", "y", &other)];
    let compared = compare_arms("unpack", &arms, &options(&[])).unwrap();
    assert!(matches!(
        compared.verdict,
        ComparisonVerdict::Greater { .. }
    ));
}

#[test]
fn a_rate_and_a_time_are_not_compared() {
    let time = timed(&SLOW, |_| ());
    let rate = timed(&FAST, |run| {
        run.workload.task_mut().unwrap().figure = TaskFigure::Rate;
    });
    let arms = [arm("1", "x", &time), arm("2", "y", &rate)];
    let refused = compare_arms("unpack", &arms, &options(&[])).unwrap();
    assert!(format!("{:?}", refused.verdict).contains("figure is a time in 1 and a rate in 2"));
}

#[test]
fn two_runs_against_eight_claim_nothing() {
    let two = side(&SLOW[..2], |_| ());
    let eight = [&FAST[..], &FAST[..2]].concat();
    let (eight, third) = (side(&eight, |_| ()), side(&FAST, |_| ()));
    let arms = [
        arm("1", "x", &two),
        arm("9", "y", &eight),
        arm("3", "z", &third),
    ];
    for some in [&arms[..2], &arms[..]] {
        let comparison = compare_arms("a cell", some, &options(&[])).unwrap();
        assert_eq!(comparison.verdict, ComparisonVerdict::Undecided);
        assert_eq!(comparison.arms[1].standing, Some(Standing::NotShown));
        assert!(comparison.arms.iter().all(|arm| !arm.is_best));
    }
}

/// 1.5 % less is no difference of the comparison, and a loss for a gate that allows half a percent.
#[test]
fn a_loss_within_the_margin_of_the_comparison_fails_a_narrower_gate() {
    let less = SLOW.map(|value| value * 985);
    let (base, other) = (
        side(&SLOW.map(|value| value * 1000), |_| ()),
        side(&less, |_| ()),
    );
    let arms = [arm("1", "x", &base), arm("2", "y", &other)];
    let of = |row: &Comparison, margin| {
        gate(std::slice::from_ref(row), &[], margin)
            .unwrap()
            .outcome
    };
    let options = CompareOptions {
        margin: 0.03,
        ..options(&[])
    };
    let alone = compare_arms("a cell", &arms, &options).unwrap();
    assert_eq!(alone.verdict, ComparisonVerdict::Equivalent);
    assert_eq!(alone.arms[1].standing, Some(Standing::Equal));
    assert_eq!(of(&alone, 0.005), GateOutcome::Slower);
    assert_eq!(of(&alone, 0.05), GateOutcome::Passed);
    // The same loss among a thousand rows that are alike is by chance.
    let equal = [arm("1", "x", &base), arm("2", "y", &base)];
    let all = std::iter::repeat_n(&equal, 1000).chain([&arms]);
    let rows = all.map(|arms| RowArms {
        name: "a cell".to_owned(),
        arms: arms.to_vec(),
    });
    let rows: Vec<RowArms<'_>> = rows.collect();
    let rows = compare_rows(&rows, &options).unwrap();
    let last = rows.last().unwrap();
    assert_eq!(last.arms[1].standing, Some(Standing::Equal));
    assert_eq!(of(last, 0.005), GateOutcome::CannotTell);
}

#[test]
fn a_row_that_was_refused_is_not_passed_by_a_gate() {
    let comparison = of_sizes([512, 4096], |_| ());
    let gate = gate(&[comparison], &[], 0.05).unwrap();
    assert_eq!(gate.outcome, etalon_model::GateOutcome::NotCompared);
    let reason = gate.rows[0].reason.as_deref();
    assert_eq!(reason, Some("file size is 512 MiB in 3 and 4 GiB in 5."));
}

#[test]
fn work_of_two_programs_is_told_apart_by_that_alone() {
    let (io, task) = (side(&SLOW, |_| ()), timed(&FAST, |_| ()));
    let arms = [arm("3", "x", &io), arm("5", "y", &task)];
    let refused = compare_arms("a cell", &arms, &options(&[])).unwrap();
    let ComparisonVerdict::Refused { reasons, declare } = refused.verdict else {
        panic!("{:?}", refused.verdict);
    };
    assert_eq!(declare, ["work"], "{reasons:?}");
}

#[test]
fn one_arm_is_no_comparison() {
    let only = side(&SLOW, |_| ());
    let error = compare_arms("a cell", &[arm("1", "x", &only)], &options(&[])).unwrap_err();
    assert!(error.to_string().contains("at least two"));
}

/// Arrivals by chance at a low rate leave a run without any.
#[test]
fn a_run_of_zero_takes_the_answer_of_its_own_pairs_alone() {
    let zero = side(&[1000, 0, 990, 1005, 995, 1002], |_| ());
    let (slow, fast) = (side(&SLOW, |_| ()), side(&FAST, |_| ()));
    let (one, two) = (arm("1", "x", &slow), arm("2", "y", &fast));
    let third = arm("3", "z", &zero);
    let rows = [
        vec![one.clone(), two.clone()],
        vec![one.clone(), third.clone()],
        vec![one, third, two],
    ];
    let rows = rows.map(|arms| RowArms {
        name: "a cell".to_owned(),
        arms,
    });
    let [pair, refused, three] = &compare_rows(&rows, &options(&[])).unwrap()[..] else {
        panic!("not three rows");
    };
    assert_eq!(pair.arms[1].standing, Some(Standing::Faster));
    let ComparisonVerdict::Refused { reasons, declare } = &refused.verdict else {
        panic!("{:?}", refused.verdict);
    };
    let reason = "3 has a run whose figure is zero, and nothing has a ratio to zero; measure it with longer runs.";
    assert_eq!((&*Sentence::all(reasons), declare.len()), (reason, 0));
    let out = three.arms[1].left_out.as_ref().unwrap();
    assert_eq!(out.text, reason);
    assert_eq!(three.arms[2].standing, Some(Standing::Faster));
    // Nor does it take the labels of a page.
    let spread = crate::labels::usable_label_spread(refused, &rows[1].arms, &options(&[]));
    assert!(spread.unwrap().reason.unwrap().contains("figure is zero"));
}

#[test]
fn arms_with_one_run_each_are_refused_in_one_sentence() {
    let (one, many) = (side(&SLOW[..1], |_| ()), side(&FAST, |_| ()));
    let reasons = |arms: &[Arm<'_>]| {
        let refused = compare_arms("a cell", arms, &options(&[])).unwrap();
        match refused.verdict {
            ComparisonVerdict::Refused { reasons, .. } => Sentence::all(&reasons),
            other => panic!("{other:?}"),
        }
    };
    let told = "and one run has no interval; repeat it at least 6 times.";
    assert_eq!(
        reasons(&["a", "b", "c"].map(|label| arm(label, "x", &one))),
        format!("a, b and c have fewer than two usable runs each, {told}")
    );
    assert_eq!(
        reasons(&[arm("a", "x", &one), arm("b", "y", &many)]),
        format!("a has fewer than two usable runs, {told}")
    );
}
