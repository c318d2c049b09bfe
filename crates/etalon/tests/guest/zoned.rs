//! Disks whose zones are host-managed: what is refused of them, and how they are written. `zoned.sh`, in a guest.

use crate::arrays::{amiss, settled};
use crate::kernel;
use crate::machine::{self, Guest};
use crate::said;

/// The exit code of what is refused for the sake of the disk.
const REFUSED: &[i32] = &[4];
/// Those of a figure; one of a disk in memory may be called invalid.
const MEASURED: &[i32] = &[0, 3];
const IN_SEQUENCE: &str = "writes must be sequential within a zone";
const UNFIT: &str = "what is written must begin with a zone";
/// A case, its exit codes, and what it must say.
const EXPECTED: [(&str, &[i32], &str); 14] = [
    ("stack", &[0], "host-managed, zones of 4 MiB"),
    ("random write", REFUSED, IN_SEQUENCE),
    (
        "trim",
        REFUSED,
        "takes no discards|sequential within a zone",
    ),
    ("deep write", REFUSED, IN_SEQUENCE),
    ("buffered write", REFUSED, IN_SEQUENCE),
    ("write from within", REFUSED, UNFIT),
    ("write of odd blocks", REFUSED, UNFIT),
    ("write", MEASURED, "sequential write 64 KiB"),
    ("written", &[0], "nearly all"),
    ("read", MEASURED, "random read 64 KiB"),
    ("several passes", MEASURED, "sequential write 256 KiB"),
    ("write of a part", MEASURED, "sequential write 64 KiB"),
    ("conventional", REFUSED, UNFIT),
    ("behind conventional", MEASURED, "sequential write 64 KiB"),
];

#[test]
fn zones_of_the_host_are_written_from_their_start_and_refused_in_words_otherwise() {
    let test = "zones_of_the_host_are_written_from_their_start_and_refused_in_words_otherwise";
    let Some(kernel) = kernel(test) else {
        return;
    };
    let guest = Guest {
        scripts: &[include_str!("zoned.sh")],
        disks_mib: &[],
        programs: &[],
        modules: &[],
        packed: &["configfs", "null_blk"],
        last_has_serial: false,
    };
    let (said, console) = machine::boot(&kernel, &guest);
    let cases = said::cases(&said, &console);
    let mut wrong = amiss(&cases, &[]);
    for (name, codes, text) in EXPECTED {
        let Some(case) = settled(&cases, name, &mut wrong) else {
            continue;
        };
        let has_failed = codes == MEASURED && case.says("failed");
        if has_failed || !case.says(text) || !case.code.is_some_and(|code| codes.contains(&code)) {
            wrong.push(format!("{name}: {codes:?} {text:?}: {case:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{console}", wrong.join("\n"));
}
