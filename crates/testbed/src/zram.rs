//! RAM disks that compress.

use std::fs;

use crate::again;

/// A zram device; gone when dropped.
pub struct Zram {
    number: String,
}

impl Zram {
    /// A device of this size, such as `256M`.
    ///
    /// # Panics
    /// Where the kernel has no zram or this is not root, with what it said.
    #[must_use]
    pub fn new(size: &str) -> Zram {
        let made = fs::read_to_string("/sys/class/zram-control/hot_add");
        let number = made.unwrap_or_else(|why| panic!("zram-control/hot_add: {why}"));
        // Dropped, and so removed, where it takes no size.
        let zram = Zram {
            number: number.trim().to_owned(),
        };
        let sized = fs::write(zram.attribute("disksize"), size);
        assert!(sized.is_ok(), "disksize of {}: {sized:?}", zram.node());
        zram
    }

    /// Its node, such as `/dev/zram1`.
    #[must_use]
    pub fn node(&self) -> String {
        format!("/dev/zram{}", self.number)
    }

    fn attribute(&self, name: &str) -> String {
        format!("/sys/block/zram{}/{name}", self.number)
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        let write = |file: &str, value: &str| {
            again(
                || fs::write(file, value).map_err(|why| format!("{file}: {why}")),
                // Somebody has it open, as who looks at a new device does.
                |why| why.contains("busy"),
            )
        };
        let reset = write(&self.attribute("reset"), "1");
        let gone = reset.and_then(|()| write("/sys/class/zram-control/hot_remove", &self.number));
        assert!(gone.is_ok() || std::thread::panicking(), "{gone:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_device_goes_with_its_value_also_when_the_test_fails() {
        let test = "a_device_goes_with_its_value_also_when_the_test_fails";
        if !crate::root_for(test) {
            return;
        }
        if !Path::new("/sys/class/zram-control").exists() {
            return crate::skip(test, "the kernel has no zram");
        }
        let zram = Zram::new("16M");
        let size = zram.attribute("size");
        assert_eq!(fs::read_to_string(&size).unwrap(), "32768\n");
        let failed = std::panic::catch_unwind(move || {
            let _zram = zram;
            panic!("a failing test");
        });
        assert!(failed.is_err() && !Path::new(&size).exists());
        let refused = std::panic::catch_unwind(|| drop(Zram::new("no size")));
        let why = refused.unwrap_err().downcast::<String>().unwrap();
        assert!(why.starts_with("disksize of /dev/zram"), "{why}");
    }
}
