//! What the cuts have shown.

use etalon_judge::{CutFacts, CutPromise, check_cut};
use etalon_lab::powercut::{Durability, PowerCut};
use etalon_model::Finding;
use etalon_stats::{Level, proportion_upper_bound};
use etalon_tools::Exit;
use etalon_units::{Nanos, Percent};

use super::super::model::Model;
use super::written::{OnFilesystem, Written};

/// Cuts of one disk.
#[derive(Debug)]
pub(super) struct CutOutcome {
    pub(super) disk: Model,
    /// None of a bare disk.
    pub(super) on: Option<OnFilesystem>,
    pub(super) durability: Durability,
    pub(super) seed: u64,
    pub(super) cuts: Vec<PowerCut>,
    /// Of cuts after which the filesystem could not be mounted, or the database not be opened, why.
    pub(super) unmountable: Vec<String>,
}

impl CutOutcome {
    /// The option's word.
    pub(super) fn durability_name(&self) -> &'static str {
        match self.durability {
            Durability::Fsync => "fsync",
            Durability::Dsync => "dsync",
            Durability::None => "none",
        }
    }

    /// Each cut that lost something promised, with what etalon's check says of it.
    pub(super) fn broken(&self) -> impl Iterator<Item = (&PowerCut, Finding)> {
        let found = |cut| Some((cut, check_cut(&self.facts(cut))?));
        self.cuts.iter().filter_map(found)
    }

    /// What was promised one by one.
    pub(super) fn written(&self) -> Written {
        self.on.as_ref().map_or(Written::Records, |on| on.written)
    }

    /// Cuts before which something had been promised, and those of them that lost some of it. The others can
    /// show nothing.
    pub(super) fn counts(&self) -> (u64, u64) {
        let telling = self.cuts.iter().filter(|cut| cut.promised > 0);
        (telling.count() as u64, self.broken().count() as u64)
    }

    /// The share of cuts that lose something promised is at most this, at [`Level::REPORTED`].
    pub(super) fn at_most(&self) -> Percent {
        let (cuts, broken) = self.counts();
        Percent::from_fraction(proportion_upper_bound(broken, cuts, Level::REPORTED))
    }

    /// A sum over all cuts.
    pub(super) fn sum(&self, of: impl Fn(&PowerCut) -> u64) -> u64 {
        self.cuts.iter().map(of).sum()
    }

    pub(super) fn exit(&self) -> Exit {
        match self.broken().next() {
            None => Exit::Done,
            Some(_) => Exit::NotValid,
        }
    }

    fn facts(&self, cut: &PowerCut) -> CutFacts {
        let written = self.written();
        let first = cut.lost.first().map(|lost| lost.promised);
        CutFacts {
            number: cut.number,
            what: match written {
                Written::Records => CutPromise::Records,
                Written::Experiments => CutPromise::Experiments,
                Written::Rows(_) => CutPromise::Rows,
            },
            at: Nanos(cut.at_ns),
            asked: written == Written::Experiments || self.durability != Durability::None,
            promised: cut.promised,
            lost: cut.lost.len() as u64,
            first: first.map(|promised| (promised.number, Nanos(promised.at_ns))),
        }
    }
}
