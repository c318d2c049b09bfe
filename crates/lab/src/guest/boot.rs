//! A guest from its start to its end.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use etalon_factor::{Journal, Server, ServerOrder};
use etalon_units::visible_lines;
use rustix::process::Signal;

use super::module_index;
use super::modules::load_list;
use super::one_processor::OneProcessor;
use super::qemu::QemuMachine;
use super::{
    Accelerator, Archive, GuestCable, GuestDisk, GuestError, INIT, Kernel, PORT, PortLines,
};

pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How the kernel begins to tell of its own end.
const PANIC: &str = "Kernel panic";
/// What an error quotes of a console.
const QUOTED_LINES: usize = 20;
/// Names within the guest's directory.
const INITRD: &str = "initrd";
const CONSOLE: &str = "console";
const SAID: &str = "said";
const LOG: &str = "qemu";

/// A guest that is to be booted.
#[derive(Debug)]
pub struct Guest {
    /// Its kernel.
    pub kernel: Kernel,
    /// How its processor runs.
    pub accelerator: Accelerator,
    /// Its memory.
    pub memory_mib: u64,
    /// Its processors.
    pub processors: u32,
    /// What runs there once the modules are loaded, in the words of the shell.
    pub main: String,
    /// Modules that are loaded at the start; what they need comes with them.
    pub modules: Vec<String>,
    /// Modules that the kernel finds when it wants them.
    pub more_modules: Vec<String>,
    /// Words of the kernel's command line, besides those that every guest boots by. What is a parameter of one of `modules`
    /// (`null_blk.irqmode=2`) is given to it as it is loaded.
    pub parameters: Vec<String>,
    /// Its disks.
    pub disks: Vec<GuestDisk>,
    /// Whether it has a port, by which it tells lines while it runs: [`Guest::lines`].
    pub has_port: bool,
    /// The cable between it and another guest.
    pub cable: Option<GuestCable>,
    /// When it is ended from outside.
    pub time_limit: Duration,
    /// A directory of its own within the private directory, by its absolute path.
    pub directory: PathBuf,
}

/// What a guest left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booted {
    /// What it wrote to its second serial line.
    pub said: String,
    /// What its console showed.
    pub console: String,
}

impl Guest {
    /// Boots it with what is in the archive, besides the first program and the modules, and waits for its end; `each` is
    /// called many times a second meanwhile, and what it fails on ends this guest.
    ///
    /// # Errors
    /// [`GuestError`], and that of `each`; nothing of it runs any more then.
    pub fn boot<E: From<GuestError>>(
        &self,
        journal: &Journal,
        archive: Archive,
        stop: &AtomicBool,
        each: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Booted, E> {
        let mut server = self.start(journal, archive, &["file:console", "file:said"])?;
        let ended = self.wait(&mut server, stop, each);
        server
            .end(Signal::TERM)
            .map_err(GuestError::io("end the guest in", &self.directory))?;
        ended?;
        Ok(Booted {
            said: self.text_of(SAID),
            console: self.text_of(CONSOLE),
        })
    }

    /// Boots it with these serial lines, and does not wait for it.
    ///
    /// # Errors
    /// [`GuestError`].
    pub fn start(
        &self,
        journal: &Journal,
        archive: Archive,
        serial: &[&str],
    ) -> Result<Server, GuestError> {
        self.pack(archive)?;
        let machine = QemuMachine {
            accelerator: self.accelerator,
            kernel: self.kernel.image(),
            memory_mib: self.memory_mib,
            processors: self.processors,
            disks: &self.disks,
            serial,
            parameters: &self.parameters,
            has_port: self.has_port,
            cable: self.cable.as_ref(),
            initrd: Some(INITRD),
        };
        let order = ServerOrder {
            words: machine.words()?,
            directory: self.directory.clone(),
            log: self.directory.join(LOG),
            user: None,
        };
        let _held = self.takes_one().then(OneProcessor::hold);
        Ok(Server::start(journal, &order)?)
    }

    /// Whether it runs best on one processor: what it waits for is a modelled disk, and what it computes is one thread's.
    fn takes_one(&self) -> bool {
        let is_served = |disk: &GuestDisk| matches!(disk, GuestDisk::Served { .. });
        self.accelerator == Accelerator::Tcg
            && self.processors == 1
            && self.disks.iter().any(is_served)
    }

    /// A raw file of zeroes for a disk.
    ///
    /// # Errors
    /// [`GuestError::Io`].
    pub fn make_disk(directory: &Path, name: &str, bytes: u64) -> Result<(), GuestError> {
        let path = directory.join(name);
        let made = File::create_new(&path).and_then(|file| file.set_len(bytes));
        made.map_err(GuestError::io("make the disk", &path))
    }

    /// What it tells by its port.
    #[must_use]
    pub fn lines(&self) -> PortLines {
        PortLines::at(&self.directory.join(PORT))
    }

    /// The last lines of its console, fit for a terminal.
    #[must_use]
    pub fn last_lines(&self) -> String {
        last_lines(&self.text_of(CONSOLE))
    }

    fn pack(&self, mut archive: Archive) -> Result<(), GuestError> {
        let below = format!("lib/modules/{}", self.kernel.release());
        let modules = [&self.modules[..], &self.more_modules].concat();
        let modules = self.kernel.modules().with_needs(&modules)?;
        for module in &modules {
            archive.file(&format!("{below}/{}", module.place), 0o644, &module.content);
        }
        for (name, content) in module_index::files(&modules) {
            archive.file(&format!("{below}/{name}"), 0o644, content.as_bytes());
        }
        archive.directory(&below);
        let loaded = load_list(&self.modules, &self.parameters);
        archive.file("modules", 0o644, loaded.as_bytes());
        let disks = self.disks.iter().enumerate();
        let disks: String = disks
            .filter_map(|(number, disk)| disk.described(number))
            .collect();
        archive.file("disks", 0o644, disks.as_bytes());
        archive.file("init", 0o755, INIT.as_bytes());
        archive.file("main.sh", 0o644, self.main.as_bytes());
        let path = self.directory.join(INITRD);
        let written = File::create_new(&path).and_then(|mut file| {
            archive.write_to(&mut file)?;
            file.flush()
        });
        written.map_err(GuestError::io("write", &path))
    }

    fn wait<E: From<GuestError>>(
        &self,
        server: &mut Server,
        stop: &AtomicBool,
        each: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let begun = Instant::now();
        loop {
            each()?;
            let ended = server.ended();
            match ended.map_err(GuestError::io("wait in", &self.directory))? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => {
                    return Err(E::from(GuestError::Qemu {
                        status: status.to_string(),
                        said: last_lines(&self.text_of(LOG)),
                    }));
                }
                None if stop.load(Ordering::Relaxed) => return Err(GuestError::Stopped.into()),
                None if begun.elapsed() > self.time_limit => {
                    return Err(E::from(GuestError::TooLong {
                        seconds: self.time_limit.as_secs(),
                        console: self.last_lines(),
                    }));
                }
                None => std::thread::sleep(POLL_INTERVAL),
            }
        }
    }

    /// What it wrote to its second serial line.
    pub(super) fn said(&self) -> String {
        self.text_of(SAID)
    }

    fn text_of(&self, name: &str) -> String {
        let bytes = fs::read(self.directory.join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The last lines; of a kernel that has panicked those from the panic on, which a trace may follow.
fn last_lines(text: &str) -> String {
    let text = text.replace('\r', "");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.collect();
    let panic = lines.iter().rposition(|line| line.contains(PANIC));
    let from = panic.unwrap_or(lines.len().saturating_sub(QUOTED_LINES));
    let last = &lines[from..lines.len().min(from + QUOTED_LINES)];
    visible_lines(&last.join("\n")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A guest in this directory, of a kernel that nobody boots.
    fn guest(directory: &Path) -> Guest {
        let mut image = vec![0; 0x400];
        image[0x202..0x206].copy_from_slice(b"HdrS");
        image[0x200] = b'x';
        let path = directory.join("vmlinuz-x");
        fs::write(&path, &image).unwrap();
        Guest {
            kernel: Kernel::at(&path).unwrap(),
            accelerator: Accelerator::Tcg,
            memory_mib: 256,
            processors: 1,
            main: String::new(),
            modules: Vec::new(),
            more_modules: Vec::new(),
            parameters: Vec::new(),
            disks: Vec::new(),
            has_port: false,
            cable: None,
            time_limit: Duration::from_secs(60),
            directory: directory.to_owned(),
        }
    }

    #[test]
    fn what_is_wrong_with_one_guest_ends_that_one_and_asks_no_other_to_stop() {
        let (place, notes) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let journal = Journal::at(&notes.path().join("journal")).unwrap();
        let guest = guest(&place.path().canonicalize().unwrap());
        let order = ServerOrder {
            words: vec!["sleep".into(), "600".into()],
            directory: guest.directory.clone(),
            log: guest.directory.join(LOG),
            user: None,
        };
        let mut server = Server::start(&journal, &order).unwrap();
        let (stop, mut looks) = (AtomicBool::new(false), 0);
        let mut each = || {
            looks += 1;
            let device = PathBuf::from("/dev/vda");
            match looks {
                3 => Err(GuestError::NoMemory { device }),
                _ => Ok(()),
            }
        };
        let error = guest.wait(&mut server, &stop, &mut each).unwrap_err();
        server.end(Signal::TERM).unwrap();
        assert!(matches!(error, GuestError::NoMemory { .. }), "{error}");
        assert_eq!((looks, stop.into_inner()), (3, false));
    }

    #[test]
    fn the_last_lines_of_a_console_are_fit_for_a_terminal() {
        let text: String = (0..40).map(|line| format!("line {line}\r\n\r\n")).collect();
        let panicked = format!("{text}Kernel panic - not syncing\r\n{text}");
        let quoted = last_lines(&panicked);
        assert_eq!(quoted.lines().count(), QUOTED_LINES);
        assert!(quoted.starts_with("Kernel panic - not syncing\nline 0\n"));
        let last = last_lines(&(text + "\x1b[2Jend"));
        assert_eq!(last.lines().count(), QUOTED_LINES);
        assert!(
            last.starts_with("line 21\n") && !last.contains('\x1b'),
            "{last}"
        );
    }
}
