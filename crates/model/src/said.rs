//! What a sentence is made of, for who reads another language than English.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of a sentence: which it is of those that etalon says, and what stands in its placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaidPart {
    /// The name of its text in the catalogues of other languages: [`SaidPart::key`] of the English one.
    pub key: String,
    /// The figures in its placeholders, as English has them: each language has its own decimal mark.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, String>,
    /// Names in its placeholders, which stay as they are, and words, which a catalogue may have by their own key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
}

impl SaidPart {
    /// The part that an English text names, with nothing in its placeholders: its key is FNV-1a of 32 bits (Fowler, Noll and
    /// Vo; RFC 9923) over the text in hexadecimal digits, so that a text that is changed asks for a new translation.
    ///
    /// ```
    /// use etalon_model::SaidPart;
    /// assert_eq!(SaidPart::new("foobar").key, "bf9cf968");
    /// ```
    pub fn new(english: &str) -> SaidPart {
        let hash = english.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        SaidPart {
            key: format!("{hash:08x}"),
            figures: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }

    /// Puts a further part behind what is said: after a blank, or, where it goes on with a comma, a semicolon or a colon, in
    /// the place of the full stop before it.
    pub fn join(said: &mut String, part: &str) {
        if part.trim_start().starts_with([',', ';', ':']) {
            said.truncate(said.trim_end_matches('.').len());
        } else if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(part);
    }
}

/// A sentence, or the part of one that stands before or behind another. In records it is its English text alone.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Sentence {
    /// In English, with its values.
    pub text: String,
    /// Of what it is made, in order; empty of a text that is in no catalogue, and of one that was read from a record.
    pub parts: Vec<SaidPart>,
}

impl Sentence {
    /// Both, one after the other as [`SaidPart::join`] puts them.
    #[must_use]
    pub fn then(mut self, other: Sentence) -> Sentence {
        SaidPart::join(&mut self.text, &other.text);
        // Half a translation would hide the other half.
        match self.parts.is_empty() || other.parts.is_empty() {
            true => self.parts.clear(),
            false => self.parts.extend(other.parts),
        }
        self
    }

    /// Several in English, one after the other.
    ///
    /// ```
    /// use etalon_model::Sentence;
    /// let all = ["One.", "Two."].map(|text| Sentence::from(text.to_owned()));
    /// assert_eq!(Sentence::all(&all), "One. Two.");
    /// ```
    pub fn all(sentences: &[Sentence]) -> String {
        let texts: Vec<&str> = sentences.iter().map(|one| &*one.text).collect();
        texts.join(" ")
    }
}

/// What is in no catalogue: it stays English.
impl From<String> for Sentence {
    fn from(text: String) -> Sentence {
        Sentence {
            text,
            parts: Vec::new(),
        }
    }
}

impl From<Sentence> for String {
    fn from(sentence: Sentence) -> String {
        sentence.text
    }
}

impl Display for Sentence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq<&str> for Sentence {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

impl Deref for Sentence {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}
