//! Disks that a guest serves to itself over a network: what its stack shows, and what the findings say of the caches in
//! between. `networks.sh`, in a guest.

use std::collections::HashMap;
use std::path::PathBuf;

use etalon_lab::guest::Network;

use crate::arrays::{amiss, settled};
use crate::machine::{self, Guest};
use crate::said::{self, Case};
use crate::{kernel, skipped};

/// The client of iSCSI, without which its cases are left out.
const ISCSI: &str = "iscsistart";
/// A case, and what its stack must show.
const STACKS: [(&str, &[&str]); 4] = [
    (
        "nfs stack",
        &[
            "nfs4 on /net from 127.0.0.1:/",
            "the server is this very machine: nfsd from /srv",
            "no_root_squash,sync,",
            "ext4 on /srv from /dev/vda",
            "vda: virtio disk",
        ],
    ),
    (
        "nfs async stack",
        &[
            "no_root_squash,async,",
            "answers before its disk has anything",
        ],
    ),
    (
        "nvme stack",
        &[
            "ext4 on /net from /dev/nvme0n1",
            "NVMe nvme0: over tcp, address",
            "traddr=127.0.0.1,trsvcid=4420,",
            "the server is this very machine: nvmet from /dev/vdb, past its page",
            "vdb: virtio disk",
        ],
    ),
    (
        "iscsi stack",
        &[
            "iSCSI: target iqn.2003-01.org.linux-iscsi.etalon:disk, at",
            "127.0.0.1:3260, LOGGED_IN",
            "the server is this very machine: LIO from /dev/vdd, past its page cache",
            "vdd: virtio disk",
        ],
    ),
];
/// A trap or its honest twin, a code, and the severity with which it must be found, if any.
const FOUND: [(&str, &str, Option<&str>); 10] = [
    ("nfs read", "server-cache", Some("info")),
    ("nfs read", "page-cache", Some("invalid")),
    ("nfs buffered read", "server-cache", Some("info")),
    ("nfs write", "not-durable", None),
    ("nfs async write", "not-durable", Some("invalid")),
    ("nvme read", "server-cache", None),
    ("nvme read", "page-cache", None),
    ("nvme write", "not-durable", None),
    ("nvme buffered read", "server-cache", Some("info")),
    ("iscsi write", "not-durable", None),
];

#[test]
fn servers_within_a_guest_are_followed_and_their_caches_named() {
    let Some(kernel) = kernel("servers_within_a_guest_are_followed_and_their_caches_named") else {
        return;
    };
    let iscsi = machine::program(ISCSI);
    if iscsi.is_none() {
        skipped("iSCSI within a guest", "needs iscsistart");
    }
    let has_iscsi = iscsi.is_some();
    let programs: Vec<PathBuf> = iscsi.into_iter().collect();
    let functions = Network::functions();
    let networks = Network::ALL.into_iter();
    let packed: Vec<&str> = networks.flat_map(Network::modules).copied().collect();
    let guest = Guest {
        scripts: &[&functions, include_str!("networks.sh")],
        disks_mib: &[64; 4],
        programs: &programs,
        modules: &["ext4"],
        packed: &packed,
        last_has_serial: false,
    };
    let (said, console) = machine::boot(&kernel, &guest);
    let cases = said::cases(&said, &console);
    let mut wrong = amiss(&cases, &[]);
    let is_due = |name: &str| has_iscsi || !name.starts_with("iscsi");
    for (name, parts) in STACKS.into_iter().filter(|(name, _)| is_due(name)) {
        shown(&cases, name, parts, &mut wrong);
    }
    for row in FOUND.into_iter().filter(|(name, ..)| is_due(name)) {
        found(&cases, row, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}\n{console}", wrong.join("\n"));
}

fn shown(cases: &HashMap<String, Case>, name: &str, parts: &[&str], wrong: &mut Vec<String>) {
    let Some(case) = settled(cases, name, wrong) else {
        return;
    };
    for part in parts.iter().filter(|part| !case.says(part)) {
        wrong.push(format!("{name}: no {part:?}: {case:#?}"));
    }
}

fn found(
    cases: &HashMap<String, Case>,
    (name, code, severity): (&str, &str, Option<&str>),
    wrong: &mut Vec<String>,
) {
    let Some(case) = settled(cases, name, wrong) else {
        return;
    };
    let wanted =
        severity.map(|severity| format!("\"code\": \"{code}\", \"severity\": \"{severity}\""));
    let is_right = match &wanted {
        Some(wanted) => case.says(wanted),
        None => !case.says(&format!("\"code\": \"{code}\"")),
    };
    // Disks that hold nothing, or whose server served from memory, give figures that are called invalid.
    if !is_right || !matches!(case.code, Some(0 | 3)) {
        wrong.push(format!("{name}: {code} is to be {severity:?}: {case:#?}"));
    }
}
