//! What a client sends to a served disk model: the negotiation, and its requests behind it.

use std::io::{self, Read, Write};

use etalon_lab::serve::{Agreed, Export, LARGEST_REQUEST, NbdRequest, RequestHead, handshake};

/// The size of the disk.
const BYTES: u64 = 1 << 30;
/// The most that is answered to one option: the greeting, and three replies.
const MOST_FOR_OPTION: usize = 256;

/// A client that has sent everything before it reads.
struct Client<'a> {
    sent: &'a [u8],
    answered: Vec<u8>,
}

impl Read for Client<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.sent.read(buffer)
    }
}

impl Write for Client<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.answered.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What must hold of any input.
pub fn check(bytes: &[u8]) {
    let export = Export {
        name: "flat".to_owned(),
        bytes: BYTES,
        rotational: false,
    };
    let mut client = Client {
        sent: bytes,
        answered: Vec::new(),
    };
    let agreed = handshake(&mut client, &export);
    // An option takes 16 bytes, so that a client gets no more than a few times what it sends.
    assert!(client.answered.len() <= (bytes.len() / 16 + 2) * MOST_FOR_OPTION);
    if !matches!(agreed, Ok(Agreed::Export)) {
        return;
    }
    while let Ok(head) = RequestHead::read(&mut client) {
        let Ok(asked) = head.request(&mut client, &export) else {
            return;
        };
        let NbdRequest::Do {
            kind,
            offset,
            length,
            data,
            ..
        } = asked
        else {
            continue;
        };
        assert!(offset.checked_add(length).is_some_and(|end| end <= BYTES));
        assert!(offset.is_multiple_of(512) && length.is_multiple_of(512));
        let is_write = matches!(kind, etalon_lab::disk::RequestKind::Write { .. });
        assert_eq!(data.len() as u64, if is_write { length } else { 0 });
        let is_read = kind == etalon_lab::disk::RequestKind::Read;
        assert!(!is_read || length <= u64::from(LARGEST_REQUEST));
    }
}
