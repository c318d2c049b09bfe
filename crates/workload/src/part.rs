//! Who is told where each part of a task begins and ends.

/// Is told of each phase of a metadata run and of each step of real work, outside of its clock.
pub trait PartWitness {
    /// It is about to begin.
    fn begins(&self, part: &str);

    /// It has ended, also when it failed.
    fn ended(&self, part: &str);
}

/// Nobody is told.
impl PartWitness for () {
    fn begins(&self, _part: &str) {}

    fn ended(&self, _part: &str) {}
}
