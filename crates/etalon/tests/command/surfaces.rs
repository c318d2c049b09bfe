//! Two disks whose iozone tables others published become two surfaces in one scene.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Browser, Home};

const SIZES_KIB: [u32; 3] = [4096, 16_384, 65_536];
const RECORDS_KIB: [u32; 3] = [16, 64, 256];

/// The rate of a disk's write in KiB/s at this place of the grid.
fn rate(disk: u32, file: usize, record: usize) -> u32 {
    disk * 1000 + 400 * record as u32 + 90 * file as u32
}

/// iozone's lines for the grid without its head, some broken in two as pages break them.
pub(crate) fn table(disk: u32) -> String {
    let mut text = "iozone -s 16384 -r 64 -f /srv/testfile -I -o\n\n".to_owned();
    for (j, record) in RECORDS_KIB.iter().enumerate() {
        for (i, size) in SIZES_KIB.iter().enumerate() {
            let _ = write!(text, "{size} {record:7}");
            for column in 0..13 {
                let gap = if column == 12 && i == 1 { "\n" } else { "   " };
                let _ = write!(text, "{gap}{}", rate(disk, i, j) + column * 7);
            }
            text.push('\n');
        }
    }
    text
}

/// The numbers of the first scene of a page.
fn scene(page: &str) -> Value {
    let begin = "class=\"scene\">";
    let (_, rest) = page.split_once(begin).unwrap();
    let (scene, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(scene).unwrap()
}

/// Every value of a set, file size by file size within record sizes, in KiB/s.
fn values(set: &Value) -> Vec<u32> {
    let rows = set["p"].as_array().unwrap().iter();
    let points = rows.flat_map(|row| row.as_array().unwrap());
    points
        .map(|point| (point[0].as_f64().unwrap() * 1024.0).round() as u32)
        .collect()
}

/// A report of both tables, in a file.
fn report_of_both(home: &Home) -> PathBuf {
    for (name, disk) in [("platters.txt", 1), ("flash.txt", 9)] {
        let file = home.path().join(name);
        fs::write(&file, table(disk)).unwrap();
        let said = home.run(["import", file.to_str().unwrap()]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let report = home.path().join("report.html");
    let said = home.run(["report", "1", "2", "-o", report.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    report
}

#[test]
fn two_published_tables_are_two_surfaces_with_the_figures_that_were_printed() {
    let home = Home::new();
    let page = fs::read_to_string(report_of_both(&home)).unwrap();
    let scene = scene(&page);
    let sets = scene["sets"].as_array().unwrap();
    assert_eq!(sets.len(), 2, "{scene}");
    for (set, disk) in sets.iter().zip([1, 9]) {
        let grid = (0..3).flat_map(|j| (0..3).map(move |i| (i, j)));
        let printed: Vec<u32> = grid.map(|(i, j)| rate(disk, i, j)).collect();
        assert_eq!(values(set), printed, "{set}");
    }
    let names = |axis: &str| -> Vec<String> {
        let places = scene[axis].as_array().unwrap().iter();
        places
            .map(|place| place[1].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names("x"), ["4 MiB", "16 MiB", "64 MiB"]);
    assert_eq!(names("y"), ["16 KiB", "64 KiB", "256 KiB"]);
    assert!(
        sets[0]["name"].as_str().unwrap().contains("platters"),
        "{scene}"
    );
}

/// Presses an arrow on the first scene, and tells what is there while it turns and once it rests.
const TURNED: &str = "new Promise(done => {
    const scene = document.querySelector('.turn'), drawing = scene.querySelector('svg'), before = drawing.innerHTML;
    scene.focus();
    scene.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    let painted = 0, hidden = false;
    const look = () => {
        const canvas = scene.querySelector('canvas');
        if (canvas) {
            hidden = getComputedStyle(drawing).visibility === 'hidden';
            const ink = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            painted = Math.max(painted, ink.filter((one, at) => at % 4 === 3 && one > 0).length);
            return requestAnimationFrame(look);
        }
        done({ painted, hidden, turned: drawing.innerHTML !== before, shown: getComputedStyle(drawing).visibility });
    };
    look();
})";

#[test]
fn a_surface_is_painted_while_it_turns_and_drawn_where_it_rests() {
    let test = "a_surface_is_painted_while_it_turns_and_drawn_where_it_rests";
    let Some(mut browser) = Browser::start(test) else {
        return;
    };
    let home = Home::new();
    browser.visit(&format!("file://{}", report_of_both(&home).display()));
    let said = browser.value(TURNED);
    assert!(said["painted"].as_u64() > Some(1000), "{said}");
    assert_eq!(
        (&said["hidden"], &said["turned"]),
        (&true.into(), &true.into()),
        "{said}"
    );
    assert_eq!(said["shown"], "visible");
    assert_eq!(browser.complaints(), [""; 0]);
}
