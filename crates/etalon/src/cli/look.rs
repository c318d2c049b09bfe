//! Options of every command that prints a page: how it is to look.

use clap::{ArgMatches, Args, ColorChoice};

/// How a page is to look.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct LookArgs {
    /// Print ASCII only, as with LC_ALL=C
    #[arg(long, id = ASCII)]
    pub(crate) ascii: bool,
    /// Colour the page; auto: on a terminal, unless NO_COLOR is set or TERM is dumb
    #[arg(long, id = COLOR, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

const ASCII: &str = "ascii";
const COLOR: &str = "color";

impl LookArgs {
    /// What was asked of this command, and of none that has no page.
    pub(crate) fn of(matches: &ArgMatches) -> LookArgs {
        let color = matches.try_get_one(COLOR).ok().flatten();
        let ascii = matches.try_get_one(ASCII).ok().flatten();
        LookArgs {
            ascii: ascii.copied().unwrap_or(false),
            color: color.copied().unwrap_or(ColorChoice::Auto),
        }
    }
}
