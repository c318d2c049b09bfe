//! A tool's own work on the data, inside the clock.

use crate::check::Check;

pub(crate) const CHECK: Check = Check {
    code: "own-work",
    about: "The tool itself worked on the data inside the clock, and that time is in the figure.",
    advice: "Leave out the option that asks for it, to measure the storage alone.",
    ..Check::of_files()
};
