//! Prints what lies beneath a path: `cargo run --example stack -- /home`.
#![expect(clippy::print_stdout, reason = "an example is there to print")]

use std::path::Path;

use etalon_report::render_text;
use etalon_stack::{Roots, Stack, StackError};

fn main() -> Result<(), StackError> {
    let target = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let tree = Stack::of(Path::new(&target), &Roots::default())?;
    println!("{}\n", tree.one_line());
    print!("{}", render_text(&tree));
    Ok(())
}
