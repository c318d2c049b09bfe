//! A plan with a precision: its time goes to what is still open.

use super::{cells, plan};
use crate::common::{Ground, Home};

/// On a modelled device one size gives one figure; several sizes give another in each block, which the seed decides.
const PLAN: &str = r#"
question = "Where does the time go?"
precision = "4%"
seed = 5
[[factor]]
name = "command"
levels = [{ value = "one" }, { value = "two" }]
[[workload]]
name = "calm"
op = "read"
backend = "fake"
file_size = "8M"
time = "20ms"
[[workload]]
name = "wild"
op = "read"
backend = "fake"
block_size = "4k-64k"
file_size = "8M"
time = "20ms"
"#;

#[test]
fn blocks_that_are_added_hold_the_workloads_that_are_still_wide() {
    let (home, ground) = (Home::new(), Ground::new());
    let said = home.run(["run", &plan(&home, PLAN), ground.name()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let note = "After block 8 only workloads whose intervals were still too wide were measured.";
    assert!(said.out.contains(note), "{said:?}");
    let made = cells(&home.run(["export", "1", "--json"]).json());
    let runs = |cell: &str| made.iter().filter(|(_, of)| of == cell).count();
    assert_eq!([runs("calm, one"), runs("calm, two")], [8, 8]);
    assert!(runs("wild, one") > 8, "{made:?}");
    assert_eq!(runs("wild, one"), runs("wild, two"));
}

#[test]
fn what_is_still_wide_in_the_end_is_told_by_the_words_of_a_plan() {
    let (home, ground) = (Home::new(), Ground::new());
    let narrow = PLAN.replace("4%", "2%");
    let said = home.run(["run", &plan(&home, &narrow), ground.name()]);
    assert_eq!(said.code, Some(5), "{said:?}");
    assert!(said.out.contains("Repeat it: --blocks "), "{said:?}");
}
