//! A figure of a run that the user stopped.

use crate::check::Check;

pub(crate) const CHECK: Check = Check {
    code: "interrupted",
    about: "The run was stopped before its end, and the figure covers the part until then.",
    advice: "Run it again to the end.",
    ..Check::of_files()
};
