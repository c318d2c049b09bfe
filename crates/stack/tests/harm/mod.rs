//! What is done to the files of a copied machine, and everything that is then read of it.

use std::path::Path;

use etalon_model::stack::{Manifest, Sample, StackTree};
use etalon_report::render_text;
use etalon_stack::{Monitor, MonitorOptions, Roots, Stack, device_use, manifest, snapshot};

use crate::machine::Entry;

/// What is done to one entry of a machine.
#[derive(Debug, Clone)]
pub(crate) enum Harm {
    /// It is gone.
    Remove,
    /// It is cut off after so many bytes, counted round its length.
    Cut(usize),
    /// Other bytes stand in it.
    Overwrite(Vec<u8>),
    /// Its content stands there so many times, without a line's end between.
    Repeat(u8),
    /// A directory stands in its place.
    Directory,
    /// A link stands in its place.
    LinkTo(String),
    /// A link to itself stands in its place.
    LinkToItself,
    /// A named pipe that nobody writes to stands in its place.
    Pipe,
}

/// Words that files of the kernel hold, and words that they should not.
pub(crate) const WORDS: &[&str] = &[
    "",
    "-1",
    "0",
    "1",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999",
    "-9223372036854775808",
    "1e308",
    "nan",
    "inf",
    "none",
    "[",
    "9:0",
    "a\n\n\tb",
    "../../..",
    "/dev/sda",
    "\u{1b}[31m",
    "1 1 0:2 / / rw - ext4 /dev/sda rw",
];

/// Where links lead: around, nowhere, to other devices of the machine, to a file without an end,
/// to one whose first byte cannot be read (proc_pid_mem(5), `EIO`) and to one that nobody may read
/// (mode 0200, which the kernel's sysctl holds against root too).
pub(crate) const TARGETS: &[&str] = &[
    ".",
    "..",
    "../..",
    "nowhere",
    "md0",
    "dm-0",
    "/dev/null",
    "/dev/zero",
    "/proc/self/mem",
    "/proc/sys/vm/compact_memory",
];

/// Content is repeated up to this length.
const LONGEST: usize = 1 << 20;

impl Harm {
    /// The entry that stands in the place of `entry`; none when it is gone.
    pub(crate) fn done_to(self, entry: &Entry) -> Option<Entry> {
        let path = entry.path().to_owned();
        let content = match entry {
            Entry::File(_, content) => content.clone(),
            _ => Vec::new(),
        };
        Some(match self {
            Harm::Remove => return None,
            Harm::Cut(at) => {
                let length = at % (content.len() + 1);
                Entry::File(path, content[..length].to_vec())
            }
            Harm::Overwrite(content) => Entry::File(path, content),
            Harm::Repeat(times) => {
                let room = LONGEST / content.len().max(1);
                Entry::File(path, content.repeat(room.min(times.into())))
            }
            Harm::Directory => Entry::Directory(path),
            Harm::LinkTo(target) => Entry::Link(path, target),
            Harm::LinkToItself => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                Entry::Link(path.clone(), name.into_owned())
            }
            Harm::Pipe => Entry::Pipe(path),
        })
    }
}

/// Reads all that this crate reads of a machine; what it gives must be safe to print and survive
/// being stored.
pub(crate) fn read_all(roots: &Roots, target: &Path) {
    let Ok(tree) = Stack::of(target, roots) else {
        return;
    };
    let drawn = format!("{}\n{}", tree.one_line(), render_text(&tree));
    assert!(!drawn.contains(|c: char| c.is_control() && c != '\n'));
    let stored = serde_json::to_string(&tree).unwrap();
    let back: StackTree = serde_json::from_str(&stored).unwrap();
    assert_eq!(back, tree);
    let _ = tree.all_warnings();
    let before = snapshot(&tree, roots);
    let _ = snapshot(&tree, roots).since(&before);
    let environment = manifest(&tree, roots, &[]);
    let stored = serde_json::to_string(&environment).unwrap();
    assert_eq!(
        serde_json::from_str::<Manifest>(&stored).unwrap(),
        environment
    );
    for layer in tree.layers().iter().take(4) {
        let _ = device_use(&Path::new("/dev").join(&layer.name), roots);
    }
    watch(&tree, roots);
}

/// The last look of a monitor, which it takes when it is stopped.
fn watch(tree: &StackTree, roots: &Roots) {
    let monitor = Monitor::start(tree, roots, MonitorOptions::default()).unwrap();
    let recording = monitor.stop();
    // A panic in the thread leaves none.
    let sample = recording.samples.last().unwrap();
    let stored = serde_json::to_string(sample).unwrap();
    let back: Sample = serde_json::from_str(&stored).unwrap();
    assert_eq!(back, *sample);
}
