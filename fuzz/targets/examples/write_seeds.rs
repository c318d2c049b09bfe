//! Writes the seeds of every target below `fuzz/corpus`, where cargo-fuzz looks for them.

use std::fs;
use std::path::Path;

use etalon_fuzz_targets::TARGETS;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("corpus");
    for target in TARGETS {
        let directory = corpus.join(target.name);
        fs::create_dir_all(&directory)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            fs::write(directory.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
