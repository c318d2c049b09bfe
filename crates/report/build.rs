//! Puts style and script of a report into the program at a third of their size.

use std::io::Write as _;
use std::path::Path;
use std::{env, error, fs};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Files of `src/html/`.
const FILES: [&str; 2] = ["report.css", "report.js"];

fn main() -> Result<(), Box<dyn error::Error>> {
    let out = env::var_os("OUT_DIR").ok_or("cargo names no OUT_DIR")?;
    for name in FILES {
        let source = format!("src/html/{name}");
        println!("cargo::rerun-if-changed={source}");
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&fs::read(&source)?)?;
        fs::write(
            Path::new(&out).join(format!("{name}.zlib")),
            packed.finish()?,
        )?;
    }
    Ok(())
}
