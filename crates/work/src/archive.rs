//! `archive`: a compressed tar is unpacked, and packed again.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use etalon_units::Bytes;

use super::attributes::Kept;
use super::cache::{self, CACHE};
use super::codec::{Codec, FORMAT, LEVEL, PROGRAM};
use super::compare::Comparison;
use super::error::WorkError;
use super::input::{InputEntry, InputPlan, stream};
use super::job::Job;
use super::parameter::{Kind, Parameter, ParameterError, Values, YES_NO};
use super::process::{self, Program};
use super::record::InputRecord;
use super::reserve;
use super::step::{Step, StopFlag};
use super::tree::{self, WalkEvent, is_copied, walk};
use super::{RealWork, without_effect};

/// Unpacks and repacks a tar.
pub(super) struct Archive;

static INPUT: Parameter = Parameter {
    name: "input",
    kind: Kind::Path,
    default: "",
    help: "an archive of yours, which is only read, compressed as 'format' says; without it one is generated",
};
static VERIFY: Parameter = Parameter {
    name: "verify",
    kind: YES_NO,
    default: "yes",
    help: "whether the repacked archive is unpacked again and compared, outside of the figures",
};

static PARAMETERS: [Parameter; 8] = [
    FORMAT,
    LEVEL,
    PROGRAM,
    CACHE,
    INPUT,
    tree::FILES,
    tree::SIZE,
    VERIFY,
];

/// Bytes between the archive's file and the compressor at once.
const BUFFER: usize = 256 << 10;

impl RealWork for Archive {
    fn name(&self) -> &'static str {
        "archive"
    }

    fn summary(&self) -> &'static str {
        "unpack a tar by gzip, zstd or xz, and pack it again"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn without_effect(&self, values: &Values) -> &'static [Parameter] {
        without_effect::of_packing(values, &FORMAT)
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        Ok(without_effect::refuse_of_packing(values, &FORMAT)?)
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let codec = codec(job, &FORMAT)?;
        let system = job.values().text(&PROGRAM) == "system";
        if system {
            need_programs(codec)?;
        }
        let original = set_up(job, codec)?;
        let (unpacked, repacked) = (
            job.path("unpacked"),
            job.path(&format!("repacked.{}", codec.suffix())),
        );
        let (verify, again, place) = (job.values().yes(&VERIFY), job.path("again"), job.path("."));
        if job.values().path(&INPUT).is_some() {
            // What it holds is hardly less than itself; how much more is seen when it is unpacked.
            match verify {
                true => job.check_room_for(&[&unpacked, &repacked, &again])?,
                false => job.check_room_for(&[&unpacked, &repacked])?,
            }
        }
        cache::set(job, &original)?;
        job.step("unpack", |step| {
            let unpack = if system { unpack_by_program } else { unpack };
            reserve::within(&place, step, |step| {
                unpack(&original, &unpacked, codec, step)
            })
        })?;
        cache::set(job, &unpacked)?;
        job.step("repack", |step| {
            let pack = if system { pack_by_program } else { pack };
            reserve::within(&place, step, |step| pack(&unpacked, &repacked, codec, step))
        })?;
        if verify {
            let kept = Kept::at(&place)?;
            let comparison = Comparison {
                what: "the repacked archive",
                original: &unpacked,
                copy: &again,
                kept,
                before: None,
            };
            job.untimed(|step| {
                reserve::within(&place, step, |step| unpack(&repacked, &again, codec, step))?;
                comparison.check(step)
            })?;
        }
        Ok(())
    }
}

/// The codec of a work's parameters.
pub(super) fn codec(job: &Job<'_>, format: &Parameter) -> Result<Codec, WorkError> {
    let (name, level) = (job.values().text(format), job.values().text(&LEVEL));
    Codec::new(name, level).ok_or_else(|| {
        let wanted = format!("a level of {name}");
        ParameterError::Value {
            name: "level",
            value: level.to_owned(),
            wanted,
        }
        .into()
    })
}

pub(super) fn need_programs(codec: Codec) -> Result<(), WorkError> {
    process::need("tar", "tar")?;
    codec.program().map_or(Ok(()), |(program, package)| {
        process::need(program, package).map(drop)
    })
}

/// The archive to unpack: the user's, or a generated one.
fn set_up(job: &mut Job<'_>, codec: Codec) -> Result<PathBuf, WorkError> {
    if let Some(path) = job.values().path(&INPUT) {
        let path = fs::canonicalize(&path).map_err(WorkError::io("find", &path))?;
        let meta = fs::metadata(&path).map_err(WorkError::io("find", &path))?;
        let source = path.display().to_string();
        job.set_input(InputRecord {
            source,
            files: 1,
            bytes: Bytes(meta.len()),
            compressibility: None,
        });
        return Ok(path);
    }
    let plan = tree::plan(job, 4)?;
    // The archive, what is unpacked, the second archive and the comparison.
    let path = job.path(&format!("original.{}", codec.suffix()));
    job.untimed(|step| pack_plan(&plan, &path, codec, step))?;
    job.set_input(plan.record());
    Ok(path)
}

fn new_archive<'s>(path: &Path, codec: Codec, step: &Step<'s>) -> Result<Tar<'s>, WorkError> {
    let file = File::create_new(path).map_err(WorkError::io("create the file", path))?;
    let to = Stoppable {
        inner: BufWriter::with_capacity(BUFFER, file),
        stop: step.stop_flag(),
    };
    let mut tar = tar::Builder::new(
        codec
            .encoder(to)
            .map_err(WorkError::io("compress to", path))?,
    );
    tar.follow_symlinks(false);
    Ok(tar)
}

type Tar<'s> = tar::Builder<super::codec::Encoder<Stoppable<'s, BufWriter<File>>>>;

fn finish(tar: Tar<'_>) -> io::Result<()> {
    tar.into_inner()?
        .finish()?
        .inner
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    Ok(())
}

/// Packs a collection that stands on no filesystem.
fn pack_plan(
    plan: &InputPlan,
    path: &Path,
    codec: Codec,
    step: &mut Step<'_>,
) -> Result<(), WorkError> {
    let mut tar = new_archive(path, codec, step)?;
    let text = plan.text();
    stream(plan, &text, Some(step.stop_flag()), |entry, contents| {
        let mut header = tar::Header::new_gnu();
        let written = match (entry, contents) {
            (
                InputEntry::File {
                    path,
                    size,
                    mode,
                    modified,
                    ..
                },
                Some(contents),
            ) => {
                header.set_size(*size);
                header.set_mode(*mode);
                header.set_mtime(u64::try_from(*modified).unwrap_or(0));
                tar.append_data(&mut header, path, contents)
            }
            (InputEntry::Link { path, to }, _) => {
                header.set_entry_type(tar::EntryType::Symlink);
                header.set_size(0);
                header.set_mode(0o777);
                tar.append_link(&mut header, path, to)
            }
            (InputEntry::File { .. }, None) => Ok(()),
        };
        written.map_err(WorkError::io("write the archive", path))
    })?;
    finish(tar).map_err(WorkError::io("write the archive", path))
}

/// Packs a tree, names in order.
pub(super) fn pack(
    root: &Path,
    path: &Path,
    codec: Codec,
    step: &mut Step<'_>,
) -> Result<(), WorkError> {
    let mut tar = new_archive(path, codec, step)?;
    let (mut files, mut bytes) = (0, 0);
    walk(root, step, &mut |found_at, found| {
        let (meta, is_directory) = match found {
            WalkEvent::Enter(meta) => (meta, true),
            WalkEvent::Leaf(meta) if is_copied(meta) => (meta, false),
            WalkEvent::Leaf(_) | WalkEvent::Leave(_) => return Ok(()),
        };
        let name = found_at.strip_prefix(root).unwrap_or(found_at);
        if name.as_os_str().is_empty() {
            return Ok(());
        }
        if !is_directory {
            files += 1;
            bytes += if meta.is_file() { meta.len() } else { 0 };
        }
        tar.append_path_with_name(found_at, name)
            .map_err(WorkError::io("pack", found_at))
    })?;
    finish(tar).map_err(WorkError::io("write the archive", path))?;
    (step.tally.files, step.tally.bytes) = (files, bytes);
    Ok(())
}

/// Unpacks an archive into a new directory.
pub(super) fn unpack(
    path: &Path,
    root: &Path,
    codec: Codec,
    step: &mut Step<'_>,
) -> Result<(), WorkError> {
    let file = File::open(path).map_err(WorkError::io("open", path))?;
    let from = BufReader::with_capacity(
        BUFFER,
        Stoppable {
            inner: file,
            stop: step.stop_flag(),
        },
    );
    let mut tar = tar::Archive::new(
        codec
            .decoder(from)
            .map_err(WorkError::io("read the archive", path))?,
    );
    tar.set_preserve_permissions(true);
    fs::create_dir(root).map_err(WorkError::io("create the directory", root))?;
    // Files first and directories last, as a directory may forbid writing into it.
    for entry in tar
        .entries()
        .map_err(WorkError::io("read the archive", path))?
    {
        step.go_on()?;
        let mut entry = entry.map_err(WorkError::io("read the archive", path))?;
        let size = entry.size();
        entry
            .unpack_in(root)
            .map_err(WorkError::io("unpack the archive", path))?;
        if !entry.header().entry_type().is_dir() {
            step.file(size);
        }
    }
    Ok(())
}

fn compressor(codec: Codec, packs: bool) -> Vec<String> {
    match codec.program() {
        None => Vec::new(),
        Some((program, _)) if packs => {
            vec![format!("--use-compress-program={program} -{}", codec.level)]
        }
        Some((program, _)) => vec![format!("--use-compress-program={program}")],
    }
}

fn unpack_by_program(
    path: &Path,
    root: &Path,
    codec: Codec,
    step: &mut Step<'_>,
) -> Result<(), WorkError> {
    fs::create_dir(root).map_err(WorkError::io("create the directory", root))?;
    let mut words = vec![
        "tar".into(),
        "-x".into(),
        "-p".into(),
        "-f".into(),
        path.as_os_str().to_owned(),
    ];
    words.extend(compressor(codec, false).into_iter().map(Into::into));
    step.run(&Program::new(words, root).without_settings())
}

/// Packs a tree by the installed tar.
pub(super) fn pack_by_program(
    root: &Path,
    path: &Path,
    codec: Codec,
    step: &mut Step<'_>,
) -> Result<(), WorkError> {
    let mut words = vec![
        "tar".into(),
        "-c".into(),
        "-f".into(),
        path.as_os_str().to_owned(),
    ];
    words.extend(compressor(codec, true).into_iter().map(Into::into));
    words.push(".".into());
    step.run(&Program::new(words, root).without_settings())
}

/// A stream that ends with an error when the work is to stop.
struct Stoppable<'s, T> {
    inner: T,
    stop: StopFlag<'s>,
}

impl<T: Read> Read for Stoppable<'_, T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stop.check()?;
        self.inner.read(buffer)
    }
}

impl<T: Write> Write for Stoppable<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stop.check()?;
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The archive library's answer for an archive whose second file wants the first one for a directory, and whose
    /// bytes come from `through`.
    fn unpacked(through: impl FnOnce(&[u8]) -> Box<dyn Read + '_>) -> WorkError {
        let mut packed = tar::Builder::new(Vec::new());
        for name in ["a", "a/b"] {
            let mut header = tar::Header::new_gnu();
            header.set_size(4096);
            let contents = io::repeat(1).take(4096);
            packed.append_data(&mut header, name, contents).unwrap();
        }
        let packed = packed.into_inner().unwrap();
        let place = tempfile::tempdir().unwrap();
        let refused = tar::Archive::new(through(&packed)).unpack(place.path());
        WorkError::io("unpack the archive", Path::new("/x"))(refused.unwrap_err())
    }

    #[test]
    fn the_reason_of_the_kernel_is_told_behind_the_librarys_words() {
        let told = unpacked(|all| Box::new(all)).to_string();
        assert!(told.contains("a/b`: "), "{told}");
        assert!(
            told.ends_with("(os error 17)") || told.ends_with("(os error 20)"),
            "{told}"
        );
    }

    #[test]
    fn a_stop_within_an_unpacked_file_is_no_failure() {
        struct Stopped;
        impl Read for Stopped {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other(super::super::error::StopMark))
            }
        }
        let told = unpacked(|all| Box::new(all[..1024].chain(Stopped)));
        assert!(matches!(told, WorkError::Stopped), "{told}");
    }
}
