//! Files that are no stores, are damaged, locked, too new or cannot be written.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use crate::common::{cell, new_experiment, run};
use etalon_store::{APPLICATION_ID, STORE_VERSION, Store, StoreError};
use etalon_testbed::{Mount, root_for};
use proptest::prelude::*;
use tempfile::TempDir;

/// A sound store with one experiment of three runs.
fn filled(path: &Path) -> i64 {
    let mut store = Store::open(path).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    for position in 0..3 {
        store.append_run(id, &run(position)).unwrap();
    }
    store.append_cells(id, &[cell("a")]).unwrap();
    id
}

fn opened(path: &Path) -> StoreError {
    Store::open(path).unwrap_err()
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_reading() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("store.sqlite");
    let error = Store::open_read_only(&path).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    assert!(error.to_string().contains(path.to_str().unwrap()));
    assert!(!path.exists());
    fs::write(&path, "").unwrap();
    let error = Store::open_read_only(&path).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    Store::open(&path).unwrap();
}

#[test]
fn names_special_to_sqlite_are_plain_files() {
    let home = TempDir::new().unwrap();
    for name in [":memory:", "file:x?mode=memory"] {
        let path = home.path().join(name);
        Store::open(&path).unwrap();
        assert!(path.exists(), "{name}");
    }
    assert!(matches!(
        opened(Path::new("")),
        StoreError::Directory { .. }
    ));
}

#[test]
fn a_file_that_is_no_database_is_left_as_it_is() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("notes.txt");
    let text = "these are my notes\n".repeat(100);
    fs::write(&path, &text).unwrap();
    for error in [opened(&path), Store::open_read_only(&path).unwrap_err()] {
        assert!(
            matches!(error, StoreError::NotADatabase { .. }),
            "{error:?}"
        );
        let said = error.to_string();
        assert!(
            said.contains("notes.txt' is not a store of etalon"),
            "{said}"
        );
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert!(matches!(opened(home.path()), StoreError::Unopenable { .. }));
    assert!(matches!(
        opened("/dev/null".as_ref()),
        StoreError::Refused(_)
    ));
}

#[test]
fn a_database_with_a_broken_header_is_damaged() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("store.sqlite");
    filled(&path);
    let mut bytes = fs::read(&path).unwrap();
    // The size of a page, which is a power of two.
    bytes[16..18].copy_from_slice(&[0x12, 0x34]);
    fs::write(&path, bytes).unwrap();
    for error in [opened(&path), Store::open_read_only(&path).unwrap_err()] {
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
        assert!(error.to_string().contains("is damaged"), "{error}");
    }
}

#[test]
fn another_programs_database_is_left_as_it_is() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("mail.sqlite");
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.execute_batch("CREATE TABLE mail (id)").unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(
        opened(&path),
        StoreError::Foreign {
            application_id: 0,
            ..
        }
    ));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_newer_store_is_refused_unchanged_and_both_formats_are_named() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("store.sqlite");
    filled(&path);
    let newer = STORE_VERSION + 41;
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.pragma_update(None, "user_version", newer).unwrap();
    raw.execute_batch("ALTER TABLE run ADD COLUMN of_the_future TEXT")
        .unwrap();
    let before = fs::read(&path).unwrap();
    for error in [opened(&path), Store::open_read_only(&path).unwrap_err()] {
        assert!(matches!(error, StoreError::Newer { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains(&format!("format {newer}")), "{text}");
        assert!(text.contains(&format!("up to {STORE_VERSION}")), "{text}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_store_without_its_tables_is_damaged() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("store.sqlite");
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.pragma_update(None, "application_id", APPLICATION_ID)
        .unwrap();
    raw.pragma_update(None, "user_version", STORE_VERSION)
        .unwrap();
    assert!(matches!(opened(&path), StoreError::Corrupt { .. }));
    raw.execute_batch("CREATE TABLE run (id)").unwrap();
    let store = Store::open(&path).unwrap();
    assert!(matches!(store.list(), Err(StoreError::Corrupt { .. })));
}

#[test]
fn a_lock_names_its_holder_and_nothing_is_lost() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("store.sqlite");
    let id = filled(&path);
    let mut store = Store::open_waiting(&path, Duration::from_millis(50)).unwrap();
    let mut holder = etalon_testbed::ignored_test("bad_files::lock_until_stdin_ends")
        .env("STORE", &path)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(holder.stdout.take().unwrap()));
    assert!(lines.any(|line| line.unwrap().contains("locked")));

    let error = store.append_run(id, &run(3)).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, StoreError::Locked { .. }), "{text}");
    assert!(text.contains(&format!("process {}", holder.id())), "{text}");
    assert!(text.contains("--store FILE"), "{text}");
    let error = Store::open_waiting(&path, Duration::from_millis(50)).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");

    drop(holder.stdin.take());
    assert!(holder.wait().unwrap().success());
    store.append_run(id, &run(3)).unwrap();
    assert_eq!(store.experiment(id).unwrap().runs.len(), 4);
}

#[test]
#[ignore = "the other process of a_lock_names_its_holder_and_nothing_is_lost"]
fn lock_until_stdin_ends() {
    let Some(path) = std::env::var_os("STORE") else {
        return;
    };
    let raw = rusqlite::Connection::open(PathBuf::from(path)).unwrap();
    raw.execute_batch("BEGIN EXCLUSIVE").unwrap();
    println!("\nlocked");
    std::io::Read::read_to_end(&mut std::io::stdin(), &mut Vec::new()).unwrap();
}

#[test]
fn a_log_left_on_by_another_program_is_turned_off() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("store.sqlite");
    let id = filled(&path);
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.pragma_update(None, "journal_mode", "WAL").unwrap();
    drop(raw);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.experiment(id).unwrap().runs.len(), 3);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("file"), "").unwrap();
    let error = opened(&home.path().join("file/etalon/store.sqlite"));
    assert!(matches!(error, StoreError::Directory { .. }), "{error}");
    assert!(error.to_string().contains("file/etalon'"), "{error}");
}

#[test]
fn a_read_only_filesystem_is_read_and_refused_for_writing() {
    let test = "a_read_only_filesystem_is_read_and_refused_for_writing";
    let Some(mount) = Mount::tmpfs_for(test, "size=8m") else {
        return;
    };
    let path = mount.path().join("store.sqlite");
    let id = filled(&path);
    mount.remount("ro");
    assert!(matches!(opened(&path), StoreError::ReadOnly { .. }));
    let store = Store::open_read_only(&path).unwrap();
    assert_eq!(store.experiment(id).unwrap().runs.len(), 3);
    let error = opened(&mount.path().join("new/store.sqlite"));
    assert!(matches!(error, StoreError::Directory { .. }), "{error}");
    let error = opened(&mount.path().join("new.sqlite"));
    assert!(matches!(error, StoreError::Unopenable { .. }), "{error}");
}

#[test]
fn a_full_disk_keeps_what_was_stored() {
    let Some(mount) = Mount::tmpfs_for("a_full_disk_keeps_what_was_stored", "size=1m") else {
        return;
    };
    let path = mount.path().join("store.sqlite");
    let mut store = Store::open(&path).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    let mut kept = 0;
    let error = loop {
        match store.append_run(id, &run(kept)) {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
        assert!(kept < 10_000, "the disk never fills");
    };
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
    assert!(kept > 3, "{kept}");
    let runs = store.experiment(id).unwrap().runs;
    assert_eq!(runs.len(), kept as usize);
    drop(store);
    let store = Store::open_read_only(&path).unwrap();
    store.check().unwrap();
    assert_eq!(store.experiment(id).unwrap().runs, runs);
}

#[test]
fn what_an_ordinary_user_may_not_write_is_read_and_refused_for_writing() {
    if !root_for("what_an_ordinary_user_may_not_write_is_read_and_refused_for_writing") {
        return;
    }
    // Where the user `nobody` can reach it: a directory, a store and the program of this test.
    let home = TempDir::new().unwrap();
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set(home.path(), 0o755);
    let path = home.path().join("store.sqlite");
    filled(&path);
    let program = home.path().join("test");
    etalon_testbed::copy_program(&std::env::current_exe().unwrap(), &program);
    // The directory cannot be written, then neither can the file, then it cannot even be read.
    for (mode, ending) in [
        (0o666, "ReadOnly"),
        (0o644, "ReadOnly"),
        (0o600, "Unopenable"),
    ] {
        set(&path, mode);
        let done = Command::new(&program)
            .args(["--exact", "bad_files::refused_to_this_user", "--ignored"])
            .env("STORE", &path)
            .env("REFUSAL", ending)
            .uid(65534)
            .gid(65534)
            .current_dir("/")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "{mode:o}: {text}");
    }
}

#[test]
#[ignore = "the child of what_an_ordinary_user_may_not_write_is_read_and_refused_for_writing"]
fn refused_to_this_user() {
    let (Some(path), Ok(refusal)) = (std::env::var_os("STORE"), std::env::var("REFUSAL")) else {
        return;
    };
    let path = PathBuf::from(path);
    let error = opened(&path);
    assert!(format!("{error:?}").starts_with(&refusal), "{error:?}");
    match Store::open_read_only(&path) {
        Ok(store) => assert_eq!(store.list().unwrap()[0].runs, 3),
        Err(error) => assert!(format!("{error:?}").starts_with("Unopenable"), "{error:?}"),
    }
    let error = opened(&path.with_file_name("new").join("store.sqlite"));
    assert!(matches!(error, StoreError::Directory { .. }), "{error:?}");
}

fn sound_bytes() -> &'static (i64, Vec<u8>) {
    static BYTES: OnceLock<(i64, Vec<u8>)> = OnceLock::new();
    BYTES.get_or_init(|| {
        let home = TempDir::new().unwrap();
        let path = home.path().join("store.sqlite");
        (filled(&path), fs::read(&path).unwrap())
    })
}

/// Opens, reads and writes a hostile file: an error is fine, a panic is not, and a run that comes
/// back is one that was stored.
fn use_hostile(bytes: &[u8]) {
    let home = TempDir::new_in("/dev/shm")
        .or_else(|_| TempDir::new())
        .unwrap();
    let path = home.path().join("store.sqlite");
    fs::write(&path, bytes).unwrap();
    let id = sound_bytes().0;
    if let Ok(store) = Store::open_read_only(&path) {
        let _ = store.list();
        if let Ok(found) = store.experiment(id) {
            for found in found.runs {
                assert_eq!(found, run(found.position));
            }
        }
    }
    if let Ok(mut store) = Store::open(&path) {
        let _ = store.append_run(id, &run(3));
        let _ = store.append_cells(id, &[cell("a")]);
        let _ = store.experiment(id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..5000), header: bool) {
        let mut file = if header { b"SQLite format 3\0".to_vec() } else { Vec::new() };
        file.extend(bytes);
        use_hostile(&file);
    }

    #[test]
    fn a_truncated_store_never_panics(share in 0.0f64..1.0) {
        let bytes = &sound_bytes().1;
        use_hostile(&bytes[..(bytes.len() as f64 * share) as usize]);
    }

    #[test]
    fn flipped_bytes_never_panic_and_never_lie(
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..20),
        early: bool,
    ) {
        let mut bytes = sound_bytes().1.clone();
        // Half of the cases hit the header and the schema, where a flip does most.
        let reach = if early { 8192 } else { bytes.len() };
        for (place, mask) in flips {
            bytes[place.index(reach)] ^= mask;
        }
        use_hostile(&bytes);
    }
}
