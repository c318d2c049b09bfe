//! A disk behind a server: of the same guest, over its loopback interface, or of another one, over a cable between both.

use etalon_units::Nanos;

const BEGIN: &str = include_str!("begin.sh");
const NFS: &str = include_str!("nfs.sh");
const NVME_TCP: &str = include_str!("nvme_tcp.sh");
const ISCSI: &str = include_str!("iscsi.sh");

/// The addresses of two guests with a cable between them, and their cards.
const APART: &str = "SERVER=10.7.0.1\nCLIENT=10.7.0.2\nCARD=eth0\n";

/// What server and client speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// The kernel's NFS server and client, version 4.2.
    Nfs,
    /// The kernel's NVMe target and initiator over TCP.
    NvmeTcp,
    /// The kernel's iSCSI target (LIO) and initiator.
    Iscsi,
}

impl Network {
    /// All of them.
    pub const ALL: [Network; 3] = [Network::Nfs, Network::NvmeTcp, Network::Iscsi];
    /// The module of the card of a guest that speaks with another one.
    pub const CARD_MODULE: &str = "virtio_net";
    /// Where the guest has the filesystem that it reaches over the network.
    pub const POINT: &str = "/net";
    /// The program that holds packets back, and its Debian package.
    pub const DELAYS: (&str, &str) = ("tc", "iproute2");
    /// The module that does.
    pub const DELAY_MODULE: &str = "sch_netem";

    /// The name by which people ask for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Network::Nfs => "nfs",
            Network::NvmeTcp => "nvme-tcp",
            Network::Iscsi => "iscsi",
        }
    }

    /// What it is, in a line.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Network::Nfs => "ext4 on the first disk, exported (sync) and mounted as NFS 4.2",
            Network::NvmeTcp => "the first disk behind a target of NVMe over TCP, with ext4",
            Network::Iscsi => "the first disk behind an iSCSI target (LIO), with ext4",
        }
    }

    /// Programs that it takes besides busybox, each with its Debian package.
    #[must_use]
    pub fn programs(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Network::Nfs | Network::NvmeTcp => &[("mkfs.ext4", "e2fsprogs")],
            Network::Iscsi => &[("mkfs.ext4", "e2fsprogs"), ("iscsistart", "open-iscsi")],
        }
    }

    /// Modules that it takes, which are loaded when it begins.
    #[must_use]
    pub fn modules(self) -> &'static [&'static str] {
        match self {
            Network::Nfs => &["nfsd", "nfsv4"],
            Network::NvmeTcp => &["configfs", "nvmet", "nvmet-tcp", "nvme-tcp"],
            Network::Iscsi => &[
                "configfs",
                "target_core_mod",
                "target_core_iblock",
                "iscsi_target_mod",
                "iscsi_tcp",
                "sd_mod",
            ],
        }
    }

    /// Functions of the shell of a guest: `over nfs DISK`, `over nvme_tcp DISK` and `over iscsi DISK` serve that disk and
    /// have a filesystem on it at [`Network::POINT`]; `serve_nfs DISK` and so on do the one, `reach_nfs` and so on the other.
    /// What they cannot do they say on standard error.
    #[must_use]
    pub fn functions() -> String {
        [BEGIN, NFS, NVME_TCP, ISCSI].concat()
    }

    /// What a guest does to reach `disk` over this network, with so much more time for the way of each packet.
    #[must_use]
    pub fn script(self, disk: &str, delay: Nanos) -> String {
        let over = format!("over {} {disk}", self.function());
        calling("", delay, &over)
    }

    /// What a guest does to serve `disk` to another one.
    #[must_use]
    pub fn server_script(self, disk: &str, delay: Nanos) -> String {
        let serve = format!("interface $SERVER && serve_{} {disk}", self.function());
        calling(APART, delay, &serve)
    }

    /// What a guest does to reach the disk of such a server.
    #[must_use]
    pub fn client_script(self, delay: Nanos) -> String {
        let reach = format!("interface $CLIENT && reach_{}", self.function());
        calling(APART, delay, &reach)
    }

    fn function(self) -> String {
        self.name().replace('-', "_")
    }
}

fn calling(addresses: &str, delay: Nanos, call: &str) -> String {
    let (functions, microseconds) = (Network::functions(), delay.get() / 1000);
    format!("{functions}{addresses}DELAY_US={microseconds}\n{{ {call}; }} >&2 || return 1\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_network_has_the_function_that_its_script_calls() {
        for network in Network::ALL {
            let delay = Nanos::millis(2);
            for script in [
                network.script("/dev/vdb", delay),
                network.server_script("/dev/vdb", delay),
                network.client_script(delay),
            ] {
                let call = script.lines().last().unwrap();
                let calls = call
                    .strip_prefix("{ ")
                    .unwrap()
                    .strip_suffix("; } >&2 || return 1");
                for call in calls.unwrap().split(" && ") {
                    let name = call.split(' ').next().unwrap();
                    assert!(script.contains(&format!("\n{name}() {{")), "{call}");
                }
                assert!(script.contains("\nDELAY_US=2000\n"));
            }
            let apart = network.client_script(delay);
            assert!(apart.contains("\nSERVER=10.7.0.1\n") && !apart.ends_with("/dev/vdb"));
        }
    }
}
