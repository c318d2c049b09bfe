//! Loop devices for tests as root.

use std::fs::File;
use std::path::Path;

/// A loop device over a file of zeros; detached when dropped.
pub(crate) struct Loop {
    device: etalon_testbed::Loop,
    /// Where its file stands, as `image`; also room for mount points.
    pub(crate) directory: tempfile::TempDir,
}

impl Loop {
    /// None where loop devices cannot be made; the test's name is printed then.
    pub(crate) fn new(test: &str, megabytes: u64) -> Option<Loop> {
        Loop::over(tempfile::tempdir().unwrap(), test, megabytes)
    }

    /// The same over a file in `directory`.
    pub(crate) fn over(directory: tempfile::TempDir, test: &str, megabytes: u64) -> Option<Loop> {
        let image = directory.path().join("image");
        File::create(&image)
            .unwrap()
            .set_len(megabytes << 20)
            .unwrap();
        let device = etalon_testbed::Loop::for_test(test, &image, &[])?;
        Some(Loop { device, directory })
    }

    /// Its node, such as `/dev/loop0`.
    pub(crate) fn node(&self) -> &Path {
        self.device.node()
    }

    /// The same as text.
    pub(crate) fn text(&self) -> String {
        self.device.name().to_owned()
    }
}
