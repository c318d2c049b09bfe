//! What is read while the model still works on it, so that an answer waits for nothing when it is due.

/// What may lie ready, in bytes; what comes beyond it is read when it is due.
const MOST_READY: u64 = 64 << 20;

/// What is to be read, and how much lies ready.
#[derive(Debug, Default)]
pub(super) struct ReadAhead {
    asked: Vec<u64>,
    ready_bytes: u64,
}

impl ReadAhead {
    /// A read of so many bytes has begun; whether there is room for it.
    pub(super) fn ask(&mut self, id: u64, bytes: u64) -> bool {
        let has_room = self.ready_bytes.saturating_add(bytes) <= MOST_READY;
        if has_room {
            self.ready_bytes += bytes;
            self.asked.push(id);
        }
        has_room
    }

    /// One for which there was room has ended.
    pub(super) fn end(&mut self, id: u64, bytes: u64) {
        self.asked.retain(|asked| *asked != id);
        self.ready_bytes = self.ready_bytes.saturating_sub(bytes);
    }

    /// The oldest that nobody has begun to read.
    pub(super) fn next(&mut self) -> Option<u64> {
        (!self.asked.is_empty()).then(|| self.asked.remove(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_ready_is_bounded_and_the_oldest_comes_first() {
        let mut ahead = ReadAhead::default();
        assert!(ahead.ask(1, MOST_READY / 2) && ahead.ask(2, MOST_READY / 2));
        assert!(!ahead.ask(3, 512));
        assert_eq!(ahead.next(), Some(1));
        ahead.end(1, MOST_READY / 2);
        assert!(ahead.ask(4, 512));
        ahead.end(2, MOST_READY / 2);
        assert_eq!((ahead.next(), ahead.next()), (Some(4), None));
    }
}
