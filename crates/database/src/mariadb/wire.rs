//! Packets of the client/server protocol of MySQL and MariaDB, as far as text queries need it
//! (<https://mariadb.com/docs/server/reference/clientserver-protocol>).
//!
//! The `mysql` crate would bring second versions of several crates; a client without encryption and prepared statements
//! is this file and its neighbours.

use std::io::{self, Read, Write};

/// The longest packet that is read: rows here are short.
const LONGEST: usize = 16 << 20;

/// Why the server gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Io(#[from] io::Error),
    /// The server refused a statement.
    #[error("{message} (error {code})")]
    Refused {
        /// Its number.
        code: u16,
        /// What it said.
        message: String,
    },
    /// The server wants another proof than that of a password of the usual kind.
    #[error(
        "the server asks for a proof by '{0}', which etalon does not know; name a user with a password by mysql_native_password"
    )]
    Way(String),
    /// What came is not of the protocol.
    #[error("the server sent what is not of the protocol: {0}")]
    Protocol(&'static str),
}

/// A stream of numbered packets.
pub(super) struct Packets<S> {
    stream: S,
    number: u8,
}

impl<S: Read + Write> Packets<S> {
    pub(super) fn new(stream: S) -> Packets<S> {
        Packets { stream, number: 0 }
    }

    pub(super) fn stream(&self) -> &S {
        &self.stream
    }

    /// The next packet's payload.
    pub(super) fn read(&mut self) -> Result<Vec<u8>, WireError> {
        let mut head = [0; 4];
        self.stream.read_exact(&mut head)?;
        let length = usize::from(head[0]) | usize::from(head[1]) << 8 | usize::from(head[2]) << 16;
        if length >= LONGEST {
            return Err(WireError::Protocol("a packet of 16 MiB"));
        }
        self.number = head[3].wrapping_add(1);
        let mut payload = vec![0; length];
        self.stream.read_exact(&mut payload)?;
        match payload.first() {
            Some(0xff) => Err(refusal(&payload)),
            Some(_) => Ok(payload),
            None => Err(WireError::Protocol("an empty packet")),
        }
    }

    /// Sends a payload as the next packet.
    pub(super) fn write(&mut self, payload: &[u8]) -> Result<(), WireError> {
        if payload.len() >= LONGEST - 1 {
            return Err(WireError::Protocol("a statement of 16 MiB"));
        }
        let length = (payload.len() as u32).to_le_bytes();
        let mut packet = vec![length[0], length[1], length[2], self.number];
        packet.extend_from_slice(payload);
        self.number = self.number.wrapping_add(1);
        Ok(self.stream.write_all(&packet)?)
    }

    /// A command begins a new exchange.
    pub(super) fn command(&mut self, kind: u8, text: &str) -> Result<(), WireError> {
        self.number = 0;
        let mut payload = vec![kind];
        payload.extend_from_slice(text.as_bytes());
        self.write(&payload)
    }
}

/// ERR: its code, `#` and five characters of SQLSTATE, and the message.
fn refusal(payload: &[u8]) -> WireError {
    let code = u16::from_le_bytes([byte(payload, 1), byte(payload, 2)]);
    let text = payload.get(3..).unwrap_or_default();
    let text = match text.first() {
        Some(b'#') => text.get(6..).unwrap_or_default(),
        _ => text,
    };
    WireError::Refused {
        code,
        message: String::from_utf8_lossy(text).into_owned(),
    }
}

fn byte(payload: &[u8], at: usize) -> u8 {
    payload.get(at).copied().unwrap_or_default()
}

/// A number of one to nine bytes at the beginning, and what follows it; `None` for NULL.
pub(super) fn number(bytes: &[u8]) -> Result<(Option<u64>, &[u8]), WireError> {
    let short = || WireError::Protocol("a number that is cut short");
    let (first, rest) = bytes.split_first().ok_or_else(short)?;
    let width = match first {
        0xfb => return Ok((None, rest)),
        0xfc => 2,
        0xfd => 3,
        0xfe => 8,
        0xff => return Err(WireError::Protocol("a number that is none")),
        small => return Ok((Some(u64::from(*small)), rest)),
    };
    let digits = rest.get(..width).ok_or_else(short)?;
    let value = digits
        .iter()
        .rev()
        .fold(0, |value, byte| value << 8 | u64::from(*byte));
    Ok((Some(value), rest.get(width..).unwrap_or_default()))
}

/// A text with its length before it, and what follows; `None` for NULL.
pub(super) fn text(bytes: &[u8]) -> Result<(Option<&[u8]>, &[u8]), WireError> {
    let (length, rest) = number(bytes)?;
    let Some(length) = length else {
        return Ok((None, rest));
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    match (rest.get(..length), rest.get(length..)) {
        (Some(text), Some(after)) => Ok((Some(text), after)),
        _ => Err(WireError::Protocol("a text that is cut short")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn numbers_and_texts_of_every_width_are_read() {
        assert_eq!(number(&[250, 1]).unwrap(), (Some(250), &[1][..]));
        assert_eq!(number(&[0xfb]).unwrap(), (None, &[][..]));
        assert_eq!(number(&[0xfc, 1, 2]).unwrap().0, Some(0x201));
        assert_eq!(number(&[0xfd, 1, 2, 3]).unwrap().0, Some(0x30201));
        assert_eq!(
            number(&[0xfe, 1, 0, 0, 0, 0, 0, 0, 1]).unwrap().0,
            Some(1 << 56 | 1)
        );
        assert_eq!(
            text(&[2, b'a', b'b', 9]).unwrap(),
            (Some(&b"ab"[..]), &[9][..])
        );
        for short in [&[][..], &[0xfc, 1], &[0xff], &[5, 1]] {
            assert!(text(short).is_err(), "{short:?}");
        }
    }

    #[test]
    fn a_refusal_is_told_and_a_cut_stream_is_an_error() {
        let packet = b"\x0d\0\0\x01\xff\x28\x04#42000nope".to_vec();
        let error = Packets::new(Cursor::new(packet)).read().unwrap_err();
        assert_eq!(error.to_string(), "nope (error 1064)");
        for cut in [&[][..], &[1, 0], &[5, 0, 0, 0, 1]] {
            assert!(Packets::new(Cursor::new(cut.to_vec())).read().is_err());
        }
    }
}
