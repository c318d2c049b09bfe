//! What scripts take of hdparm's lines, beside hdparm itself, which rests for seconds.

use std::process::{Command, Stdio};

use etalon_testbed::skip;

use crate::common::{Home, Image, Loop, root_for};

/// What scripts take: all but the figures.
fn shape(out: &str) -> Vec<String> {
    let lines = out.lines().take_while(|line| !line.starts_with("etalon"));
    let until = |line: &str| line.split(':').next().unwrap().to_owned();
    let mut shape: Vec<String> = lines.map(until).collect();
    while shape.last().is_some_and(String::is_empty) {
        shape.pop();
    }
    shape
}

/// That of two devices, with both tests of each.
fn wanted(devices: [&str; 2]) -> Vec<String> {
    let of_device = |name| {
        let tests = [" Timing cached reads", " Timing buffered disk reads"];
        ["", name, tests[0], tests[1]]
    };
    devices
        .into_iter()
        .flat_map(of_device)
        .map(str::to_owned)
        .collect()
}

#[test]
fn scripts_find_one_timing_of_each_test_and_device_as_hdparm_prints_them() {
    let test = "scripts_find_one_timing_of_each_test_and_device_as_hdparm_prints_them";
    if !root_for(test) {
        return;
    }
    let loops = [(); 4].map(|()| Loop::new(Image::new(4)));
    let names = loops.each_ref().map(|disk| disk.device.to_str().unwrap());
    let (own, of_real) = ([names[0], names[1]], [names[2], names[3]]);
    let mut real = Command::new("hdparm");
    let real = real.arg("-tT").args(of_real).stdout(Stdio::piped()).spawn();
    let words = [&["hdparm", "--runs", "2", "-tT"], &own[..]].concat();
    let ours = Home::new().run(words).out;
    assert_eq!(shape(&ours), wanted(own), "{ours}");
    assert!(ours.contains("2 runs are too few for an"), "{ours}");
    let is_interval = ours.contains("95 %");
    assert!(!is_interval, "no interval below the fewest runs: {ours}");
    let Ok(real) = real else {
        skip(test, "no hdparm on this machine");
        return;
    };
    let said = real.wait_with_output().unwrap().stdout;
    assert_eq!(shape(&String::from_utf8_lossy(&said)), wanted(of_real));
}
