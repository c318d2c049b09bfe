//! A client of the protocol, as small as it can be.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// A connection.
pub(crate) struct Client(pub(crate) UnixStream);

/// What came back of a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) cookie: u64,
    pub(crate) error: u32,
}

/// One request, without its magic number.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) flags: u16,
    pub(crate) command: u16,
    pub(crate) cookie: u64,
    pub(crate) offset: u64,
    pub(crate) length: u32,
}

pub(crate) const READ: u16 = 0;
pub(crate) const WRITE: u16 = 1;
pub(crate) const DISC: u16 = 2;
pub(crate) const FLUSH: u16 = 3;
pub(crate) const TRIM: u16 = 4;

pub(crate) fn head(command: u16, offset: u64, length: u32) -> Head {
    Head {
        flags: 0,
        command,
        cookie: offset,
        offset,
        length,
    }
}

impl Client {
    /// Connects and reads the server's greeting.
    pub(crate) fn connect(path: &Path) -> Client {
        let mut client = Client(UnixStream::connect(path).unwrap());
        assert_eq!(&client.bytes::<16>(), b"NBDMAGICIHAVEOPT");
        assert_eq!(client.bytes::<2>(), [0, 3]);
        client
    }

    /// Connects and agrees on the default export; its size and flags.
    pub(crate) fn agreed(path: &Path) -> (Client, u64, u16) {
        let mut client = Client::connect(path);
        client.send(&3_u32.to_be_bytes());
        client.option(7, &[0, 0, 0, 0, 0, 0]);
        let (kind, data) = client.option_reply(7);
        assert_eq!((kind, &data[..2]), (3, &[0, 0][..]));
        let size = u64::from_be_bytes(data[2..10].try_into().unwrap());
        let flags = u16::from_be_bytes(data[10..].try_into().unwrap());
        while client.option_reply(7).0 != 1 {}
        (client, size, flags)
    }

    /// A server may cut it off in the middle of what it says: that is seen by reading.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let sent = self.0.write_all(bytes).map_err(|error| error.kind());
        assert!(
            matches!(sent, Ok(()) | Err(ErrorKind::BrokenPipe)),
            "{sent:?}"
        );
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).unwrap();
        bytes
    }

    pub(crate) fn option(&mut self, option: u32, data: &[u8]) {
        let length = u32::try_from(data.len()).unwrap();
        self.send(b"IHAVEOPT");
        self.send(&option.to_be_bytes());
        self.send(&length.to_be_bytes());
        self.send(data);
    }

    /// The kind of a reply to an option, and its data.
    pub(crate) fn option_reply(&mut self, option: u32) -> (u32, Vec<u8>) {
        assert_eq!(u64::from_be_bytes(self.bytes()), 0x3_e889_0455_65a9);
        assert_eq!(u32::from_be_bytes(self.bytes()), option);
        let kind = u32::from_be_bytes(self.bytes());
        let mut data = vec![0; u32::from_be_bytes(self.bytes()) as usize];
        self.0.read_exact(&mut data).unwrap();
        (kind, data)
    }

    pub(crate) fn ask(&mut self, head: Head, data: &[u8]) {
        let mut request = Vec::from(0x2560_9513_u32.to_be_bytes());
        request.extend(head.flags.to_be_bytes());
        request.extend(head.command.to_be_bytes());
        request.extend(head.cookie.to_be_bytes());
        request.extend(head.offset.to_be_bytes());
        request.extend(head.length.to_be_bytes());
        request.extend(data);
        self.send(&request);
    }

    pub(crate) fn reply(&mut self) -> Reply {
        assert_eq!(u32::from_be_bytes(self.bytes()), 0x6744_6698);
        Reply {
            error: u32::from_be_bytes(self.bytes()),
            cookie: u64::from_be_bytes(self.bytes()),
        }
    }

    pub(crate) fn done(&mut self, head: Head, data: &[u8]) {
        self.ask(head, data);
        let cookie = head.cookie;
        assert_eq!(self.reply(), Reply { cookie, error: 0 });
    }

    pub(crate) fn read(&mut self, offset: u64, length: u32) -> Vec<u8> {
        self.done(head(READ, offset, length), &[]);
        let mut data = vec![0; length as usize];
        self.0.read_exact(&mut data).unwrap();
        data
    }

    /// Whether the server has closed the connection, what it had to say before being read over.
    pub(crate) fn closes(mut self) -> bool {
        match self.0.read_to_end(&mut Vec::new()) {
            Ok(_) => true,
            Err(error) => error.kind() == io::ErrorKind::ConnectionReset,
        }
    }
}
