//! Puts the catalogues into the program, a file for each language, at a third of their size.

use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The folders of `catalogues/`.
const LANGUAGES: [&str; 3] = ["en", "fr", "nl"];
/// English words that stand in the source where they are said, and here for translators.
const ELSEWHERE: [&str; 6] = [
    "checks.ftl",
    "faults.ftl",
    "findings.ftl",
    "help.ftl",
    "presets.ftl",
    "terms.ftl",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=catalogues");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no OUT_DIR")?);
    for language in LANGUAGES {
        let left_out: &[&str] = if language == "en" { &ELSEWHERE } else { &[] };
        let text = gathered(&Path::new("catalogues").join(language), left_out)?;
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        packed.write_all(text.as_bytes())?;
        fs::write(out.join(format!("{language}.ftl.zlib")), packed.finish()?)?;
    }
    Ok(())
}

/// All files of a folder, one after another, without what only translators read.
fn gathered(folder: &Path, left_out: &[&str]) -> Result<String, Box<dyn Error>> {
    let files = fs::read_dir(folder)?.map(|file| file.map(|file| file.path()));
    let mut files = files.collect::<Result<Vec<PathBuf>, _>>()?;
    files.retain(|file| left_out.iter().all(|name| !file.ends_with(name)));
    files.sort();
    let mut text = String::new();
    for file in files {
        let said = fs::read_to_string(file)?;
        let messages = said.lines().filter(|line| !line.starts_with('#'));
        messages.for_each(|line| text.extend([line, "\n"]));
    }
    Ok(text)
}
