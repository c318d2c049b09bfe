//! Puts the schemas into the program, small, and has its addresses relocated by a short table.

use std::io::Write as _;
use std::path::Path;
use std::{env, error, fs};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Files of `schema/`, which `tests/command/schemas.rs` holds against the types.
const SCHEMAS: [&str; 2] = ["documents", "plan"];

fn main() -> Result<(), Box<dyn error::Error>> {
    let out = env::var_os("OUT_DIR").ok_or("cargo names no OUT_DIR")?;
    for name in SCHEMAS {
        let source = format!("schema/{name}.json");
        println!("cargo::rerun-if-changed={source}");
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&fs::read(&source)?)?;
        fs::write(
            Path::new(&out).join(format!("{name}.json.zlib")),
            packed.finish()?,
        )?;
    }
    // musl relocates its static programs by such a table since 1.2.4; glibc only since 2.36, which is not everywhere.
    if env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|libc| libc == "musl") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    // A debug build is started thousands of times by the tests. Where its addresses are fixed, the loader has none of its
    // 180 000 pointers to relocate, which is half of a start.
    let is_debug = env::var("PROFILE").is_ok_and(|profile| profile == "debug");
    if is_debug && env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|libc| libc == "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    Ok(())
}
