//! Experiments that are to be published without what names the user's disks, machine and directories.

use anyhow::Context as _;
use etalon_exchange::{Hiding, without_identities};
use etalon_factor::Journal;
use etalon_model::Experiment;
use etalon_stack::hash_of_facts;

/// Hides what `experiment` names, by a word that is kept for this user: in each export the same.
pub(crate) fn hide(experiment: &mut Experiment) -> anyhow::Result<()> {
    let secret = Journal::open().and_then(|journal| journal.secret());
    let secret = secret.context(
        "--without-identities hides them by a random word that is kept in the journal's directory",
    )?;
    let by = Hiding {
        secret: secret.as_str(),
        hash: &hash_of_facts,
    };
    let hidden = without_identities(experiment, &by);
    hidden.context("the experiment holds a record that cannot be written")
}
