//! Messages of PostgreSQL's protocol, as far as statements without parameters need them
//! (PostgreSQL's manual, Frontend/Backend Protocol; their forms are those of the `postgres-protocol` crate).
//!
//! The `postgres` crate waits for each answer through a runtime for many connections, which took three tenths more processor
//! time than pgbench does (`benches --bin clients`): a statement is one write and one read here.

use std::io::{self, Read, Write};

use bytes::BytesMut;
use postgres_protocol::message::backend::{Header, Message};
use postgres_protocol::message::frontend;

use super::refusal::ServerRefusal;

/// What is read at once; an answer of one row is far shorter.
const CHUNK: usize = 8 << 10;

/// The longest message that is read: rows here are short.
const LONGEST: i32 = 16 << 20;

/// Why the server gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum PostgresqlError {
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Io(#[from] io::Error),
    /// The server refused a statement, or to let somebody in.
    #[error("{0}")]
    Refused(Box<ServerRefusal>),
    /// The server wants another proof than that of a password.
    #[error(
        "the server asks for a proof by {0}, which etalon does not know; let the user in by a password (scram-sha-256 in pg_hba.conf)"
    )]
    Way(&'static str),
    /// The server wants a password, and there is none.
    #[error("the server asks for a password, and there is none")]
    NoPassword,
    /// What came is not of the protocol.
    #[error("the server sent what is not of the protocol: {0}")]
    Protocol(&'static str),
}

impl PostgresqlError {
    /// Whether the connection is gone: all but a refusal ends it, and so does one of class 57P, operator intervention.
    pub(crate) fn is_closed(&self) -> bool {
        match self {
            PostgresqlError::Refused(refusal) => refusal.code.starts_with("57P"),
            _ => true,
        }
    }
}

/// A stream of messages.
pub(super) struct Messages<S> {
    stream: S,
    unread: BytesMut,
    unsent: BytesMut,
}

impl<S: Read + Write> Messages<S> {
    pub(super) fn new(stream: S) -> Messages<S> {
        Messages {
            stream,
            unread: BytesMut::with_capacity(CHUNK),
            unsent: BytesMut::new(),
        }
    }

    pub(super) fn stream(&self) -> &S {
        &self.stream
    }

    /// Sends what `make` makes.
    pub(super) fn send(
        &mut self,
        make: impl FnOnce(&mut BytesMut) -> io::Result<()>,
    ) -> Result<(), PostgresqlError> {
        self.unsent.clear();
        make(&mut self.unsent)?;
        Ok(self.stream.write_all(&self.unsent)?)
    }

    /// The next message that is no remark of the server's; a refusal is an error.
    pub(super) fn next(&mut self) -> Result<Message, PostgresqlError> {
        loop {
            match self.any()? {
                Message::NoticeResponse(_)
                | Message::ParameterStatus(_)
                | Message::NotificationResponse(_) => {}
                Message::ErrorResponse(body) => {
                    return Err(PostgresqlError::Refused(Box::new(ServerRefusal::of(
                        &body,
                    )?)));
                }
                message => return Ok(message),
            }
        }
    }

    /// Waits until the server closes the connection.
    pub(super) fn until_closed(&mut self) {
        while self.any().is_ok() {}
    }

    fn any(&mut self) -> Result<Message, PostgresqlError> {
        loop {
            // Room is made for as much as a message says that it has.
            if let Some(head) = Header::parse(&self.unread)?
                && head.len() > LONGEST
            {
                return Err(PostgresqlError::Protocol("a message of more than 16 MiB"));
            }
            if let Some(message) = Message::parse(&mut self.unread)? {
                return Ok(message);
            }
            let mut chunk = [0; CHUNK];
            let count = match self.stream.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if count == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            self.unread.extend_from_slice(&chunk[..count]);
        }
    }

    /// Carries statements out, and calls `each` with every message of the answer.
    pub(super) fn ask(
        &mut self,
        sql: &str,
        mut each: impl FnMut(&Message) -> Result<(), PostgresqlError>,
    ) -> Result<(), PostgresqlError> {
        self.send(|out| frontend::query(sql, out))?;
        loop {
            match self.next() {
                Ok(Message::ReadyForQuery(_)) => return Ok(()),
                Ok(message) => each(&message)?,
                Err(refused @ PostgresqlError::Refused(_)) => return Err(self.after(refused)),
                Err(failed) => return Err(failed),
            }
        }
    }

    /// A refused statement has an end too; who refuses all further ones closes the connection, which shows at the next.
    fn after(&mut self, refused: PostgresqlError) -> PostgresqlError {
        while let Ok(message) = self.next() {
            if let Message::ReadyForQuery(_) = message {
                break;
            }
        }
        refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// What a server sends, read from memory; what it is sent is written over what was read.
    fn answer(bytes: &[u8]) -> Result<Vec<u8>, PostgresqlError> {
        let mut question = BytesMut::new();
        frontend::query("SELECT 1", &mut question).unwrap();
        let mut stream = question.to_vec();
        stream.extend_from_slice(bytes);
        let mut tags = Vec::new();
        Messages::new(Cursor::new(stream)).ask("SELECT 1", |message| {
            tags.push(match message {
                Message::DataRow(_) => b'D',
                Message::CommandComplete(_) => b'C',
                _ => b'?',
            });
            Ok(())
        })?;
        Ok(tags)
    }

    fn message(tag: u8, body: &[u8]) -> Vec<u8> {
        let length = (body.len() as u32 + 4).to_be_bytes();
        [&[tag], &length[..], body].concat()
    }

    #[test]
    fn remarks_are_passed_over_and_an_answer_ends_where_the_server_is_ready() {
        let remark = message(b'N', b"SNOTICE\0\0");
        let complete = message(b'C', b"SELECT 1\0");
        let row = message(b'D', b"\0\x01\0\0\0\x017");
        let ready = message(b'Z', b"I");
        let all = [remark, row, complete, ready].concat();
        assert_eq!(answer(&all).unwrap(), b"DC");
    }

    #[test]
    fn a_refusal_is_told_with_its_code_and_a_cut_stream_is_an_error() {
        let refused = message(b'E', b"SERROR\0C42P06\0Mthere is one\0\0");
        for end in [message(b'Z', b"I"), Vec::new()] {
            let error = answer(&[refused.clone(), end].concat()).unwrap_err();
            assert_eq!(error.to_string(), "ERROR: there is one");
            assert!(matches!(error, PostgresqlError::Refused(refusal) if refusal.code == "42P06"));
        }
        let without_end = message(b'C', b"SELECT 1\0");
        for cut in [
            &b""[..],
            b"C\0\0",
            &without_end,
            b"C\0\0\0\x01",
            b"?\0\0\0\x04",
        ] {
            assert!(answer(cut).is_err(), "{cut:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(tag: u8, body in proptest::collection::vec(0u8.., 0..40), rest in "[ZCDE\0\x05]{0,20}") {
            let _ = answer(&[message(tag, &body), rest.into_bytes()].concat());
        }
    }
}
