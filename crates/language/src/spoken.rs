//! The languages, and which of them is spoken.

use std::cell::Cell;

/// A language that reports and pages are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// The language of everything that has no translation.
    #[default]
    English,
    /// French.
    French,
    /// Dutch.
    Dutch,
}

thread_local! {
    /// Pages are put together by hundreds of functions, of which nearly each writes a word or a figure.
    static SPOKEN: Cell<Voice> = const { Cell::new(Voice { language: Language::English, ascii: false }) };
}

#[derive(Clone, Copy)]
struct Voice {
    language: Language,
    ascii: bool,
}

/// Takes the voice before back, also after a panic.
struct Before(Voice);

impl Drop for Before {
    fn drop(&mut self) {
        SPOKEN.set(self.0);
    }
}

fn with<T>(voice: Voice, work: impl FnOnce() -> T) -> T {
    let _before = Before(SPOKEN.replace(voice));
    work()
}

/// Does the work, whose messages have no letter beyond ASCII where that is so: `depeche` for `dépêche`.
pub fn in_ascii<T>(ascii: bool, work: impl FnOnce() -> T) -> T {
    let Voice { language, .. } = SPOKEN.get();
    with(Voice { language, ascii }, work)
}

/// Whether messages are in ASCII, and the page that they stand on with them.
pub fn is_ascii() -> bool {
    SPOKEN.get().ascii
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::English, Language::French, Language::Dutch];

    /// Its tag (BCP 47), as it is typed: `en`, `fr`, `nl`.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::French => "fr",
            Language::Dutch => "nl",
        }
    }

    /// What this thread speaks: English, but for the time of [`speak`](Language::speak).
    pub fn spoken() -> Language {
        SPOKEN.get().language
    }

    /// Does the work, all of whose messages and figures are in this language.
    pub fn speak<T>(self, work: impl FnOnce() -> T) -> T {
        let Voice { ascii, .. } = SPOKEN.get();
        with(
            Voice {
                language: self,
                ascii,
            },
            work,
        )
    }
}
