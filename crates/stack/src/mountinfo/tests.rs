use super::*;
use proptest::prelude::*;

const MACHINE: &str = "\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
23 22 0:20 / /proc rw,nosuid shared:5 - proc proc rw
24 22 8:1 / /mnt/my\\040disk rw,relatime shared:1 master:2 - ext4 /dev/sda1 rw
25 24 0:40 /@home /mnt/my\\040disk/b rw - btrfs /dev/sdb rw,compress=zstd:3,subvol=/@home
26 22 8:17 / /mnt/my\\040disk rw - xfs /dev/sdb1 rw,logbufs=8
27 22 8:1 /data/x /srv ro - ext4 /dev/sda1 rw
28 22 0:50 / /tab\\011and\\134 rw - tmpfs none rw,size=4k
";

fn machine() -> Vec<Mount> {
    parse_mountinfo(MACHINE, Path::new("/proc/self/mountinfo")).unwrap()
}

fn on(major: u32, minor: u32) -> PathId {
    PathId {
        mount_id: None,
        devno: Some(DevNo { major, minor }),
    }
}

fn id_of(path: &str, known: PathId) -> Option<u64> {
    covering(&machine(), Path::new(path), known).map(|m| m.id)
}

#[test]
fn escapes_and_optional_fields_are_undone() {
    let mounts = machine();
    assert_eq!(mounts[2].point, "/mnt/my disk");
    assert_eq!(mounts[6].point, "/tab\tand\\");
    assert_eq!(mounts[2].fs_type, "ext4");
    assert_eq!(mounts[3].root, "/@home");
    assert_eq!(mounts[3].super_option("compress"), Some("zstd:3"));
    assert!(mounts[5].has_option("ro"));
}

#[test]
fn the_deepest_mount_with_the_device_of_the_path_is_taken() {
    assert_eq!(id_of("/home", PathId::default()), Some(22));
    assert_eq!(id_of("/mnt/my disk/f", on(8, 17)), Some(26));
    assert_eq!(id_of("/mnt/my disk/f", on(8, 1)), Some(24));
    assert_eq!(id_of("/srv/f", on(8, 1)), Some(27));
}

#[test]
fn of_two_mounts_on_one_point_the_later_hides_the_earlier() {
    assert_eq!(id_of("/mnt/my disk/f", PathId::default()), Some(26));
}

#[test]
fn a_btrfs_subvolume_has_another_device_number_and_is_still_found() {
    assert_eq!(id_of("/mnt/my disk/b/f", on(0, 41)), Some(25));
}

#[test]
fn the_mount_number_settles_it() {
    let known = PathId {
        mount_id: Some(24),
        devno: None,
    };
    assert_eq!(id_of("/mnt/my disk/f", known), Some(24));
}

#[test]
fn a_path_that_only_begins_alike_is_not_covered() {
    assert_eq!(id_of("/srvx", PathId::default()), Some(22));
}

#[test]
fn an_error_names_the_line_and_the_item() {
    let error = parse_mountinfo(
        "1 2 8:1 / / rw - ext4 /dev/sda rw\n1 x 8:1 /",
        Path::new("/p"),
    );
    let message = error.unwrap_err().to_string();
    assert!(
        message.contains("'/p' line 2: parent ID should be a number, but is 'x'"),
        "{message}"
    );
}

#[test]
fn a_comma_in_quotes_does_not_end_an_option() {
    let options = split_options("rw,context=\"system_u:object_r:x:s0:c1,c2\",noexec");
    assert_eq!(options.len(), 3);
}

fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b' ' | b'\t' | b'\n' | b'\\' | b'#' => format!("\\{byte:03o}"),
            _ => (byte as char).to_string(),
        })
        .collect()
}

proptest! {
    #[test]
    fn never_panics(text in "[ -~\n\\\\]{0,200}") {
        let _ = parse_mountinfo(&text, Path::new("/p"));
    }

    #[test]
    fn unescape_undoes_the_kernels_escapes(text in "[ -~\t\n]{0,40}") {
        prop_assert_eq!(unescape(&escape(&text)), text);
    }

    #[test]
    fn a_cut_file_never_panics(cut in 0..MACHINE.len()) {
        let _ = parse_mountinfo(&MACHINE[..cut], Path::new("/p"));
    }
}
