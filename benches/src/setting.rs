//! A setting of the kernel that holds while the programs run.

use std::fs;

/// A file of the kernel with another value in it; put back when dropped.
#[derive(Debug)]
pub(crate) struct Setting {
    path: &'static str,
    before: String,
}

impl Setting {
    /// Writes what `changed` makes of the value that stands there. Where the kernel refuses nothing
    /// changes: the figures then scatter more, and are no less true.
    pub(crate) fn change(
        path: &'static str,
        changed: impl FnOnce(&str) -> Option<String>,
    ) -> Option<Setting> {
        let before = fs::read_to_string(path).ok()?.trim().to_owned();
        fs::write(path, changed(&before)?).ok()?;
        Some(Setting { path, before })
    }
}

impl Drop for Setting {
    fn drop(&mut self) {
        // Nothing is left to do where it fails: the value is what it was a moment ago.
        let _ = fs::write(self.path, &self.before);
    }
}

/// How much of each second programs of the real-time classes may run, in microseconds
/// (Documentation/scheduler/sched-rt-group.rst).
const REAL_TIME: &str = "/proc/sys/kernel/sched_rt_runtime_us";

/// Programs of the class FIFO are let run whole seconds: by default the kernel stops them for 50 ms
/// of each, which falls into one measurement and not into the next.
#[derive(Debug)]
pub struct WholeSeconds {
    _setting: Option<Setting>,
}

impl WholeSeconds {
    /// From now until it is dropped.
    pub fn for_real_time() -> WholeSeconds {
        WholeSeconds {
            _setting: Setting::change(REAL_TIME, |_| Some("-1".to_owned())),
        }
    }
}
