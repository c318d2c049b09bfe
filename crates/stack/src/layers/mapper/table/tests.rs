//! Lines that Linux 6.1 printed, and lines made by the kernel's pages.

use super::*;
use proptest::prelude::*;

fn devno(major: u32, minor: u32) -> DevNo {
    DevNo { major, minor }
}

fn at(major: u32, minor: u32, sector: u64) -> MapDevice {
    MapDevice {
        device: devno(major, minor),
        offset: Some(Bytes(sector * 512)),
    }
}

fn on(major: u32, minor: u32) -> MapDevice {
    MapDevice {
        device: devno(major, minor),
        offset: None,
    }
}

fn only(table: &str, status: &str) -> MapTarget {
    let mut found = targets(table, status);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_volume_in_two_pieces() {
    let found = targets(
        "0 81920 linear 259:0 2048\n81920 81920 linear 259:0 165888\n",
        "0 81920 linear \n81920 81920 linear \n",
    );
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].devices, [at(259, 0, 2048)]);
    assert_eq!(
        (found[1].start, found[1].length),
        (Bytes::mib(40), Bytes::mib(40))
    );
    assert_eq!(found[1].devices, [at(259, 0, 165_888)]);
}

#[test]
fn stripes_have_a_chunk_and_a_state() {
    let found = only(
        "0 65536 striped 2 128 8:0 2048 8:16 2048\n",
        "0 65536 striped 2 8:0 8:16 1 AD\n",
    );
    assert_eq!(
        (found.stripes, found.chunk),
        (Some(2), Some(Bytes::kib(64)))
    );
    assert_eq!(found.devices, [at(8, 0, 2048), at(8, 16, 2048)]);
    assert_eq!(found.health.as_deref(), Some("AD"));
}

#[test]
fn a_mirror_that_is_copying() {
    let table = "0 65536 mirror core 1 4096 2 254:3 0 254:4 0 1 handle_errors\n";
    let found = only(table, "0 65536 mirror 2 254:3 254:4 4/16 1 AA 1 core\n");
    assert_eq!(found.devices, [at(254, 3, 0), at(254, 4, 0)]);
    assert_eq!(
        (found.stripes, found.health.as_deref()),
        (Some(2), Some("AA"))
    );
    assert_eq!(found.sync_action.as_deref(), Some("resync"));
    assert_eq!(found.sync_progress, Some(Percent::from_fraction(0.25)));
    let done = only(table, "0 65536 mirror 2 254:3 254:4 16/16 1 AA 1 core\n");
    assert_eq!(done.sync_action.as_deref(), Some("idle"));
    assert_eq!(done.sync_progress, None);
    // A log on a disk of its own is no member.
    let logged = "0 8 mirror disk 2 254:9 4096 2 254:3 0 254:4 0\n";
    assert_eq!(only(logged, "").devices.len(), 2);
}

#[test]
fn raid_is_named_by_its_level_and_lists_its_data() {
    let mirror = only(
        "0 65536 raid raid1 3 0 region_size 4096 2 254:0 254:1 - -\n",
        "0 65536 raid raid1 2 AD 65536/65536 idle 0 0 -\n",
    );
    assert_eq!(
        (mirror.target.as_str(), mirror.stripes, mirror.chunk),
        ("raid1", Some(2), None)
    );
    assert_eq!(mirror.devices, [on(254, 1)]);
    assert_eq!(mirror.health.as_deref(), Some("AD"));
    assert_eq!(mirror.sync_action.as_deref(), Some("idle"));
    let parity = only(
        "0 65536 raid raid5_ls 3 128 region_size 4096 3 254:0 254:1 254:2 254:3 254:4 254:5\n",
        "0 65536 raid raid5_ls 3 AAa 1024/4096 recover 0 0 -\n",
    );
    assert_eq!(
        (parity.stripes, parity.chunk),
        (Some(3), Some(Bytes::kib(64)))
    );
    assert_eq!(parity.devices, [on(254, 1), on(254, 3), on(254, 5)]);
    assert_eq!(parity.sync_progress, Some(Percent::from_fraction(0.25)));
}

#[test]
fn pools_caches_and_the_rest() {
    let pool = only("0 8 thin-pool 254:0 254:1 128 0 1 skip_block_zeroing\n", "");
    assert_eq!(pool.chunk, Some(Bytes::kib(64)));
    assert_eq!(pool.devices, [on(254, 0), on(254, 1)]);
    let cache = only("0 8 cache 254:0 254:1 254:2 512 1 writethrough smq 0\n", "");
    assert_eq!(
        (cache.chunk, cache.devices.len()),
        (Some(Bytes::kib(256)), 3)
    );
    let snapshot = only("0 8 snapshot 254:0 254:1 P 8\n", "");
    assert_eq!(snapshot.chunk, Some(Bytes::kib(4)));
    let thin = only("0 8 thin 254:2 1\n", "");
    assert_eq!((thin.chunk, thin.devices), (None, vec![on(254, 2)]));
    let slow = only("0 2048 delay 259:1 65536 5\n", "0 2048 delay 0 0 0\n");
    assert_eq!(slow.devices, [at(259, 1, 65536)]);
    let error = only("1024 8 error\n", "");
    assert_eq!((error.devices.len(), error.start), (0, Bytes::kib(512)));
}

#[test]
fn encryption_without_its_key() {
    let table =
        "0 20480 crypt aes-xts-plain64 256 0 259:1 2048 2 allow_discards sector_size:4096\n";
    let found = crypt(table).unwrap();
    assert_eq!(
        (found.cipher.as_str(), found.key_bits),
        ("aes-xts-plain64", Some(256))
    );
    assert_eq!(
        (found.offset, found.sector_size),
        (Some(Bytes::mib(1)), Bytes::kib(4))
    );
    assert_eq!(found.options, ["allow_discards", "sector_size:4096"]);
    let bare = crypt("0 8 crypt aes-cbc-essiv:sha256 ? 0 8:2 0\n").unwrap();
    assert_eq!(
        (bare.key_bits, bare.sector_size, bare.options.len()),
        (None, Bytes(512), 0)
    );
}

#[test]
fn paths_and_their_groups() {
    let table = "0 8 multipath 1 queue_if_no_path 1 alua 2 1 service-time 0 2 2 8:0 1 1 8:16 1 1 \
                 round-robin 0 1 1 8:32 1\n";
    let expected = Paths {
        queues_without_path: true,
        selector: "service-time".to_owned(),
        paths: vec![(devno(8, 0), 1), (devno(8, 16), 1), (devno(8, 32), 2)],
    };
    assert_eq!(multipath(table), Some(expected));
    let status = "0 8 multipath 2 0 0 0 2 1 A 0 2 2 8:0 A 0 0 1 8:16 F 1 0 1 E 0 1 1 8:32 A 0 1\n";
    assert_eq!(
        usable_paths(status),
        [
            (devno(8, 0), true),
            (devno(8, 16), false),
            (devno(8, 32), true)
        ]
    );
    assert_eq!(
        multipath("0 8 multipath 0 0 1 1 service-time 0 9 2 8:0\n"),
        None
    );
}

proptest! {
    #[test]
    fn no_line_panics(
        kind in prop::sample::select(vec!["linear", "striped", "mirror", "raid raid1", "crypt", "multipath", "thin-pool", "cache"]),
        words in prop::collection::vec(prop_oneof![
            "[0-9]{1,3}", "[0-9]{18,22}", "[0-9]{1,3}:[0-9]{1,3}", Just("-".to_owned()), "[A-Za-z]{1,5}",
        ], 0..20),
        junk in any::<String>(),
    ) {
        let line = format!("0 8 {kind} {}\n", words.join(" "));
        for (table, status) in [(&line, &line), (&line, &junk), (&junk, &line)] {
            let _ = targets(table, status);
            let _ = (crypt(table).is_some(), multipath(table), usable_paths(status));
        }
    }
}
