//! What must hold of everything that parses what comes from outside: a module for each target, with a
//! `check` that panics where it does not hold.
//!
//! libFuzzer drives them from `fuzz/fuzz_targets`; `tests/smoke.rs` drives the same on every test run, with
//! [`mutate`] on the inputs of [`seeds`].

#[path = "../../../crates/stack/tests/harm/mod.rs"]
mod harm;
#[path = "../../../crates/stack/tests/machine/mod.rs"]
mod machine;

pub mod dd_operands;
pub mod imported_text;
pub mod iozone_arguments;
pub mod iozone_lists;
pub mod lvm_metadata;
pub mod machine_tree;
pub mod mountinfo;
pub mod mutate;
pub mod nbd_client;
pub mod published_text;
pub mod records;
pub mod seeds;
pub mod sizes;
pub mod superblocks;
pub mod tool_arguments;

/// A target and the inputs that it begins with.
pub struct Target {
    /// As `cargo fuzz run` calls it.
    pub name: &'static str,
    /// Panics where something does not hold of the input.
    pub check: fn(&[u8]),
    /// Inputs that are known to reach far.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// How many inputs a smoke run tries; the costly ones get fewer.
    pub smoke_inputs: usize,
}

const fn target(
    name: &'static str,
    check: fn(&[u8]),
    seeds: fn() -> Vec<Vec<u8>>,
    smoke_inputs: usize,
) -> Target {
    Target {
        name,
        check,
        seeds,
        smoke_inputs,
    }
}

/// Every target.
pub const TARGETS: &[Target] = &[
    target(
        "machine_tree",
        machine_tree::check,
        seeds::machine_tree,
        400,
    ),
    target("superblocks", superblocks::check, seeds::superblocks, 2_000),
    target(
        "lvm_metadata",
        lvm_metadata::check,
        seeds::lvm_metadata,
        2_000,
    ),
    target("mountinfo", mountinfo::check, seeds::mountinfo, 2_000),
    target(
        "dd_operands",
        dd_operands::check,
        seeds::dd_operands,
        20_000,
    ),
    target(
        "iozone_arguments",
        iozone_arguments::check,
        seeds::iozone_arguments,
        20_000,
    ),
    target(
        "iozone_lists",
        iozone_lists::check,
        seeds::iozone_lists,
        20_000,
    ),
    target(
        "tool_arguments",
        tool_arguments::check,
        seeds::tool_arguments,
        10_000,
    ),
    target("sizes", sizes::check, seeds::sizes, 50_000),
    target(
        "published_text",
        published_text::check,
        seeds::published_text,
        3_000,
    ),
    target("nbd_client", nbd_client::check, seeds::nbd_client, 20_000),
    target(
        "imported_text",
        imported_text::check,
        seeds::imported_text,
        2_000,
    ),
    target("records", records::check, seeds::records, 20_000),
];
