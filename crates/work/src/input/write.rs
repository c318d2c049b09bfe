//! Putting a collection onto a filesystem or into a stream.

use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::fill::{Filler, NEEDLE};
use super::plan::{InputEntry, InputPlan};
use super::text::TextSource;
use crate::error::WorkError;
use crate::record::InputRecord;
use crate::step::{Step, StopFlag};

/// Bytes made and written at once.
const PIECE: usize = 256 << 10;

/// Bytes of a collection on which its compressibility is measured.
const SAMPLE: u64 = 8 << 20;

/// One file's content as a stream of its exact length.
pub(crate) struct Contents<'t> {
    filler: Filler<'t>,
    left: u64,
    /// Handed out last, when the file has the needle.
    needle: Vec<u8>,
    stop: Option<StopFlag<'t>>,
}

impl<'t> Contents<'t> {
    fn new(
        size: u64,
        needle: bool,
        filler: Filler<'t>,
        stop: Option<StopFlag<'t>>,
    ) -> Contents<'t> {
        let needle = if needle {
            format!("\n{NEEDLE}\n").into_bytes()
        } else {
            Vec::new()
        };
        Contents {
            filler,
            left: size,
            needle,
            stop,
        }
    }
}

impl Read for Contents<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(stop) = self.stop {
            stop.check()?;
        }
        let tail = self.needle.len() as u64;
        if self.left > tail {
            let length = buffer.len().min((self.left - tail) as usize);
            self.filler.fill(&mut buffer[..length]);
            self.left -= length as u64;
            return Ok(length);
        }
        let length = buffer.len().min(self.left as usize);
        let from = self.needle.len() - self.left as usize;
        buffer[..length].copy_from_slice(&self.needle[from..from + length]);
        self.left -= length as u64;
        Ok(length)
    }
}

/// Calls `each` with every entry and, for a file, its content.
pub(crate) fn stream<'p>(
    plan: &'p InputPlan,
    text: &TextSource,
    stop: Option<StopFlag<'_>>,
    mut each: impl FnMut(&'p InputEntry, Option<Contents<'_>>) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    for (index, (entry, content)) in plan.with_contents().enumerate() {
        let contents = match entry {
            InputEntry::File { size, needle, .. } => {
                let filler = Filler::new(*content, plan.file_seed(index), text);
                Some(Contents::new(*size, *needle, filler, stop))
            }
            InputEntry::Link { .. } => None,
        };
        each(entry, contents)?;
    }
    Ok(())
}

impl InputPlan {
    /// The vocabulary of this collection's texts.
    pub(crate) fn text(&self) -> TextSource {
        TextSource::new(self.seed)
    }

    /// What a record says of it.
    pub(crate) fn record(&self) -> InputRecord {
        InputRecord {
            source: format!(
                "generated: {} ({})",
                self.distribution,
                self.distribution.stated()
            ),
            files: self.files(),
            bytes: self.bytes(),
            compressibility: compressibility(self),
        }
    }
}

/// Writes the collection below `root`, which must not exist yet.
pub(crate) fn write_tree(
    plan: &InputPlan,
    root: &Path,
    step: &mut Step<'_>,
) -> Result<(), WorkError> {
    fs::create_dir(root).map_err(WorkError::io("create the directory", root))?;
    let text = plan.text();
    let mut piece = vec![0; PIECE];
    let mut parent = root.to_owned();
    stream(plan, &text, Some(step.stop_flag()), |entry, contents| {
        let (InputEntry::File { path, .. } | InputEntry::Link { path, .. }) = entry;
        let path = root.join(path);
        if let Some(above) = path.parent().filter(|above| *above != parent) {
            fs::create_dir_all(above).map_err(WorkError::io("create the directory", above))?;
            parent = above.to_owned();
        }
        match (entry, contents) {
            (InputEntry::File { mode, modified, .. }, Some(contents)) => {
                write_file(&path, contents, (*mode, *modified), &mut piece)
            }
            (InputEntry::Link { to, .. }, _) => {
                symlink(to, &path).map_err(WorkError::io("create the link", &path))
            }
            (InputEntry::File { .. }, None) => Ok(()),
        }
    })
}

fn write_file(
    path: &Path,
    mut contents: Contents<'_>,
    (mode, modified): (u32, i64),
    piece: &mut [u8],
) -> Result<(), WorkError> {
    let create = File::options()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path);
    let mut file = create.map_err(WorkError::io("create the file", path))?;
    loop {
        let length = contents.read(piece).map_err(WorkError::io("make", path))?;
        if length == 0 {
            break;
        }
        file.write_all(&piece[..length])
            .map_err(WorkError::io("write the file", path))?;
    }
    let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(modified).unwrap_or(0));
    // The mode of creation was cut by the umask.
    file.set_permissions(fs::Permissions::from_mode(mode))
        .and_then(|()| file.set_modified(moment))
        .map_err(WorkError::io("set the attributes of", path))
}

/// The first bytes of the collection's contents.
pub(crate) fn sample(plan: &InputPlan, most: u64) -> Vec<u8> {
    let text = plan.text();
    let mut bytes = Vec::new();
    for (index, (entry, content)) in plan.with_contents().enumerate() {
        let InputEntry::File { size, needle, .. } = entry else {
            continue;
        };
        let left = most - bytes.len() as u64;
        if left == 0 {
            break;
        }
        let filler = Filler::new(*content, plan.file_seed(index), &text);
        // Reading generated content into memory does not fail.
        let _ = Contents::new(*size, *needle, filler, None)
            .take(left)
            .read_to_end(&mut bytes);
    }
    bytes
}

/// Size of a sample divided by its size after zstd level 3.
fn compressibility(plan: &InputPlan) -> Option<f64> {
    let bytes = sample(plan, SAMPLE);
    let packed = zstd::bulk::compress(&bytes, 3).ok()?;
    (!bytes.is_empty()).then(|| bytes.len() as f64 / packed.len().max(1) as f64)
}
