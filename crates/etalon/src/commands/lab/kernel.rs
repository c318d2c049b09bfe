//! The kernels of guests: one that an option names, or the levels of a plan's factor.

use std::path::Path;

use anyhow::Context as _;
use etalon_factor::condition::{KernelLevel, unfit_parameters};
use etalon_lab::guest::Kernel;

use crate::exit::BadUsage;

/// What names the kernel of this machine.
const OWN: &str = "host";

/// A kernel with what it is booted with.
#[derive(Debug, Clone)]
pub(super) struct ChosenKernel {
    pub(super) kernel: Kernel,
    /// Words of its command line.
    pub(super) parameters: Vec<String>,
    /// Modules that it loads at its start.
    pub(super) modules: Vec<String>,
}

impl ChosenKernel {
    /// The kernel of this machine.
    pub(super) fn own() -> anyhow::Result<ChosenKernel> {
        let kernel = Kernel::of_this_machine()
            .context("the kernel of this machine cannot be taken; name one by --kernel")?;
        Ok(ChosenKernel {
            kernel,
            parameters: Vec::new(),
            modules: Vec::new(),
        })
    }

    /// What `--kernel` names: a place, and behind it words of the command line.
    pub(super) fn named(text: &str) -> anyhow::Result<ChosenKernel> {
        let (place, words) = match Path::new(text).exists() {
            true => (text, ""),
            false => text.split_once(' ').unwrap_or((text, "")),
        };
        let parameters: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        if let Some(why) = unfit_parameters(&parameters) {
            return Err(BadUsage(format!("--kernel '{text}': {why}")).into());
        }
        Ok(ChosenKernel {
            kernel: at(place)?,
            parameters,
            modules: Vec::new(),
        })
    }

    /// The kernel of a level, with the modules that it is to load.
    pub(super) fn of(level: &KernelLevel) -> anyhow::Result<ChosenKernel> {
        let kernel =
            at(&level.image).with_context(|| format!("the kernel '{}' of the plan", level.name))?;
        let lacking = kernel.lacks(&level.modules);
        if !lacking.is_empty() {
            let text = format!(
                "the kernel '{}' ({}) has no module {}: leave it out of modules, or take a kernel that has it",
                level.name,
                kernel.release(),
                lacking.join(", ")
            );
            return Err(BadUsage(text).into());
        }
        Ok(ChosenKernel {
            kernel,
            parameters: level.parameters.clone(),
            modules: level.modules.clone(),
        })
    }
}

fn at(place: &str) -> anyhow::Result<Kernel> {
    match place {
        OWN => Ok(ChosenKernel::own()?.kernel),
        place => Ok(Kernel::at(Path::new(place))?),
    }
}

/// Several kernels that options name, as the text of a plan's factor: each level is called by the kernel's release, and by
/// its words where that does not tell it from others.
pub(super) fn factor_of(options: &[String]) -> anyhow::Result<String> {
    let mut names: Vec<String> = Vec::new();
    let mut levels = Vec::new();
    for text in options {
        let chosen = ChosenKernel::named(text)?;
        let words = chosen.parameters.join(" ");
        let release = chosen.kernel.release();
        let name = told_apart(&[release.to_owned(), format!("{release} {words}")], &names);
        let image = match text.split(' ').next() {
            Some(OWN) => OWN.to_owned(),
            _ => chosen.kernel.image().display().to_string(),
        };
        levels.push(format!(
            "{{ value = {}, image = {}, parameters = {} }}",
            quoted(&name),
            quoted(&image),
            quoted(&words)
        ));
        names.push(name);
    }
    Ok(format!(
        "\n[[factor]]\nname = \"kernel\"\nlevels = [{}]\n",
        levels.join(", ")
    ))
}

/// The first of these that is not taken, or the last with a number.
fn told_apart(wanted: &[String; 2], taken: &[String]) -> String {
    let [_, last] = wanted;
    let last = last.trim_end();
    let numbered = (2..).map(|number| format!("{last} ({number})"));
    let all = wanted.iter().map(|name| name.trim_end().to_owned());
    let mut free = all.chain(numbered).filter(|name| !taken.contains(name));
    free.next().unwrap_or_default()
}

/// As TOML has a text; a basic string of it takes the escapes of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_of_one_release_are_told_apart_by_their_words_or_a_number() {
        let name = |words: &str, taken: &[String]| {
            told_apart(&["6.1".to_owned(), format!("6.1 {words}")], taken)
        };
        let mut taken = Vec::new();
        for (words, wanted) in [
            ("", "6.1"),
            ("", "6.1 (2)"),
            ("a=1", "6.1 a=1"),
            ("a=1", "6.1 a=1 (2)"),
            ("", "6.1 (3)"),
        ] {
            let found = name(words, &taken);
            assert_eq!(found, wanted);
            taken.push(found);
        }
    }

    #[test]
    fn what_is_no_kernel_is_quoted_and_words_that_break_a_guest_are_refused() {
        let said = |text: &str| format!("{:#}", ChosenKernel::named(text).unwrap_err());
        assert!(said("/nosuch a=1").contains("'/nosuch' is no kernel"));
        let taken = said("/nosuch rdinit=/bin/sh");
        assert!(
            taken.contains("--kernel '/nosuch rdinit=/bin/sh': 'rdinit=/bin/sh'"),
            "{taken}"
        );
    }
}
