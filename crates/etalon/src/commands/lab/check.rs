//! `etalon lab check`.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use etalon_exchange::{LabBody, LabNeed};
use etalon_factor::{Journal, Scratch};
use etalon_lab::guest::{Accelerator, Kernel, find_program};

use super::kernel::ChosenKernel;
use super::print_document;
use crate::{output, signals};
use etalon_tools::Exit;

/// Options of `etalon lab check`.
#[derive(Debug, Clone, Args)]
pub(super) struct CheckArgs {
    /// The kernel that guests are to have, by which KVM is tried [default: host, the kernel of this machine]
    #[arg(long, value_name = "KERNEL")]
    kernel: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A program, the Debian package that has it, and what it is for.
type LabProgram = (&'static str, &'static str, &'static str);

const QEMU: &str = "qemu-system-x86_64";
const PROGRAMS: &[LabProgram] = &[
    (QEMU, "qemu-system-x86", "runs guests"),
    ("busybox", "busybox-static", "the shell of a guest"),
    ("ldd", "libc-bin", "the libraries of a guest's programs"),
    ("mdadm", "mdadm", "arrays of md in a guest"),
    ("lvm", "lvm2", "arrays of LVM in a guest"),
    ("make-bcache", "bcache-tools", "bcache in a guest"),
    ("mkfs.ext4", "e2fsprogs", "ext4 in a guest"),
    ("mkfs.xfs", "xfsprogs", "xfs in a guest"),
    ("mkfs.btrfs", "btrfs-progs", "btrfs in a guest"),
    ("dmsetup", "dmsetup", "device-mapper in a guest"),
    ("qemu-img", "qemu-utils", "disks of a guest in qcow2 files"),
    ("tc", "iproute2", "delay of a network in a guest"),
    ("iscsistart", "open-iscsi", "iSCSI in a guest"),
    ("sqlite3", "sqlite3", "SQLite under power cuts"),
    ("postgres", "postgresql", "PostgreSQL under power cuts"),
    ("mariadbd", "mariadb-server", "MariaDB under power cuts"),
];

const KVM: &str = "/dev/kvm";
const KERNEL: &str = "kernel";
const KVM_IS_FOR: &str = "guests at the processor's speed; without it they are emulated";
const KERNEL_IS_FOR: &str = "what guests boot";

/// What came of the look for the parts of a guest.
struct Found {
    programs: Vec<(&'static LabProgram, bool)>,
    kernel: Option<Kernel>,
    kvm: Kvm,
}

/// Whether KVM works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kvm {
    /// A trial has shown it.
    Works,
    /// A trial has failed, or had not come to its end in time.
    Fails,
    /// There is no such device, or this user may not open it.
    Closed,
    /// There is nothing here to try it with.
    NotTried,
}

impl CheckArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        let kernel = match &self.kernel {
            Some(name) => Some(ChosenKernel::named(name)?.kernel),
            None => Kernel::of_this_machine().ok(),
        };
        let found = Found::here(kernel)?;
        match self.json {
            true => print_document(LabBody::Needs(found.needs()))?,
            false => output::print_page(&found.page())?,
        }
        Ok(match found.is_complete() {
            true => Exit::Done,
            false => Exit::Failed,
        })
    }
}

impl Found {
    /// Programs are looked for where a guest's are taken from.
    fn here(kernel: Option<Kernel>) -> anyhow::Result<Found> {
        let there = |need: &'static LabProgram| (need, is_there(need.0));
        let programs: Vec<_> = PROGRAMS.iter().map(there).collect();
        let has_qemu = programs
            .iter()
            .any(|(need, there)| need.0 == QEMU && *there);
        let kvm = Kvm::tried(kernel.as_ref().filter(|_| has_qemu))?;
        Ok(Found {
            programs,
            kernel,
            kvm,
        })
    }

    fn is_complete(&self) -> bool {
        self.kernel.is_some() && self.programs.iter().all(|(_, there)| *there)
    }

    fn page(&self) -> String {
        let mut text = String::new();
        let mut missing = Vec::new();
        for ((program, package, what_for), there) in &self.programs {
            let state = if *there { "found" } else { "MISSING" };
            text.push_str(&format!("{program:19} {state:8} {what_for}\n"));
            missing.extend((!there).then_some(*package));
        }
        let kernel = match &self.kernel {
            Some(kernel) => format!("found    {KERNEL_IS_FOR}: {}", kernel.release()),
            None => "MISSING  none of this machine in /boot: name one by --kernel".to_owned(),
        };
        text.push_str(&format!(
            "{KERNEL:19} {kernel}\n{KVM:19} {}\n",
            self.kvm.words()
        ));
        if !missing.is_empty() {
            text.push_str(&format!("\nInstall: apt install {}\n", missing.join(" ")));
        }
        text
    }

    fn needs(&self) -> Vec<LabNeed> {
        let need = |&(&(name, package, about), found): &(&'static LabProgram, bool)| LabNeed {
            name,
            about,
            package: Some(package),
            found,
        };
        let other = |name, about, found| LabNeed {
            name,
            about,
            package: None,
            found,
        };
        let mut needs: Vec<LabNeed> = self.programs.iter().map(need).collect();
        needs.push(other(KERNEL, KERNEL_IS_FOR, self.kernel.is_some()));
        needs.push(other(KVM, KVM_IS_FOR, self.kvm == Kvm::Works));
        needs
    }
}

/// PostgreSQL's programs have places of their own.
fn is_there(program: &str) -> bool {
    let mut places = etalon_database::postgresql_places().into_iter();
    find_program(program, &[]).is_some() || places.any(|place| place.join(program).is_file())
}

impl Kvm {
    /// Boots this kernel by it, which takes ten seconds at most.
    fn tried(kernel: Option<&Kernel>) -> anyhow::Result<Kvm> {
        if !Accelerator::may_be_tried() {
            return Ok(Kvm::Closed);
        }
        let Some(kernel) = kernel else {
            return Ok(Kvm::NotTried);
        };
        let journal = Journal::open()?;
        let scratch = Scratch::create(&journal, &std::env::temp_dir())?;
        let directory = fs::canonicalize(scratch.held_path())?;
        let stop = Arc::new(AtomicBool::new(false));
        signals::ask_to_stop_on_signal(&stop)?;
        let found = Accelerator::probe(&journal, &directory, kernel, &stop);
        scratch.close()?;
        Ok(match found? {
            Accelerator::Kvm => Kvm::Works,
            Accelerator::Tcg => Kvm::Fails,
        })
    }

    const fn words(self) -> &'static str {
        match self {
            Kvm::Works => "works    guests at the processor's speed",
            Kvm::Fails => "fails    a trial did not come to its end: guests are emulated (TCG)",
            Kvm::Closed => "missing  or not open to this user: guests are emulated (TCG), slower",
            Kvm::NotTried => "found    not tried: that takes QEMU and a kernel",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(there: bool, kvm: Kvm) -> Found {
        Found {
            programs: PROGRAMS.iter().map(|need| (need, there)).collect(),
            kernel: None,
            kvm,
        }
    }

    #[test]
    fn a_kernel_is_needed_and_kvm_is_not_said_to_work_before_a_trial() {
        let page = found(true, Kvm::NotTried).page();
        assert!(page.contains("\nkernel              MISSING "), "{page}");
        assert!(
            page.contains("/dev/kvm            found    not tried"),
            "{page}"
        );
        assert!(!found(true, Kvm::Works).is_complete());
        let needs = found(true, Kvm::NotTried).needs();
        let last: Vec<_> = needs
            .iter()
            .rev()
            .take(2)
            .map(|n| (n.name, n.found))
            .collect();
        assert_eq!(last, [(KVM, false), (KERNEL, false)]);
        let wide = page.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None);
    }
}
