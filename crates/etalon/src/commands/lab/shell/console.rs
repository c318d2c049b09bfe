//! The terminal and a guest's console, joined: what is typed goes in, what is said comes out.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// Ctrl-], as telnet has it.
const END_KEY: u8 = 0x1d;
const CHUNK: usize = 4096;

/// Starts to join them. Something comes through the channel when one of them has ended.
///
/// What is typed before the greeting is kept until then: a booting kernel empties the memory of its serial line when it
/// begins to use it, and the first keys would be lost.
pub(super) fn join(stream: UnixStream, greeting: &'static str) -> io::Result<Receiver<()>> {
    let (ended, end) = mpsc::channel();
    let (greeted, greets) = mpsc::channel();
    let (keys, typed) = mpsc::channel();
    let (shown, mut to, over) = (stream.try_clone()?, stream, ended.clone());
    started("console", move || {
        // The guest has ended, or standard output has gone.
        let _ = show(shown, &mut io::stdout().lock(), greeting, &greeted);
        let _ = over.send(());
    })?;
    started("keys", move || {
        if read_keys(&mut io::stdin().lock(), &keys).unwrap_or(false) {
            let _ = ended.send(());
        }
    })?;
    started("typed", move || {
        if greets.recv().is_ok() {
            let _ = typed
                .iter()
                .try_for_each(|keys: Vec<u8>| to.write_all(&keys));
        }
    })?;
    Ok(end)
}

fn started(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    Ok(())
}

/// Prints what the guest says, and tells when the greeting was in it.
fn show(
    mut from: impl Read,
    to: &mut impl Write,
    greeting: &str,
    greeted: &Sender<()>,
) -> io::Result<()> {
    let (mut chunk, mut last) = ([0; CHUNK], Some(Vec::new()));
    loop {
        let count = from.read(&mut chunk)?;
        if count == 0 {
            return Ok(());
        }
        to.write_all(&chunk[..count])?;
        to.flush()?;
        if let Some(said) = last.take() {
            last = without_greeting(said, &chunk[..count], greeting);
            if last.is_none() {
                // Who waits for it may have gone.
                let _ = greeted.send(());
            }
        }
    }
}

/// What was said last and may be the beginning of the greeting; `None` once all of it was said.
fn without_greeting(mut last: Vec<u8>, said: &[u8], greeting: &str) -> Option<Vec<u8>> {
    last.extend_from_slice(said);
    let greeting = greeting.as_bytes();
    if last.windows(greeting.len()).any(|part| part == greeting) {
        return None;
    }
    let keep = last.len().min(greeting.len() - 1);
    Some(last.split_off(last.len() - keep))
}

/// Reads what is typed; whether the key was pressed that ends the guest. The end of standard input does not.
fn read_keys(from: &mut impl Read, keys: &Sender<Vec<u8>>) -> io::Result<bool> {
    let mut chunk = [0; CHUNK];
    loop {
        let typed = match from.read(&mut chunk)? {
            0 => return Ok(false),
            count => &chunk[..count],
        };
        if typed.contains(&END_KEY) {
            return Ok(true);
        }
        if keys.send(typed.to_vec()).is_err() {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, as a serial line may.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let one = to.len().min(1);
            self.0.read(&mut to[..one])
        }
    }

    #[test]
    fn a_greeting_is_found_however_it_comes_and_told_before_what_follows() {
        for said in [&b"boot\r\nhello.\r\n~ # "[..], b"hello.", b"hehehello.x"] {
            let (greeted, greets) = mpsc::channel();
            let (mut whole, mut slow) = (Vec::new(), Vec::new());
            show(said, &mut whole, "hello.", &greeted).unwrap();
            assert!(greets.try_recv().is_ok());
            show(Slow(said), &mut slow, "hello.", &greeted).unwrap();
            assert!(greets.try_recv().is_ok());
            assert_eq!([whole, slow], [said, said]);
        }
        let (greeted, greets) = mpsc::channel();
        show(Slow(b"hello"), &mut Vec::new(), "hello.", &greeted).unwrap();
        assert!(greets.try_recv().is_err());
    }

    #[test]
    fn keys_are_kept_in_their_order_and_one_ends_the_guest() {
        let (keys, typed) = mpsc::channel();
        assert!(!read_keys(&mut Slow(b"ls\n"), &keys).unwrap());
        assert_eq!(typed.try_iter().flatten().collect::<Vec<u8>>(), b"ls\n");
        assert!(read_keys(&mut Slow(b"l\x1ds"), &keys).unwrap());
        assert_eq!(typed.try_iter().flatten().collect::<Vec<u8>>(), b"l");
    }
}
