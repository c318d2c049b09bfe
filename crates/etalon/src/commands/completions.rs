//! `etalon completions SHELL`.

use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;
use etalon_tools::Exit;

use super::program;
use super::subcommand::Subcommand;
use crate::output;

/// Print the completions for a shell
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon completions bash > /etc/bash_completion.d/etalon
  etalon completions zsh > ~/.zfunc/_etalon
  etalon completions fish > ~/.config/fish/completions/etalon.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl Subcommand for CompletionsArgs {
    const NAME: &'static str = "completions";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self.shell)
    }
}

/// What the help calls a value that is the name of a file, a directory or a device.
const NAMES: [&str; 5] = ["TARGET", "FILE", "DIRECTORY", "WORKLOADS", "OPTIONS"];
/// What it calls a value that is, or begins with, the number of an experiment.
const NUMBERS: [&str; 2] = ["ID", "ARM"];
/// Prints the numbers of the experiments in the store.
const LISTED: &str = "etalon list 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { print $1 }'";

fn run(shell: Shell) -> anyhow::Result<Exit> {
    let program = program().mut_subcommands(|one| one.mut_args(without_file_names));
    let mut program = match shell {
        Shell::Zsh => without_target(&program),
        _ => program,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "etalon", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    add_numbers(shell, &numbered(&program), &mut script);
    output::print(&script)?;
    Ok(Exit::Done)
}

/// Where no name of a file is asked for, none is offered.
fn without_file_names(argument: Arg) -> Arg {
    let asks_for_none = argument.get_action().takes_values() && !is_one_of(&argument, &NAMES);
    match asks_for_none {
        true => argument.value_hint(ValueHint::Other),
        false => argument,
    }
}

/// The generated script for zsh takes the first word for a target, and offers a subcommand as the second
/// only: without the target the first is a subcommand, to which [`zsh`] adds the names of files.
fn without_target(program: &Command) -> Command {
    let options = program.get_arguments().filter(|a| !a.is_positional());
    Command::new("etalon")
        .args(options.cloned())
        .subcommands(program.get_subcommands().cloned())
}

fn is_one_of(argument: &Arg, words: &[&str]) -> bool {
    let names = argument.get_value_names().unwrap_or_default();
    let by_id = [argument.get_id().as_str().to_uppercase()];
    let mut names = names
        .iter()
        .map(|name| name.as_str())
        .chain(by_id.iter().map(String::as_str));
    names.any(|name| words.contains(&name))
}

/// The subcommands that take the number of an experiment.
fn numbered(program: &Command) -> Vec<&str> {
    let takes_number = |command: &&Command| {
        let mut places = command.get_positionals();
        places.any(|argument| is_one_of(argument, &NUMBERS))
    };
    let found = program.get_subcommands().filter(takes_number);
    found.map(Command::get_name).collect()
}

/// The generated scripts know only what stands in the definitions; the store's numbers they must ask for.
fn add_numbers(shell: Shell, commands: &[&str], script: &mut String) {
    match shell {
        Shell::Bash => script.push_str(&bash(commands)),
        Shell::Fish => script.push_str(&fish(commands)),
        Shell::Zsh => *script = zsh(script),
        _ => {}
    }
}

fn bash(commands: &[&str]) -> String {
    let cases = commands.join("|");
    format!(
        r#"
_etalon_or_number() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    case "${{COMP_WORDS[1]}}" in
        {cases})
            if [[ "$word" != -* && "$before" != --* ]]; then
                COMPREPLY=($(compgen -W "$({LISTED})" -- "$word"))
                return
            fi
            ;;
    esac
    _etalon "$@"
}}
complete -F _etalon_or_number -o nosort -o bashdefault -o default etalon
"#
    )
}

fn fish(commands: &[&str]) -> String {
    let words = commands.join(" ");
    format!(
        "complete -c etalon -n \"__fish_seen_subcommand_from {words}\" -f -a \"({})\"\n",
        LISTED.replace('$', "\\$")
    )
}

/// The generated places for numbers, filled by a function, and a target as the first word.
fn zsh(script: &str) -> String {
    let lines = script.lines().map(|line| match is_number_line(line) {
        true => line
            .replace(":_default'", ":_etalon_numbers'")
            .replace(":'", ":_etalon_numbers'"),
        false => line.to_owned(),
    });
    let numbers = format!("_etalon_numbers() {{ compadd -- ${{(f)\"$({LISTED})\"}} }}\n");
    let script: String = lines.map(|line| line + "\n").collect();
    let offered = "_describe -t commands 'etalon commands' commands \"$@\"";
    let script = script.replace(offered, &format!("{offered}\n    _files"));
    let (first, rest) = script.split_once('\n').unwrap_or((&script, ""));
    format!("{first}\n{numbers}{rest}")
}

fn is_number_line(line: &str) -> bool {
    let place = line.trim_start().trim_start_matches(['\'', '*', ':']);
    ["id", "arms"]
        .iter()
        .any(|id| place.starts_with(&format!("{id} -- ")))
}
