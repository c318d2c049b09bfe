//! `/proc/self/mountinfo` and, behind a first zero byte, `/proc/swaps`.

use std::path::{Path, PathBuf};

use etalon_report::render_text;
use etalon_stack::{Stack, manifest, parse_mountinfo};

use crate::machine::{Entry, Machine};

thread_local! {
    static PLACE: Machine = Machine::unpack(
        "[sys/dev/block]\n8:0 -> ../../block/sda\n[sys/block/sda]\ndev = 8:0\nsize = 2048\n\
         [dev]\nsda =\n[proc/self]\ncgroup = 0::/a/b\n[sys/fs/cgroup/a]\nio.max = max\n",
    );
}

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let (mounts, swaps) = match bytes.iter().position(|byte| *byte == 0) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[][..]),
    };
    let path = Path::new("/proc/self/mountinfo");
    let parsed = parse_mountinfo(&String::from_utf8_lossy(mounts), path);
    PLACE.with(|machine| {
        let file = |name: &str, content: &[u8]| {
            machine.make(&Entry::File(PathBuf::from(name), content.to_vec()));
        };
        file("proc/self/mountinfo", mounts);
        file("proc/swaps", swaps);
        let found = Stack::of(Path::new("/a/b"), &machine.roots());
        // What cannot be parsed cannot be drawn either.
        assert!(parsed.is_ok() || found.is_err());
        if let Ok(tree) = found {
            let drawn = render_text(&tree);
            assert!(!drawn.contains(|c: char| c.is_control() && c != '\n'));
            let _ = manifest(&tree, &machine.roots(), &[]);
        }
    });
}
