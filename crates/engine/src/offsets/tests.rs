use super::*;
use proptest::prelude::*;

fn visit(order: Order, distribution: Distribution, seed: u64, stride: u32) -> Visit {
    Visit {
        order,
        distribution,
        stride,
        seed,
        fresh: false,
    }
}

fn one_pass(visit: Visit, blocks: u64, jobs: u64) -> Vec<u64> {
    (0..jobs)
        .flat_map(|index| {
            let mut offsets = Offsets::new(
                visit,
                Share {
                    blocks,
                    index,
                    of: jobs,
                },
            );
            let count = offsets.per_pass();
            (0..count)
                .map(move |_| offsets.next_block())
                .collect::<Vec<_>>()
        })
        .collect()
}

fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![
        Just(Order::Sequential),
        Just(Order::Backward),
        Just(Order::Strided),
        Just(Order::Random)
    ]
}

proptest! {
    #[test]
    fn jobs_together_visit_every_block_exactly_once_in_a_pass(
        order in orders(), blocks in 16u64..3_000, jobs in 1u64..16, seed: u64, stride in 1u32..50,
    ) {
        let mut seen = one_pass(visit(order, Distribution::Permutation, seed, stride), blocks, jobs);
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..blocks).collect::<Vec<_>>());
    }

    #[test]
    fn the_second_pass_covers_everything_again(
        order in orders(), blocks in 1u64..500, seed: u64, stride in 1u32..50,
    ) {
        let mut offsets = Offsets::new(
            visit(order, Distribution::Permutation, seed, stride),
            Share { blocks, index: 0, of: 1 },
        );
        for _ in 0..blocks {
            offsets.next_block();
        }
        let mut again: Vec<u64> = (0..blocks).map(|_| offsets.next_block()).collect();
        prop_assert_eq!(offsets.pass(), 1);
        again.sort_unstable();
        prop_assert_eq!(again, (0..blocks).collect::<Vec<_>>());
    }

    #[test]
    fn every_law_stays_in_range(
        blocks in 1u64..(1 << 50), seed: u64, theta in 0.01f64..5.0, h in 0.501f64..0.999,
    ) {
        for law in [Distribution::Uniform, Distribution::Zipf { theta }, Distribution::Pareto { h }] {
            let mut offsets = Offsets::new(
                visit(Order::Random, law, seed, 2),
                Share { blocks, index: 0, of: 1 },
            );
            for _ in 0..50 {
                prop_assert!(offsets.next_block() < blocks);
            }
        }
    }
}

#[test]
fn the_simple_orders_are_as_written() {
    let blocks = |order, stride| one_pass(visit(order, Distribution::Permutation, 1, stride), 7, 1);
    assert_eq!(blocks(Order::Sequential, 2), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(blocks(Order::Backward, 2), [6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(blocks(Order::Strided, 3), [0, 3, 6, 1, 4, 2, 5]);
    assert_eq!(blocks(Order::Strided, 100), [0, 1, 2, 3, 4, 5, 6]);
}

/// Draws per block, most popular first.
fn popularity(law: Distribution, blocks: u64, draws: u64) -> (Vec<u64>, Vec<u64>) {
    let mut offsets = Offsets::new(
        visit(Order::Random, law, 11, 2),
        Share {
            blocks,
            index: 0,
            of: 1,
        },
    );
    let mut counts = vec![0u64; blocks as usize];
    for _ in 0..draws {
        counts[offsets.next_block() as usize] += 1;
    }
    let mut sorted = counts.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    (counts, sorted)
}

#[test]
fn zipf_gives_each_rank_its_share() {
    let (_, sorted) = popularity(Distribution::Zipf { theta: 1.0 }, 1_000, 1_000_000);
    let harmonic: f64 = (1..=1_000).map(|k| 1.0 / f64::from(k)).sum();
    for rank in [1usize, 2, 5, 10, 50] {
        let expected = 1e6 / harmonic / rank as f64;
        let got = sorted[rank - 1] as f64;
        assert!(
            (got / expected - 1.0).abs() < 0.1,
            "rank {rank}: {got} for {expected}"
        );
    }
}

#[test]
fn pareto_gives_eighty_of_a_hundred_draws_to_twenty_of_a_hundred_blocks() {
    let (_, sorted) = popularity(Distribution::Pareto { h: 0.8 }, 10_000, 1_000_000);
    let share = sorted[..2_000].iter().sum::<u64>() as f64 / 1e6;
    assert!((share - 0.8).abs() < 0.01, "{share}");
}

#[test]
fn uniform_is_flat_and_repeats() {
    let (counts, _) = popularity(Distribution::Uniform, 100, 1_000_000);
    // Binomial with mean 10 000 and deviation 99.5: five deviations.
    assert!(
        counts.iter().all(|&c| (9_500..10_500).contains(&c)),
        "{counts:?}"
    );
}

#[test]
fn hot_blocks_are_scattered() {
    let (counts, sorted) = popularity(Distribution::Zipf { theta: 1.2 }, 10_000, 200_000);
    let hot: Vec<usize> = (0..10_000).filter(|&b| counts[b] >= sorted[9]).collect();
    let neighbours = hot.windows(2).filter(|w| w[1] - w[0] < 20).count();
    assert!(neighbours <= 2, "{hot:?}");
}

#[test]
fn a_fresh_stream_goes_once_round_from_a_place_of_its_own() {
    let share = Share {
        blocks: 100,
        index: 0,
        of: 1,
    };
    let of = |seed| {
        let visit = Visit {
            fresh: true,
            ..visit(Order::Sequential, Distribution::Permutation, seed, 1)
        };
        let mut offsets = Offsets::new(visit, share);
        (0..100).map(|_| offsets.next_block()).collect::<Vec<u64>>()
    };
    let (first, second) = (of(1), of(2));
    assert_ne!(first[0], second[0]);
    assert!(first.windows(2).all(|two| two[1] == (two[0] + 1) % 100));
}
