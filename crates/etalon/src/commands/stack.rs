//! `etalon stack [TARGET]`.

use etalon_exchange::{DocumentFormat, Envelope};
use etalon_experiment::Site;
use etalon_report::render_text;

use crate::cli::StackArgs;
use crate::exit::Exit;
use crate::output;

pub(crate) fn run(args: &StackArgs) -> anyhow::Result<Exit> {
    let site = Site::look(&args.target)?;
    let text = if args.json {
        Envelope::new(
            DocumentFormat::Stack,
            "stack",
            serde_json::json!({ "stack": site.tree }),
        )
        .on(&site.record)
        .to_text()?
    } else {
        render_text(&site.tree)
    };
    output::print(&text)?;
    Ok(Exit::Done)
}
