//! Blocks that come again because they are drawn, each time from all of them.

use etalon_model::{Distribution, Order, Run};
use etalon_units::Bytes;

/// Deviations beyond the mean to which chance goes.
const CHANCE: f64 = 3.0;

/// The least share of the bytes written into `set` that devices take where what came again was written over in memory
/// first; `None` where no block comes again by chance.
pub(crate) fn least_by_chance(run: &Run, set: Bytes) -> Option<f64> {
    let io = run.workload.io()?;
    if io.operation.order() != Order::Random {
        return None;
    }
    match io.distribution {
        Distribution::Permutation => None,
        Distribution::Uniform => {
            let block = io.block_size.largest().as_f64().max(1.0);
            let draws = run.own_written().unwrap_or_default().as_f64() / block;
            Some(least_share(set.as_f64() / block, draws))
        }
        // Favourites come again more often, and how often hangs on how many they are.
        Distribution::Zipf { .. } | Distribution::Pareto { .. } => Some(0.0),
    }
}

fn least_share(blocks: f64, draws: f64) -> f64 {
    let distinct = distinct_share(blocks, draws);
    let repeats = draws * (1.0 - distinct);
    distinct - CHANCE * repeats.max(0.0).sqrt() / draws.max(1.0)
}

/// Share of `draws` that are expected to be the first of their block: B (1 - (1 - 1/B)^n) / n.
fn distinct_share(blocks: f64, draws: f64) -> f64 {
    if blocks <= 1.0 || draws <= 1.0 {
        return 1.0 / draws.max(1.0);
    }
    let missed = (draws * (-1.0 / blocks).ln_1p()).exp();
    blocks * (1.0 - missed) / draws
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_first_draws_is_the_known_one() {
        // One draw is a first one; of two of two blocks 1.5 are; as many draws as blocks find 1 - 1/e of them.
        for (blocks, draws, share) in [
            (100.0, 1.0, 1.0),
            (2.0, 2.0, 0.75),
            (1e6, 1e6, 1.0 - (-1.0_f64).exp()),
            (1e6, 2e4, 0.990_07),
            (1.0, 10.0, 0.1),
        ] {
            let found = distinct_share(blocks, draws);
            assert!((found - share).abs() < 1e-5, "{blocks} {draws}: {found}");
        }
    }
}
