//! The secret that a scratch directory and its journal entry share.

use std::fmt;
use std::io;
use std::str::FromStr;

use rustix::rand::{GetRandomFlags, getrandom};
use serde::{Deserialize, Serialize};

/// 128 random bits as 32 lower-case hexadecimal digits: nobody has the same by accident, and nothing
/// in it means anything in a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Token(String);

/// The name of the scratch directory of `token` within the directory that holds it.
pub(crate) fn scratch_name(token: &Token) -> String {
    format!(".etalon-{token}")
}

/// A text that is no token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a token: 32 lower-case hexadecimal digits")]
pub struct NotAToken(String);

impl Token {
    /// A new token from the kernel's random numbers (`getrandom(2)`).
    ///
    /// # Errors
    /// The kernel's, where it has no random numbers to give.
    pub fn random() -> io::Result<Token> {
        let mut bytes = [0u8; 16];
        let mut filled = 0;
        while filled < bytes.len() {
            filled += getrandom(&mut bytes[filled..], GetRandomFlags::empty())?;
        }
        Ok(Token(bytes.iter().map(|b| format!("{b:02x}")).collect()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Token {
    type Err = NotAToken;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Token::try_from(text.to_owned())
    }
}

impl TryFrom<String> for Token {
    type Error = NotAToken;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == 32 && text.bytes().all(digit) {
            Ok(Token(text))
        } else {
            Err(NotAToken(text))
        }
    }
}

impl From<Token> for String {
    fn from(token: Token) -> String {
        token.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_read_back() {
        let (a, b) = (Token::random().unwrap(), Token::random().unwrap());
        assert_ne!(a, b);
        assert_eq!(a.as_str().parse(), Ok(a));
    }

    #[test]
    fn nothing_that_means_something_in_a_path_is_a_token() {
        let dots = "../../../../../../../../../../etc";
        for text in ["", dots, &dots[..32], &"A".repeat(32), &"0".repeat(33)] {
            assert!(text.parse::<Token>().is_err(), "{text}");
        }
    }
}
