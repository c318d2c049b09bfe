//! `etalon lab`: models and simulations.

use crate::common::Home;

/// Where the figures of a layout stand.
fn line<'a>(page: &'a str, layout: &str) -> Vec<&'a str> {
    let line = page.lines().find(|line| line.starts_with(layout));
    line.unwrap_or_default().split_whitespace().collect()
}

#[test]
fn layouts_are_simulated_with_their_ratios() {
    let home = Home::new();
    let said = home.run(["lab", "simulate", "raid0", "raid5", "n2", "f2"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("simulated, not measured"), "{said:?}");
    for (layout, ratio) in [("raid5", "0.75"), ("n2", "0.50"), ("f2", "1.00")] {
        assert_eq!(line(&said.out, layout)[3], ratio, "{}", said.out);
    }
    let again = home.run(["lab", "simulate", "raid0", "raid5", "n2", "f2"]);
    assert_eq!(said.out, again.out, "the same seed, the same figures");
}

#[test]
fn a_rebuild_tells_speed_and_end() {
    let said = Home::new().run(["lab", "simulate", "raid5", "--rebuild", "--size", "8G"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("raid5: rebuilt in 0:00:5"), "{said:?}");
    assert!(
        said.out.contains("  100 %") && said.out.contains("   10 %"),
        "{said:?}"
    );
}

#[test]
fn every_model_is_listed_with_its_sources() {
    let home = Home::new();
    let said = home.run(["lab", "list", "--figures"]);
    for text in [
        "hdd-7200",
        "hdd-smr",
        "nvme-tcp",
        "ssd-nvme",
        "network",
        "Kernels of this machine",
        "raid-layouts        md's layouts on four hdd-5400",
        "(assumed)",
        "data sheet",
    ] {
        assert!(said.out.contains(text), "{text}: {}", said.out);
    }
    let wide = said.out.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
    let listed = home.run(["lab", "list", "--json"]).json();
    assert_eq!(listed["models"][1]["name"], "hdd-7200");
    assert!(listed["kernels"].is_array(), "{listed}");
    let said = home.run(["lab", "check"]);
    assert!(said.out.contains("qemu-system-x86_64"), "{said:?}");
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
}

#[test]
fn what_cannot_be_simulated_is_refused_with_what_can() {
    let home = Home::new();
    for (words, text) in [
        (&["raid9"][..], "'raid9' is no layout; there are raid0"),
        (&["raid6", "--disks", "3"], "at least 4 members"),
        (&["--disk", "floppy"], "available: hdd-5400"),
        (&["--size", "1M"], "give 256 MiB to"),
        (&["--disk", "ssd-sata", "--size", "1T"], "for ssd-sata"),
        (&["--disks", "0"], "from 1 to 64"),
        (&["raid5", "--chunk", "5"], "multiple of 4096"),
        (&["--chunk", "3"], "a chunk of 3 bytes is no multiple"),
        (&["--chunk", "64G"], "does not fit on a disk of"),
        (&["raid0", "--rebuild"], "raid0 --rebuild: nothing of a"),
        (&["--rebuild", "--disks", "1"], "raid1 needs at least 2"),
    ] {
        let said = home.run([&["lab", "simulate"][..], words].concat());
        said.refused(2, &[text]);
    }
}
