//! Every error of the parser of options, with the words that bring it.

use super::{is_as_kept, told};
use crate::bad_words::WRONG;
use crate::common::{Ground, Home};
use crate::manners::subcommands;

/// Kinds of error that no line of [`WRONG`] has.
const MORE: [&str; 8] = [
    "--nosuch",
    "measure T --op",
    "show 1 2",
    "show 1 --dots --json",
    "show 1 --si",
    "export 1 --xlsx",
    "lab nosuch",
    "plan",
];

#[test]
fn every_error_of_the_parser_is_as_kept() {
    let (home, ground) = (Home::new(), Ground::new());
    let unknown = subcommands(&home);
    let unknown = unknown.iter().map(|command| format!("{command} --nosuch"));
    let wrong = WRONG.iter().map(|(line, _)| (*line).to_owned());
    let more = MORE.iter().map(|line| (*line).to_owned());
    let mut text = String::new();
    for line in wrong.chain(more).chain(unknown) {
        let named = line.replace(" T", &format!(" {}", ground.name()));
        let (code, said) = told(&home, &named.split(' ').collect::<Vec<_>>());
        assert!(matches!(code, Some(1 | 2)), "{line}: {said}");
        // What is refused after a look at the target may name what this machine has.
        if said.starts_with("measuring ") {
            continue;
        }
        let said = said.replace(ground.name(), "T");
        text.push_str(&format!("$ etalon {line}\n{said}\n"));
    }
    is_as_kept("errors.txt", &text);
}
