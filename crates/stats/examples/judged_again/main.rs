//! Prints `docs/judged-again.md`: published winners, judged by the all-pairs rule.
//!
//! `cargo run -p etalon-stats --example judged_again > docs/judged-again.md`

mod page;

#[expect(clippy::print_stdout, reason = "the page is what this program is for")]
fn main() -> Result<(), page::PageError> {
    print!("{}", page::page()?);
    Ok(())
}
