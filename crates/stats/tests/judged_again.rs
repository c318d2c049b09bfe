//! The published winners judged again: how many survive, and that the page says so.

#[path = "../examples/judged_again/page.rs"]
mod page;

#[test]
fn the_committed_page_is_what_the_data_say() {
    let committed = include_str!("../../../docs/judged-again.md");
    assert!(
        page::page().unwrap() == committed,
        "run: cargo run -p etalon-stats --example judged_again > docs/judged-again.md"
    );
}

#[test]
fn few_published_winners_survive() {
    let tally = page::tally().unwrap();
    assert_eq!((tally.tables, tally.marks), (38, 40));
    assert_eq!((tally.survive, tally.with_a_difference), (1, 2));
}
