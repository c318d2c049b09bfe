//! `command`: command lines of the user's, each a step.

use std::collections::BTreeSet;

use super::RealWork;
use super::error::WorkError;
use super::job::Job;
use super::parameter::{Kind, Parameter, ParameterError, YES_NO};
use super::process::{self, Program};
use super::startup::split;
use super::step::Step;

/// Runs what it is told.
pub(super) struct CommandWork;

static STEP: Parameter = Parameter {
    name: "step",
    kind: Kind::Texts,
    default: "",
    help: "a command line that is timed; several run one after the other, and a second 'sync' is shown as 'sync (2)'",
};
static SETUP: Parameter = Parameter {
    name: "setup",
    kind: Kind::Texts,
    default: "",
    help: "a command line before the timed ones",
};
static CLEANUP: Parameter = Parameter {
    name: "cleanup",
    kind: Kind::Texts,
    default: "",
    help: "a command line after the timed ones, also when one of them failed; the private directory goes away in any case",
};
static SHELL: Parameter = Parameter {
    name: "shell",
    kind: YES_NO,
    default: "no",
    help: "yes: each line is run by sh -c; no: it is split into words, and no shell is needed or timed",
};

static PARAMETERS: [Parameter; 4] = [STEP, SETUP, CLEANUP, SHELL];

impl RealWork for CommandWork {
    fn name(&self) -> &'static str {
        "command"
    }

    fn summary(&self) -> &'static str {
        "run command lines of yours in a private directory (also in $ETALON_DIR), each a timed step"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let shell = job.values().yes(&SHELL);
        let place = job.path(".");
        let programs = |lines: &[String]| -> Result<Vec<Program>, WorkError> {
            lines
                .iter()
                .map(|line| program(line, shell, &place))
                .collect()
        };
        // All lines are read before the first is run.
        let setup = programs(job.values().texts(&SETUP))?;
        let steps = programs(job.values().texts(&STEP))?;
        let cleanup = programs(job.values().texts(&CLEANUP))?;
        if steps.is_empty() {
            return Err(ParameterError::Missing {
                name: STEP.name,
                help: STEP.help,
            }
            .into());
        }
        let names = step_names(job.values().texts(&STEP));
        let result = timed(job, &setup, names.iter().zip(&steps));
        for program in &cleanup {
            job.clean_up(|step| step.run(program));
        }
        result
    }
}

/// A name for each line: itself, and with a number where it was given before, since steps of one name would be
/// repetitions of each other.
fn step_names(lines: &[String]) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut names = Vec::new();
    for line in lines {
        let numbered = (2..).map(|number: usize| format!("{line} ({number})"));
        // A line that reads like a numbered one keeps its name, wherever it stands.
        let is_free =
            |name: &String| !taken.contains(name) && (name == line || !lines.contains(name));
        let name = std::iter::once(line.clone()).chain(numbered).find(is_free);
        let name = name.unwrap_or_else(|| line.clone());
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

fn timed<'p>(
    job: &mut Job<'_>,
    setup: &[Program],
    steps: impl Iterator<Item = (&'p String, &'p Program)>,
) -> Result<(), WorkError> {
    let run = |program: &Program| {
        let program = program.clone();
        move |step: &mut Step<'_>| step.run(&program)
    };
    setup
        .iter()
        .try_for_each(|program| job.untimed(run(program)))?;
    for (name, program) in steps {
        job.step(name, run(program))?;
    }
    Ok(())
}

/// What a shell would act on and a program would be handed as a word.
const OF_SHELL: &str = ";|&<>$`";

/// Whether the line has such a character outside quotes.
fn needs_shell(line: &str) -> bool {
    let mut quote = None;
    let mut escaped = false;
    line.chars().any(|c| match (quote, c) {
        _ if std::mem::take(&mut escaped) => false,
        (None | Some('"'), '\\') => {
            escaped = true;
            false
        }
        (Some(open), _) => {
            quote = (c != open).then_some(open);
            false
        }
        (None, '"' | '\'') => {
            quote = Some(c);
            false
        }
        (None, _) => OF_SHELL.contains(c),
    })
}

fn program(line: &str, shell: bool, place: &std::path::Path) -> Result<Program, WorkError> {
    let words = match shell {
        true => vec!["sh".to_owned(), "-c".to_owned(), line.to_owned()],
        false if needs_shell(line) => return Err(WorkError::NoShell(line.to_owned())),
        false => split(line)?,
    };
    process::need(&words[0], "the package that has it")?;
    Ok(Program::new(words, place).env("ETALON_DIR", place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_given_again_has_a_name_of_its_own() {
        let named =
            |lines: &[&str]| step_names(&lines.iter().map(|&l| l.to_owned()).collect::<Vec<_>>());
        assert_eq!(named(&["a", "b", "a", "a"]), ["a", "b", "a (2)", "a (3)"]);
        assert_eq!(named(&["a", "a", "a (2)"]), ["a", "a (3)", "a (2)"]);
        assert_eq!(
            named(&["a (2)", "a", "a", "a (2)"]),
            ["a (2)", "a", "a (3)", "a (2) (2)"]
        );
    }

    #[test]
    fn what_only_a_shell_understands_is_told_from_words() {
        for line in [
            "echo a; echo b",
            "a | b",
            "a && b",
            "a >f",
            "echo $HOME",
            "a `b`",
        ] {
            assert!(needs_shell(line), "{line}");
            let refused = program(line, false, std::path::Path::new("."));
            let error = refused.unwrap_err().to_string();
            assert!(
                error.contains(line) && error.contains("--set shell=yes"),
                "{error}"
            );
        }
        for line in ["make -j2", "sh -c 'a; b'", "echo \"a;b\"", "echo a\\;b"] {
            assert!(!needs_shell(line), "{line}");
        }
    }
}
