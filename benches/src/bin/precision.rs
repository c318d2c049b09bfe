//! What repeating by rule costs, beside a fixed ten runs: reads what `etalon quick --json` printed.
//!
//! The rule is played again on each cell's figures in the order in which they came: after how many
//! runs it would have stopped at ±5 % and at ±2.5 %, and how narrow the interval was after ten.
#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use etalon_stats::{MAX_RUNS, MIN_RUNS_LAB, Sample, StopDecision, StoppingRule};
use serde_json::Value;

/// The habit that the rule stands beside.
const FIXED: usize = 10;

/// Prints, for each workload, the time to two precisions and what ten runs give.
#[derive(Debug, Parser)]
struct Options {
    /// What `etalon quick --json --precision 1%` printed.
    session: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let path = Options::parse().session;
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let session: Value = serde_json::from_str(&text).context("not what quick --json prints")?;
    let cells = session["cells"].as_array().context("no cells")?;
    println!(
        "{:<28} {:>7} {:>16} {:>16} {:>20} {:>5}",
        "", "s / run", "to ±5 %", "to ±2.5 %", "fixed ten runs", "runs"
    );
    for cell in cells {
        println!("{}", row(cell).context("a cell without figures")?);
    }
    Ok(())
}

fn row(cell: &Value) -> Option<String> {
    let values: Option<Vec<f64>> = cell["values"]
        .as_array()?
        .iter()
        .map(Value::as_f64)
        .collect();
    let values = values?;
    let run = cell["duration_ns"].as_f64()? / 1e9 / cell["runs"].as_f64()?;
    Some(format!(
        "{:<28} {run:>7.2} {:>16} {:>16} {:>20} {:>5}",
        cell["name"].as_str()?,
        stop(&values, 0.05, run),
        stop(&values, 0.025, run),
        fixed(&values, run),
        values.len()
    ))
}

/// Runs and seconds after which the rule stops; a bound when the session ended first.
fn stop(values: &[f64], target: f64, run: f64) -> String {
    let Ok(rule) = StoppingRule::new(target, MIN_RUNS_LAB, MAX_RUNS.max(values.len())) else {
        return "-".to_owned();
    };
    let stopped = (MIN_RUNS_LAB..=values.len()).find(|&n| {
        sample(&values[..n]).is_some_and(|s| matches!(rule.decide(&s), StopDecision::Stop(_)))
    });
    match stopped {
        Some(n) => format!("{n} runs {:.1} s", n as f64 * run),
        None => format!("over {:.1} s", values.len() as f64 * run),
    }
}

/// Seconds of ten runs and the half width that they give.
fn fixed(values: &[f64], run: f64) -> String {
    let reach = values.get(..FIXED).and_then(sample).and_then(|ten| {
        let rule = StoppingRule::new(0.05, MIN_RUNS_LAB, MAX_RUNS).ok()?;
        rule.estimate(&ten).relative_half_width()
    });
    match reach {
        Some(reach) => format!("{:.1} s ±{:.1} %", FIXED as f64 * run, 100.0 * reach),
        None => "fewer than ten".to_owned(),
    }
}

fn sample(values: &[f64]) -> Option<Sample> {
    Sample::new(values.to_vec()).ok()
}
