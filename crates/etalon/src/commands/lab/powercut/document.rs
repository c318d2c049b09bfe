//! The cuts as a document.

use etalon_exchange::{BrokenPromise, PowerCuts};
use etalon_lab::powercut::{PowerCut, Records};
use etalon_model::Finding;
use etalon_stats::Level;

use super::outcome::CutOutcome;
use super::written::Written;

pub(super) fn of(outcome: &CutOutcome) -> PowerCuts {
    let (disk, on) = (&outcome.disk, outcome.on.as_ref());
    let (cuts_with_promises, cuts_with_losses) = outcome.counts();
    PowerCuts {
        disk: disk.class.name,
        size_bytes: disk.size.0,
        ignores_flush: disk.ignores_flush(),
        filesystem: on.map(|on| on.filesystem),
        mount_options: on.and_then(|on| on.options.clone()),
        written: outcome.written().noun(),
        durability: outcome.durability_name(),
        record_bytes: (outcome.written() == Written::Records).then_some(Records::BYTES),
        seed: outcome.seed,
        cuts: outcome.cuts.len() as u64,
        cuts_with_promises,
        cuts_with_losses,
        unmountable_cuts: outcome.unmountable.len() as u64,
        loss_share_at_most: outcome.at_most().fraction(),
        level: Level::REPORTED.get(),
        promised: outcome.sum(|cut| cut.promised),
        lost: outcome.sum(|cut| cut.lost.len() as u64),
        torn: outcome.sum(PowerCut::torn),
        broken_promises: outcome.broken().filter_map(broken).collect(),
    }
}

fn broken((cut, finding): (&PowerCut, Finding)) -> Option<BrokenPromise> {
    let first = cut.lost.first()?.promised;
    Some(BrokenPromise {
        cut: cut.number,
        at_ns: cut.at_ns,
        promised: cut.promised,
        lost: cut.lost.len() as u64,
        torn: cut.torn(),
        first_lost: first.number,
        first_promised_at_ns: first.at_ns,
        finding,
    })
}
