//! `etalon review FILE`.

use std::path::PathBuf;

use clap::Args;
use etalon_exchange::{DocumentFormat, Envelope, ReviewBody};
use etalon_report::ReviewPage;
use etalon_tools::Exit;

use super::subcommand::Subcommand;
use crate::cli::LookArgs;
use crate::documents;
use crate::output;

/// Judge a measurement that others published: text, tool output or a saved web page
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Read are what dd, hdparm, iozone, fio, bonnie++, sysbench, fdtree, elbencho, the Phoronix \
Test Suite, sar and iostat print, and tables of figures, in English and French. Exit code 3 \
says that a fault was found, 1 that there was no measurement to judge.

Examples:
  etalon review page.html
  etalon review results.txt --all
  xclip -o | etalon review -"
)]
pub(super) struct ReviewArgs {
    /// The text or saved page; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show every fault, not only three of each kind
    #[arg(long)]
    all: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: LookArgs,
}

impl Subcommand for ReviewArgs {
    const NAME: &'static str = "review";

    fn run(&self) -> anyhow::Result<Exit> {
        let source = self.file.display().to_string();
        let text = documents::text_of(&documents::page_bytes(&self.file)?);
        let look = output::look();
        // A document is in English in every language.
        let review = match self.json {
            true => etalon_review::review(&text),
            false => look.speak(|| etalon_review::review(&text)),
        };
        let holds_none = review.figures.is_empty() && review.tables == 0;
        let exit = match review.faults.is_empty() {
            true if holds_none => Exit::Failed,
            true => Exit::Done,
            false => Exit::NotValid,
        };
        if self.json {
            let body = ReviewBody { source, review };
            output::print(&Envelope::new(DocumentFormat::Review, Self::NAME, body).to_text()?)?;
            return Ok(exit);
        }
        let page = ReviewPage {
            source: &source,
            review: &review,
            all: self.all,
            width: look.width,
        };
        output::print_page(&look.speak(|| page.to_string()))?;
        Ok(exit)
    }
}
