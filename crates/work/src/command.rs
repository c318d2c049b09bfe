//! `command`: command lines of the user's, each a step.

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
    help: "a command line that is timed; as many as wanted, one after the other",
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
        let names: Vec<String> = job.values().texts(&STEP).to_vec();
        let result = timed(job, &setup, names.iter().zip(&steps));
        let cleaned = cleanup
            .iter()
            .try_for_each(|program| job.always(|step| step.run(program)));
        result.and(cleaned)
    }
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

fn program(line: &str, shell: bool, place: &std::path::Path) -> Result<Program, WorkError> {
    let words = if shell {
        vec!["sh".to_owned(), "-c".to_owned(), line.to_owned()]
    } else {
        split(line)?
    };
    process::need(&words[0], "the package that has it")?;
    Ok(Program::new(words, place).env("ETALON_DIR", place))
}
