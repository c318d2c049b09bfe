//! How well a server kept to its model.

/// An answer that took longer than its model said is late from here on, in nanoseconds...
const LATE_NS: u64 = 100_000;
/// ...or from this part of what the request took by the model, whichever is more.
const LATE_PART: u64 = 10;

/// What was answered, and how late.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ServedFacts {
    /// Requests that were answered.
    pub answers: u64,
    /// Of them those that took longer than the model says by more than 0.1 ms and more than a tenth of it: from the head of
    /// the request, before its data, until the kernel has taken the last byte of the answer.
    pub late: u64,
    /// The most by which an answer was late, in nanoseconds.
    pub latest_ns: u64,
    /// The sum over all answers of how late they were, in nanoseconds.
    pub late_sum_ns: u64,
    /// Bytes that were read.
    pub read_bytes: u64,
    /// Bytes that were written.
    pub written_bytes: u64,
    /// Requests that were refused, since this machine had no memory left for what they write.
    pub without_memory: u64,
}

impl ServedFacts {
    /// An answer that was asked for, was due, and had left at these times.
    pub(super) fn answered(&mut self, asked_ns: u64, due_ns: u64, left_ns: u64) {
        let late_ns = left_ns.saturating_sub(due_ns);
        let allowed = LATE_NS.max(due_ns.saturating_sub(asked_ns) / LATE_PART);
        self.answers += 1;
        self.late += u64::from(late_ns > allowed);
        self.latest_ns = self.latest_ns.max(late_ns);
        self.late_sum_ns = self.late_sum_ns.saturating_add(late_ns);
    }

    /// Share of late answers; 0 without any.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "below 2^53 answers")]
    pub fn late_share(&self) -> f64 {
        self.late as f64 / self.answers.max(1) as f64
    }

    /// How late an answer was in the mean, in nanoseconds.
    #[must_use]
    pub fn mean_late_ns(&self) -> u64 {
        self.late_sum_ns / self.answers.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_late_by_more_than_its_tenth_and_a_tenth_of_a_millisecond() {
        let mut facts = ServedFacts::default();
        facts.answered(0, 10_000_000, 11_000_000);
        facts.answered(0, 10_000, 110_000);
        assert_eq!((facts.answers, facts.late), (2, 0));
        facts.answered(0, 10_000_000, 11_000_001);
        facts.answered(0, 10_000, 110_001);
        assert_eq!((facts.late, facts.latest_ns), (2, 1_000_001));
        assert_eq!(
            facts.mean_late_ns(),
            (1_000_000 + 100_000 + 1_000_001 + 100_001) / 4
        );
        assert!((facts.late_share() - 0.5).abs() < 1e-9);
    }
}
