//! `etalon lab run` of plans that compare this machine with its guests, and guests with a root filesystem of the user's.

use std::fs;
use std::path::Path;
use std::process::Command;

use etalon_testbed::skip;
use serde_json::Value;

use crate::common::{left_in, run};
use crate::lab_guests::{Room, installed};

const PLAN: &str = "question = \"What does a guest cost?\"
blocks = 1
seed = 7
[[factor]]
name = \"machine\"
levels = [\"host\", { value = \"guest, raw\", format = \"raw\", cache = \"writeback\", size = \"256MiB\" }, { value = \"guest, qcow2\", cache = \"unsafe\", size = \"256MiB\" }]
[[workload]]
name = \"r\"
op = \"randread\"
file_size = \"16M\"
time = \"200ms\"
";

/// Runs a tool of this machine.
fn tool(program: &str, arguments: &[&str]) {
    let ran = Command::new(program).args(arguments).output().unwrap();
    assert!(ran.status.success(), "{program} {arguments:?}: {ran:?}");
}

/// An image whose filesystem has a shell, the libraries of etalon and a name.
fn image_of_a_distribution(room: &Room) -> String {
    let place = |name: &str| room.home.path().join(name).to_str().unwrap().to_owned();
    let (tree, raw, image) = (place("tree"), place("raw"), place("image"));
    let libraries = Command::new("ldd")
        .arg(env!("CARGO_BIN_EXE_etalon"))
        .output();
    let libraries = String::from_utf8(libraries.unwrap().stdout).unwrap();
    let words = libraries.split_whitespace();
    let programs = ["/bin/busybox", "/sbin/mkfs.ext4"];
    let needed = Command::new("ldd").arg("/sbin/mkfs.ext4").output().unwrap();
    let needed = String::from_utf8(needed.stdout).unwrap();
    let words = words.chain(needed.split_whitespace());
    for path in words.filter(|word| word.starts_with('/')).chain(programs) {
        let to = format!("{tree}{path}");
        fs::create_dir_all(Path::new(&to).parent().unwrap()).unwrap();
        fs::copy(path, &to).unwrap();
    }
    for name in ["sh", "mount", "mkdir", "modprobe", "blkid"] {
        std::os::unix::fs::symlink("busybox", format!("{tree}/bin/{name}")).unwrap();
    }
    fs::create_dir_all(format!("{tree}/etc")).unwrap();
    fs::write(
        format!("{tree}/etc/os-release"),
        "PRETTY_NAME=\"A root of my own\"\n",
    )
    .unwrap();
    tool("mkfs.ext4", &["-q", "-d", &tree, &raw, "96M"]);
    tool("qemu-img", &["convert", "-O", "qcow2", &raw, &image]);
    image
}

#[test]
fn this_machine_is_compared_with_guests_whose_disks_lie_in_the_same_directory() {
    let test = "this_machine_is_compared_with_guests_whose_disks_lie_in_the_same_directory";
    let Some(room) = Room::with(test, &["mkfs.ext4", "qemu-img"]) else {
        return;
    };
    let (plan, here) = (
        room.home.path().join("plan.toml"),
        room.home.path().join("here"),
    );
    fs::write(&plan, PLAN).unwrap();
    fs::create_dir(&here).unwrap();
    let (plan, here) = (plan.to_str().unwrap(), here.to_str().unwrap());
    let image = image_of_a_distribution(&room);
    let before = fs::read(&image).unwrap();
    let given = ["--json", "--root", &image, "--", here];
    let said = run(room.lab(&["run", plan], &given));
    // Of one run there is no interval, and memory is no storage.
    assert!(matches!(said.code, Some(0 | 3 | 5)), "{said:?}");
    let compared = said.json()["comparisons"].as_array().unwrap().len();
    assert_eq!(compared, 1, "{said:?}");
    let document = room.home.run(["export", "1", "--json"]).json();
    assert_eq!(document["target"]["path"], here, "{document}");
    let runs = document["runs"].as_array().unwrap();
    let of = |cell: &str| runs.iter().find(|made| made["cell"] == cell).unwrap();
    assert_eq!(runs.len(), 3, "{document}");
    let own = of("r, host");
    assert!(own["circumstances"]["lab"].is_null(), "{own}");
    for (cell, format, cache) in [
        ("r, guest, raw", "raw", "writeback"),
        ("r, guest, qcow2", "qcow2", "unsafe"),
    ] {
        let guest = &of(cell)["circumstances"]["lab"];
        let made = &guest["image"];
        assert_eq!(
            (&made["format"], &made["cache"]),
            (&format.into(), &cache.into())
        );
        assert_eq!(made["size_bytes"], 256 << 20);
        assert!(
            made["beneath"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        assert_eq!(
            guest["root"],
            fs::canonicalize(&image).unwrap().to_str().unwrap()
        );
        assert_eq!(distribution(&document, of(cell)), "A root of my own");
    }
    assert_ne!(distribution(&document, own), "A root of my own");
    assert_eq!(left_in(Path::new(here)), [""; 0]);
    assert!(fs::read(&image).unwrap() == before, "the image was written");
    room.is_clean();
}

/// The distribution of the environment in which a run was made.
fn distribution(document: &Value, made: &Value) -> String {
    let hash = &made["circumstances"]["environment"]["hash"];
    let all = document["environments"].as_array().unwrap();
    let own = all.iter().find(|one| one["hash"] == *hash).unwrap();
    let name = own["facts"]["distribution"].as_str();
    name.unwrap_or_default().to_owned()
}

#[test]
fn what_cannot_be_compared_with_a_guest_is_refused_before_anything_boots() {
    let test = "what_cannot_be_compared_with_a_guest_is_refused_before_anything_boots";
    let Some(room) = Room::of(test) else {
        return;
    };
    let plan = room.home.path().join("plan.toml");
    fs::write(&plan, PLAN).unwrap();
    let both = room.home.path().join("both.toml");
    let kernel = "[[factor]]\nname = \"kernel\"\nlevels = [\"host\"]\n[[workload]]";
    fs::write(&both, PLAN.replace("[[workload]]", kernel)).unwrap();
    let (plan, both) = (plan.to_str().unwrap(), both.to_str().unwrap());
    for (what, given, wanted) in [
        (
            plan,
            &["--disk", "flat:256M"][..],
            "leave --disk and --over out",
        ),
        (plan, &["--over", "nfs"], "leave --disk and --over out"),
        (plan, &["--", plan], "is no directory: name one behind --"),
        (plan, &["--", "/", "/tmp"], "name one directory behind --"),
        (
            "quick",
            &["--root", "/nosuch"],
            "cannot read the image '/nosuch'",
        ),
        (
            "nfs",
            &["--root", "/bin/sh"],
            "leave --root or the network out",
        ),
    ] {
        let said = run(room.lab(&["run", what], given));
        assert!(matches!(said.code, Some(1 | 2)), "{said:?}");
        assert!(said.err.contains(wanted), "{wanted}: {said:?}");
    }
    let said = room.home.run(["lab", "run", both]);
    assert!(
        said.err.contains("varies the kernel and the machine"),
        "{said:?}"
    );
    // Without the laboratory there is nothing to compare with.
    let alone = room
        .home
        .run(["run", plan, room.home.path().to_str().unwrap()]);
    assert!(
        alone.err.contains("etalon lab run PLAN -- DIRECTORY"),
        "{alone:?}"
    );
    room.is_clean();
}

#[test]
fn an_image_without_a_root_filesystem_is_told_in_the_guests_words() {
    let test = "an_image_without_a_root_filesystem_is_told_in_the_guests_words";
    let Some(room) = Room::of(test) else {
        return;
    };
    if !installed("mkfs.ext4") {
        skip(test, "needs mkfs.ext4");
        return;
    }
    let image = room.home.path().join("image");
    fs::File::create(&image).unwrap().set_len(16 << 20).unwrap();
    let image = image.to_str().unwrap();
    tool("mkfs.ext4", &["-q", image]);
    let said = run(room.lab(&["run", "quick"], &["--disk", "flat:256M", "--root", image]));
    assert_eq!(said.code, Some(1), "{said:?}");
    let last = said.err.lines().last().unwrap();
    assert!(
        last.contains("in the guest: no partition of the image has a root filesystem"),
        "{said:?}"
    );
    room.is_clean();
}
