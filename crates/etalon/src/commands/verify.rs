//! `etalon verify FILE`.

use std::path::PathBuf;

use clap::Args;
use etalon_exchange::{DocumentFormat, Envelope, MismatchBody, VerifiedBody, restated};
use etalon_judge::{Mismatch, has_own_rule, verify};
use etalon_model::Experiment;
use etalon_tools::Exit;

use super::import::bundle;
use super::subcommand::Subcommand;
use crate::{documents, output};

/// Compute a published experiment again from its runs, and name what does not match
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon verify results.etalon
  etalon verify experiment.json
  etalon verify results.etalon --json

Exit code 3 says that something does not match.")]
pub(super) struct VerifyArgs {
    /// A bundle, or a document of `etalon export --json`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Subcommand for VerifyArgs {
    const NAME: &'static str = "verify";

    fn run(&self) -> anyhow::Result<Exit> {
        let document = documents::text_of_document(&self.file)?;
        let experiment = match &document {
            Some(text) => documents::of_document(text, &self.file)?,
            None => bundle(&self.file)?,
        };
        let mut found: Vec<MismatchBody> = verify(&experiment).into_iter().map(body).collect();
        if let Some(text) = &document {
            found.extend(restated(text, &experiment)?);
        }
        let exit = match found.is_empty() {
            true => Exit::Done,
            false => Exit::NotValid,
        };
        if self.json {
            output::print(&self.document(&experiment, found)?)?;
            return Ok(exit);
        }
        let lines: Vec<String> = found.iter().map(line).collect();
        output::print_page(&format!(
            "{}{}\n",
            lines.concat(),
            summary(&experiment, found.len())
        ))?;
        Ok(exit)
    }
}

impl VerifyArgs {
    fn document(
        &self,
        experiment: &Experiment,
        mismatches: Vec<MismatchBody>,
    ) -> anyhow::Result<String> {
        let begun = &experiment.header.begun;
        let body = VerifiedBody {
            source: self.file.display().to_string(),
            cells: experiment.cells.len() as u64,
            runs: experiment.runs.len() as u64,
            with_intervals: !has_own_rule(begun.kind),
            mismatches,
        };
        let document = Envelope::new(DocumentFormat::Verified, Self::NAME, body);
        Ok(document.on(&begun.target).to_text()?)
    }
}

fn body(found: Mismatch) -> MismatchBody {
    MismatchBody {
        cell: found.cell,
        figure: found.figure,
        stated: found.stated,
        computed: found.computed,
    }
}

fn line(found: &MismatchBody) -> String {
    let MismatchBody {
        cell,
        figure,
        stated,
        computed,
    } = found;
    format!("{cell}: {figure}: the file says {stated}; its runs give {computed}\n")
}

fn summary(experiment: &Experiment, mismatches: usize) -> String {
    let kind = experiment.header.begun.kind;
    let (cells, runs) = (experiment.cells.len(), experiment.runs.len());
    let what = match has_own_rule(kind) {
        true => {
            "values, means, medians, latencies, shares from devices and verdicts; intervals of fewer than six runs use the spread of other rows, and were not recomputed"
        }
        false => "values, means, medians, latencies, shares from devices, intervals and verdicts",
    };
    let (figures, verb) = match cells {
        1 => ("1 figure".to_owned(), "matches"),
        _ => (format!("{cells} figures"), "match"),
    };
    match mismatches {
        0 => format!("{figures} of {runs} runs {verb}: {what}."),
        count => format!("{count} of these do not match, in {figures} of {runs} runs: {what}."),
    }
}
