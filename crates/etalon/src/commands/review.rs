//! `etalon review FILE`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use etalon_exchange::{DocumentFormat, Envelope, ReviewBody};
use etalon_report::ReviewPage;
use etalon_tools::Exit;

use super::subcommand::Subcommand;
use crate::documents;
use crate::output;

/// No page that people read is larger.
const LARGEST_MIB: u64 = 64;

/// Judge a measurement that others published: text, tool output or a saved web page
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Read are what dd, hdparm, iozone, fio, bonnie++, sysbench, fdtree, elbencho, the Phoronix \
Test Suite, sar and iostat print, and tables of figures, in English and French. Exit code 3 \
says that a fault was found.

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
}

impl Subcommand for ReviewArgs {
    const NAME: &'static str = "review";

    fn run(&self) -> anyhow::Result<Exit> {
        let source = self.file.display().to_string();
        let review = etalon_review::review(&read(&self.file)?);
        let exit = if review.faults.is_empty() {
            Exit::Done
        } else {
            Exit::NotValid
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
            width: output::width(),
        };
        output::print_page(&page.to_string())?;
        Ok(exit)
    }
}

/// The text of a file, whatever its letters; a device or a pipe by name is no page.
fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let limit = LARGEST_MIB << 20;
    if path == Path::new("-") {
        std::io::stdin().take(limit + 1).read_to_end(&mut bytes)?;
    } else {
        let file = documents::open(path)?;
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > limit {
        bail!(
            "'{}' has more than {LARGEST_MIB} MiB, which no page has: cut out the part with the measurement",
            path.display()
        );
    }
    Ok(text_of(&bytes))
}

/// UTF-8, or else Latin 1, in which old pages are written.
fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}
