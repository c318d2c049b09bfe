//! What it costs to serve a disk model: a client that asks as fast as it gets answers.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Instant;

use anyhow::ensure;
use etalon_lab::disk::{Flat, FlatFigures};
use etalon_lab::serve::{Content, Export, ModelServer, ServedFacts, Socket};

const BYTES: u64 = 1 << 30;
/// No default export, by GO, without zeroes.
const AGREE: &[u8] = b"\0\0\0\x03IHAVEOPT\0\0\0\x07\0\0\0\x06\0\0\0\0\0\0";
/// The greeting; then size, block sizes and the end of the negotiation, each behind a head of 20 bytes.
const AGREED_BYTES: usize = 18 + (20 + 12) + (20 + 14) + 20;

/// One connection.
pub struct Client(UnixStream);

/// What a stream of requests gave.
pub struct Pace {
    /// Requests per second.
    pub requests_per_second: f64,
    /// Bytes per second.
    pub bytes_per_second: f64,
    /// What the server counted.
    pub facts: ServedFacts,
}

/// Reads of a disk that takes `latency_ns` for each, so many under way at once.
///
/// # Errors
/// Those of the socket, and answers that are no answers.
pub fn reads(
    place: &Path,
    latency_ns: u64,
    block_bytes: u32,
    depth: u64,
    requests: u64,
) -> anyhow::Result<Pace> {
    let figures = FlatFigures {
        bytes: BYTES,
        read_rate: u64::MAX >> 1,
        write_rate: u64::MAX >> 1,
        latency_ns,
        jitter_ns: 0,
        width: usize::try_from(depth)?,
        stall: None,
    };
    let export = Export {
        name: String::new(),
        bytes: BYTES,
        rotational: false,
    };
    let socket = Socket::bind(&place.join("disk"))?;
    let server = ModelServer::start(
        socket,
        export,
        Box::new(Flat::new(figures, 1)),
        Content::new(BYTES)?,
    )?;
    let mut client = Client::agreed(&place.join("disk"))?;
    let begun = Instant::now();
    for number in 0..requests + depth {
        if number >= depth {
            client.answer(block_bytes)?;
        }
        if number < requests {
            client.ask(number * u64::from(block_bytes) % BYTES, block_bytes)?;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let count = requests as f64;
    Ok(Pace {
        requests_per_second: count / seconds,
        bytes_per_second: count * f64::from(block_bytes) / seconds,
        facts: server.facts(),
    })
}

impl Client {
    fn agreed(path: &Path) -> anyhow::Result<Client> {
        let mut client = Client(UnixStream::connect(path)?);
        client.0.write_all(AGREE)?;
        client.0.read_exact(&mut [0; AGREED_BYTES])?;
        Ok(client)
    }

    fn ask(&mut self, offset: u64, length: u32) -> anyhow::Result<()> {
        let mut request = Vec::from(0x2560_9513_u32.to_be_bytes());
        request.extend([0; 4]);
        request.extend(offset.to_be_bytes());
        request.extend(offset.to_be_bytes());
        request.extend(length.to_be_bytes());
        Ok(self.0.write_all(&request)?)
    }

    fn answer(&mut self, length: u32) -> anyhow::Result<()> {
        let mut reply = vec![0; 16 + length as usize];
        self.0.read_exact(&mut reply)?;
        ensure!(reply[4..8] == [0; 4], "a read has failed");
        Ok(())
    }
}
