//! What must be there before a level can be set.

use std::collections::BTreeMap;
use std::path::Path;

/// Something that is missing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Need {
    /// The rights of root.
    #[error("{what} needs root: run it with sudo")]
    Root {
        /// What needs them.
        what: String,
    },
    /// A program.
    #[error("the program '{tool}' is missing: install the package {package}")]
    Tool {
        /// Its name.
        tool: String,
        /// Debian's package with it.
        package: String,
    },
    /// A module that this kernel has not.
    #[error("{what} needs the kernel module {lack}")]
    Module {
        /// The level that needs it.
        what: String,
        /// The module, where it was looked for, and what to do.
        lack: String,
    },
    /// A file or a choice that this kernel or device does not offer.
    #[error("{0}")]
    Kernel(String),
    /// A decision of whoever runs the plan, such as `--destroy`.
    #[error("{0}")]
    Decision(String),
}

impl Need {
    /// Each once and in order, the levels that lack one module in one sentence.
    pub fn gathered(needs: Vec<Need>) -> Vec<Need> {
        let (mut of_modules, mut others) = (BTreeMap::<String, Vec<String>>::new(), Vec::new());
        for need in needs {
            match need {
                Need::Module { what, lack } => of_modules.entry(lack).or_default().push(what),
                other => others.push(other),
            }
        }
        others.sort();
        others.extend(of_modules.into_iter().map(|(lack, mut levels)| {
            levels.sort();
            levels.dedup();
            let several = if levels.len() > 1 { "each of " } else { "" };
            Need::Module {
                what: format!("{several}{}", levels.join(", ")),
                lack,
            }
        }));
        others.dedup();
        others
    }

    /// Root's rights for `what`, where this process lacks them.
    pub fn root(what: &str) -> Option<Need> {
        let is_root = rustix::process::geteuid().is_root();
        (!is_root).then(|| Need::Root {
            what: what.to_owned(),
        })
    }

    /// The program `tool` of Debian's `package`, where it is not installed.
    pub fn tool(tool: &str, package: &str) -> Option<Need> {
        // Programs of root stand where the path of an ordinary user does not lead.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let own = std::env::split_paths(&path).collect::<Vec<_>>();
        let roots = ["/usr/sbin", "/sbin", "/usr/local/sbin"].map(Into::into);
        let is_there = own
            .iter()
            .chain(&roots)
            .any(|place: &std::path::PathBuf| Path::new(place).join(tool).is_file());
        (!is_there).then(|| Need::Tool {
            tool: tool.to_owned(),
            package: package.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_lack_one_module_are_told_together() {
        let module = |what: &str, lack: &str| Need::Module {
            what: what.to_owned(),
            lack: lack.to_owned(),
        };
        let needs = vec![
            module("md-5", "md-mod"),
            module("md-0", "md-mod"),
            Need::Kernel("x".to_owned()),
            module("md-5", "md-mod"),
            module("md-5", "raid456"),
            Need::Kernel("x".to_owned()),
        ];
        let told = Need::gathered(needs).into_iter();
        let told: Vec<String> = told.map(|need| need.to_string()).collect();
        let wanted = [
            "x",
            "each of md-0, md-5 needs the kernel module md-mod",
            "md-5 needs the kernel module raid456",
        ];
        assert_eq!(told, wanted);
    }
}
