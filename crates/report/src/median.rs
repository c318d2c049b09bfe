//! The median of figures that stand beside the results.

use etalon_stats::Sample;

/// The value in the middle, or the mean of the middle two; `None` of nothing, and of what is no number.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    Some(Sample::new(values.into_iter().collect()).ok()?.median())
}
