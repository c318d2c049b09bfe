//! How many runs a figure needs, and how many it gets at most.

/// Fewest runs before a stop at home or in a lab: the smallest count with any 95 % interval of
/// the median.
pub const MIN_RUNS_LAB: usize = 6;
/// Fewest runs of a figure that learns from many others ([`CommonSpread`](crate::CommonSpread)): one tells nothing of its
/// own spread.
pub const MIN_RUNS_OF_MANY: usize = 2;
/// Fewest runs whose own spread alone gives a figure an interval ([`Sample::median_interval_of_few`](crate::Sample::median_interval_of_few)):
/// of two, which are near each other by chance as often as not, it would be made up.
pub const MIN_RUNS_OF_OWN_SPREAD: usize = 3;
/// Runs after which a cell is given up as undecided.
pub const MAX_RUNS: usize = 30;
