//! Options of every command that prints a page: how it is to look.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, ColorChoice};
use etalon_language::Language;

/// How a page is to look.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct LookArgs {
    /// Print ASCII only, as with LC_ALL=C
    #[arg(long, id = ASCII)]
    pub(crate) ascii: bool,
    /// Colour the page; auto: on a terminal, unless NO_COLOR is set or TERM is dumb
    #[arg(long, id = COLOR, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
}

/// Which language a page or a report is in.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct LanguageArgs {
    /// Write the page in this language [default: that of LC_ALL, LC_MESSAGES or LANG]
    #[arg(long = LANG, id = LANG, value_name = "LANG", value_parser = languages())]
    pub(crate) lang: Option<Language>,
}

const LANG: &str = "lang";

fn languages() -> impl TypedValueParser<Value = Language> {
    let tags = PossibleValuesParser::new(Language::ALL.map(Language::tag));
    tags.try_map(|tag| tag.parse::<Language>())
}

const ASCII: &str = "ascii";
const COLOR: &str = "color";

impl LookArgs {
    /// What was asked of this command, and of none that has no page.
    pub(crate) fn of(matches: &ArgMatches) -> LookArgs {
        let color = matches.try_get_one(COLOR).ok().flatten();
        let ascii = matches.try_get_one(ASCII).ok().flatten();
        let lang = matches.try_get_one(LANG).ok().flatten();
        LookArgs {
            ascii: ascii.copied().unwrap_or(false),
            color: color.copied().unwrap_or(ColorChoice::Auto),
            language: LanguageArgs {
                lang: lang.copied(),
            },
        }
    }
}
