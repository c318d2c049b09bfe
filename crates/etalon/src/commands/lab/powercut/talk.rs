//! What is said over the second serial line of a guest.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use etalon_factor::Server;
use etalon_lab::guest::GuestError;
use etalon_units::visible;

const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A line of the guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// The filesystem is there, and nothing is promised yet.
    Begin,
    /// This record is durable, as far as the guest can know.
    Kept(u64),
    /// There are no more records.
    End,
    /// The records that a cut has left are given back, so many bytes.
    Found(u64),
    /// What a cut has left cannot be mounted, or a database in it not be opened; why.
    Unmountable(String),
    /// Something went wrong.
    Failed(String),
}

impl Said {
    /// Anything but these is a failure of the guest, and told as it came.
    fn of(line: &str) -> Said {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = rest.parse();
        match (word, number) {
            ("begin", _) => Said::Begin,
            ("end", _) => Said::End,
            ("unmountable", _) => Said::Unmountable(visible(rest).into_owned()),
            ("kept", Ok(number)) => Said::Kept(number),
            ("found", Ok(bytes)) => Said::Found(bytes),
            ("failed", _) => Said::Failed(visible(rest).into_owned()),
            _ => Said::Failed(visible(line).into_owned()),
        }
    }
}

/// The host's end of the line.
pub(super) struct Talk<'a> {
    stream: UnixStream,
    lines: Receiver<Said>,
    server: &'a mut Server,
    stop: &'a AtomicBool,
    ends: Instant,
}

impl<'a> Talk<'a> {
    /// Connects to the guest, which waits for this before it boots.
    pub(super) fn with(
        path: &Path,
        server: &'a mut Server,
        stop: &'a AtomicBool,
        time_limit: Duration,
    ) -> anyhow::Result<Talk<'a>> {
        let ends = Instant::now() + time_limit;
        let stream = loop {
            match UnixStream::connect(path) {
                Ok(stream) => break stream,
                Err(_) => is_alive(server, stop)?,
            }
            thread::sleep(POLL_INTERVAL);
        };
        let (told, lines) = channel();
        let heard = BufReader::new(stream.try_clone()?);
        thread::Builder::new()
            .name("guest-line".to_owned())
            .spawn(move || {
                let said = heard.lines().map_while(Result::ok);
                // Who does not listen any more needs no lines.
                let _ = said
                    .map(|line| Said::of(line.trim()))
                    .try_for_each(|said| told.send(said));
            })?;
        Ok(Talk {
            stream,
            lines,
            server,
            stop,
            ends,
        })
    }

    pub(super) fn say(&mut self, word: &str) -> anyhow::Result<()> {
        Ok(writeln!(self.stream, "{word}")?)
    }

    /// The next line, however long it takes.
    pub(super) fn hear(&mut self) -> anyhow::Result<Said> {
        loop {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(Said::Failed(why)) => anyhow::bail!("in the guest: {why}"),
                Ok(said) => return Ok(said),
                Err(RecvTimeoutError::Disconnected) => anyhow::bail!("the guest has hung up"),
                Err(RecvTimeoutError::Timeout) => is_alive(self.server, self.stop)?,
            }
            if Instant::now() > self.ends {
                anyhow::bail!("the guest is still at work; give it more by --time-limit");
            }
        }
    }

    /// A line that has come already.
    pub(super) fn heard(&mut self) -> Option<Said> {
        self.lines.try_recv().ok()
    }
}

fn is_alive(server: &mut Server, stop: &AtomicBool) -> anyhow::Result<()> {
    if stop.load(Ordering::Relaxed) {
        return Err(GuestError::Stopped.into());
    }
    match server.ended()? {
        Some(status) => anyhow::bail!("the guest ended by itself ({status})"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_of_the_words_or_a_failure() {
        for (line, said) in [
            ("kept 12", Said::Kept(12)),
            ("found 4096", Said::Found(4096)),
            (
                "unmountable mount: bad",
                Said::Unmountable("mount: bad".to_owned()),
            ),
            ("failed no room", Said::Failed("no room".to_owned())),
            ("kept x", Said::Failed("kept x".to_owned())),
        ] {
            assert_eq!(Said::of(line), said);
        }
    }
}
