//! Agreeing with a client on the export.

use std::io::{Read, Write};

use super::wire::*;
use super::{Export, LARGEST_REQUEST, ProtocolError};

/// The longest data of an option: the name of an export is at most 4096 bytes long.
const LARGEST_OPTION: u32 = 16 << 10;
/// Who has asked for so much has no wish to come to the end.
const MOST_OPTIONS: usize = 64;
/// After the size and the flags of the export, unless the client wants none.
const ZEROES: [u8; 124] = [0; 124];
/// Sector, page, and the largest request.
const BLOCK_SIZES: [u32; 3] = [512, 4096, LARGEST_REQUEST];

/// How a negotiation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreed {
    /// Requests follow.
    Export,
    /// The client has taken leave.
    Leave,
}

/// Negotiates with a client.
///
/// # Errors
/// [`ProtocolError`]; the connection is to be closed then.
pub fn handshake(
    stream: &mut (impl Read + Write),
    export: &Export,
) -> Result<Agreed, ProtocolError> {
    let mut hello = Vec::from(NBDMAGIC.to_be_bytes());
    hello.extend(IHAVEOPT.to_be_bytes());
    hello.extend((FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES).to_be_bytes());
    stream.write_all(&hello)?;
    let flags = u32_of(stream)?;
    let known = u32::from(FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES);
    if flags & !known != 0 {
        return Err(ProtocolError::Magic {
            what: "the client's flags",
            found: u64::from(flags),
            expected: u64::from(known),
        });
    }
    let wants_zeroes = flags & u32::from(FLAG_NO_ZEROES) == 0;
    for _ in 0..MOST_OPTIONS {
        let option = Incoming::read(stream)?;
        if let Some(agreed) = answer(stream, export, &option, wants_zeroes)? {
            return Ok(agreed);
        }
    }
    Err(ProtocolError::TooLong {
        what: "a negotiation",
        found: MOST_OPTIONS as u64 + 1,
        limit: MOST_OPTIONS as u64,
    })
}

/// One option with its data.
struct Incoming {
    option: u32,
    data: Vec<u8>,
}

impl Incoming {
    fn read(stream: &mut impl Read) -> Result<Incoming, ProtocolError> {
        expect_magic("an option", u64_of(stream)?, IHAVEOPT)?;
        let (option, length) = (u32_of(stream)?, u32_of(stream)?);
        if length > LARGEST_OPTION {
            return Err(ProtocolError::TooLong {
                what: "an option",
                found: u64::from(length),
                limit: u64::from(LARGEST_OPTION),
            });
        }
        let data = bytes_of(stream, length)?;
        Ok(Incoming { option, data })
    }

    /// The name that INFO and GO ask for, if the data are well formed.
    fn asked_name(&self) -> Option<&[u8]> {
        let (length, rest) = self.data.split_first_chunk()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (name, rest) = rest.split_at_checked(length)?;
        let (count, wishes) = rest.split_first_chunk()?;
        let count = usize::from(u16::from_be_bytes(*count));
        (wishes.len() == 2 * count).then_some(name)
    }

    fn reply(&self, stream: &mut impl Write, kind: u32, data: &[u8]) -> Result<(), ProtocolError> {
        let mut reply = Vec::from(OPTION_REPLY_MAGIC.to_be_bytes());
        reply.extend(self.option.to_be_bytes());
        reply.extend(kind.to_be_bytes());
        reply.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
        reply.extend(data);
        Ok(stream.write_all(&reply)?)
    }
}

/// Answers one option; `None` where the next one is to come.
fn answer(
    stream: &mut (impl Read + Write),
    export: &Export,
    asked: &Incoming,
    wants_zeroes: bool,
) -> Result<Option<Agreed>, ProtocolError> {
    match asked.option {
        OPT_EXPORT_NAME => {
            export_by_name(stream, export, asked, wants_zeroes)?;
            return Ok(Some(Agreed::Export));
        }
        OPT_ABORT => {
            asked.reply(stream, REP_ACK, &[])?;
            return Ok(Some(Agreed::Leave));
        }
        OPT_LIST if !asked.data.is_empty() => asked.reply(stream, REP_ERR_INVALID, &[])?,
        OPT_LIST => {
            let name = export.name.as_bytes();
            let length = u32::try_from(name.len()).unwrap_or(0);
            asked.reply(stream, REP_SERVER, &[&length.to_be_bytes(), name].concat())?;
            asked.reply(stream, REP_ACK, &[])?;
        }
        OPT_INFO | OPT_GO => match asked.asked_name() {
            None => asked.reply(stream, REP_ERR_INVALID, &[])?,
            Some(name) if !is_ours(name, export) => asked.reply(stream, REP_ERR_UNKNOWN, &[])?,
            Some(_) => {
                describe(stream, export, asked)?;
                return Ok((asked.option == OPT_GO).then_some(Agreed::Export));
            }
        },
        _ => asked.reply(stream, REP_ERR_UNSUP, &[])?,
    }
    Ok(None)
}

fn is_ours(name: &[u8], export: &Export) -> bool {
    name.is_empty() || name == export.name.as_bytes()
}

/// To this option there is no answer but the export itself.
fn export_by_name(
    stream: &mut impl Write,
    export: &Export,
    asked: &Incoming,
    wants_zeroes: bool,
) -> Result<(), ProtocolError> {
    if !is_ours(&asked.data, export) {
        let name = String::from_utf8_lossy(&asked.data).into_owned();
        return Err(ProtocolError::NoExport(name));
    }
    let mut reply = Vec::from(export.bytes.to_be_bytes());
    reply.extend(transmission_flags(export).to_be_bytes());
    if wants_zeroes {
        reply.extend(ZEROES);
    }
    Ok(stream.write_all(&reply)?)
}

/// Size, flags and block sizes; a server may tell more than it was asked for.
fn describe(
    stream: &mut impl Write,
    export: &Export,
    asked: &Incoming,
) -> Result<(), ProtocolError> {
    let mut size = Vec::from(INFO_EXPORT.to_be_bytes());
    size.extend(export.bytes.to_be_bytes());
    size.extend(transmission_flags(export).to_be_bytes());
    asked.reply(stream, REP_INFO, &size)?;
    let mut blocks = Vec::from(INFO_BLOCK_SIZE.to_be_bytes());
    blocks.extend(BLOCK_SIZES.iter().flat_map(|size| size.to_be_bytes()));
    asked.reply(stream, REP_INFO, &blocks)?;
    asked.reply(stream, REP_ACK, &[])
}

fn transmission_flags(export: &Export) -> u16 {
    let common = FLAG_HAS_FLAGS | FLAG_SEND_FLUSH | FLAG_SEND_FUA | FLAG_SEND_TRIM;
    match export.rotational {
        true => common | FLAG_ROTATIONAL,
        false => common,
    }
}
