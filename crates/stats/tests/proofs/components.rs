//! Proof of variance components: a known answer, and that the intervals cover.

use crate::common::{Rng, normal, rng, sample, share, slack};
use etalon_stats::{Components, ComponentsError, Level, components};

/// Yields of dyestuff from six batches (Davies and Goldsmith, Statistical Methods in Research and
/// Production, 1972, table 6.1), whose components every textbook has: 1764 and 2451.
const DYESTUFF: [[f64; 5]; 6] = [
    [1545.0, 1440.0, 1440.0, 1520.0, 1580.0],
    [1540.0, 1555.0, 1490.0, 1560.0, 1495.0],
    [1595.0, 1550.0, 1605.0, 1510.0, 1560.0],
    [1445.0, 1440.0, 1595.0, 1465.0, 1545.0],
    [1595.0, 1630.0, 1515.0, 1635.0, 1625.0],
    [1520.0, 1455.0, 1450.0, 1480.0, 1445.0],
];

#[test]
fn the_dyestuff_has_its_known_components() {
    let groups = DYESTUFF.map(|group| sample(group.to_vec()));
    let found = components(&groups, Level::P95).unwrap();
    assert!((found.between.powi(2) - 1764.05).abs() < 0.01, "{found:?}");
    assert!((found.within.powi(2) - 2451.25).abs() < 0.01, "{found:?}");
    assert!((found.mean - 1527.5).abs() < 1e-9 && found.runs == 30);
    assert!((found.icc - 1764.05 / (1764.05 + 2451.25)).abs() < 1e-6);
    for (interval, value) in [
        (found.between_interval, found.between),
        (found.within_interval, found.within),
        (found.icc_interval, found.icc),
    ] {
        assert!(interval.low < value && value < interval.high, "{found:?}");
    }
}

#[test]
fn what_cannot_be_known_is_refused() {
    let one = components(&[sample(vec![1.0, 2.0])], Level::P95);
    assert_eq!(one, Err(ComponentsError::TooFewGroups { groups: 1 }));
    let single = [sample(vec![1.0]), sample(vec![2.0])];
    let found = components(&single, Level::P95);
    assert_eq!(found, Err(ComponentsError::NoRepetition));
    let equal = [sample(vec![1.0, 1.0]), sample(vec![2.0, 2.0])];
    assert_eq!(
        components(&equal, Level::P95),
        Err(ComponentsError::NoSpread)
    );
}

fn drawn(rng: &mut Rng, sizes: &[usize], between: f64) -> Option<Components> {
    let groups = sizes.iter().map(|&size| {
        let own = between * normal(rng);
        sample((0..size).map(|_| 100.0 + own + normal(rng)).collect())
    });
    components(&groups.collect::<Vec<_>>(), Level::P95).ok()
}

#[test]
fn the_intervals_cover() {
    let reps = 2000;
    for (sizes, between) in [
        (vec![6; 5], 0.0),
        (vec![6; 5], 1.0),
        (vec![6; 12], 3.0),
        (vec![4, 6, 8, 12, 6], 1.0),
    ] {
        let mut rng = rng(6200);
        let all: Vec<_> = (0..reps)
            .map(|_| drawn(&mut rng, &sizes, between).unwrap())
            .collect();
        let truth = between * between / (1.0 + between * between);
        // Where groups add nothing the lower end is zero, and covers unless it is above it.
        let covers = [
            share(reps, |i| all[i].between_interval.contains(between)),
            share(reps, |i| all[i].icc_interval.contains(truth)),
            share(reps, |i| all[i].within_interval.contains(1.0)),
        ];
        for (name, found) in ["between", "icc", "within"].iter().zip(covers) {
            let least = 0.945 - slack(0.945, reps);
            assert!(found >= least, "{name} of {sizes:?}, {between}: {found}");
        }
    }
}
