//! `etalon export ID`.

use std::path::Path;

use anyhow::{Context as _, bail};
use etalon_exchange::{
    PageWords, to_bundle, to_csv, to_fio_files, to_fio_json, to_json, to_markdown, to_metrics,
    to_workbook,
};
use etalon_factor::guard::{Existing, Output, Readers};
use etalon_model::Experiment;
use etalon_report::{answer_in_words, figure, findings_in_words, label};
use etalon_tools::Exit;

use super::directories;
use super::subcommand::Subcommand;
use crate::cli::ExportArgs;
use crate::stores;
use crate::{identities, output, unjudged};

impl Subcommand for ExportArgs {
    const NAME: &'static str = "export";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    // What cannot be written is known before anything is read.
    let claim = |path| Output::claim(path, Existing::Replace, Readers::ByUmask);
    let cannot = || "cannot write the file of -o".to_owned();
    let file = args
        .output
        .as_deref()
        .map(claim)
        .transpose()
        .with_context(cannot)?;
    let experiment = stores::open_read_only(&args.store)?.experiment(args.id)?;
    let mut experiment = unjudged::as_it_is(experiment);
    if args.without_identities {
        identities::hide(&mut experiment)?;
    }
    if let Some(directory) = &args.fio_files {
        return write_files(&experiment, directory);
    }
    let bytes = exported(args, &experiment)?;
    if let Some(mut file) = file {
        file.write(&bytes).with_context(cannot)?;
        return Ok(Exit::Done);
    }
    let text = String::from_utf8(bytes).context("the export is not UTF-8")?;
    match args.csv {
        true => output::print_data(&text)?,
        false => output::print(&text)?,
    }
    Ok(Exit::Done)
}

/// Writes what fio-plot reads and tells the names of the files.
fn write_files(experiment: &Experiment, directory: &Path) -> anyhow::Result<Exit> {
    let files = to_fio_files(experiment)?;
    if files.is_empty() {
        bail!(
            "experiment {} has no I/O that fio could have made; `etalon export {0} --csv` has its runs",
            experiment.header.id
        );
    }
    directories::make(directory)?;
    for file in files {
        let within = directory.join(&file.directory);
        directories::make(&within)?;
        directories::put(&within.join(&file.name), file.json.as_bytes())?;
    }
    Ok(Exit::Done)
}

/// The table with the words of the page, which an export has in English.
fn markdown(experiment: &Experiment) -> String {
    let words = PageWords {
        answer: &answer_in_words(experiment),
        findings: &findings_in_words(experiment),
        name: label,
        figure,
    };
    to_markdown(experiment, &words)
}

fn exported(args: &ExportArgs, experiment: &Experiment) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match args {
        _ if args.json => to_json(experiment, &mut bytes)?,
        _ if args.csv => to_csv(experiment, &mut bytes)?,
        _ if args.markdown => bytes = markdown(experiment).into_bytes(),
        _ if args.metrics => bytes = to_metrics(experiment).into_bytes(),
        _ if args.fio => bytes = to_fio_json(experiment)?.into_bytes(),
        _ if args.xlsx => bytes = to_workbook(experiment)?,
        _ => bytes = to_bundle(experiment)?,
    }
    Ok(bytes)
}
