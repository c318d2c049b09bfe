//! The cuts in words.

use etalon_lab::powercut::{Durability, PowerCut, Records};
use etalon_report::{described, fitted, paragraph};
use etalon_stats::Level;
use etalon_units::{Bytes, Nanos, Percent, visible};

use super::outcome::CutOutcome;
use super::written::Written;

/// Cuts that are told one by one.
const MAX_LISTED_CUTS: usize = 3;
/// An upper bound of a share says nothing more from here on.
const USEFUL: f64 = 0.5;

/// The page, for a terminal of this width.
pub(super) fn of(outcome: &CutOutcome, width: Option<usize>) -> String {
    let rows = [
        ("promised", promised(outcome)),
        ("cuts", moments(outcome)),
        ("lost", lost(outcome)),
    ];
    let told = told(outcome);
    [
        fitted(&heading(outcome), width),
        "\n".to_owned(),
        described("", &rows, width),
        told.iter()
            .map(|line| format!("\n{}", paragraph(line, width)))
            .collect(),
        "\n".to_owned(),
        paragraph(&conclusion(outcome), width),
    ]
    .concat()
}

fn heading(outcome: &CutOutcome) -> String {
    let disk = &outcome.disk;
    let lies = match disk.ignores_flush() {
        true => ", which ignores flushes",
        false => "",
    };
    let disk = format!("{} of {}{lies}", disk.class.name, disk.size);
    let Some(on) = &outcome.on else {
        return format!("Power cuts of {disk}: simulated");
    };
    let options = on.options.as_ref();
    let options = options.map_or(String::new(), |options| format!(" ({})", visible(options)));
    let database = match on.written {
        Written::Rows(database) => format!("{} on ", database.title()),
        _ => String::new(),
    };
    format!(
        "Power cuts beneath {database}{}{options} on {disk}: in a guest",
        on.filesystem
    )
}

fn promised(outcome: &CutOutcome) -> String {
    let text = match (outcome.written(), outcome.durability) {
        (Written::Rows(database), durability) => {
            let (name, value) = database.setting(durability);
            let text = match durability {
                Durability::None => {
                    "each row counts once it is committed; nobody asked for durability"
                }
                _ => "each row is durable once its transaction is committed",
            };
            return format!("{text} ({name}={value})");
        }
        (Written::Experiments, _) => "each experiment is in the store once etalon has ended well",
        (_, Durability::Fsync) => "each record is durable once an fsync after it has returned",
        (_, Durability::Dsync) => "each record is durable once its write with O_DSYNC has returned",
        (_, Durability::None) => {
            "each record counts once its write has returned; nobody asked for durability"
        }
    };
    text.to_owned()
}

fn moments(outcome: &CutOutcome) -> String {
    let (cuts, last) = (
        &outcome.cuts,
        outcome.cuts.iter().map(|cut| cut.at_ns).max(),
    );
    let early = cuts.len() as u64 - outcome.counts().0;
    let early = match early {
        0 => String::new(),
        _ => format!("; {early} before the first promise"),
    };
    let (count, span, seed) = (cuts.len(), Nanos(last.unwrap_or(0)), outcome.seed);
    format!("{count}, at random moments in {span} of writing, seed {seed}{early}")
}

fn lost(outcome: &CutOutcome) -> String {
    let promised = outcome.sum(|cut| cut.promised);
    let of = match outcome.written() {
        Written::Records => format!("{promised} promised records of {}", Bytes(Records::BYTES)),
        Written::Experiments => format!("{promised} promised experiments"),
        Written::Rows(_) => format!("{promised} promised rows"),
    };
    let lost = outcome.sum(|cut| cut.lost.len() as u64);
    let torn = outcome.sum(PowerCut::torn);
    match (lost, torn) {
        (0, _) => format!("none of {of}"),
        (_, 0) => format!("{lost} of {of}"),
        _ => format!("{lost} of {of}; {torn} of them in part"),
    }
}

/// What the check says of the first cuts, its advice once, and how many more there are.
fn told(outcome: &CutOutcome) -> Vec<String> {
    let broken: Vec<_> = outcome.broken().collect();
    let line = |(_, finding): &(_, etalon_model::Finding)| {
        format!("invalid [{}] {}", finding.code, finding.message)
    };
    let mut told: Vec<String> = broken.iter().take(MAX_LISTED_CUTS).map(line).collect();
    let more = broken.len().saturating_sub(MAX_LISTED_CUTS);
    if more > 0 {
        told.push(format!("{more} more such cuts; --json has each of them."));
    }
    if let Some(first) = outcome.unmountable.first() {
        let count = outcome.unmountable.len();
        let what = match outcome.written() {
            Written::Rows(_) => "the database could not be opened",
            _ => "the filesystem could not be mounted",
        };
        told.push(format!("After {count} of the cuts {what}: {first}"));
    }
    told.extend(broken.first().map(|(_, finding)| finding.advice.clone()));
    told
}

fn conclusion(outcome: &CutOutcome) -> String {
    let (cuts, broken) = outcome.counts();
    let (level, at_most) = (Level::REPORTED, outcome.at_most());
    match broken {
        0 => format!(
            "Nothing that was promised was lost in {cuts} power cuts: at {level} confidence less than {at_most} of such cuts lose anything."
        ),
        _ => format!(
            "{broken} of {cuts} power cuts ({}) lost what had been promised{}.",
            Percent::from_fraction(broken as f64 / cuts as f64),
            match at_most.fraction() < USEFUL {
                true => format!("; at {level} confidence at most {at_most} of such cuts do"),
                false => String::new(),
            }
        ),
    }
}
