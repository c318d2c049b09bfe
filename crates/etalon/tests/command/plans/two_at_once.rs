//! Two plans at once that would set the same value of the machine: each would take the other's for what stood there.

use std::fs;

use crate::common::{Home, Mount, finish, root_for, start, wait_for_line};

const VALUE: &str = "/proc/sys/kernel/printk_ratelimit";

fn plan(value: u32, time: &str) -> String {
    format!(
        "question = \"q\"\nblocks = 2\n[[factor]]\nname = \"sysctl\"\nlevels = [\"kernel.printk_ratelimit={value}\"]\n\
         [[workload]]\nname = \"r\"\nop = \"randread\"\nfile_size = \"1M\"\ntime = \"{time}\"\n"
    )
}

#[test]
fn a_value_that_another_etalon_has_set_is_left_to_it() {
    if !root_for("a_value_that_another_etalon_has_set_is_left_to_it") {
        return;
    }
    let (first, second) = (Home::new(), Home::new());
    let (here, there) = (Mount::tmpfs(16), Mount::tmpfs(16));
    let before = fs::read_to_string(VALUE).unwrap();
    let long = super::plan(&first, &plan(17, "3s"));
    let mut child = start(first.etalon(["run", &long, here.path().to_str().unwrap()]));
    wait_for_line(&mut child, "block 2/2");
    let short = super::plan(&second, &plan(18, "20ms"));
    let said = second.run(["run", &short, there.path().to_str().unwrap()]);
    said.refused(
        1,
        &[VALUE, "is set by another etalon (process", "wait until"],
    );
    assert_eq!(fs::read_to_string(VALUE).unwrap().trim(), "17");
    let ended = finish(child);
    assert!(matches!(ended.code, Some(0 | 3)), "{ended:?}");
    assert_eq!(fs::read_to_string(VALUE).unwrap(), before);
}

#[test]
fn what_a_plan_has_answered_is_shown_again_and_what_the_budget_cut_is_told() {
    let (home, ground) = (Home::new(), crate::common::Ground::new());
    let text = super::FAKE.replace("blocks = 6", "blocks = 900\nbudget = \"2s\"");
    let plan = super::plan(&home, &text);
    let said = home.run(["run", &plan, ground.name()]);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    let shown = home.run(["show", "1"]).joined();
    for told in [
        "Is the slower one found?",
        "Expected: It is.",
        "two",
        "of 900 blocks",
    ] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(said.joined().contains("of 900 blocks"), "{said:?}");
    let document = home.run(["show", "1", "--json"]).json();
    assert_eq!(document["comparisons"].as_array().map(Vec::len), Some(1));
}
