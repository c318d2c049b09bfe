//! Plans of the command line: found, read, resolved, and shown.

mod identity;
mod options;
mod overrides;
mod page;
mod presets;
mod resolve;
mod stored;
mod writing;

pub(crate) use identity::{identities, insist_on_the_same};
pub(crate) use overrides::Overrides;
pub(crate) use page::{PlanPage, destroyed, dry_run};
pub(crate) use presets::{PRESETS, Preset, Told};
pub(crate) use resolve::{request, text_of};
pub(crate) use stored::{Stored, in_guest, is_of_guest, label_of, labelled, refuse_of_guest};
pub(crate) use writing::plan_of;
