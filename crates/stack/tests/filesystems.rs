//! Filesystems that stand on no block device, or on several, told from their mount lines alone.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod machine;

use std::path::Path;

use etalon_model::stack::{FsDetail, StackTree, Warning};
use etalon_stack::Stack;
use etalon_units::Bytes;

use machine::Machine;

/// The stack of `/m` on a machine with this mount and these further sections.
fn mounted(line: &str, further: &str) -> StackTree {
    let text = format!(
        "[proc/self]\nmountinfo = 1 0 8:2 / / rw - ext4 /dev/sda2 rw\\n2 1 {line}\n{further}"
    );
    Stack::of(Path::new("/m/file"), &Machine::unpack(&text).roots()).unwrap()
}

fn detail(tree: &StackTree) -> &FsDetail {
    &tree.filesystem.as_ref().unwrap().detail
}

fn why(tree: &StackTree) -> &str {
    assert!(tree.devices.is_empty());
    tree.no_block.as_deref().unwrap()
}

#[test]
fn tmpfs_is_memory() {
    let tree = mounted("0:30 / /m rw - tmpfs tmpfs rw,size=65536k,huge=always", "");
    let expected = FsDetail::Memory {
        limit: Some(Bytes::mib(64)),
        huge: Some("always".to_owned()),
    };
    assert_eq!(detail(&tree), &expected);
    assert!(why(&tree).contains("memory"));
    assert_eq!(tree.warnings, [Warning::InMemory]);
}

#[test]
fn fuse_is_a_process() {
    let tree = mounted(
        "0:31 / /m rw - fuse.sshfs u@host:/d rw,user_id=0,max_read=131072",
        "",
    );
    let expected = FsDetail::Fuse {
        subtype: Some("sshfs".to_owned()),
        max_read: Some(Bytes::kib(128)),
    };
    assert_eq!(detail(&tree), &expected);
    assert!(why(&tree).contains("served by a process (fuse.sshfs)"));
}

#[test]
fn zfs_names_its_pool() {
    let tree = mounted("0:32 / /m rw - zfs tank/home rw,xattr", "");
    assert!(why(&tree).contains("pool tank"));
}

#[test]
fn servers_of_every_kind_are_named() {
    for (line, server) in [
        ("nfs4 [fe80::1]:/x rw,vers=4.2", "fe80::1"),
        ("nfs nas:/x rw,vers=3,soft", "nas"),
        ("cifs //box/share rw,vers=3.1.1", "box"),
        ("ceph 10.0.0.1:6789:/ rw", "10.0.0.1"),
    ] {
        let tree = mounted(&format!("0:33 / /m rw - {line}"), "");
        let FsDetail::Network { server: found, .. } = detail(&tree) else {
            panic!("{line}")
        };
        assert_eq!(found, server);
        assert!(why(&tree).contains("over the network"));
    }
}

#[test]
fn a_filesystem_of_the_kernel_says_so() {
    let tree = mounted("0:34 / /m rw - cgroup2 cgroup2 rw", "");
    assert!(why(&tree).contains("without a block device (cgroup2)"));
}

#[test]
fn f2fs_tells_its_segments() {
    let tree = mounted(
        "8:17 / /m rw - f2fs /dev/sdb1 rw",
        "[sys/dev/block]\n8:17 -> ../../block/sdb1\n[sys/block/sdb1]\ndev = 8:17\nsize = 8\n\
         [sys/fs/f2fs/sdb1]\nfeatures = encryption, extra_attr\ndirty_segments = 7\nfree_segments = 90\nlifetime_write_kbytes = 2048\n",
    );
    let expected = FsDetail::F2fs {
        features: vec!["encryption".to_owned(), "extra_attr".to_owned()],
        dirty_segments: Some(7),
        free_segments: Some(90),
        lifetime_write: Some(Bytes::mib(2)),
    };
    assert_eq!(detail(&tree), &expected);
}

#[test]
fn bcachefs_lists_its_devices_in_the_source() {
    let tree = mounted(
        "0:35 / /m rw - bcachefs /dev/sdb:/dev/sdc rw",
        "[sys/class/block]\nsdb -> ../../block/sdb\nsdc -> ../../block/sdc\n\
         [sys/block/sdb]\ndev = 8:16\n[sys/block/sdc]\ndev = 8:32\n[dev]\nx/\n",
    );
    let names: Vec<&str> = tree.devices.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["sdb", "sdc"]);
}

#[test]
fn the_card_on_the_way_to_a_server_is_named_with_its_speed() {
    let card = "[proc/net]\nroute = Iface\\tDestination\\tGateway\\tFlags\\tRefCnt\\tUse\\tMetric\\tMask\\neth7\\t00000000\\t0101A8C0\\t0003\\t0\\t0\\t0\\t00000000\n\
        [sys/class/net/eth7]\nspeed = 10000\nduplex = full\nmtu = 9000\n";
    let line = "0:40 / /m rw - nfs4 nas:/vol rw,vers=4.2,addr=192.0.2.1";
    let tree = mounted(line, card);
    let FsDetail::Network {
        card: Some(card), ..
    } = detail(&tree)
    else {
        panic!("no card in {:?}", detail(&tree));
    };
    assert_eq!(
        (card.name.as_str(), card.speed_mbps),
        ("eth7", Some(10_000))
    );
    assert_eq!(
        (card.duplex.as_deref(), card.mtu),
        (Some("full"), Some(9000))
    );
    // A card without a link says -1.
    let tree = mounted(
        line,
        "[proc/net]\nroute = h\\neth7\\t00000000\\t0\\t3\\t0\\t0\\t0\\t00000000\n[sys/class/net/eth7]\nspeed = -1\n",
    );
    let FsDetail::Network {
        card: Some(card), ..
    } = detail(&tree)
    else {
        panic!("no card in {:?}", detail(&tree));
    };
    assert_eq!(card.speed_mbps, None);
}

/// What a mount from this source and with these options is from, on a machine whose kernel serves all of `/`.
fn served_by(source: &str, options: &str, further: &str) -> StackTree {
    let nfsd = "[proc/fs/nfs]\nexports = /\\there(rw,sync,fsid=0)\\n\n";
    let line = format!("0:40 / /m rw - nfs4 {source} rw,vers=4.1,{options}");
    mounted(&line, &format!("{nfsd}{further}"))
}

fn is_here(tree: &StackTree) -> bool {
    let FsDetail::Network { served_here, .. } = detail(tree) else {
        panic!("{:?}", detail(tree));
    };
    let beneath = &tree.filesystem.as_ref().unwrap().beneath;
    assert_eq!(served_here.is_some(), beneath.is_some());
    served_here.is_some()
}

#[test]
fn a_proxy_on_this_machine_is_not_taken_for_the_server() {
    let ports = |text: &str| format!("[proc/fs/nfsd]\nportlist = {text}\n");
    let usual = ports("rdma 20049\\ntcp 2049\\n");
    for (options, further, here) in [
        ("addr=127.0.0.1", String::new(), true),
        ("addr=127.0.0.1", usual.clone(), true),
        ("proto=rdma,port=20049,addr=127.0.0.1", usual.clone(), true),
        // As amazon-efs-utils mounts, with and without a server of the kernel's that runs.
        ("port=20127,addr=127.0.0.1", usual, false),
        ("port=20127,addr=127.0.0.1", String::new(), false),
        ("addr=127.0.0.1", ports(""), false),
    ] {
        let tree = served_by("127.0.0.1:/", options, &further);
        assert_eq!(is_here(&tree), here, "{options} {further}");
        if !here {
            assert!(why(&tree).contains("behind a proxy is not known"));
        }
    }
}

#[test]
fn what_the_kernel_sends_on_to_other_machines_is_not_served_here() {
    let own = "[proc/net]\nfib_trie = |-- 10.96.0.1\\n/32 host LOCAL\\n\n";
    let asked = |further: &str| served_by("10.96.0.1:/", "addr=10.96.0.1", further);
    assert!(is_here(&asked(own)));
    let service = "ip_vs = TCP  0A600001:0801 rr\\n  -> 0A000007:0801  Masq 1 0 0\\n\n";
    assert!(!is_here(&asked(&format!("{own}{service}"))));
}

#[test]
fn a_server_without_exports_is_not_taken_to_be_here() {
    for line in [
        "nfs4 127.0.0.1:/ rw,vers=4.1,port=20127,addr=127.0.0.1",
        "nfs4 127.0.0.1:/ rw,vers=4.1,addr=127.0.0.1",
        "cifs //127.0.0.1/share rw,vers=3.1.1,addr=127.0.0.1",
    ] {
        let tree = mounted(&format!("0:40 / /m rw - {line}"), "");
        assert!(!is_here(&tree), "{line}");
        assert!(why(&tree).contains("behind a proxy is not known"), "{line}");
    }
}

#[test]
fn what_the_host_shares_is_not_served_over_a_network() {
    for (line, share) in [
        (
            r"9p C:\134 rw,aname=drvfs;path=C:\134;uid=0,trans=fd,rfd=8,wfd=8",
            r"C:\",
        ),
        ("9p none rw,trans=fd", ""),
        ("9p hostshare rw,trans=virtio", "hostshare"),
        ("virtiofs myfs rw", "myfs"),
        ("vboxsf shared rw", "shared"),
    ] {
        let tree = mounted(
            &format!("0:40 / /m rw - {}", line.replace('\\', "\\\\")),
            "",
        );
        let FsDetail::Network {
            server,
            export,
            by_host,
            ..
        } = detail(&tree)
        else {
            panic!("{line}: {:?}", detail(&tree));
        };
        assert_eq!(
            (server.as_str(), export.as_str(), *by_host),
            ("", share, true),
            "{line}"
        );
        let why = why(&tree);
        assert!(
            why.starts_with("served by the host of this machine"),
            "{why}"
        );
    }
}

#[test]
fn every_server_is_named_as_its_mount_has_it() {
    for (line, server, export) in [
        ("9p 10.0.0.1 rw,trans=tcp,aname=/srv", "10.0.0.1", "/srv"),
        ("ceph a:6789,b:6789:/x rw", "a,b", "/x"),
        ("ceph [fe80::1]:6789:/ rw", "fe80::1", "/"),
        ("ceph user@fsid.fs=/x rw", "fsid.fs", "/x"),
        (
            "ceph user@fsid.fs=/x rw,mon_addr=10.0.0.1:6789/10.0.0.2:6789",
            "10.0.0.1,10.0.0.2",
            "/x",
        ),
        (
            "lustre 10.0.0.1@tcp:10.0.0.2@tcp:/scratch rw",
            "10.0.0.1@tcp:10.0.0.2@tcp",
            "/scratch",
        ),
        ("pvfs2 tcp://box:3334/orangefs rw", "box", "/orangefs"),
        ("beegfs beegfs_nodev rw", "", "beegfs_nodev"),
        ("gpfs gpfs0 rw", "", "gpfs0"),
    ] {
        let tree = mounted(&format!("0:40 / /m rw - {line}"), "");
        let FsDetail::Network {
            server: named,
            export: served,
            by_host,
            ..
        } = detail(&tree)
        else {
            panic!("{line}: {:?}", detail(&tree));
        };
        assert_eq!(
            (named.as_str(), served.as_str(), *by_host),
            (server, export, false),
            "{line}"
        );
        let why = why(&tree);
        assert!(
            why.contains("over the network") && !why.contains("  "),
            "{why}"
        );
    }
}

#[test]
fn a_process_that_fetches_files_from_elsewhere_names_its_server() {
    let tree = mounted("0:31 / /m rw - fuse.glusterfs nas:/vol rw", "");
    assert!(why(&tree).contains("(fuse.glusterfs) from nas:/vol over the network"));
    let tree = mounted("0:31 / /m rw - fuse.lxcfs lxcfs rw", "");
    assert!(!why(&tree).contains("network"));
}
