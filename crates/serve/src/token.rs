//! The word without which nothing is shown beyond this machine.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use crate::error::ServeError;

/// 32 characters of base64 are 192 bits: they are not guessed, at whatever rate.
const FEWEST: usize = 32;
const MOST: usize = 256;

/// A secret word, kept as its hash: hashes are compared, so that the time of a comparison says nothing of the word.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// The first line of a file that only its owner can read.
    ///
    /// # Errors
    /// [`ServeError::Token`] where it is no such file, or its word is shorter than 32 characters, longer than 256 or
    /// has others than visible ASCII.
    pub fn read(path: &Path) -> Result<Token, ServeError> {
        let refused = |why: String| ServeError::Token {
            path: path.to_owned(),
            why,
        };
        let found = fs::metadata(path).map_err(|e| refused(e.to_string()))?;
        if !found.is_file() || found.len() > 4096 {
            return Err(refused("it is no file of one line".to_owned()));
        }
        if found.permissions().mode() & 0o077 != 0 {
            return Err(refused("others can read it; chmod 600 it".to_owned()));
        }
        let text = fs::read_to_string(path).map_err(|e| refused(e.to_string()))?;
        Token::of(text.lines().next().unwrap_or_default().trim()).map_err(refused)
    }

    fn of(word: &str) -> Result<Token, String> {
        if !(FEWEST..=MOST).contains(&word.len()) {
            let length = word.len();
            return Err(format!(
                "its first line has {length} characters, and {FEWEST} to {MOST} are wanted"
            ));
        }
        match word.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(Token(hash(word))),
            false => Err("its first line has other signs than visible ASCII".to_owned()),
        }
    }

    /// Whether the header `Authorization` brings it: as `Bearer` (RFC 6750), or as the password of any user of
    /// `Basic` (RFC 7617), which browsers ask for by themselves.
    pub(crate) fn is_in(&self, authorization: &str) -> bool {
        let Some((scheme, rest)) = authorization.split_once(' ') else {
            return false;
        };
        match scheme.to_ascii_lowercase().as_str() {
            "bearer" => self.is(rest.trim()),
            "basic" => password(rest.trim()).is_some_and(|word| self.is(&word)),
            _ => false,
        }
    }

    fn is(&self, word: &str) -> bool {
        hash(word) == self.0
    }
}

fn hash(word: &str) -> [u8; 32] {
    Sha256::digest(word).into()
}

fn password(credentials: &str) -> Option<String> {
    let text = String::from_utf8(BASE64_STANDARD.decode(credentials).ok()?).ok()?;
    Some(text.split_once(':')?.1.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn it_is_taken_in_both_ways_that_it_may_come() {
        let token = Token::of(WORD).unwrap();
        let basic = |text: String| format!("Basic {}", BASE64_STANDARD.encode(text));
        assert!(token.is_in(&format!("Bearer {WORD}")));
        assert!(token.is_in(&basic(format!("me:{WORD}"))));
        assert!(token.is_in(&basic(format!(":{WORD}"))));
        let wrong = [
            WORD.to_owned(),
            "Bearer".to_owned(),
            format!("Bearer {WORD}x"),
            format!("Digest {WORD}"),
            basic(WORD.to_owned()),
            "Basic !".to_owned(),
        ];
        for wrong in wrong {
            assert!(!token.is_in(&wrong), "{wrong}");
        }
    }

    #[test]
    fn a_file_that_others_read_or_that_is_guessed_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let told = |word: &str, mode: u32| {
            fs::write(file.path(), word).unwrap();
            fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).unwrap();
            Token::read(file.path()).map_err(|e| e.to_string())
        };
        assert_eq!(
            told(&format!("{WORD}\n"), 0o600),
            Ok(Token::of(WORD).unwrap())
        );
        assert!(told(WORD, 0o640).unwrap_err().contains("chmod 600"));
        assert!(told("short", 0o600).unwrap_err().contains("5 characters"));
        assert!(
            told(&format!("{WORD} é"), 0o600)
                .unwrap_err()
                .contains("ASCII")
        );
        let missing = Token::read(Path::new("/no/such")).unwrap_err().to_string();
        assert!(missing.contains("/no/such"), "{missing}");
        assert!(Token::read(Path::new("/dev/zero")).is_err());
    }
}
