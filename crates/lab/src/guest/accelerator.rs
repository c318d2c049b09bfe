//! How a guest's processor runs.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use etalon_factor::{Journal, Server, ServerOrder};
use rustix::process::Signal;

use super::qemu::QemuMachine;
use super::{GuestError, Kernel};

/// A kernel that has nothing to boot panics within a second or two where KVM works.
const TRIAL_LIMIT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// As much as a kernel needs to get to its panic.
const TRIAL_MEMORY_MIB: u64 = 256;

/// How a guest's processor runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accelerator {
    /// The processor of this machine runs the guest.
    Kvm,
    /// QEMU translates the guest's instructions: ten times slower and more.
    Tcg,
}

impl Accelerator {
    /// As QEMU and records call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Accelerator::Kvm => "kvm",
            Accelerator::Tcg => "tcg",
        }
    }

    /// The processor that QEMU gives the guest: that of this machine as it is, or an emulated one, which is fastest with the
    /// features that QEMU gives it. Its instruction RDRAND is added, from which the kernel takes its first random numbers:
    /// without them whatever wants one waits, mke2fs(8) for four seconds each time.
    pub(super) const fn processor(self) -> &'static str {
        match self {
            Accelerator::Kvm => "host",
            Accelerator::Tcg => "qemu64,+rdrand",
        }
    }

    /// Whether this user can open KVM, which does not say that it works. Reading and writing is what QEMU needs; nothing is
    /// written to it here.
    #[must_use]
    pub fn may_be_tried() -> bool {
        let mut options = File::options();
        options.read(true).write(true).open("/dev/kvm").is_ok()
    }

    /// KVM where a trial shows that it works here, else TCG. Some machines offer KVM and hang with it: the
    /// trial boots the kernel into a panic, and has ten seconds.
    ///
    /// # Errors
    /// [`GuestError`] where QEMU cannot be started, and [`GuestError::Stopped`] once `stop` is set.
    pub fn probe(
        journal: &Journal,
        directory: &Path,
        kernel: &Kernel,
        stop: &AtomicBool,
    ) -> Result<Accelerator, GuestError> {
        if !Accelerator::may_be_tried() {
            return Ok(Accelerator::Tcg);
        }
        let machine = QemuMachine {
            accelerator: Accelerator::Kvm,
            kernel: kernel.image(),
            memory_mib: TRIAL_MEMORY_MIB,
            processors: 1,
            disks: &[],
            serial: &[],
            parameters: &[],
            has_port: false,
            cable: None,
            initrd: None,
        };
        let order = ServerOrder {
            words: machine.words()?,
            directory: directory.to_owned(),
            log: directory.join("kvm-trial"),
            user: None,
        };
        let mut server = Server::start(journal, &order)?;
        let works = ends_well(&mut server, directory, stop)?;
        server
            .end(Signal::KILL)
            .map_err(GuestError::io("end the trial of KVM in", directory))?;
        match works {
            true => Ok(Accelerator::Kvm),
            false => Ok(Accelerator::Tcg),
        }
    }
}

/// Whether the panic came in time.
fn ends_well(server: &mut Server, directory: &Path, stop: &AtomicBool) -> Result<bool, GuestError> {
    let begun = Instant::now();
    while begun.elapsed() < TRIAL_LIMIT {
        if stop.load(Ordering::Relaxed) {
            return Err(GuestError::Stopped);
        }
        let ended = server
            .ended()
            .map_err(GuestError::io("wait in", directory))?;
        if let Some(status) = ended {
            return Ok(status.success());
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    Ok(false)
}

impl fmt::Display for Accelerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Accelerator::Kvm => "KVM",
            Accelerator::Tcg => "TCG (emulated)",
        })
    }
}
