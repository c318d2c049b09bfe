//! Files that etalon makes beside its work.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use etalon_factor::guard::{Existing, GuardError, Output, Readers, Refusal};
use etalon_testbed::{Loop, Mount};
use rustix::fs::{CWD, FileType, Mode};
use rustix::io::Errno;

use crate::ground::{MIB, ext4, mounted, zeros};

fn named(path: &Path) -> Result<Output, GuardError> {
    Output::claim(path, Existing::Replace, Readers::ByUmask)
}

fn refusal(path: &Path) -> Refusal {
    match named(path) {
        Err(GuardError::Refused(refusal)) => refusal,
        other => panic!("{path:?}: {other:?}"),
    }
}

#[test]
fn a_file_is_made_when_there_is_something_to_write_and_then_replaced() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("book");
    let mut output = named(&path).unwrap();
    assert!(!path.exists(), "a claim leaves nothing");
    output.write(b"the first").unwrap();
    output.write(b"second").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    let mut again = named(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second", "not cut by the claim");
    again.write(b"3").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"3");
}

#[test]
fn a_file_that_nobody_named_is_left_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("wol.dat");
    let claim = || Output::claim(&path, Existing::Refuse, Readers::ByUmask);
    let mut output = claim().unwrap();
    fs::write(&path, "of somebody else").unwrap();
    let exists = Refusal::Exists { path: path.clone() };
    assert_eq!(output.write(b"log").unwrap_err(), exists.clone().into());
    assert_eq!(claim().unwrap_err(), exists.into());
    assert_eq!(fs::read(&path).unwrap(), b"of somebody else");
    fs::remove_file(&path).unwrap();
    let mut output = claim().unwrap();
    output.write(b"one").unwrap();
    output.write(b"two").unwrap();
    assert_eq!(
        fs::read(&path).unwrap(),
        b"two",
        "its own file is rewritten"
    );
}

#[test]
fn a_planted_link_is_not_followed() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::write(at("secret"), "kept").unwrap();
    symlink("secret", at("link")).unwrap();
    symlink("nothing", at("dangling")).unwrap();
    for name in ["link", "dangling"] {
        assert!(matches!(refusal(&at(name)), Refusal::Link { .. }));
    }
    // Planted after the claim.
    let mut output = named(&at("late")).unwrap();
    symlink("secret", at("late")).unwrap();
    assert!(output.write(b"x").unwrap_err().is_refusal());
    symlink("nothing", at("later.new")).unwrap();
    let mut output = named(&at("later")).unwrap();
    fs::rename(at("later.new"), at("later")).unwrap();
    assert!(output.write(b"x").unwrap_err().is_refusal());
    assert!(!at("nothing").exists());
    assert_eq!(fs::read(at("secret")).unwrap(), b"kept");
}

#[test]
fn a_file_swapped_after_its_claim_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::write(at("book"), "old").unwrap();
    fs::write(at("other"), "other").unwrap();
    let mut output = named(&at("book")).unwrap();
    fs::rename(at("book"), at("moved")).unwrap();
    fs::rename(at("other"), at("book")).unwrap();
    output.write(b"new").unwrap();
    assert_eq!(fs::read(at("moved")).unwrap(), b"new");
    assert_eq!(fs::read(at("book")).unwrap(), b"other");
}

#[test]
fn a_directory_swapped_after_the_claim_is_not_written_to() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir(at("mine")).unwrap();
    fs::create_dir(at("other")).unwrap();
    let mut output = named(&at("mine/book")).unwrap();
    fs::rename(at("mine"), at("moved")).unwrap();
    symlink("other", at("mine")).unwrap();
    output.write(b"new").unwrap();
    assert!(at("moved/book").exists());
    assert!(!at("other/book").exists());
}

#[test]
fn a_fifo_is_written_to_when_somebody_reads_and_refused_otherwise() {
    let place = tempfile::tempdir().unwrap();
    let fifo = place.path().join("fifo");
    let mode = Mode::RUSR | Mode::WUSR;
    rustix::fs::mknodat(CWD, &fifo, FileType::Fifo, mode, 0).unwrap();
    assert!(matches!(refusal(&fifo), Refusal::NoReader { .. }));
    // Open both ways, it never blocks: a reader that is there.
    let both = File::options().read(true).write(true).open(&fifo).unwrap();
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read(fifo).unwrap()
    });
    let mut output = named(&fifo).unwrap();
    // The reader may open a moment later: by then only what it finds open counts.
    output.write(&[7; 100_000]).unwrap();
    let read = {
        drop(both);
        drop(output);
        reader.join().unwrap()
    };
    assert_eq!(read.len(), 100_000);
}

#[test]
fn what_is_no_file_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let socket = place.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    assert!(matches!(refusal(&socket), Refusal::NotAFile { .. }));
    assert!(matches!(
        refusal(Path::new("/dev/null")),
        Refusal::Device { .. }
    ));
    let of = |path: &Path| named(path).unwrap_err();
    assert_eq!(of(place.path()), Errno::ISDIR.into());
    assert_eq!(of(Path::new("/")), Errno::ISDIR.into());
    assert_eq!(of(&place.path().join("absent/book")), Errno::NOENT.into());
    assert_eq!(of(&socket.join("book")), Errno::NOTDIR.into());
}

#[test]
fn devices_and_backing_files_are_refused() {
    let name = "devices_and_backing_files_are_refused";
    let place = tempfile::tempdir().unwrap();
    let image = ext4(place.path(), "image");
    let free = zeros(place.path(), "free", MIB);
    let (Some(device), Some(free)) = (
        Loop::for_test(name, &image, &[]),
        Loop::for_test(name, &free, &[]),
    ) else {
        return;
    };
    let _mounted = mounted(&device, &place.path().join("point"));
    assert!(matches!(refusal(device.node()), Refusal::Device { .. }));
    assert!(matches!(refusal(free.node()), Refusal::Device { .. }));
    assert!(matches!(refusal(&image), Refusal::FileInUse { .. }));
    // Backing a loop since the claim.
    let late = zeros(place.path(), "late", MIB);
    let mut output = named(&late).unwrap();
    let _late = Loop::over(&late, &[]);
    assert!(output.write(b"x").unwrap_err().is_refusal());
    assert_eq!(fs::metadata(&late).unwrap().len(), MIB);
}

#[test]
fn private_files_are_the_owners_alone_and_documents_follow_the_umask() {
    let place = tempfile::tempdir().unwrap();
    let of = |name: &str, readers: Readers| {
        let path = place.path().join(name);
        let output = Output::claim(&path, Existing::Refuse, readers);
        output.unwrap().write(b"x").unwrap();
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(of("private", Readers::Owner), 0o600);
    fs::write(place.path().join("plain"), "").unwrap();
    let plain = fs::metadata(place.path().join("plain")).unwrap();
    assert_eq!(
        of("document", Readers::ByUmask),
        plain.permissions().mode() & 0o777
    );
}

#[test]
fn a_directory_that_cannot_be_written_is_said_at_once() {
    let name = "a_directory_that_cannot_be_written_is_said_at_once";
    let place = tempfile::tempdir().unwrap();
    let Some(_mounted) = Mount::tmpfs_at(name, place.path(), "ro") else {
        return;
    };
    let claimed = named(&place.path().join("book")).map(drop);
    assert_eq!(claimed.unwrap_err(), Errno::ROFS.into());
}
