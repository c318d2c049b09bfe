//! The class of I/O that this process was started with (ioprio_get(2)).
//!
//! This file lifts the ban on unsafe code for that one call, which no library wraps. It takes three
//! numbers, no pointer, and only asks.
#![expect(
    unsafe_code,
    reason = "ioprio_get has no safe wrapper; see the paragraph above"
)]

/// The class in words where it is not the usual one; `None` too where the kernel does not tell.
pub fn io_class() -> Option<String> {
    class_of(asked()).map(str::to_owned)
}

/// Class and level where they were set (ionice(1)); else `None`, and the level follows the nice value.
pub(crate) fn io_priority() -> Option<String> {
    priority_of(asked())
}

/// The answer of the kernel for the calling thread.
fn asked() -> libc::c_long {
    /// `IOPRIO_WHO_PROCESS`; 0 is the calling thread (include/uapi/linux/ioprio.h).
    const PROCESS: libc::c_int = 1;
    // SAFETY: three numbers go in and one comes back; no memory is touched.
    unsafe { libc::syscall(libc::SYS_ioprio_get, PROCESS, 0) }
}

/// The class stands above the lowest 13 bits: 0 none, 1 real time, 2 best effort, 3 idle.
fn class_of(answer: libc::c_long) -> Option<&'static str> {
    match answer >> 13 {
        1 => Some("real time"),
        3 => Some("idle"),
        _ => None,
    }
}

/// The level stands in the lowest three bits (include/uapi/linux/ioprio.h).
fn priority_of(answer: libc::c_long) -> Option<String> {
    let level = answer & 7;
    match answer >> 13 {
        1 => Some(format!("real time {level}")),
        2 => Some(format!("best effort {level}")),
        3 => Some("idle".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unusual_classes_are_told() {
        assert_eq!(class_of(3 << 13), Some("idle"));
        assert_eq!(class_of(1 << 13 | 4), Some("real time"));
        assert_eq!(class_of(2 << 13 | 4), None);
        assert_eq!((class_of(4), class_of(-1)), (None, None));
    }

    #[test]
    fn what_was_set_is_told_with_its_level() {
        assert_eq!(priority_of(2 << 13 | 7).as_deref(), Some("best effort 7"));
        assert_eq!(priority_of(3 << 13).as_deref(), Some("idle"));
        assert_eq!((priority_of(0), priority_of(-1)), (None, None));
    }
}
