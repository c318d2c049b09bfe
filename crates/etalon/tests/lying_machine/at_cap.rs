//! A device whose true rate is known, since a control group holds it: the interval of the default runs holds that rate,
//! and `capped` says what it is the rate of.

use crate::lab::{Lab, Try};
use crate::table::limited;
use crate::tries::{Excuse, Not, tried};

/// Bytes per second that the group lets through.
const CAP: u64 = 50 << 20;
/// The kernel deals out the rate in slices of up to 100 ms (`throtl_slice` in its block/blk-throttle.c), of which a run of a
/// second may have one more or less.
const SLICE: f64 = 0.1;

/// Takes no turn: it waits nearly all of its time, for a limit that the kernel keeps on a device of its own.
#[test]
fn the_interval_of_a_capped_device_holds_the_rate_of_the_cap() {
    let test = "the_interval_of_a_capped_device_holds_the_rate_of_the_cap";
    let Some(lab) = Lab::new_for(test) else {
        return;
    };
    let outcome = tried(&lab, at_cap, "capped", Excuse::OtherFindings, |report| {
        report.severity("capped") == Some("invalid") && report.interval.is_some_and(holds)
    });
    match outcome {
        Ok(()) => {}
        Err(Not::Settled(why)) => println!("unsettled: {test}: {why}"),
        Err(Not::Right(why)) => panic!("the interval does not hold {CAP} B/s: {why}"),
    }
}

fn at_cap(lab: &Lab) -> Try {
    let group = limited(lab, "blkio.throttle.read_bps_device", "rbps", CAP);
    let file = lab.plain().file("noise");
    lab.measure_in(&group, &file, "--op read -b 1M --time 1s --runs 6")
}

fn holds((low, high): (f64, f64)) -> bool {
    let cap = CAP as f64;
    low <= cap * (1.0 + SLICE) && high >= cap * (1.0 - SLICE) && high < 2.0 * low
}
