//! A connection by the socket of the server.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::wire::{Packets, WireError, number, text};
use crate::DatabaseError;
use crate::session::{Answer, Asks};

/// No answer takes longer; a server that stands still is ended with the work.
const READ_TIMEOUT: Duration = Duration::from_secs(3600);

/// COM_QUERY.
const QUERY: u8 = 3;

/// Long passwords, protocol 4.1, transactions, secure connection, plugins: what every server has.
const CAPABILITIES: u32 = 0x0000_0001 | 0x0000_0200 | 0x0000_2000 | 0x0000_8000 | 0x0008_0000;

/// utf8mb4_general_ci.
const CHARACTERS: u8 = 45;

/// One connection.
pub(super) struct Connection(Packets<UnixStream>);

/// What a statement gave.
enum Given {
    /// So many rows were changed.
    Changed(u64),
    /// Rows of so many columns follow.
    Columns(u64),
}

impl Connection {
    /// Connects to the server whose socket that is.
    pub(super) fn to(socket: &Path) -> Result<Connection, DatabaseError> {
        let stream = UnixStream::connect(socket).map_err(WireError::Io)?;
        stream
            .set_read_timeout(Some(READ_TIMEOUT))
            .map_err(WireError::Io)?;
        let mut packets = Packets::new(stream);
        packets.read()?;
        packets.write(&greeting())?;
        // OK, or the wish for another way to prove who one is, which a server without passwords has not.
        match packets.read()?.first() {
            Some(0) => Ok(Connection(packets)),
            _ => Err(WireError::Protocol("a question for a password").into()),
        }
    }

    fn ask(&mut self, sql: &str) -> Result<Given, WireError> {
        self.0.command(QUERY, sql)?;
        let first = self.0.read()?;
        if first[0] == 0 {
            let (changed, _) = number(&first[1..])?;
            return Ok(Given::Changed(changed.unwrap_or_default()));
        }
        let (columns, _) = number(&first)?;
        let columns = columns.ok_or(WireError::Protocol("a wish for a local file"))?;
        for _ in 0..columns {
            self.0.read()?;
        }
        is_end(&self.0.read()?)
            .then_some(Given::Columns(columns))
            .ok_or(WireError::Protocol("no end of the columns"))
    }

    /// Calls `each` with every row.
    pub(super) fn rows(
        &mut self,
        sql: &str,
        mut each: impl FnMut(&[Option<&[u8]>]),
    ) -> Result<u64, DatabaseError> {
        let columns = match self.ask(sql)? {
            Given::Changed(rows) => return Ok(rows),
            Given::Columns(columns) => columns,
        };
        let mut count = 0;
        loop {
            let row = self.0.read()?;
            if is_end(&row) {
                return Ok(count);
            }
            let (mut rest, mut values) = (&row[..], Vec::new());
            for _ in 0..columns {
                let (value, after) = text(rest)?;
                values.push(value);
                rest = after;
            }
            each(&values);
            count += 1;
        }
    }
}

impl Asks for Connection {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        self.rows(sql, |_| ())
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        let mut first = None;
        let mut begun = false;
        let rows = self.rows(sql, |row| {
            if !std::mem::replace(&mut begun, true) {
                first = row.first().copied().flatten().and_then(whole);
            }
        })?;
        Ok(Answer { rows, first })
    }
}

fn whole(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// EOF: 0xfe in a packet too short for a row that begins so.
fn is_end(payload: &[u8]) -> bool {
    payload.first() == Some(&0xfe) && payload.len() < 9
}

/// What a client answers to the server's greeting: root without a password.
fn greeting() -> Vec<u8> {
    let mut payload = Vec::new();
    payload.extend_from_slice(&CAPABILITIES.to_le_bytes());
    payload.extend_from_slice(&(16u32 << 20).to_le_bytes());
    payload.push(CHARACTERS);
    payload.extend_from_slice(&[0; 23]);
    payload.extend_from_slice(b"root\0");
    // The length of the proof, which is empty, and its kind.
    payload.push(0);
    payload.extend_from_slice(b"mysql_native_password\0");
    payload
}
