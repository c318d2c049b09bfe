//! Many comparisons at once: p values adjusted so that one alpha holds for all of them.
//!
//! Holm (Scandinavian Journal of Statistics 6, 1979): the i-th smallest of `m` p values is
//! multiplied by `m - i + 1`, none below the one before; what stays within alpha is rejected with
//! a family-wise error of at most alpha. Benjamini and Hochberg (Journal of the Royal Statistical
//! Society B 57, 1995) bound the share of false findings only and are for exploratory screens.

/// Holm's adjusted p values, in the order given; each at most 1.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let order = ascending(p);
    let mut adjusted = vec![0.0; p.len()];
    let mut floor = 0.0_f64;
    for (position, &index) in order.iter().enumerate() {
        let factor = (p.len() - position) as f64;
        floor = floor.max((p[index] * factor).min(1.0));
        adjusted[index] = floor;
    }
    adjusted
}

/// Benjamini and Hochberg's adjusted p values (q values), in the order given: for screens of more
/// than 20 comparisons, to be labelled as such.
pub fn screen(p: &[f64]) -> Vec<f64> {
    let order = ascending(p);
    let mut adjusted = vec![0.0; p.len()];
    let mut ceiling = 1.0_f64;
    for (position, &index) in order.iter().enumerate().rev() {
        let factor = p.len() as f64 / (position + 1) as f64;
        ceiling = ceiling.min(p[index] * factor);
        adjusted[index] = ceiling;
    }
    adjusted
}

fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_by_hand() {
        assert_eq!(holm(&[0.01, 0.5, 0.03, 0.005]), [0.03, 0.5, 0.06, 0.02]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn a_screen_by_hand() {
        let found = screen(&[0.01, 0.5, 0.03, 0.005]);
        let expected = [0.02, 0.5, 0.04, 0.02];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
    }
}
