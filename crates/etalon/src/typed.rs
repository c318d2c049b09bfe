//! The command line as it was typed: an experiment keeps it, so that it can be repeated.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};

/// As the parser of options got it, from the program's name on.
static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Keeps the command line for [`command`].
pub(crate) fn remember(words: Vec<OsString>) -> &'static [OsString] {
    WORDS.get_or_init(|| words)
}

/// The words behind the program's name and, where they mean something only there, the directory in which they were
/// typed; nothing where one of them is no text.
pub(crate) fn command() -> Option<Value> {
    record(WORDS.get()?, &env::current_dir().ok()?)
}

/// As [`command`], of a command line with the program's name first.
pub(crate) fn record(words: &[OsString], directory: &Path) -> Option<Value> {
    let words = words.iter().skip(1).map(|word| word.to_str());
    let words: Vec<&str> = words.collect::<Option<_>>()?;
    let mut command = json!({ "words": words });
    if depends_on(directory, &words) {
        command["directory"] = directory.to_str()?.into();
    }
    Some(command)
}

/// Whether a word names something in this directory, or none names a target and the directory is it.
fn depends_on(directory: &Path, words: &[&str]) -> bool {
    let values = || {
        words
            .iter()
            .map(|word| word.split_once('=').map_or(*word, |(_, value)| value))
    };
    let is_here = |value: &str| {
        let is_name = !(value.is_empty() || value.starts_with(['/', '-']));
        is_name && directory.join(value).symlink_metadata().is_ok()
    };
    values().any(is_here) || !values().any(|value| value.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(words: &[&str], directory: &Path) -> Value {
        let words: Vec<OsString> = ["etalon"].iter().chain(words).map(OsString::from).collect();
        record(&words, directory).unwrap()
    }

    #[test]
    fn the_directory_is_kept_where_words_depend_on_it() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("plan.toml"), "").unwrap();
        let kept = |words: &[&str]| recorded(words, home.path()).get("directory").is_some();
        for words in [
            &[][..],
            &["quick", "."],
            &["run", "plan.toml", "/srv"],
            &["dd", "if=/dev/zero", "of=plan.toml"],
            &["fdtree", "-d", "2"],
        ] {
            assert!(kept(words), "{words:?}");
        }
        for words in [&["/srv"][..], &["dd", "if=/dev/zero", "of=/srv/x", "bs=4k"]] {
            assert!(!kept(words), "{words:?}");
        }
    }

    #[test]
    fn a_word_that_is_no_text_keeps_nothing() {
        use std::os::unix::ffi::OsStringExt as _;
        let words = ["etalon".into(), OsString::from_vec(vec![b'/', 0xff])];
        assert_eq!(record(&words, Path::new("/")), None);
    }
}
