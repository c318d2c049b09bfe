//! `etalon lab powercut`: what was promised, what a cut has left of it, and who is to blame.

use serde_json::Value;

use crate::common::{Home, Said, run};
use crate::lab_guests::Room;

fn power_cuts(said: &Said) -> Value {
    said.json()["power_cuts"].clone()
}

fn number(of: &Value, key: &str) -> u64 {
    of[key].as_u64().unwrap_or_else(|| panic!("no {key}: {of}"))
}

/// Every cut that lost something promised has its finding, with the moment and the record.
fn is_told(cuts: &Value) {
    let broken = cuts["broken_promises"].as_array().unwrap();
    assert_eq!(
        broken.len() as u64,
        number(cuts, "cuts_with_losses"),
        "{cuts}"
    );
    for cut in broken {
        let finding = &cut["finding"];
        assert_eq!(
            (&finding["code"], &finding["severity"]),
            (&"not-durable".into(), &"invalid".into())
        );
        let message = finding["message"].as_str().unwrap();
        let moment = format!("cut {}, after ", cut["cut"]);
        let noun = cuts["written"].as_str().unwrap();
        let record = format!("is {noun} {}, promised ", cut["first_lost"]);
        assert!(
            message.contains(&moment) && message.contains(&record),
            "{cut}"
        );
        assert!(
            number(cut, "first_promised_at_ns") <= number(cut, "at_ns"),
            "{cut}"
        );
    }
}

#[test]
fn an_honest_disk_keeps_its_promises_in_200_cuts() {
    let home = Home::new();
    let said = home.run(["lab", "powercut"]);
    assert_eq!(said.code, Some(0), "LOST: {said:?}");
    for text in [
        "lost none of ",
        "Nothing that was promised was lost in 200 power cuts: at 95 % confidence",
        "less than 1.5 % of such cuts lose",
    ] {
        assert!(said.joined().contains(text), "no {text:?}: {}", said.out);
    }
    assert_eq!(
        said.out,
        home.run(["lab", "powercut"]).out,
        "the same seed, the same cuts"
    );
}

#[test]
fn a_lying_disk_is_not_durable_in_every_cut_that_lost_data() {
    let home = Home::new();
    let words = [
        "lab",
        "powercut",
        "--disk",
        "ssd-sata:ignores-flush",
        "--seed",
        "7",
    ];
    let said = home.run(words);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.contains("invalid [not-durable] cut "), "{said:?}");
    assert!(
        said.out.contains("of 196 power cuts (") && said.out.contains("hdparm -W 0"),
        "{said:?}"
    );
    let cuts = power_cuts(&home.run([&words[..], &["--json"]].concat()));
    assert_eq!(
        (number(&cuts, "cuts"), &cuts["ignores_flush"]),
        (200, &true.into())
    );
    assert!(number(&cuts, "cuts_with_losses") > 150, "{cuts}");
    is_told(&cuts);
}

/// Cuts beneath ext4 in a guest, of which nothing stays.
fn beneath_ext4(room: &Room, disk: &str, options: &[&str], code: i32) -> Value {
    let words = ["--filesystem", "ext4", "--disk", disk, "--json"];
    let said = run(room.lab(&["powercut"], &[&words[..], options].concat()));
    let lost = if code == 0 { "LOST: " } else { "" };
    assert_eq!(said.code, Some(code), "{lost}{said:?}");
    room.is_clean();
    let cuts = power_cuts(&said);
    assert!(number(&cuts, "promised") >= number(&cuts, "cuts"), "{cuts}");
    is_told(&cuts);
    cuts
}

#[test]
fn a_filesystem_without_barriers_is_caught_and_one_with_them_is_not() {
    let Some(room) = Room::of("a_filesystem_without_barriers_is_caught_and_one_with_them_is_not")
    else {
        return;
    };
    let kept = beneath_ext4(&room, "ssd-sata:256M", &["--cuts", "6"], 0);
    assert_eq!(number(&kept, "lost"), 0, "LOST: {kept}");
    let lost = beneath_ext4(
        &room,
        "ssd-sata:256M",
        &["--cuts", "6", "--mount-options", "barrier=0"],
        3,
    );
    assert_eq!(lost["mount_options"], "barrier=0");
    assert_eq!(lost["ignores_flush"], false, "the disk is honest");
}

#[test]
fn no_finished_run_of_a_store_is_lost() {
    let Some(room) = Room::of("no_finished_run_of_a_store_is_lost") else {
        return;
    };
    let kept = beneath_ext4(
        &room,
        "ssd-sata:256M",
        &["--cuts", "2", "--write", "store"],
        0,
    );
    assert_eq!(kept["written"], "experiment");
    assert_eq!(number(&kept, "lost"), 0, "LOST: {kept}");
}

/// Rows of a database beneath ext4, none of which is lost by an honest disk.
fn rows_are_kept(room: &Room, database: &str, cuts: &str) {
    let rows = ["--write", database, "--cuts", cuts];
    let kept = beneath_ext4(room, "ssd-sata:1G", &rows, 0);
    assert_eq!(
        (&kept["written"], number(&kept, "unmountable_cuts")),
        (&"row".into(), 0)
    );
    assert_eq!(number(&kept, "lost"), 0, "LOST: {kept}");
}

#[test]
fn rows_of_sqlite_are_kept_by_an_honest_disk_and_missed_on_a_lying_one() {
    let test = "rows_of_sqlite_are_kept_by_an_honest_disk_and_missed_on_a_lying_one";
    let Some(room) = Room::with(test, &["sqlite3"]) else {
        return;
    };
    rows_are_kept(&room, "sqlite", "4");
    let rows = ["--write", "sqlite", "--cuts", "4"];
    let lying = beneath_ext4(&room, "ssd-sata:1G:ignores-flush", &rows, 3);
    assert!(number(&lying, "lost") > 0, "{lying}");
}

/// The server recovers what a cut has left, and gives back every row.
#[test]
fn rows_of_mariadb_are_kept_by_an_honest_disk() {
    let test = "rows_of_mariadb_are_kept_by_an_honest_disk";
    if let Some(room) = Room::with(test, &["mariadbd", "mariadb"]) {
        rows_are_kept(&room, "mariadb", "2");
    }
}

/// The same of the other server.
#[test]
fn rows_of_postgresql_are_kept_by_an_honest_disk() {
    let test = "rows_of_postgresql_are_kept_by_an_honest_disk";
    if let Some(room) = Room::with(test, &["psql", "setpriv"]) {
        rows_are_kept(&room, "postgresql", "2");
    }
}
