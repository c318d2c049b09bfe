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
    /// `IOPRIO_WHO_PROCESS`; 0 is the calling thread (include/uapi/linux/ioprio.h).
    const PROCESS: libc::c_int = 1;
    // SAFETY: three numbers go in and one comes back; no memory is touched.
    let answer = unsafe { libc::syscall(libc::SYS_ioprio_get, PROCESS, 0) };
    class_of(answer).map(str::to_owned)
}

/// The class stands above the lowest 13 bits: 0 none, 1 real time, 2 best effort, 3 idle.
fn class_of(answer: libc::c_long) -> Option<&'static str> {
    match answer >> 13 {
        1 => Some("real time"),
        3 => Some("idle"),
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
}
