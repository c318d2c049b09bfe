//! Why a command line is refused.

use etalon_workload::tree::ShapeError;

/// Why a command line is refused; nothing was touched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FdtreeUsage {
    /// An option that does not exist.
    #[error(
        "unknown option '{0}'; the options are -C -D -R -d -f -l -o -s, --runs, --sync, --zero, --wait, --json, --store and --help"
    )]
    Unknown(String),
    /// An option whose value is missing.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// A value that is not a whole number in range.
    #[error("option {option}: '{value}' is not a whole number from {least} to {most}")]
    Number {
        /// The option.
        option: &'static str,
        /// What was typed.
        value: String,
        /// The smallest accepted.
        least: u64,
        /// The largest accepted.
        most: u64,
    },
    /// A word that belongs to no option.
    #[error("'{0}' belongs to no option; the starting directory is given by -o")]
    Stray(String),
    /// Options that exclude each other.
    #[error("{0} needs both the creation and the removal; leave -C and -R out")]
    HalfRepeated(&'static str),
    /// A shape that cannot be.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}
