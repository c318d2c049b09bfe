//! Prints the faults of a published text: `cargo run --example faults FILE`.

#![expect(clippy::print_stdout, reason = "an example prints")]

fn main() {
    let text =
        std::fs::read_to_string(std::env::args().nth(1).unwrap_or_default()).unwrap_or_default();
    let r = etalon_review::review(&text);
    println!(
        "{} figures {} tables {:?}",
        r.figures.len(),
        r.tables,
        r.setting
    );
    for f in &r.faults {
        println!("{:5} {:20} {}", f.line, f.code, f.message);
    }
}
