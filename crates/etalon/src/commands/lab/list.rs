//! `etalon lab list`.

use clap::Args;
use etalon_exchange::{DiskModel, LabBody, ModelFigure};
use etalon_lab::catalogue::{CLASSES, Class};
use etalon_lab::guest::Network;

use super::print_document;
use crate::output;
use etalon_tools::Exit;

/// Options of `etalon lab list`.
#[derive(Debug, Clone, Args)]
pub(super) struct ListArgs {
    /// Tell each figure with its source
    #[arg(long)]
    figures: bool,
    /// Print one JSON document, with every figure
    #[arg(long)]
    json: bool,
}

impl ListArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        if self.json {
            let models = CLASSES.iter().map(model).collect();
            print_document(LabBody::Models(models))?;
            return Ok(Exit::Done);
        }
        let mut text = String::from("Disk models:\n");
        for class in CLASSES {
            text.push_str(&format!("  {:9}  {}\n", class.name, class.about));
            if self.figures {
                text.push_str(&figures(class));
            }
        }
        text.push_str("\nNetworks within a guest, for lab run:\n");
        for network in Network::ALL {
            text.push_str(&format!("  {:9}  {}\n", network.name(), network.about()));
        }
        if !self.figures {
            text.push_str("\nThe figures with their sources: etalon lab list --figures\n");
        }
        output::print_page(&text)?;
        Ok(Exit::Done)
    }
}

fn model(class: &Class) -> DiskModel {
    let figure = |figure: &etalon_lab::catalogue::SourcedFigure| ModelFigure {
        name: figure.name,
        value: figure.value,
        source: figure.source,
    };
    DiskModel {
        name: class.name,
        about: class.about,
        figures: class.figures.iter().map(figure).collect(),
    }
}

/// A figure a line, its source below it.
fn figures(class: &Class) -> String {
    let line = |figure: &etalon_lab::catalogue::SourcedFigure| {
        let (name, value, source) = (figure.name, figure.value, figure.source);
        match figure.source.len() + value.len() <= 36 {
            true => format!("    {name:26} {value} ({source})\n"),
            false => format!("    {name:26} {value}\n      {source}\n"),
        }
    };
    class.figures.iter().map(line).collect()
}
