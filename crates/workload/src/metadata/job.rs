//! One thread's part of each phase: which names, in which order, by which call.

use std::ffi::OsStr;
use std::io::Write as _;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use etalon_model::LatencyHistogram;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::fs::{AtFlags, Mode, OFlags, RawDir, RenameFlags, XattrFlags};
use rustix::io::Errno;

use super::directory_tree::{DirectoryTree, push_file};
use super::operation::MetadataOperation as Op;
use super::settings::{Directories, Durability, FileOrder};
use super::shared::Shared;
use crate::close::close;
use crate::file_data::FileData;

/// The attribute of the `setxattr` operation: a name that an ordinary user may set (xattr(7)).
const ATTRIBUTE: &str = "user.etalon";

/// What one job did in one phase.
#[derive(Debug)]
pub(super) struct Booking {
    pub(super) latency: LatencyHistogram,
    pub(super) count: u64,
    pub(super) entries: u64,
    pub(super) bytes: u64,
    /// Nanoseconds since the run's origin.
    pub(super) begin: u64,
    /// The same; the end of the latest operation.
    pub(super) end: u64,
    /// The same; where the latency of the next operation counts from.
    from: u64,
    pub(super) refused: Option<Errno>,
    pub(super) cpu: (u64, u64),
}

impl Booking {
    pub(super) fn new() -> Booking {
        Booking {
            latency: LatencyHistogram::new(),
            count: 0,
            entries: 0,
            bytes: 0,
            begin: 0,
            end: 0,
            from: 0,
            refused: None,
            cpu: (0, 0),
        }
    }
}

/// One thread of a run.
pub(super) struct NamesJob<'a> {
    shared: &'a Shared<'a>,
    number: u64,
    tree: DirectoryTree,
    /// The name in work, relative to the run's directory: tree, directories, file.
    path: Vec<u8>,
    /// The length of `path` up to the tree's root, and up to the current directory.
    root_end: usize,
    directory_end: usize,
    directory: Option<u64>,
    /// The current directory, where files are named relative to it.
    open: Option<OwnedFd>,
    /// A second name, for `rename`, `link` and extended attributes.
    other: Vec<u8>,
    /// The letter that file names begin with: `f`, and `r` once they are renamed.
    letter: u8,
    linked: bool,
    symlinked: bool,
    /// The order of visits when it is random.
    order: Option<Vec<u32>>,
    data: FileData,
}

impl<'a> NamesJob<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, number: u32) -> NamesJob<'a> {
        let w = shared.workload;
        let mut path = Vec::with_capacity(256);
        // A Vec takes every byte.
        let _ = write!(
            path,
            "t{}/",
            if w.directories == Directories::Own {
                number
            } else {
                0
            }
        );
        let mut random = Xoshiro256PlusPlus::seed_from_u64(w.seed ^ (u64::from(number) << 40));
        let piece = w.block_size.get().min(w.file_size.get()) as usize;
        let data = FileData::random(w.file_size, piece, random.next_u64());
        let mut job = NamesJob {
            shared,
            number: u64::from(number),
            tree: DirectoryTree::new(w.breadth, w.depth),
            root_end: path.len(),
            directory_end: path.len(),
            directory: None,
            open: None,
            path,
            other: Vec::with_capacity(256),
            letter: b'f',
            linked: false,
            symlinked: false,
            order: None,
            data,
        };
        if w.order == FileOrder::Random {
            let mut order: Vec<u32> = (0..job.my_files()).map(|i| job.file_at(i) as u32).collect();
            order.shuffle(&mut random);
            job.order = Some(order);
        }
        job
    }

    /// Does this job's part of a phase, from the common start on.
    pub(super) fn work(&mut self, operation: Op, booking: &mut Booking) {
        booking.begin = self.shared.now();
        booking.end = booking.begin;
        booking.from = booking.begin;
        match operation {
            Op::Mkdir => {
                for level in self.tree.levels() {
                    self.directories(level, operation, booking);
                    self.meet(booking);
                }
            }
            Op::Rmdir => {
                for level in self.tree.levels().rev() {
                    self.directories(level, operation, booking);
                    self.meet(booking);
                }
            }
            Op::Readdir => self.directories(0..self.tree.directories(), operation, booking),
            Op::Unlink => {
                self.files(self.letter, operation, booking);
                for (there, letter) in [(self.linked, b'l'), (self.symlinked, b's')] {
                    if there {
                        self.files(letter, operation, booking);
                    }
                }
            }
            _ => self.files(self.letter, operation, booking),
        }
        let done = booking.refused.is_none();
        match operation {
            Op::Rename if done => self.letter = b'r',
            Op::Link => self.linked = done,
            Op::Symlink => self.symlinked = done,
            _ => {}
        }
    }

    /// With a shared tree, a level of directories is whole before the next is begun. What is waited for the
    /// other jobs belongs to no operation.
    fn meet(&self, booking: &mut Booking) {
        if self.shared.workload.directories == Directories::Shared {
            self.shared.barrier.wait();
            booking.from = self.shared.now();
        }
    }

    fn directories(&mut self, range: std::ops::Range<u64>, operation: Op, booking: &mut Booking) {
        let (first, step) = self.share();
        for directory in range.skip(first as usize).step_by(step as usize) {
            self.path.truncate(self.root_end);
            self.tree.push_directory(&mut self.path, directory);
            if self.once(operation, booking).is_break() {
                break;
            }
        }
        self.directory = None;
        self.open = None;
    }

    fn files(&mut self, letter: u8, operation: Op, booking: &mut Booking) {
        for i in 0..self.my_files() {
            let item = match &self.order {
                Some(order) if operation != Op::Create => u64::from(order[i as usize]),
                _ => self.file_at(i),
            };
            if let Err(errno) = self.name(item, letter) {
                self.fail(operation, errno);
                break;
            }
            if self.once(operation, booking).is_break() {
                break;
            }
        }
    }

    /// First item of this job, and the distance to its next.
    fn share(&self) -> (u64, u64) {
        match self.shared.workload.directories {
            Directories::Own => (0, 1),
            Directories::Shared => (self.number, u64::from(self.shared.workload.jobs)),
        }
    }

    fn my_files(&self) -> u64 {
        let w = self.shared.workload;
        let (first, step) = self.share();
        let room = self.tree.directories() * u64::from(w.files);
        let all = match w.directories {
            Directories::Own => w.files_of_job(self.number),
            Directories::Shared => w.files_in_all,
        };
        let all = all.map_or(room, |all| all.min(room));
        all.saturating_sub(first).div_ceil(step)
    }

    fn file_at(&self, i: u64) -> u64 {
        let (first, step) = self.share();
        first + i * step
    }

    /// Puts a file's name into `path`.
    fn name(&mut self, item: u64, letter: u8) -> Result<(), Errno> {
        let files = u64::from(self.shared.workload.files);
        let (directory, number) = (item / files, item % files);
        if self.directory != Some(directory) {
            self.path.truncate(self.root_end);
            self.tree.push_directory(&mut self.path, directory);
            self.directory_end = self.path.len();
            self.directory = Some(directory);
            self.open = self.open_directory()?;
        }
        self.path.truncate(self.directory_end);
        push_file(&mut self.path, letter, number);
        Ok(())
    }

    /// Where so many files stand in directories that are filled one after the other, the file is in
    /// question and not the way to it: its directory is opened, one open for all of its files.
    fn open_directory(&self) -> Result<Option<OwnedFd>, Errno> {
        if self.shared.workload.files_in_all.is_none() {
            return Ok(None);
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::openat(self.shared.place, &self.path[..], flags, Mode::empty()).map(Some)
    }

    /// The directory that names are relative to, and where in a path they begin.
    fn at(&self) -> (&OwnedFd, usize) {
        match &self.open {
            Some(directory) => (directory, self.directory_end),
            None => (self.shared.place, 0),
        }
    }

    /// The same file's name with another first letter, into `other`.
    fn other_name(&mut self, letter: u8) {
        self.other.clear();
        self.other.extend_from_slice(&self.path);
        self.other[self.directory_end] = letter;
    }

    fn once(&mut self, operation: Op, booking: &mut Booking) -> ControlFlow<()> {
        if self.shared.halted() {
            return ControlFlow::Break(());
        }
        match self.call(operation, booking) {
            Ok(()) => {
                let now = self.shared.now();
                booking.latency.record(now - booking.from);
                booking.end = now;
                booking.from = now;
                booking.count += 1;
                ControlFlow::Continue(())
            }
            Err(errno) if booking.count == 0 && is_missing(operation, errno) => {
                booking.refused = Some(errno);
                ControlFlow::Break(())
            }
            Err(errno) => {
                self.fail(operation, errno);
                ControlFlow::Break(())
            }
        }
    }

    fn fail(&self, operation: Op, errno: Errno) {
        let path = PathBuf::from(OsStr::from_bytes(&self.path));
        self.shared.fail(operation, path, errno);
    }

    fn call(&mut self, operation: Op, booking: &mut Booking) -> Result<(), Errno> {
        match operation {
            Op::Rename => self.other_name(b'r'),
            Op::Link => self.other_name(b'l'),
            Op::Symlink => self.other_name(b's'),
            _ => {}
        }
        let (at, from) = self.at();
        let path = &self.path[from..];
        match operation {
            Op::Mkdir => rustix::fs::mkdirat(at, path, Mode::from(0o777)),
            Op::Create => self.create(),
            Op::Write => self.write(booking),
            Op::Stat => rustix::fs::statat(at, path, AtFlags::SYMLINK_NOFOLLOW).map(drop),
            Op::Readdir => self.list(booking),
            Op::Open => {
                let flags = OFlags::RDONLY | OFlags::CLOEXEC;
                rustix::fs::openat(at, path, flags, Mode::empty()).map(drop)
            }
            Op::Rename => {
                let new = &self.other[from..];
                rustix::fs::renameat_with(at, path, at, new, RenameFlags::empty())
            }
            Op::Link => {
                let new = &self.other[from..];
                rustix::fs::linkat(at, path, at, new, AtFlags::empty())
            }
            Op::Symlink => {
                let to = &self.path[self.directory_end..];
                rustix::fs::symlinkat(to, at, &self.other[from..])
            }
            Op::SetXattr | Op::GetXattr => self.attribute(operation),
            Op::Unlink => rustix::fs::unlinkat(at, path, AtFlags::empty()),
            Op::Rmdir => rustix::fs::unlinkat(at, path, AtFlags::REMOVEDIR),
        }
    }

    fn create(&self) -> Result<(), Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = rustix::fs::openat(self.shared.place, &self.path[..], flags, Mode::from(0o666))?;
        if self.shared.workload.durability == Durability::Each {
            rustix::fs::fsync(&file)?;
        }
        close(file)
    }

    fn write(&mut self, booking: &mut Booking) -> Result<(), Errno> {
        let flags = OFlags::WRONLY | OFlags::CLOEXEC;
        let file = rustix::fs::openat(self.shared.place, &self.path[..], flags, Mode::empty())?;
        let size = self.shared.workload.file_size.get();
        let mut done = 0;
        while done < size && !self.shared.halted() {
            match rustix::io::write(&file, self.data.next(done, size - done)) {
                Ok(0) => return Err(Errno::NOSPC),
                Ok(written) => done += written as u64,
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno),
            }
        }
        if self.shared.workload.durability == Durability::Each {
            rustix::fs::fsync(&file)?;
        }
        close(file)?;
        booking.bytes += done;
        Ok(())
    }

    fn list(&self, booking: &mut Booking) -> Result<(), Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory =
            rustix::fs::openat(self.shared.place, &self.path[..], flags, Mode::empty())?;
        // glibc's readdir(3) asks for 32 KiB at a time.
        let mut buffer = [MaybeUninit::<u8>::uninit(); 32 << 10];
        let mut entries = RawDir::new(&directory, &mut buffer);
        while let Some(entry) = entries.next() {
            let name = entry?;
            let name = name.file_name().to_bytes();
            booking.entries += u64::from(name != b"." && name != b"..");
        }
        Ok(())
    }

    /// Extended attributes have no call relative to a directory before Linux 6.13, so these two go
    /// by the whole path.
    fn attribute(&mut self, operation: Op) -> Result<(), Errno> {
        self.other.clear();
        self.other.extend_from_slice(self.shared.base);
        self.other.extend_from_slice(&self.path);
        let mut value = [0x65u8; 32];
        if operation == Op::SetXattr {
            return rustix::fs::lsetxattr(&self.other[..], ATTRIBUTE, &value, XattrFlags::empty());
        }
        rustix::fs::lgetxattr(&self.other[..], ATTRIBUTE, &mut value).map(drop)
    }
}

/// Whether an answer says that the filesystem has no such operation, and not that it failed:
/// link(2) and symlink(2) answer `EPERM` there, xattr(7) and the rest `EOPNOTSUPP`; `ENODATA` is
/// what reading an attribute gives that could not be set.
fn is_missing(operation: Op, errno: Errno) -> bool {
    match operation {
        Op::Link | Op::Symlink if errno == Errno::PERM => true,
        Op::GetXattr if errno == Errno::NODATA => true,
        Op::SetXattr if errno == Errno::PERM => true,
        _ => errno == Errno::OPNOTSUPP || errno == Errno::NOSYS,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::super::settings::MetadataWorkload;
    use super::super::shared::OpenDirectory;
    use super::*;

    /// Three jobs share two directories of two each: the third has none in the first level and one in the second.
    /// It comes first, and waits.
    #[test]
    fn what_is_waited_for_other_jobs_is_in_no_latency() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("t0")).unwrap();
        let place = OwnedFd::from(fs::File::open(directory.path()).unwrap());
        let workload = MetadataWorkload {
            jobs: 3,
            breadth: 2,
            depth: 2,
            directories: Directories::Shared,
            ..Default::default()
        };
        let open = OpenDirectory {
            place: &place,
            base: b"",
        };
        let stop = AtomicBool::new(false);
        let shared = Shared::new(&workload, open, &stop, &());
        let work = |number| {
            let mut booking = Booking::new();
            NamesJob::new(&shared, number).work(Op::Mkdir, &mut booking);
            booking
        };
        let (begins, begun) = channel();
        let (third, others_begin) = std::thread::scope(|scope| {
            let third = scope.spawn(move || {
                begins.send(()).unwrap();
                work(2)
            });
            begun.recv().unwrap();
            // Long enough to show in a latency that contained it, and compared with nothing.
            std::thread::sleep(Duration::from_millis(20));
            let others_begin = shared.now();
            for number in [0, 1] {
                scope.spawn(move || work(number));
            }
            (third.join().unwrap(), others_begin)
        });
        assert_eq!(third.count, 1);
        let slowest = third.latency.max().unwrap().get();
        let since = third.end - others_begin;
        // The histogram rounds up by less than a thousandth.
        assert!(slowest <= since + since / 1000 + 1, "{slowest} of {since}");
    }
}
