//! `etalon checks`.

use etalon_exchange::{DocumentFormat, Envelope};
use etalon_judge::{CHECKS, Check};

use crate::exit::Exit;
use crate::output;

pub(crate) fn run(json: bool) -> anyhow::Result<Exit> {
    if json {
        output::print(&document()?)?;
        return Ok(Exit::Done);
    }
    let width = CHECKS
        .iter()
        .map(|check| check.code.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for check in CHECKS {
        text.push_str(&format!(
            "{:width$}  {} {}\n",
            check.code, check.about, check.advice
        ));
    }
    output::print(&text)?;
    Ok(Exit::Done)
}

fn document() -> anyhow::Result<String> {
    let checks = CHECKS.iter().map(
        |Check {
             code,
             about,
             advice,
             ..
         }| { serde_json::json!({ "code": code, "about": about, "advice": advice }) },
    );
    let body = serde_json::json!({ "checks": checks.collect::<Vec<_>>() });
    Ok(Envelope::new(DocumentFormat::Checks, "checks", body).to_text()?)
}
