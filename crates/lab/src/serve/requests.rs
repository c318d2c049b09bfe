//! What a client asks for once the export is agreed on.

use std::io::Read;

use super::wire::*;
use super::{Export, LARGEST_REQUEST, ProtocolError};
use crate::disk::{RequestKind, SECTOR_BYTES};

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NbdRequest {
    /// To be done: the range lies in the export and is of whole sectors.
    Do {
        /// Given back with the answer.
        cookie: u64,
        /// What.
        kind: RequestKind,
        /// First byte.
        offset: u64,
        /// Length; 0 for a flush, and for a trim with no whole sector in it.
        length: u64,
        /// What is to be written.
        data: Vec<u8>,
    },
    /// Answered by an error, after which the client goes on.
    Refused {
        /// Given back with the answer.
        cookie: u64,
        /// The error.
        why: NbdRefusal,
    },
    /// The client takes leave.
    Leave,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbdRefusal {
    /// It is unknown, too long, not of whole sectors, or reads beyond the end.
    Invalid,
    /// It writes beyond the end.
    BeyondEnd,
}

impl NbdRefusal {
    pub(super) fn number(self) -> u32 {
        match self {
            NbdRefusal::Invalid => EINVAL,
            NbdRefusal::BeyondEnd => ENOSPC,
        }
    }
}

/// The head of a request, as it comes; the data of a write follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestHead {
    flags: u16,
    command: u16,
    cookie: u64,
    offset: u64,
    length: u32,
}

impl RequestHead {
    /// Reads the next one.
    ///
    /// # Errors
    /// [`ProtocolError`], after which nobody knows where the next request begins: the connection is to
    /// be closed.
    pub fn read(stream: &mut impl Read) -> Result<RequestHead, ProtocolError> {
        let magic = u64::from(u32_of(stream)?);
        expect_magic("a request", magic, u64::from(REQUEST_MAGIC))?;
        Ok(RequestHead {
            flags: u16_of(stream)?,
            command: u16_of(stream)?,
            cookie: u64_of(stream)?,
            offset: u64_of(stream)?,
            length: u32_of(stream)?,
        })
    }

    /// Reads what follows it, and says what is asked for.
    ///
    /// # Errors
    /// Those of [`RequestHead::read`].
    pub fn request(
        self,
        stream: &mut impl Read,
        export: &Export,
    ) -> Result<NbdRequest, ProtocolError> {
        if self.command == CMD_DISC {
            return Ok(NbdRequest::Leave);
        }
        let data = data_of(stream, &self)?;
        let cookie = self.cookie;
        Ok(match judged(&self, export) {
            Ok((kind, offset, length)) => NbdRequest::Do {
                cookie,
                kind,
                offset,
                length,
                data,
            },
            Err(why) => NbdRequest::Refused { cookie, why },
        })
    }
}

/// The data of a write, which follow it also where it is refused.
fn data_of(stream: &mut impl Read, head: &RequestHead) -> Result<Vec<u8>, ProtocolError> {
    if head.command != CMD_WRITE {
        return Ok(Vec::new());
    }
    if head.length > LARGEST_REQUEST {
        return Err(ProtocolError::TooLong {
            what: "a write",
            found: u64::from(head.length),
            limit: u64::from(LARGEST_REQUEST),
        });
    }
    Ok(bytes_of(stream, head.length)?)
}

fn judged(head: &RequestHead, export: &Export) -> Result<(RequestKind, u64, u64), NbdRefusal> {
    let fua = head.flags & CMD_FLAG_FUA != 0;
    if head.flags & !CMD_FLAG_FUA != 0 {
        return Err(NbdRefusal::Invalid);
    }
    let (offset, length) = (head.offset, u64::from(head.length));
    let lies_within = export.has(offset, length);
    match head.command {
        CMD_READ if lies_within && head.length <= LARGEST_REQUEST => {
            Ok((RequestKind::Read, offset, length))
        }
        CMD_WRITE if lies_within => Ok((RequestKind::Write { fua }, offset, length)),
        CMD_WRITE if Export::is_whole(offset, length) => Err(NbdRefusal::BeyondEnd),
        CMD_FLUSH if offset == 0 && length == 0 => Ok((RequestKind::Flush, 0, 0)),
        CMD_TRIM => trim(offset, length, export),
        _ => Err(NbdRefusal::Invalid),
    }
}

/// The whole sectors of a range; what is not of use any more may begin and end anywhere.
fn trim(offset: u64, length: u64, export: &Export) -> Result<(RequestKind, u64, u64), NbdRefusal> {
    let end = offset
        .checked_add(length)
        .filter(|end| *end <= export.bytes);
    let end = end.ok_or(NbdRefusal::Invalid)? / SECTOR_BYTES * SECTOR_BYTES;
    let from = offset.next_multiple_of(SECTOR_BYTES);
    Ok((RequestKind::Trim, from.min(end), end.saturating_sub(from)))
}
