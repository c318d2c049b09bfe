//! Options of comparisons.

use super::StoreArgs;
use clap::Args;
use etalon_units::Percent;

/// Put experiments or cells side by side and say which differences are real
#[derive(Debug, Clone, Args)]
#[command(after_long_help = "Examples:
  etalon compare 3 5                                  every workload of two checks
  etalon compare 3 5 7 --baseline 5 --by target       three targets, ratios to 5
  etalon compare '3/random read 4 KiB, depth 1' '3/random read 4 KiB, depth 32' --by queue_depth,backend
  etalon compare old.sqlite:3 5                       against another store
  etalon compare 3@1-6 3@7-12                         its first runs and its later ones

An arm is [FILE:]ID[/CELL][@RUNS]; FILE alone is the newest experiment of that store, or one that
`etalon export --json` wrote. The runs of a
cell count from 1. A single run has no interval and is compared with nothing. Arms that differ in
more than the factors of --by are refused: every option of the workload except its length and seed,
and target, beneath, cache, backend, etalon.")]
pub(crate) struct CompareArgs {
    /// What to compare, at least two
    #[arg(required = true, num_args = 2.., value_name = "ARM")]
    pub(crate) arms: Vec<String>,
    /// What may differ between the arms, separated by commas
    #[arg(long, value_name = "FACTOR", value_delimiter = ',')]
    pub(crate) by: Vec<String>,
    /// The arm that ratios and percentages refer to [default: the first]
    #[arg(long, value_name = "ARM")]
    pub(crate) baseline: Option<String>,
    /// Relative differences up to this count as none
    #[arg(
        long,
        default_value = "2%",
        value_name = "PERCENT",
        allow_hyphen_values = true
    )]
    pub(crate) margin: Percent,
    /// Print one JSON document instead of the tables
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
