//! The help of every subcommand, and of those below it.

use super::{is_as_kept, told};
use crate::common::Home;
use crate::manners::subcommands;

/// The commands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let list = help.split("Commands:\n").nth(1).unwrap_or_default();
    list.lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' ') && !line.starts_with("help"))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect()
}

#[test]
fn the_help_of_every_subcommand_is_as_kept() {
    let home = Home::new();
    is_as_kept("help/etalon.txt", &told(&home, &["--help"]).1);
    for command in subcommands(&home) {
        let (_, mut text) = told(&home, &[&command, "--help"]);
        for below in listed(&text) {
            let (_, help) = told(&home, &[&command, &below, "--help"]);
            text.push_str(&format!("\n$ etalon {command} {below} --help\n{help}"));
        }
        is_as_kept(&format!("help/{command}.txt"), &text);
    }
}
