//! `etalon stack [TARGET]`.

use etalon_exchange::{DocumentFormat, Envelope, StackBody};
use etalon_experiment::Site;
use etalon_report::{fitted, render_text};
use etalon_tools::Exit;

use super::subcommand::Subcommand;
use crate::cli::StackArgs;
use crate::output;

impl Subcommand for StackArgs {
    const NAME: &'static str = "stack";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &StackArgs) -> anyhow::Result<Exit> {
    let site = Site::look(&args.target)?;
    if args.json {
        let document = Envelope::new(
            DocumentFormat::Stack,
            "stack",
            StackBody { stack: &site.tree },
        );
        output::print(&document.on(&site.record).to_text()?)?;
    } else {
        let look = output::look();
        let drawn = look.speak(|| fitted(&render_text(&site.tree), look.width));
        output::print_page(&drawn)?;
    }
    Ok(Exit::Done)
}
