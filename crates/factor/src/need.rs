//! What must be there before a level can be set.

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
    /// A file or a choice that this kernel or device does not offer.
    #[error("{0}")]
    Kernel(String),
    /// A decision of whoever runs the plan, such as `--destroy`.
    #[error("{0}")]
    Decision(String),
}

impl Need {
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
