//! Who is told when the clock of a pass starts and stops.

/// Is told around the clock of a pass, outside of it.
pub trait ClockWitness: Sync {
    /// The clock is about to start: one worker is still to open its file and touch its memory, those of
    /// a group are ready.
    fn starts(&self);

    /// The clock has stopped. One worker has not yet made durable what the clock did not wait for; those
    /// of a group have.
    fn stopped(&self);
}

/// Nobody is told.
impl ClockWitness for () {
    fn starts(&self) {}

    fn stopped(&self) {}
}
