use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::Fdtree;
use crate::tests::served;

static GO: AtomicBool = AtomicBool::new(false);

fn entries(place: &Path) -> usize {
    fs::read_dir(place).unwrap().count()
}

fn program(line: &str) -> (u8, String, String) {
    program_and_kept(line).0
}

fn program_and_kept(line: &str) -> ((u8, String, String), Vec<etalon_model::Run>) {
    let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    let served = served::<Fdtree>(&args, &GO);
    ((served.exit.code(), served.out, served.err), served.kept)
}

#[test]
fn each_phase_of_each_tree_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let line = format!("--runs 2 -d 2 -l 1 -f 3 -s 1 -o {}", place.path().display());
    let (_, kept) = program_and_kept(&line);
    let told: Vec<_> = kept
        .iter()
        .map(|run| (run.cell.as_str(), run.block, run.measurement.operations()))
        .collect();
    let of_tree = |block| {
        [
            ("directories created", block, 3),
            ("files created", block, 9),
            ("files removed", block, 9),
            ("directories removed", block, 3),
        ]
    };
    assert_eq!(told, [of_tree(0), of_tree(1)].concat());
    let task = kept[0].workload.task().unwrap();
    assert_eq!(task.parameters["files"].to_string(), "3");
}

#[test]
fn the_program_prints_the_scripts_lines_in_their_order() {
    let place = tempfile::tempdir().unwrap();
    let (code, out, err) = program(&format!(
        "-d 2 -l 2 -f 3 -s 1 -o {}",
        place.path().display()
    ));
    assert_eq!((code, err.as_str()), (0, ""));
    let wanted = [
        "fdtree-1.0.2: starting at ",
        "creating/deleting 2 directory levels with 2 directories at each level",
        "for a total of 7 directories",
        "with 3 files of size 4KiB per directory",
        "for a total of 21 files and 84KiB",
        "DIRECTORY CREATE TIME IN, OUT, TOTAL = ",
        "Directory creates per second =  ",
        "FILE CREATE TIME IN, OUT, TOTAL      = ",
        "File creates per second      =  ",
        "KiB per second               =  ",
        "FILE REMOVE TIME IN, OUT, TOTAL      = ",
        "File removals per second     =  ",
        "DIRECTORY REMOVE TIME IN, OUT, TOTAL = ",
        "Directory removals per second =  ",
        "etalon: directories created: ",
    ];
    let mut rest = out.as_str();
    for line in wanted {
        let at = rest
            .find(line)
            .unwrap_or_else(|| panic!("'{line}' is missing in\n{out}"));
        rest = &rest[at..];
    }
    assert_eq!(entries(place.path()), 0);
}

#[test]
fn the_exit_code_tells_failure_from_wrong_usage() {
    assert_eq!(program("-q").0, 2);
    assert_eq!(program("-l 1 -o /nonexistent").0, 1);
    let (code, out, _) = program("--help");
    assert!(code == 0 && out.contains("-s BLOCKS"));
    let place = tempfile::tempdir().unwrap();
    let (code, out, err) = program(&format!(
        "-D --runs 2 -l1 -d1 -f1 -s1 --sync -o {}",
        place.path().display()
    ));
    assert_eq!(code, 0, "{err}");
    assert!(
        out.matches("fdtree-1.0.2").count() == 2 && out.contains("2 runs"),
        "{out}"
    );
    assert!(err.contains("2 directories down to level 1"), "{err}");
}
