//! The fuzz targets on inputs that are the same each time: all seeds, and a number of their mutations that
//! is fixed for each target. It finds what is easy to find; `fuzz/README.md` says how to look for longer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use etalon_fuzz_targets::{TARGETS, Target, mutate};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Tries a target; an input that fails is printed so that it can be tried again.
fn smoke(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty(), "{name} has no seeds");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x5eed);
    seeds.iter().for_each(|seed| hold(target, seed));
    for _ in 0..target.smoke_inputs {
        hold(target, &mutate::input(&mut random, &seeds));
    }
}

fn hold(target: &Target, input: &[u8]) {
    let tried = catch_unwind(AssertUnwindSafe(|| (target.check)(input)));
    assert!(
        tried.is_ok(),
        "{} fails for b\"{}\"",
        target.name,
        input.escape_ascii()
    );
}

#[test]
fn machine_tree() {
    smoke("machine_tree");
}

#[test]
fn superblocks() {
    smoke("superblocks");
}

#[test]
fn lvm_metadata() {
    smoke("lvm_metadata");
}

#[test]
fn mountinfo() {
    smoke("mountinfo");
}

#[test]
fn nbd_client() {
    smoke("nbd_client");
}

#[test]
fn dd_operands() {
    smoke("dd_operands");
}

#[test]
fn iozone_arguments() {
    smoke("iozone_arguments");
}

#[test]
fn iozone_lists() {
    smoke("iozone_lists");
}

#[test]
fn tool_arguments() {
    smoke("tool_arguments");
}

#[test]
fn sizes() {
    smoke("sizes");
}

#[test]
fn records() {
    smoke("records");
}

#[test]
fn every_target_is_run_here_and_by_libfuzzer() {
    let here = include_str!("smoke.rs");
    let programs = include_str!("../../Cargo.toml");
    for target in TARGETS {
        assert!(
            here.contains(&format!("smoke(\"{}\")", target.name)),
            "{}",
            target.name
        );
        assert!(
            programs.contains(&format!("name = \"{}\"", target.name)),
            "{}",
            target.name
        );
    }
}

#[test]
fn published_text() {
    smoke("published_text");
}

#[test]
fn imported_text() {
    smoke("imported_text");
}
