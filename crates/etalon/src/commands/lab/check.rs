//! `etalon lab check`.

use std::path::Path;

use clap::Args;
use etalon_exchange::{LabBody, LabNeed};

use super::print_document;
use crate::output;
use etalon_tools::Exit;

/// Options of `etalon lab check`.
#[derive(Debug, Clone, Args)]
pub(super) struct CheckArgs {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A program, the Debian package that has it, and what it is for.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("qemu-system-x86_64", "qemu-system-x86", "runs guests"),
    ("busybox", "busybox-static", "the shell of a guest"),
    ("ldd", "libc-bin", "the libraries of a guest's programs"),
    ("mdadm", "mdadm", "arrays of md in a guest"),
    ("lvm", "lvm2", "arrays of LVM in a guest"),
    ("mkfs.ext4", "e2fsprogs", "ext4 in a guest"),
    ("mkfs.xfs", "xfsprogs", "xfs in a guest"),
    ("mkfs.btrfs", "btrfs-progs", "btrfs in a guest"),
    ("dmsetup", "dmsetup", "device-mapper in a guest"),
    ("tc", "iproute2", "delay of a network in a guest"),
    ("iscsistart", "open-iscsi", "iSCSI in a guest"),
];

const KVM: &str = "/dev/kvm";

impl CheckArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        if self.json {
            return document();
        }
        let mut text = String::new();
        let mut missing = Vec::new();
        for (program, package, what_for) in PROGRAMS {
            let there = is_installed(program);
            let state = if there { "found" } else { "MISSING" };
            text.push_str(&format!("{program:19} {state:8} {what_for}\n"));
            missing.extend((!there).then_some(*package));
        }
        text.push_str(&format!("{KVM:19} {}\n", kvm()));
        if !missing.is_empty() {
            text.push_str(&format!("\nInstall: apt install {}\n", missing.join(" ")));
        }
        output::print_page(&text)?;
        Ok(match missing.is_empty() {
            true => Exit::Done,
            false => Exit::Failed,
        })
    }
}

fn document() -> anyhow::Result<Exit> {
    let need = |(name, package, about): &(&'static str, &'static str, &'static str)| LabNeed {
        name,
        about,
        package: Some(package),
        found: is_installed(name),
    };
    let mut needs: Vec<LabNeed> = PROGRAMS.iter().map(need).collect();
    let exit = match needs.iter().all(|need| need.found) {
        true => Exit::Done,
        false => Exit::Failed,
    };
    needs.push(LabNeed {
        name: KVM,
        about: "guests at the processor's speed; without it they are emulated",
        package: None,
        found: Path::new(KVM).exists(),
    });
    print_document(LabBody::Needs(needs))?;
    Ok(exit)
}

/// Where programs of the administrator are too, which are not always in a user's path.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<_> = std::env::split_paths(&path).collect();
    places.extend(["/usr/sbin", "/sbin"].map(Into::into));
    places.iter().any(|place| place.join(program).is_file())
}

fn kvm() -> &'static str {
    match Path::new(KVM).exists() {
        true => "found    guests at the processor's speed",
        false => "missing  guests are emulated (TCG): slower, and said with each result",
    }
}
