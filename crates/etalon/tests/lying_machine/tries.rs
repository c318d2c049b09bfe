//! Tries of one part of a row, and what the machine around them may excuse.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::sleep;
use std::time::Duration;

use etalon_testbed::{OF_THE_MACHINE, Weather};

use crate::lab::{Lab, Report, Try};

/// Tries of a trap and of a twin that nothing disturbed: a check that is blind stays so in each of them.
const CALM_TRIES: usize = 3;
/// All tries: other users of the machine may really disturb one, as the findings then say.
const MOST_TRIES: u32 = 10;
/// Before the second try; before each later one it is half a second longer.
const REST: Duration = Duration::from_millis(200);

/// What a part said at last that was never as wanted.
pub(crate) enum Not {
    /// Also where nothing disturbed it.
    Right(String),
    /// But something else on the machine disturbed nearly all tries.
    Settled(String),
}

impl Not {
    pub(crate) fn map(self, with: impl Fn(String) -> String) -> Not {
        match self {
            Not::Right(said) => Not::Right(with(said)),
            Not::Settled(said) => Not::Settled(with(said)),
        }
    }
}

/// What may excuse a part that is not as wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excuse {
    /// What etalon found of the machine, but for what the row is about.
    OtherFindings,
    /// That too, if others were at work while this part rested: an honest twin of which it is said that the processors were
    /// busy is not accused where they were. For a row beside which nothing of this test goes on.
    BusyMachine,
}

/// Plays a part until it is as wanted; gives what it said at last where it never was.
pub(crate) fn tried(
    lab: &Lab,
    part: fn(&Lab) -> Try,
    code: &str,
    excuse: Excuse,
    wanted: impl Fn(&Report) -> bool,
) -> Result<(), Not> {
    let (mut calm, mut undisturbed, mut last) = (0, 0, String::new());
    for number in 0..MOST_TRIES {
        lab.shared.begin();
        let weather = Weather::now();
        let played = played(lab, part);
        let is_calm = weather.is_calm();
        let mut is_disturbed = match played {
            Ok(report) if wanted(&report) => return Ok(()),
            Ok(report) => {
                last = report.to_string();
                report.is_disturbed(code)
            }
            Err(why) => {
                last = why;
                !is_calm
            }
        };
        let rests = Weather::now();
        sleep(REST + Duration::from_millis(500) * number);
        let of_the_machine = OF_THE_MACHINE.contains(&code) && excuse == Excuse::BusyMachine;
        is_disturbed |= of_the_machine && !rests.is_calm();
        if lab.shared.forget() {
            continue;
        }
        undisturbed += usize::from(!is_disturbed);
        calm += usize::from(is_calm && !is_disturbed);
        if calm == CALM_TRIES {
            break;
        }
    }
    let last = last.split_whitespace().collect::<Vec<_>>().join(" ");
    if undisturbed < CALM_TRIES {
        return Err(Not::Settled(last));
    }
    Err(Not::Right(last))
}

/// Plays a part once: a device that could not be made is a try like one without a figure.
fn played(lab: &Lab, part: fn(&Lab) -> Try) -> Try {
    let caught = catch_unwind(AssertUnwindSafe(|| part(lab)));
    caught.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(text.unwrap_or("it panicked").to_owned())
    })
}
