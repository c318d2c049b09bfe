//! The messages of each language, read once.

use std::io::Read as _;
use std::sync::OnceLock;

use flate2::read::ZlibDecoder;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::memoizer::MemoizerKind;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use crate::ascii::plain;
use crate::spoken::is_ascii;
use crate::{ArgumentValue, Language, figure};

type Bundle = FluentBundle<FluentResource>;

/// The texts of a language as `build.rs` packs them.
const fn packed(language: Language) -> &'static [u8] {
    match language {
        Language::English => include_bytes!(concat!(env!("OUT_DIR"), "/en.ftl.zlib")),
        Language::French => include_bytes!(concat!(env!("OUT_DIR"), "/fr.ftl.zlib")),
        Language::Dutch => include_bytes!(concat!(env!("OUT_DIR"), "/nl.ftl.zlib")),
    }
}

/// The message in the language that is spoken, else in English; its own name where no catalogue has it, which a test
/// rules out.
pub fn message(id: &str, arguments: &[(&'static str, ArgumentValue<'_>)]) -> String {
    said(Language::spoken(), id, None, arguments)
        .or_else(|| said(Language::English, id, None, arguments))
        .unwrap_or_else(|| id.to_owned())
}

/// What the catalogue of the language that is spoken has for a text that is kept in English elsewhere: the
/// message itself, or an attribute of it. `None` in English, and for what has no translation.
pub fn translation(id: &str, attribute: Option<&str>) -> Option<String> {
    translation_with(id, attribute, &[])
}

/// As [`translation`], with values for the placeholders; `None` too where one of them has none.
pub fn translation_with(
    id: &str,
    attribute: Option<&str>,
    arguments: &[(&str, ArgumentValue<'_>)],
) -> Option<String> {
    let language = Language::spoken();
    match language {
        Language::English => None,
        _ => said(language, id, attribute, arguments),
    }
}

fn said(
    language: Language,
    id: &str,
    attribute: Option<&str>,
    arguments: &[(&str, ArgumentValue<'_>)],
) -> Option<String> {
    let bundle = bundle(language);
    let message = bundle.get_message(id)?;
    let pattern = match attribute {
        Some(name) => message.get_attribute(name)?.value(),
        None => message.value()?,
    };
    let values = arguments
        .iter()
        .map(|(name, value)| (*name, value.fluent()));
    let values: FluentArgs<'_> = values.collect();
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(&values), &mut errors);
    // A placeholder without its value would be told by its name.
    errors.is_empty().then(|| text.into_owned())
}

/// The messages of a language, those in ASCII apart: in a message's placeholders every letter stays.
fn bundle(language: Language) -> &'static Bundle {
    static BUNDLES: [[OnceLock<Bundle>; 2]; 3] = [const { [const { OnceLock::new() }; 2] }; 3];
    let ascii = is_ascii();
    BUNDLES[language as usize][usize::from(ascii)].get_or_init(|| read(language, ascii))
}

fn read(language: Language, ascii: bool) -> Bundle {
    let tag: LanguageIdentifier = language.tag().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![tag]);
    // Marks of direction around each value are for scripts that run from the right.
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(counted));
    let mut source = String::new();
    // What was packed here is whole; a test reads all of it.
    let _ = ZlibDecoder::new(packed(language)).read_to_string(&mut source);
    if ascii {
        source = plain(&source);
    }
    let resource = FluentResource::try_new(source);
    bundle.add_resource_overriding(resource.unwrap_or_else(|(read, _)| read));
    bundle
}

/// Counts with their digits grouped.
fn counted<M: MemoizerKind>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    match value {
        FluentValue::Number(number) => Some(figure(number.value)),
        _ => None,
    }
}
