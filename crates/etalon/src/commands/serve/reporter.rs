//! The pages of experiments for a browser: those of `etalon report`.

use etalon_model::RunId;
use etalon_report::Frame;
use etalon_serve::{Reporter, Unavailable};
use etalon_store::StoreError;

use crate::cli::StoreArgs;
use crate::commands::list::local_time;
use crate::commands::report::{Compared, Subjects};

/// Reads the store anew for each page.
pub(super) struct StoreReporter {
    pub(super) store: StoreArgs,
}

impl Reporter for StoreReporter {
    fn page(&self, ids: &[RunId], frame: &Frame<'_>) -> Result<String, Unavailable> {
        self.written(ids, frame).map_err(unavailable)
    }

    fn local_time(&self, unix_ns: i64) -> String {
        local_time(unix_ns)
    }
}

impl StoreReporter {
    fn written(&self, ids: &[RunId], frame: &Frame<'_>) -> anyhow::Result<String> {
        let typed: Vec<String> = ids.iter().map(RunId::to_string).collect();
        let subjects = Subjects::of_store(ids, &self.store)?;
        let side_by_side = subjects.side_by_side()?;
        let compared = Compared::of(&subjects, side_by_side.as_ref());
        let command = format!("etalon report {} -o report.html", typed.join(" "));
        Ok(compared.report(&command).served_page(frame))
    }
}

fn unavailable(why: anyhow::Error) -> Unavailable {
    match why.downcast_ref() {
        Some(StoreError::NoSuchExperiment { id, .. }) => Unavailable::Unknown(*id),
        Some(_) => Unavailable::Failed(format!("{why:#}")),
        None => Unavailable::Refused(format!("{why:#}")),
    }
}
